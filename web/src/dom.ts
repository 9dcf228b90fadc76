// SPDX-License-Identifier: Apache-2.0
// Builds elements: h("td", { class: "number" }, "12").

type Child = Node | string | number | null | undefined | false | Child[];
type Attributes = Record<string, string | number | boolean | null | undefined | EventListener>;

function append(parent: Element, children: Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(parent, child);
    else parent.append(child instanceof Node ? child : String(child));
  }
}

function fill<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

export function svg<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): SVGElementTagNameMap[K] {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

export function option(value: string, label: string, selected: boolean): HTMLOptionElement {
  return h("option", { value, selected }, label);
}

// A labelled list to choose from; `set` replaces its entries without an event.
export function choice(label: string, id: string, changed: (value: string) => void) {
  const select = h("select", { id, onchange: () => changed(select.value) });
  const element = h("label", { class: "choice" }, h("span", {}, label), select);
  return {
    element,
    select,
    set(entries: [string, string][], value: string) {
      select.replaceChildren(...entries.map(([v, text]) => option(v, text, v === value)));
    },
  };
}

export function toggle(label: string, id: string, changed: (on: boolean) => void) {
  const input = h("input", { type: "checkbox", id, onchange: () => changed(input.checked) });
  return { element: h("label", { class: "toggle" }, input, h("span", {}, label)), input };
}

// Pictures for buttons: fonts lack many of these signs.
const icons = {
  first: "M4 3v10M13 3L6 8l7 5z",
  back: "M11 3L5 8l6 5z",
  play: "M5 3l8 5-8 5z",
  pause: "M5 3v10M11 3v10",
  forward: "M5 3l6 5-6 5z",
  last: "M12 3v10M3 3l7 5-7 5z",
  less: "M3 8h10",
  more: "M3 8h10M8 3v10",
  theme: "M8 2a6 6 0 1 0 0 12z M8 1.2a6.8 6.8 0 0 1 0 13.6a6.8 6.8 0 0 0 5.6-6.8a6.8 6.8 0 0 0-5.6-6.8z",
} as const;
export type Icon = keyof typeof icons;

export function icon(name: Icon): SVGSVGElement {
  return svg("svg", { viewBox: "0 0 16 16", width: 16, height: 16, class: "icon", "aria-hidden": "true" }, svg("path", { d: icons[name] }));
}

export function iconButton(name: Icon, label: string, id: string, act: () => void): HTMLButtonElement {
  return h("button", { type: "button", class: "sign", id, title: label, "aria-label": label, onclick: act }, icon(name));
}

export const count = (value: number): string => value.toLocaleString("en-US");
export const percent = (part: number, whole: number): string => (whole > 0 ? `${((100 * part) / whole).toFixed(1)} %` : "–");
