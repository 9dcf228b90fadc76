// SPDX-License-Identifier: Apache-2.0
// What is selected and shown. The fragment of the page's address holds it, so that a link opens the same picture.

export const views = ["stages", "graph", "lanes", "registers", "costs"] as const;
export type View = (typeof views)[number];

export interface State {
  view: View;
  line: number; // of the compiled file; 0: none
  block: string; // a block's label in the shown stage or trace
  row: string; // "stage:line", the line of a stage's text that was chosen; "": none
  lane: number; // -1: none
  step: number;
  warp: number;
  scheme: string;
  other: string; // the second scheme; "": none
  a: string; // stages
  b: string;
  diff: boolean;
  fold: boolean; // only the changed lines
  all: boolean; // also passes that change nothing
  graph: string; // the stage of the graph
  show: string; // what the graph shows besides edges: letters d, p, l, r, w
  colour: "block" | "line";
  zoom: number; // pixels of a step
  alone: boolean; // the view without the source
  target: string; // of the registers
  measure: string; // of the costs
}

type Listener = (changed: Set<keyof State>) => void;

export class Store {
  private readonly listeners: Listener[] = [];
  private pending: number | null = null;
  readonly state: State;

  constructor(private readonly defaults: State, signal: AbortSignal) {
    this.state = { ...defaults };
    this.read();
    window.addEventListener("hashchange", () => {
      if (location.hash === this.text()) return;
      const before = { ...this.state };
      Object.assign(this.state, this.defaults);
      this.read();
      this.notify(new Set((Object.keys(before) as (keyof State)[]).filter((key) => before[key] !== this.state[key])));
    }, { signal });
  }

  set(change: Partial<State>): void {
    const changed = new Set<keyof State>();
    for (const key of Object.keys(change) as (keyof State)[]) {
      if (change[key] === undefined || this.state[key] === change[key]) continue;
      (this.state as unknown as Record<string, unknown>)[key] = change[key];
      changed.add(key);
    }
    if (changed.size > 0) this.notify(changed);
  }

  subscribe(listener: Listener): void {
    this.listeners.push(listener);
  }

  // The address changes at rest only: browsers limit how often it may.
  private notify(changed: Set<keyof State>): void {
    for (const listener of this.listeners) listener(changed);
    if (this.pending !== null) clearTimeout(this.pending);
    this.pending = window.setTimeout(() => this.flush(), 150);
  }

  flush(): void {
    if (this.pending !== null) clearTimeout(this.pending);
    this.pending = null;
    history.replaceState(null, "", this.text());
  }

  text(): string {
    const parts: string[] = [];
    for (const key of Object.keys(this.defaults) as (keyof State)[])
      if (key === "view" || this.state[key] !== this.defaults[key]) parts.push(`${key}=${encodeURIComponent(String(this.state[key]))}`);
    return `#${parts.join("&")}`;
  }

  private read(): void {
    const state = this.state as unknown as Record<string, unknown>;
    // A page that the lab saved opens as it was there.
    const text = location.hash || (document.documentElement.dataset["open"] ?? "");
    for (const part of text.slice(1).split("&")) {
      const at = part.indexOf("=");
      const key = part.slice(0, at) as keyof State;
      if (at < 0 || !(key in this.defaults)) continue;
      let value: string;
      try {
        value = decodeURIComponent(part.slice(at + 1));
      } catch {
        continue;
      }
      const kind = typeof this.defaults[key];
      if (kind === "number") {
        if (Number.isInteger(Number(value))) state[key] = Number(value);
      } else if (kind === "boolean") state[key] = value === "true";
      else state[key] = value;
    }
    if (!views.includes(this.state.view)) this.state.view = this.defaults.view;
    if (this.state.colour !== "line") this.state.colour = "block";
  }
}
