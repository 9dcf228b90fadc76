// SPDX-License-Identifier: Apache-2.0
// The page: the source and what costs most on the left, one of five views on the right, one selection for all.
import { openSearchPanel } from "@codemirror/search";
import type { EditorView } from "@codemirror/view";
import { light, lineCosts, showCosts, sourcePane } from "./code";
import { count, h, iconButton } from "./dom";
import type { Cost, Finding, Model, Stage, TraceBlock } from "./model";
import { type RawRecord, readStats } from "./record";
import { type State, Store, type View, views } from "./state";
import { CostsView } from "./views/costs";
import { GraphView } from "./views/graph";
import { LanesView } from "./views/lanes";
import { RegistersView } from "./views/registers";
import { StagesView } from "./views/stages";

const titles: Record<View, string> = { stages: "Stages", graph: "Graph", lanes: "Lanes", registers: "Registers", costs: "Costs" };

const keys: [string, [string, string][]][] = [
  ["Everywhere", [["1 … 5", "stages, graph, lanes, registers, costs"], ["j  k", "next and previous line of the source that has code"], ["/", "search in the stage's text; in other views in the source"], ["Esc", "choose nothing"], ["s", "show or hide the source"], ["t", "light or dark"], ["?", "this list"]]],
  ["Stages", [["n  p", "next and previous stage"], ["d", "show differences"], ["h", "hide or show passes that change nothing"]]],
  ["Lanes", [["← →", "one step back or forward; with Shift ten"], ["↑ ↓", "choose a lane"], ["Home End", "first and last step"], ["Space", "play or pause"], ["[  ]", "narrower or wider steps"]]],
  ["Graph", [["+  −", "larger, smaller"], ["0", "the whole graph"], ["Tab Enter", "go through the blocks, choose one"]]],
];

export class App {
  readonly store: Store;
  readonly lanes: LanesView;
  private readonly stages: StagesView;
  private readonly graph: GraphView;
  private readonly registers: RegistersView;
  private readonly costs: CostsView;
  private source: EditorView | null = null; // made when it is first shown: the lab has its editor instead
  private readonly tabs = new Map<View, HTMLButtonElement>();
  private readonly sourceHost = h("div", { class: "pane", id: "source" });
  private readonly panel = h("section", { class: "panel", id: "view", role: "tabpanel" });
  private readonly findings = h("section", { class: "findings", id: "findings", tabindex: 0, "aria-label": "What costs most" });
  private readonly costLegend = h("span", { class: "legend" });
  private readonly tooltip = h("div", { class: "tip hidden", role: "tooltip" });
  private readonly help: HTMLDialogElement;
  private readonly sourceButton: HTMLButtonElement = h("button", { type: "button", id: "show-source", class: "outside", title: "Show or hide the source (s)", onclick: () => this.store.set({ alone: !this.store.state.alone }) }, "Source");
  uncounted = ""; // why there are no costs
  private readonly lineColours: Map<number, number>;
  private readonly closed = new AbortController();

  constructor(readonly model: Model) {
    this.store = new Store(this.defaults(), this.closed.signal);
    const lines = [...new Set(model.traces.flatMap((trace) => trace.blocks.map((block) => block.line)))].sort((a, b) => a - b);
    this.lineColours = new Map(lines.map((line, at) => [line, at]));
    if (!document.documentElement.dataset["theme"]) this.applyTheme(window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");

    const side = h("section", { class: "side", "aria-label": "Source" },
      h("div", { class: "bar" }, h("h2", {}, model.file), this.costLegend), this.sourceHost, this.findings);
    const divider = h("div", { class: "divider", role: "separator", tabindex: 0, "aria-orientation": "vertical", "aria-label": "Width of the source", "aria-valuemin": 20, "aria-valuemax": 70, "aria-valuenow": 36 });
    const main = h("main", {}, side, divider, this.panel);
    this.help = this.makeHelp();
    const app = document.getElementById("app") as HTMLElement;
    app.append(h("a", { class: "skip", href: "#view", onclick: ((event: Event) => { event.preventDefault(); this.panel.focus(); }) as EventListener }, "To the view"), this.makeTop(), main);
    document.body.append(this.help, this.tooltip);
    this.panel.tabIndex = -1;

    this.stages = new StagesView(this);
    this.graph = new GraphView(this);
    this.lanes = new LanesView(this);
    this.registers = new RegistersView(this);
    this.costs = new CostsView(this);
    this.makeDivider(divider, main);
    document.addEventListener("keydown", (event) => this.key(event), { signal: this.closed.signal });
    this.store.subscribe((changed) => this.update(changed));
    this.update(new Set(Object.keys(this.store.state) as (keyof State)[]));
  }

  // What the launch costs under each scheme, which is counted after it has been shown; or why that is not known.
  count(stats: RawRecord["stats"], why = ""): void {
    this.model.stats = readStats(stats);
    this.model.warp = stats?.warp ?? this.model.warp;
    this.uncounted = why;
    if (this.store.state.view === "costs") this.costs.refresh();
  }

  // Another record takes the place of this one.
  close(): void {
    this.closed.abort();
    this.store.flush();
    this.lanes.stop();
    this.source?.destroy();
    this.help.remove();
    this.tooltip.remove();
  }

  private defaults(): State {
    const { model } = this;
    const changed = model.stages.filter((stage) => stage.changed);
    const withGraph = model.stages.filter((stage) => stage.graph && stage.changed);
    const wave = withGraph.filter((stage) => stage.dialect === "wave");
    const thread = changed.filter((stage) => stage.dialect === "thread");
    return {
      view: "stages", line: 0, block: "", row: "", lane: -1, step: 0, warp: model.traces[0]?.warps[0]?.number ?? 0,
      scheme: model.traces[0]?.scheme ?? "", other: model.traces[1]?.scheme ?? "",
      a: thread[0]?.id ?? changed[0]?.id ?? "", b: thread[1]?.id ?? changed[1]?.id ?? changed[0]?.id ?? "",
      diff: true, fold: false, all: false,
      graph: thread.filter((stage) => stage.graph).pop()?.id ?? wave.pop()?.id ?? withGraph.pop()?.id ?? "", show: "l",
      colour: "block", zoom: 8, alone: false, target: model.registers[0]?.target ?? "", measure: model.measures[0]?.id ?? "",
    };
  }

  stage(id: string): Stage {
    return this.model.stages.find((stage) => stage.id === id) ?? (this.model.stages[0] as Stage);
  }

  lineColour(line: number): number {
    return this.lineColours.get(line) ?? 0;
  }

  lineLink(line: number): HTMLElement | string {
    if (line <= 0) return "";
    return h("button", { type: "button", class: "link", "data-line": line, onclick: () => this.store.set({ line }) }, `line ${line}`);
  }

  blockLink(block: TraceBlock | undefined, withLine = true): HTMLElement | string {
    if (!block) return "";
    return h("button", { type: "button", class: "link mono", onclick: () => this.store.set({ block: block.label, ...(block.line > 0 ? { line: block.line } : {}) }) }, block.label + (withLine && block.line > 0 ? `, line ${block.line}` : ""));
  }

  tip(text: string, x: number, y: number): void {
    this.tooltip.classList.toggle("hidden", text === "");
    if (text === "") return;
    this.tooltip.textContent = text;
    const box = this.tooltip.getBoundingClientRect();
    this.tooltip.style.left = `${Math.max(4, Math.min(x + 14, window.innerWidth - box.width - 8))}px`;
    this.tooltip.style.top = `${y + 18 + box.height > window.innerHeight ? y - box.height - 10 : y + 18}px`;
  }

  private makeTop(): HTMLElement {
    const nav = h("nav", { role: "tablist", "aria-label": "Views" }, views.map((view, at) => {
      // The compiler in the lab has no machines.
      const absent = view === "registers" && this.model.registers.length === 0;
      const tab = h("button", { type: "button", role: "tab", id: `tab-${view}`, class: absent && "hidden", "aria-controls": "view", title: `${titles[view]} (${at + 1})`, onclick: () => this.store.set({ view }) }, titles[view]);
      this.tabs.set(view, tab);
      return tab;
    }));
    nav.addEventListener("keydown", (event) => {
      const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      if (by === 0) return;
      event.preventDefault();
      event.stopPropagation();
      const view = views[(views.indexOf(this.store.state.view) + by + views.length) % views.length] as View;
      this.store.set({ view });
      this.tabs.get(view)?.focus();
    });
    const copy = h("button", { type: "button", id: "copy-link", class: "outside", title: "Copy a link to what is shown", onclick: () => {
      this.store.flush();
      void navigator.clipboard?.writeText(location.href).then(() => { copy.textContent = "Copied"; window.setTimeout(() => { copy.textContent = "Link"; }, 1500); }, () => { copy.textContent = "In the address bar"; });
    } }, "Link");
    return h("header", { class: "top" }, h("h1", {}, this.model.kernel), h("span", { class: "launch", title: this.model.launch }, this.model.launch), nav,
      h("span", { class: "tools" }, copy, h("button", { type: "button", onclick: () => this.print() }, "Print"),
        this.sourceButton, h("span", { class: "outside" }, iconButton("theme", "Light or dark (t)", "theme", () => this.applyTheme(document.documentElement.dataset["theme"] === "dark" ? "light" : "dark"))),
        h("button", { type: "button", id: "help", "aria-label": "Keys and help", title: "Keys (?)", onclick: () => this.help.showModal() }, "?")));
  }

  private makeHelp(): HTMLDialogElement {
    const dialog = h("dialog", { "aria-labelledby": "help-title" },
      h("h2", { id: "help-title" }, "Keys"),
      h("div", { class: "cols" }, keys.map(([title, entries]) => h("section", {}, h("h3", {}, title), h("dl", {}, entries.map(([key, text]) => [h("dt", {}, key.split(/ +/).map((one, at) => [at > 0 && " ", one === "…" ? "…" : h("kbd", {}, one)])), h("dd", {}, text)]))))),
      this.model.notes.length > 0 && h("section", {}, h("h3", {}, "What this page leaves out"), h("ul", {}, this.model.notes.map((note) => h("li", {}, note)))),
      h("p", { class: "quiet", style: "margin:10px 0" }, "A click on a line, a block or a step lights up what belongs to it everywhere. Colours come with patterns."),
      h("button", { type: "button", onclick: () => dialog.close() }, "Close"));
    return dialog;
  }

  // Long texts are drawn in part only, as far as they are visible: for paper all of it.
  private print(): void {
    window.print();
  }

  private makeDivider(divider: HTMLElement, main: HTMLElement): void {
    const set = (share: number) => {
      const clamped = Math.max(20, Math.min(70, share));
      main.style.setProperty("--split", `${clamped.toFixed(1)}%`);
      divider.setAttribute("aria-valuenow", String(Math.round(clamped)));
    };
    divider.addEventListener("pointerdown", (event) => divider.setPointerCapture(event.pointerId));
    divider.addEventListener("pointermove", (event) => {
      if (event.buttons & 1) set((100 * (event.clientX - main.getBoundingClientRect().left)) / main.clientWidth);
    });
    divider.addEventListener("keydown", (event) => {
      const by = event.key === "ArrowLeft" ? -2 : event.key === "ArrowRight" ? 2 : 0;
      if (by === 0) return;
      event.preventDefault();
      event.stopPropagation();
      set(Number(divider.getAttribute("aria-valuenow")) + by);
    });
  }

  applyTheme(theme: "light" | "dark"): void {
    document.documentElement.dataset["theme"] = theme;
    if (this.lanes) this.update(new Set<keyof State>(["view", "scheme"]));
  }

  cost(): Cost | undefined {
    return this.model.costs.find((cost) => cost.scheme === this.store.state.scheme) ?? this.model.costs[0];
  }

  private update(changed: Set<keyof State>): void {
    const { state } = this.store;
    if (changed.has("view")) {
      for (const [view, tab] of this.tabs) {
        tab.setAttribute("aria-selected", String(view === state.view));
        tab.tabIndex = view === state.view ? 0 : -1;
      }
      this.panel.replaceChildren(this.current().element);
      this.panel.setAttribute("aria-labelledby", `tab-${state.view}`);
      if (state.view !== "lanes") this.lanes.stop();
      this.tip("", 0, 0);
    }
    if (changed.has("alone")) {
      document.querySelector("main")?.classList.toggle("alone", state.alone);
      this.sourceButton.setAttribute("aria-pressed", String(!state.alone));
      if (!state.alone && !this.source) {
        this.source = sourcePane(this.sourceHost, this.model.source, (line) => this.store.set({ line, row: "" }));
        changed = new Set([...changed, "line", "scheme"]);
      }
    }
    if (changed.has("scheme")) this.showCost();
    if (changed.has("line") || changed.has("scheme")) {
      if (this.source) light(this.source, state.line > 0 ? [state.line] : [], [], changed.has("line"));
      this.showFindings();
    }
    // Moving through time changes pixels only.
    if (state.view === "lanes" && [...changed].every((key) => ["step", "lane", "line", "block", "zoom", "row"].includes(key))) this.lanes.redraw();
    else if (state.view === "stages" && [...changed].every((key) => ["line", "row", "block"].includes(key))) this.stages.lights(changed.has("line"));
    else this.current().refresh();
  }

  private current(): { element: HTMLElement; refresh(): void } {
    return { stages: this.stages, graph: this.graph, lanes: this.lanes, registers: this.registers, costs: this.costs }[this.store.state.view];
  }

  private showCost(): void {
    const cost = this.cost();
    if (cost) this.costLegend.replaceChildren(h("span", { class: "key" }, h("span", { class: "swatch" }), "used"), h("span", { class: "key" }, h("span", { class: "swatch wasted" }), "wasted"), h("span", {}, `issue slots, ${cost.scheme}`));
    else this.costLegend.replaceChildren();
    if (this.source) showCosts(this.source, lineCosts(cost));
  }

  // Where the idle lanes of a finding are.
  private whereabouts(finding: Finding): HTMLElement[] {
    return finding.waiting.map(({ line, share, branch, decision }) => h("div", {}, `Meanwhile ${(100 * share).toFixed(0)}\u00a0% of them `, line > 0 ? ["wait before ", this.lineLink(line)] : "have ended",
      branch !== undefined && [": ", decision ?? "", branch === line ? " there" : [" in ", this.lineLink(branch)]]));
  }

  private showFindings(): void {
    const { state } = this.store;
    const cost = this.cost();
    if (this.model.findings.length === 0 && !cost) {
      this.findings.replaceChildren();
      this.findings.classList.add("hidden");
      return;
    }
    const byLine = new Map(cost?.lines.map((line) => [line.line, line]));
    const item = (line: number, share: number, why: HTMLElement[], out: string[]) => {
      const own = byLine.get(line);
      const most = Math.max(1, ...(cost?.lines.map((l) => l.issued) ?? []));
      return h("li", { class: line === state.line ? "chosen" : "", "data-line": line },
        h("button", { type: "button", class: "head", "aria-pressed": line === state.line, onclick: () => this.store.set({ line }) },
          h("span", { class: "place" }, `line ${line}`),
          h("span", { class: "meter" }, own && h("i", { style: `width:${(100 * own.active) / most}%` }), own && h("i", { class: "wasted", style: `width:${(100 * (own.issued - own.active)) / most}%` })),
          h("span", { class: "number" }, `${(100 * share).toFixed(1)} %`)),
        why.length > 0 && h("div", { class: "why" }, why),
        out.map((text) => h("div", { class: "out" }, "→ ", text)));
    };
    const total = Math.max(1, cost?.issued ?? 1);
    const items = this.model.findings.length > 0
      ? this.model.findings.map((finding) => item(finding.line, finding.wasted, [h("div", {}, finding.title), ...finding.why.map((cause) => h("div", {}, this.lineLink(cause.line), cause.line > 0 && ": ", cause.text)), ...this.whereabouts(finding)], finding.out))
      : [...(cost?.lines ?? [])].sort((a, b) => b.issued - b.active - (a.issued - a.active)).slice(0, 5).map((line) => item(line.line, (line.issued - line.active) / total, [], []));
    this.findings.replaceChildren(h("h2", {}, "What costs most ", h("span", { class: "quiet", style: "font-weight:400" }, `wasted share of all ${count(total)} issue slots`)), h("ol", {}, items));
  }

  private searchSource(): void {
    this.store.set({ alone: false });
    if (this.source) openSearchPanel(this.source);
  }

  // The lines of the source that any code belongs to.
  private walk(by: number): void {
    const lines = [...new Set(this.model.stages.flatMap((stage) => stage.lines))].filter((line) => line > 0).sort((a, b) => a - b);
    const { line } = this.store.state;
    const next = by > 0 ? lines.find((candidate) => candidate > line) : lines.reverse().find((candidate) => candidate < line);
    if (next !== undefined) this.store.set({ line: next, row: "" });
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || this.help.open) return;
    const inText = target.closest(".cm-content, input[type=search], .cm-textfield, select") !== null;
    const onControl = target.closest("input, button, [role=button], [role=separator]") !== null;
    if (event.key === "Escape") {
      if (target.closest(".cm-panel")) return;
      this.store.set({ line: 0, row: "", block: "", lane: -1 });
      return;
    }
    // Caret keys belong to a text and to a control that has the focus.
    const moves = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", " ", "Enter"].includes(event.key);
    if (target.closest("input.cm-textfield, select") || (inText && moves) || (onControl && (event.key === " " || event.key === "Enter"))) return;
    if (target.closest("input[type=range]") && moves) return;
    const { state } = this.store;
    const act = (run: () => void) => {
      event.preventDefault();
      run();
    };
    const number = Number(event.key);
    if (number >= 1 && number <= views.length) return act(() => this.store.set({ view: views[number - 1] as View }));
    if (event.key === "?") return act(() => this.help.showModal());
    if (event.key === "t") return act(() => this.applyTheme(document.documentElement.dataset["theme"] === "dark" ? "light" : "dark"));
    if (event.key === "s") return act(() => this.store.set({ alone: !state.alone }));
    if (event.key === "j") return act(() => this.walk(1));
    if (event.key === "k") return act(() => this.walk(-1));
    if (event.key === "/") return act(() => (state.view === "stages" ? this.stages.search() : this.searchSource()));
    const local: Partial<Record<View, Record<string, () => void>>> = {
      stages: { n: () => this.stages.move(1), p: () => this.stages.move(-1), d: () => this.store.set({ diff: !state.diff }), h: () => this.store.set({ all: !state.all }) },
      graph: { "+": () => this.graph.scale(1.25), "-": () => this.graph.scale(1 / 1.25), "0": () => this.graph.fitAll() },
      lanes: {
        ArrowLeft: () => this.lanes.move(event.shiftKey ? -10 : -1), ArrowRight: () => this.lanes.move(event.shiftKey ? 10 : 1), ArrowUp: () => this.lanes.lane(-1), ArrowDown: () => this.lanes.lane(1),
        Home: () => this.lanes.go(0), End: () => this.lanes.go(Infinity), " ": () => this.lanes.play(), "[": () => this.lanes.zoom(1 / 1.5), "]": () => this.lanes.zoom(1.5),
      },
    };
    const run = local[state.view]?.[event.key];
    if (run) act(run);
  }
}
