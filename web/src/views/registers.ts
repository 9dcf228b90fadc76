// SPDX-License-Identifier: Apache-2.0
// Live ranges, pressure and spills of the code of one target.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { App } from "../app";
import { choice, h, svg } from "../dom";
import type { Registers } from "../model";
import { css } from "../paint";

const rowHeight = 13;
const gutter = 150;

export class RegistersView {
  readonly element: HTMLElement;
  private readonly choose = choice("target", "register-target", (value) => this.app.store.set({ target: value }));
  private readonly facts = h("div", { class: "facts" });
  private readonly chart = h("div", { class: "inside", id: "pressure" });
  private readonly perLine = h("div", { class: "inside", id: "pressure-lines" });
  private readonly ranges = h("div", { class: "ranges", tabindex: 0, role: "region", "aria-label": "Live ranges" });
  private plot: uPlot | null = null;
  private drawn = "";

  constructor(private readonly app: App) {
    this.element = h("div", { class: "view" },
      h("div", { class: "bar" }, h("h2", {}, "Registers"), this.choose.element, this.facts),
      h("div", { class: "cols scroll" }, h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Pressure" }, this.chart, this.perLine), this.ranges));
    this.element.querySelector(".cols")?.setAttribute("style", "display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1.25fr);overflow:hidden");
    this.ranges.style.cssText = "border-left:1px solid var(--edge);overflow:auto;min-height:0;padding:10px 14px";
    new ResizeObserver(() => {
      if (this.plot && this.chart.clientWidth > 0) this.plot.setSize({ width: this.chart.clientWidth - 28, height: 230 });
    }).observe(this.chart);
  }

  refresh(): void {
    const { model, store } = this.app;
    const registers = model.registers.find((candidate) => candidate.target === store.state.target) ?? model.registers[0];
    this.choose.set(model.registers.map((candidate) => [candidate.target, candidate.target]), registers?.target ?? "");
    if (!registers) {
      this.ranges.replaceChildren(h("p", { class: "empty" }, "The record has no allocation: no target with registers was asked for."));
      return;
    }
    const key = `${registers.target} ${document.documentElement.dataset["theme"] ?? ""}`;
    if (key !== this.drawn) {
      this.drawn = key;
      this.facts.replaceChildren(...registers.facts.map((fact) => h("span", {}, h("span", { class: "quiet" }, `${fact.name} `), h("b", { style: "font-size:15px" }, fact.value))));
      this.drawChart(registers);
    }
    this.drawLines(registers);
    this.drawRanges(registers);
  }

  private drawChart(registers: Registers): void {
    this.plot?.destroy();
    this.chart.replaceChildren(h("h3", {}, "Pressure: values live at each instruction"));
    const length = registers.code.length;
    if (length === 0) return;
    const strokes = [css("--used"), css("--divergent"), css("--flow"), css("--uniform")];
    const dashes = [[], [6, 3], [2, 3], [8, 3, 2, 3]];
    const x = Array.from({ length }, (_, at) => at);
    const axis = { stroke: css("--quiet"), grid: { stroke: css("--edge"), width: 1 }, ticks: { stroke: css("--edge") } };
    this.plot = new uPlot(
      {
        width: Math.max(200, this.chart.clientWidth - 28),
        height: 230,
        cursor: { y: false },
        scales: { x: { time: false } },
        series: [{ label: "instruction" }, ...registers.kinds.map((kind, at) => ({ label: `${kind.name} (of ${kind.limit})`, stroke: strokes[at % 4] as string, width: 2, dash: dashes[at % 4] as number[], paths: uPlot.paths.stepped?.({ align: 1 }) ?? null, points: { show: false } }))],
        axes: [{ ...axis, label: "instruction", labelSize: 18, size: 34 }, { ...axis, size: 38 }],
      } as uPlot.Options,
      [x, ...registers.kinds.map((kind) => kind.pressure)] as uPlot.AlignedData,
      this.chart,
    );
    this.plot.over.addEventListener("click", () => {
      const line = registers.code[this.plot?.cursor.idx ?? -1]?.line ?? 0;
      if (line > 0) this.app.store.set({ line });
    });
  }

  private drawLines(registers: Registers): void {
    const most = new Map<number, number[]>();
    registers.code.forEach(({ line }, at) => {
      if (line <= 0) return;
      const row = most.get(line) ?? registers.kinds.map(() => 0);
      registers.kinds.forEach((kind, k) => { row[k] = Math.max(row[k] ?? 0, kind.pressure[at] ?? 0); });
      most.set(line, row);
    });
    const chosen = this.app.store.state.line;
    this.perLine.replaceChildren(h("h3", {}, "Most values live, by source line"),
      h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "line"), registers.kinds.map((kind) => h("th", { scope: "col", class: "number" }, kind.name)))),
        h("tbody", {}, [...most].sort(([a], [b]) => a - b).map(([line, row]) =>
          h("tr", { class: line === chosen ? "chosen" : "" }, h("td", {}, this.app.lineLink(line)), row.map((value) => h("td", { class: "number" }, value)))))));
  }

  private drawRanges(registers: Registers): void {
    if (registers.ranges.length === 0) {
      this.ranges.replaceChildren(h("p", { class: "quiet" }, "No live ranges are recorded for this target."));
      return;
    }
    const chosen = this.app.store.state.line;
    const rows = new Map<string, Registers["ranges"]>();
    for (const range of registers.ranges) {
      const row = range.register === "" ? range.name : range.register;
      const known = rows.get(row);
      if (known) known.push(range);
      else rows.set(row, [range]);
    }
    const width = Math.max(340, this.ranges.clientWidth - 40);
    const length = Math.max(1, registers.code.length, ...registers.ranges.map((range) => range.to));
    const at = (index: number): number => gutter / 2 + (index / length) * (width - gutter / 2 - 10);
    const picture = svg("svg", { width, height: rows.size * rowHeight + 26, role: "img", "aria-label": `Live ranges of ${registers.ranges.length} values in ${rows.size} registers` });
    let y = 4;
    for (const [name, ranges] of rows) {
      picture.append(svg("text", { x: gutter / 2 - 8, y: y + 9, "text-anchor": "end", style: "font:11px var(--mono);fill:var(--quiet)" }, name),
        svg("line", { x1: at(0), x2: width - 10, y1: y + 5.5, y2: y + 5.5, style: "stroke:var(--edge)" }));
      for (const range of ranges) {
        const mine = chosen > 0 && range.line === chosen;
        const colour = range.spilled ? "var(--divergent)" : mine ? "var(--accent)" : "var(--used)";
        picture.append(svg("rect", { x: at(range.from), y: y + 1, width: Math.max(2.5, at(range.to) - at(range.from) - 1), height: rowHeight - 4, rx: 2,
          style: `fill:${colour};fill-opacity:${mine || range.spilled || chosen === 0 ? 1 : 0.55};cursor:pointer${range.spilled ? ";stroke:var(--text);stroke-dasharray:3 2" : ""}`,
          onclick: () => range.line > 0 && this.app.store.set({ line: range.line }) },
          svg("title", {}, `${range.name} in ${range.spilled ? "memory" : range.register}, instructions ${range.from} to ${range.to}${range.line > 0 ? `, line ${range.line}` : ""}`)));
      }
      y += rowHeight;
    }
    picture.append(svg("text", { x: at(0), y: y + 16, style: "font:12px var(--sans);fill:var(--quiet)" }, "instructions, in the order of the code →"));
    this.ranges.replaceChildren(h("h3", {}, "Live ranges, by register"), picture);
  }
}
