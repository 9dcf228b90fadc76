// SPDX-License-Identifier: Apache-2.0
// What the launch costs under each scheme: the table of `kernelc stats` as bars.
import type { App } from "../app";
import { choice, h } from "../dom";
import type { Measure } from "../model";

export const show = (value: number, measure: Measure): string => (measure.digits > 0 ? value.toFixed(measure.digits) : String(value));

export class CostsView {
  readonly element: HTMLElement;
  private readonly choose = choice("bars show", "measure", (value) => this.app.store.set({ measure: value }));
  private readonly body = h("div", { class: "scroll inside", tabindex: 0, role: "region", "aria-label": "Costs of each scheme" });

  constructor(private readonly app: App) {
    this.element = h("div", { class: "view" }, h("div", { class: "bar" }, h("h2", {}, "Costs"), this.choose.element), this.body);
    this.choose.set(app.model.measures.map((measure) => [measure.id, measure.title]), app.store.state.measure);
  }

  refresh(): void {
    const { model, store } = this.app;
    const { state } = store;
    const measure = model.measures.find((candidate) => candidate.id === state.measure) ?? model.measures[0];
    if (!measure || model.stats.length === 0) {
      this.body.replaceChildren(h("p", { class: "empty" }, this.app.uncounted || "The record has no costs: give the command a launch."));
      return;
    }
    this.choose.select.value = measure.id;
    const most = Math.max(1e-9, ...model.stats.map((row) => row.values.get(measure.id) ?? 0));
    const traced = new Set(model.traces.map((trace) => trace.scheme));
    this.body.replaceChildren(
      h("p", { class: "quiet", style: "margin-bottom:10px" }, `Warps of ${model.warp} lanes. Striped bars count the code with masks that the compiler generates; plain ones count work-items on a machine with a stack or priorities.`),
      h("table", { class: "bars", id: "costs" },
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "scheme"), h("th", { scope: "col" }, measure.title), model.measures.map((m) => h("th", { scope: "col", class: "number" },
          h("button", { type: "button", class: "link", "aria-pressed": m.id === measure.id, onclick: () => store.set({ measure: m.id }) }, m.title))))),
        h("tbody", {}, model.stats.map((row) => {
          const value = row.values.get(measure.id);
          const can = traced.has(row.scheme);
          return h("tr", { class: `${row.scheme.endsWith("+masks") ? "masks" : ""}${row.scheme === state.scheme ? " chosen" : ""}`, "data-scheme": row.scheme },
            h("th", { scope: "row" }, can ? h("button", { type: "button", class: "link", title: "Show its lanes over time", onclick: () => store.set({ scheme: row.scheme, view: "lanes" }) }, row.scheme) : row.scheme),
            row.error !== "" ? h("td", { colspan: model.measures.length + 1 }, row.error) : [
              h("td", { class: "barcell" }, h("div", { class: "barbox" }, value !== undefined && h("i", { style: `width:${((100 * value) / most).toFixed(2)}%` }))),
              model.measures.map((m) => {
                const shown = row.values.get(m.id);
                return h("td", { class: "number", "data-measure": m.id }, shown === undefined ? "–" : show(shown, m));
              }),
            ]);
        }))));
  }
}
