// SPDX-License-Identifier: Apache-2.0
// Any two stages side by side, with what differs.
import { MergeView } from "@codemirror/merge";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { openSearchPanel } from "@codemirror/search";
import type { App } from "../app";
import { extensions, light } from "../code";
import { choice, h, iconButton, toggle } from "../dom";
import type { Stage } from "../model";

export class StagesView {
  readonly element: HTMLElement;
  private merge: MergeView | null = null;
  private drawn = "";
  private readonly host = h("div", { class: "pane" });
  private readonly heads = h("div", { class: "panes-head" });
  private readonly track = h("div", { class: "track", role: "group", "aria-label": "Stages in order" });
  private readonly a = choice("left", "stage-a", (value) => this.app.store.set({ a: value }));
  private readonly b = choice("right", "stage-b", (value) => this.app.store.set({ b: value }));
  private readonly diff = toggle("differences", "diff", (on) => this.app.store.set({ diff: on }));
  private readonly fold = toggle("only changed lines", "fold", (on) => this.app.store.set({ fold: on }));
  private readonly all = toggle("passes that change nothing", "all-stages", (on) => this.app.store.set({ all: on }));

  constructor(private readonly app: App) {
    const button = (text: string, label: string, id: string, act: () => void) => h("button", { type: "button", id, title: label, onclick: act }, text);
    this.element = h("div", { class: "view" },
      h("div", { class: "bar" }, h("h2", {}, "Stages"), this.a.element, this.b.element,
        h("span", { class: "group" }, iconButton("back", "Previous stage (p)", "stage-back", () => this.move(-1)), iconButton("forward", "Next stage (n)", "stage-forward", () => this.move(1))),
        this.diff.element, this.fold.element, this.all.element, button("Search", "Search in the text (/)", "search", () => this.search())),
      h("div", { class: "stages" }, this.track, this.heads, this.host));
    if (app.model.stages.length === 0) this.host.append(h("p", { class: "empty" }, "The record has no stages."));
  }

  shown(): Stage[] {
    const { model, store } = this.app;
    return model.stages.filter((stage) => store.state.all || stage.changed || stage.id === store.state.a || stage.id === store.state.b);
  }

  // The pair moves along the pipeline: what was on the right comes to the left.
  move(by: number): void {
    const shown = this.shown();
    const at = shown.findIndex((stage) => stage.id === this.app.store.state.b);
    const next = Math.max(0, Math.min(shown.length - 1, at + by));
    if (next === at) return;
    this.app.store.set({ a: shown[Math.max(0, next - 1)]?.id ?? "", b: shown[next]?.id ?? "" });
  }

  search(): void {
    if (this.merge) {
      openSearchPanel(this.merge.b);
      this.merge.b.dom.querySelector<HTMLInputElement>("[main-field]")?.focus();
    }
  }

  refresh(): void {
    const { model, store } = this.app;
    const { state } = store;
    if (model.stages.length === 0) return;
    const a = this.app.stage(state.a);
    const b = this.app.stage(state.b);
    const shown = this.shown();
    const entries = shown.map((stage): [string, string] => [stage.id, `${stage.dialect}: ${stage.title}`]);
    this.a.set(entries, a.id);
    this.b.set(entries, b.id);
    this.diff.input.checked = state.diff;
    this.fold.input.checked = state.fold;
    this.fold.input.disabled = !state.diff;
    this.all.input.checked = state.all;
    this.showTrack(shown, a, b);
    const head = (stage: Stage) => h("div", { title: stage.about }, h("b", {}, stage.title), h("span", { class: "quiet" }, [stage.dialect, stage.about].filter((part) => part !== "").join(" · ")));
    this.heads.replaceChildren(head(a), head(b));
    const key = [a.id, b.id, state.diff, state.fold].join(" ");
    if (key !== this.drawn) {
      this.drawn = key;
      this.draw(a, b);
    }
    this.lights(true);
  }

  private showTrack(shown: Stage[], a: Stage, b: Stage): void {
    const focused = (document.activeElement as HTMLElement | null)?.dataset["stage"];
    const parts: HTMLElement[] = [];
    let dialect = "";
    for (const stage of shown) {
      if (stage.dialect !== dialect) {
        dialect = stage.dialect;
        parts.push(h("span", { class: "dialect" }, dialect));
      }
      const name = `${stage.title}${stage.changed ? "" : ", changes nothing"}`;
      const of = stage.id === b.id ? "b" : stage.id === a.id ? "a" : stage.changed ? "" : "same";
      parts.push(h("button", { type: "button", class: of, "data-stage": stage.id, title: name, "aria-label": `${dialect}: ${name}`, "aria-pressed": stage.id === b.id,
        onclick: () => {
          const at = shown.indexOf(stage);
          this.app.store.set({ a: shown[Math.max(0, at - 1)]?.id ?? stage.id, b: stage.id });
        } }));
    }
    this.track.replaceChildren(...parts);
    if (focused) this.track.querySelector<HTMLElement>(`[data-stage="${CSS.escape(focused)}"]`)?.focus();
  }

  private draw(a: Stage, b: Stage): void {
    const { state } = this.app.store;
    this.merge?.destroy();
    this.host.replaceChildren();
    const of = (stage: Stage): Extension[] => [...extensions(`Text of ${stage.title}`, stage.language, (line) => this.pick(stage, line)), EditorView.lineWrapping];
    this.merge = new MergeView({
      a: { doc: a.text, extensions: of(a) },
      b: { doc: b.text, extensions: of(b) },
      parent: this.host,
      gutter: state.diff,
      highlightChanges: state.diff,
      ...(state.diff && state.fold ? { collapseUnchanged: { margin: 2, minSize: 4 } } : {}),
      diffConfig: { scanLimit: 500, timeout: 80 },
    });
    this.merge.dom.tabIndex = -1;
    if (!state.diff) this.merge.dom.classList.add("nodiff");
  }

  private pick(stage: Stage, line: number): void {
    const source = stage.lines[line - 1] ?? 0;
    const block = stage.graph?.blocks.find((candidate) => candidate.first <= line && line <= candidate.last);
    this.app.store.set({ row: `${stage.id}:${line}`, ...(source > 0 ? { line: source } : {}), ...(block ? { block: block.label } : {}) });
  }

  lights(scroll: boolean): void {
    if (!this.merge) return;
    const { state } = this.app.store;
    for (const [view, stage] of [[this.merge.a, this.app.stage(state.a)], [this.merge.b, this.app.stage(state.b)]] as const) {
      const linked: number[] = [];
      if (state.line > 0) stage.lines.forEach((line, at) => line === state.line && linked.push(at + 1));
      const prefix = `${stage.id}:`;
      const own = state.row.startsWith(prefix) ? Number(state.row.slice(prefix.length)) : 0;
      light(view, own > 0 ? [own] : [], linked.filter((line) => line !== own), false);
      if (scroll && own === 0 && linked[0] !== undefined && view === this.merge.b && !this.visible(view, linked)) this.scrollTo(view, linked[0]);
    }
  }

  // The two texts scroll together in the element around them.
  private visible(view: EditorView, lines: number[]): boolean {
    const box = this.merge?.dom;
    if (!box) return true;
    const top = box.getBoundingClientRect().top;
    return lines.some((line) => {
      if (line > view.state.doc.lines) return false;
      const at = view.lineBlockAt(view.state.doc.line(line).from).top + view.documentTop - top;
      return at >= 0 && at < box.clientHeight - 24;
    });
  }

  private scrollTo(view: EditorView, line: number): void {
    const box = this.merge?.dom;
    if (!box || line > view.state.doc.lines) return;
    const at = view.lineBlockAt(view.state.doc.line(line).from).top + view.documentTop - box.getBoundingClientRect().top;
    box.scrollTop += at - box.clientHeight / 3;
  }
}
