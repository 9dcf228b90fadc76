// SPDX-License-Identifier: Apache-2.0
// The lab: an editor and the form of a launch on the left; on the right one or two panes, each the page of a launch.
// The compiler runs in two workers: one says at each key stroke what is wrong, one makes the records.
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentOnInput, indentUnit } from "@codemirror/language";
import { type Diagnostic as Mark, lintGutter, setDiagnostics } from "@codemirror/lint";
import { search, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import "../style.css";
import "./lab.css";
import type { App } from "../app";
import { editing, light, lineCosts, showCosts } from "../code";
import { choice, count, h, iconButton, percent } from "../dom";
import type { RawRecord } from "../record";
import { type Early, type Example, type FirstLaunch, launchIn, mostSteps, paneRequest } from "./first";
import { type LabState, type PaneState, toFragment } from "./link";
import { describe, guess, launchOf, sizes } from "./launch";
import { type Answer, type Diagnostic, type Kernel, type Result, type Service } from "./service";

// The page of a launch, in a frame.
type Inside = Window & { app?: App; show?: (record: unknown) => void };

const restMs = 250; // after the last key stroke, before a launch

const options: Record<"warp" | "optimisation" | "meld" | "restructure", [string, string][]> = {
  warp: [4, 8, 16, 32, 64].map((n) => [String(n), String(n)]),
  optimisation: [0, 1, 2, 3].map((n) => [String(n), `-O${n}`]),
  meld: [["cost", "where it pays"], ["always", "always"], ["never", "never"], ["fusion", "branch fusion"], ["tails", "tail merging"]],
  restructure: ["auto", "reconverge", "frontier", "structurize", "linearize", "node-split"].map((name) => [name, name]),
};

// Why a pane keeps what it shows.
const stale = (answer: Answer) => `${answer.error?.message ?? "The source has errors"}; this is what it was before.`;

class Pane {
  readonly element: HTMLElement;
  readonly frame: HTMLIFrameElement;
  private readonly costs = h("span", { class: "quiet" });
  private readonly difference = h("b", { class: "difference" }); // of the second pane from the first
  readonly message = h("p", { class: "message hidden", role: "status" });
  record: RawRecord | null = null;
  private ready: Promise<Inside>;
  private readonly selects = new Map<string, ReturnType<typeof choice>>();
  private readonly version: HTMLButtonElement;

  constructor(readonly lab: Lab, readonly state: PaneState, readonly number: number) {
    const set = (name: keyof typeof options) => {
      const select = choice({ warp: "Lanes", optimisation: "Passes", meld: "Meld", restructure: "Restructure" }[name], `${name}-${number}`, (value) => {
        if (name === "warp" || name === "optimisation") this.state[name] = Number(value);
        else this.state[name] = value;
        lab.run();
      });
      select.set(options[name], String(state[name]));
      this.selects.set(name, select);
      return select.element;
    };
    this.version = h("button", { type: "button", id: `version-${number}`, title: "Keep the source as it is now in this pane, to compare it with what you write next", onclick: () => this.keep() });
    this.frame = h("iframe", { title: `Launch ${number + 1}`, src: `pane.html${state.view}`, id: `frame-${number}` });
    this.element = h("section", { class: "pane-of-lab", "aria-label": `Launch ${number + 1}` },
      h("div", { class: "bar" }, set("warp"), set("optimisation"), set("meld"), set("restructure"), this.version,
        number > 0 && h("button", { type: "button", id: "close-pane", onclick: () => lab.compare(false) }, "Close"), this.costs, this.difference),
      this.message, this.frame);
    this.ready = new Promise((done) => this.frame.addEventListener("load", () => done(this.frame.contentWindow as Inside), { once: true }));
    this.showVersion();
  }

  private keep(): void {
    this.state.source = this.state.source === null ? this.lab.source() : null;
    this.showVersion();
    this.lab.run();
  }

  private showVersion(): void {
    this.version.textContent = this.state.source === null ? "Keep source" : "Source kept";
    this.version.setAttribute("aria-pressed", String(this.state.source !== null));
  }

  // Null before the first record; until then the name is that of the element which the page fills.
  get app(): App | null {
    const app = (this.frame.contentWindow as Inside | null)?.app;
    return app && "store" in app ? app : null;
  }

  say(text: string): void {
    this.message.textContent = text;
    this.message.classList.toggle("hidden", text === "");
    this.element.classList.toggle("stale", text !== "");
  }

  async show(record: RawRecord): Promise<void> {
    const inside = await this.ready;
    const first = this.record === null;
    this.record = record;
    inside.document.documentElement.dataset["inside"] = "";
    if (document.documentElement.dataset["theme"]) inside.document.documentElement.dataset["theme"] = document.documentElement.dataset["theme"];
    inside.show?.(record);
    const { app } = this;
    if (!app) return;
    if (record.traces.length > 0) app.count(null, "The costs are being counted …");
    // The editor is the source. Without a launch there are stages and graphs.
    app.store.set({ alone: true, ...(first && record.traces.length === 0 && app.store.state.view !== "graph" ? { view: "stages" } : {}) });
    app.store.subscribe((changed) => {
      if (changed.has("line") && this.state.source === null) this.lab.light(app.store.state.line, this);
      if (changed.has("scheme")) this.showCost();
      if (changed.has("scheme")) this.lab.showDifference();
      if (changed.has("scheme") && this.number === 0) this.lab.showCosts();
      this.lab.changed();
    });
    this.showCost();
    this.element.dataset["shown"] = String(Number(this.element.dataset["shown"] ?? 0) + 1);
  }

  count(stats: RawRecord["stats"], why: string): void {
    if (this.record) this.record.stats = stats;
    this.app?.count(stats, why);
  }

  // What the launch costs under the scheme that the pane shows.
  private showCost(): void {
    const cost = this.app?.cost();
    this.costs.textContent = cost ? `${count(cost.issued)} issue slots under ${cost.scheme}, ${percent(cost.active, cost.issued)} used` : "";
  }

  showDifference(first: Pane): void {
    const [before, now] = [first.app?.cost()?.issued ?? 0, this.app?.cost()?.issued ?? 0];
    const share = before > 0 && now > 0 ? Math.round((100 * (now - before)) / before) : 0;
    this.difference.textContent = share === 0 ? "" : `${Math.abs(share)} % ${share < 0 ? "fewer" : "more"} than above`;
  }

  view(): string {
    return this.app?.store.text() ?? this.state.view;
  }
}

class Lab {
  private readonly checker: Service;
  private readonly runner: Service;
  private readonly examples: Example[];
  private first: FirstLaunch | null; // whose answer nobody has used
  private readonly editor: EditorView;
  private readonly state: LabState;
  private panes: Pane[] = [];
  private kernels: Kernel[] = [];
  private readonly panesHost = h("div", { class: "panes" });
  private readonly problems = h("ul", { id: "problems", "aria-label": "Problems" });
  private readonly form = h("form", { id: "launch", "aria-label": "Launch" });
  private readonly findings = h("div", { id: "findings", tabindex: 0, role: "region", "aria-label": "What costs most" });
  private readonly results = h("div", { id: "results", tabindex: 0, role: "region", "aria-label": "Results" });
  private readonly status = h("span", { id: "status", role: "status" });
  private readonly gallery: HTMLSelectElement;
  private readonly opened = h("option", { value: "", disabled: true, selected: true });
  private readonly compareButton: HTMLButtonElement;
  private timer = 0;
  private linkTimer = 0;
  private launches = 0;
  private launched = Promise.resolve(); // when the newest launch has been shown and counted
  private rests = false; // whether the source has just been opened, so that no key stroke is to be expected

  constructor({ state, examples, checker, runner, first }: Early) {
    this.state = state;
    this.examples = examples;
    this.checker = checker;
    this.runner = runner;
    this.first = first;
    this.gallery = h("select", { id: "gallery", "aria-label": "Examples", onchange: () => this.open(this.examples[Number(this.gallery.value)] as Example) },
      this.opened, examples.map((example, at) => h("option", { value: at }, `${example.name}: ${example.about}`)));
    this.compareButton = h("button", { type: "button", id: "compare", title: "A second pane with its own options or its own version of the source", onclick: () => this.compare(this.panes.length === 1) }, "Compare");
    const share = h("button", { type: "button", id: "share", title: "Put source and settings into the address and copy it", onclick: () => void this.share(share) }, "Share");
    const host = h("div", { class: "editor", id: "editor" });
    const app = document.getElementById("lab") as HTMLElement;
    app.append(
      h("header", { class: "top" }, h("h1", {}, "kernelc lab"), this.gallery,
        h("button", { type: "button", id: "run", title: "Compile and launch (Ctrl-Enter)", onclick: () => this.run() }, "Run"),
        h("button", { type: "button", id: "stop", title: "End the launch", onclick: () => this.runner.stop("ended") }, "Stop"),
        this.status, h("span", { class: "tools" }, h("a", { href: "labs.html", class: "outside", title: "The labs of the course: write passes in JavaScript" }, "Labs"), this.compareButton, share,
          h("button", { type: "button", id: "export", title: "Save the page of this launch as one file that needs nothing else", onclick: () => void this.exportPage() }, "Save page"),
          iconButton("theme", "Light or dark", "theme", () => this.theme(document.documentElement.dataset["theme"] === "dark" ? "light" : "dark")))),
      h("main", {}, h("section", { class: "side", "aria-label": "Source and launch" }, host, this.problems, this.findings, this.form, this.results), this.panesHost));
    // The pages inside load while the editor is made.
    for (const pane of state.panes) this.addPane(pane);
    this.editor = new EditorView({
      parent: host,
      state: EditorState.create({
        doc: state.source,
        extensions: [
          lineNumbers(), lintGutter(), history(), drawSelection(), indentOnInput(), bracketMatching(), highlightActiveLine(), search({ top: true }), indentUnit.of("    "),
          EditorView.contentAttributes.of({ "aria-label": "Source of the kernel", tabindex: "0" }),
          keymap.of([{ key: "Ctrl-Enter", mac: "Cmd-Enter", run: () => (this.run(), true) }, indentWithTab, ...defaultKeymap, ...historyKeymap, ...searchKeymap]),
          ...editing,
          EditorView.updateListener.of((update) => {
            if (update.docChanged) this.edited();
            if (update.selectionSet && !update.docChanged) this.pick(update.state.doc.lineAt(update.state.selection.main.head).number);
          }),
        ],
      }),
    });
    this.theme(window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.showFile();
    this.rests = true;
    this.edited(first.answer);
  }

  source(): string {
    return this.editor.state.doc.toString();
  }

  // The cursor chooses a line in the panes, and a line of a pane lights up here.
  private pick(line: number): void {
    for (const pane of this.panes) if (pane.state.source === null) pane.app?.store.set({ line, row: "" });
  }

  light(line: number, from: Pane): void {
    if (this.editor.hasFocus) return;
    light(this.editor, line > 0 ? [line] : [], [], true);
    for (const pane of this.panes) if (pane !== from && pane.state.source === null) pane.app?.store.set({ line });
  }

  showDifference(): void {
    const [first, second] = this.panes;
    if (first && second) second.showDifference(first);
  }

  showCosts(): void {
    this.showDifference();
    const pane = this.panes[0];
    const app = pane?.app;
    const findings = pane && pane.state.source === null ? (app?.model.findings ?? []) : [];
    this.findings.replaceChildren(...findings.map((finding) => h("p", {},
      h("button", { type: "button", class: "link", onclick: () => this.goTo(this.offset(finding.line, 1)) }, `line ${finding.line}`), ` ${finding.title}`,
      finding.out.map((text) => h("span", { class: "out" }, ` · ${text}`)))));
    showCosts(this.editor, app && pane.state.source === null ? lineCosts(app.cost()) : new Map());
  }

  private theme(theme: "light" | "dark"): void {
    document.documentElement.dataset["theme"] = theme;
    for (const pane of this.panes) pane.app?.applyTheme(theme);
  }

  private open(example: Example): void {
    Object.assign(this.state, launchIn(example));
    this.kernels = [];
    this.form.replaceChildren();
    this.rests = true;
    this.editor.dispatch({ changes: { from: 0, to: this.editor.state.doc.length, insert: example.source } });
    this.gallery.value = "";
    this.showFile();
  }

  private showFile(): void {
    this.opened.textContent = `Examples · ${this.state.file} is open`;
  }

  private addPane(state: PaneState): void {
    const pane = new Pane(this, state, this.panes.length);
    this.panes.push(pane);
    this.panesHost.append(pane.element);
    this.compareButton.setAttribute("aria-pressed", String(this.panes.length > 1));
  }

  compare(on: boolean): void {
    if (on && this.panes.length === 1) {
      const first = this.panes[0] as Pane;
      this.state.panes.push({ ...first.state, view: first.view() });
      this.addPane(this.state.panes[1] as PaneState);
    } else if (!on && this.panes.length > 1) {
      this.panes.pop()?.element.remove();
      this.state.panes.length = 1;
      this.compareButton.setAttribute("aria-pressed", "false");
    }
    this.run();
  }

  // `known`: what has been asked about this source already.
  private edited(known: Promise<Answer | null> | null = null): void {
    this.state.source = this.source();
    this.changed();
    void this.check(known);
  }

  private async check(known: Promise<Answer | null> | null): Promise<void> {
    const source = this.source();
    const ask = () => this.checker.ask({ do: "check", source, file: this.state.file });
    let answer = await (known ?? ask());
    if (source !== this.source()) return;
    if (known && (!answer?.kernels || answer.error)) answer = await ask();
    // The worker that checks is started when the first launch is done, which needs the machine for itself.
    else if (known) window.setTimeout(() => { if (source === this.source()) void ask(); }, restMs);
    if (!answer || source !== this.source()) return;
    this.showDiagnostics(answer.diagnostics ?? []);
    if (answer.error) this.say(answer.error.message);
    if (!answer.kernels) {
      this.rests = false;
      // Their lines are those of another text.
      showCosts(this.editor, new Map());
      this.findings.replaceChildren();
      for (const pane of this.panes) if (pane.state.source === null) pane.say(stale(answer));
      return;
    }
    this.kernels = answer.kernels;
    this.showForm();
    window.clearTimeout(this.timer);
    if (this.rests) this.run();
    else this.timer = window.setTimeout(() => this.run(), restMs);
    this.rests = false;
  }

  private goTo(place: number): void {
    this.editor.dispatch({ selection: { anchor: place }, effects: EditorView.scrollIntoView(place, { y: "center" }) });
    this.editor.focus();
  }

  // Columns of diagnostics count bytes.
  private offset(line: number, column: number): number {
    const { doc } = this.editor.state;
    const at = doc.line(Math.max(1, Math.min(line, doc.lines)));
    let bytes = 1;
    let units = 0;
    for (const character of at.text) {
      if (bytes >= column) break;
      bytes += new TextEncoder().encode(character).length;
      units += character.length;
    }
    return at.from + Math.min(units, at.length);
  }

  private showDiagnostics(all: Diagnostic[]): void {
    const marks: Mark[] = [];
    this.problems.replaceChildren();
    for (const one of all) {
      const fix = one.fixits && one.fixits.length > 0 ? () => {
        const changes = (one.fixits ?? []).map((f) => ({ from: this.offset(f.line, f.column), to: this.offset(f.end_line, f.end_column), insert: f.text }));
        this.editor.dispatch({ changes, userEvent: "input.fix" });
        this.editor.focus();
      } : null;
      const from = this.offset(one.range?.line ?? one.line ?? 1, one.range?.column ?? one.column ?? 1);
      const to = one.range ? this.offset(one.range.end_line, one.range.end_column) : from;
      const here = one.line !== undefined;
      if (here) marks.push({ from, to: Math.max(from, to), severity: one.severity === "error" || one.severity === "fatal" ? "error" : "warning", message: one.message, ...(fix ? { actions: [{ name: "Fix", apply: fix }] } : {}) });
      this.problems.append(h("li", { class: one.severity },
        h("span", { class: "severity" }, one.severity), " ",
        here && h("button", { type: "button", class: "link", onclick: () => this.goTo(from) }, `line ${one.line}`), " ",
        h("span", {}, one.message), fix && h("button", { type: "button", class: "fix", onclick: fix }, "Fix")));
    }
    this.editor.dispatch(setDiagnostics(this.editor.state, marks));
  }

  private kernel(): Kernel | undefined {
    return this.kernels.find((kernel) => kernel.name === this.state.kernel) ?? this.kernels[0];
  }

  // The form is made anew only if what it asks for has changed: the focus stays where it is.
  private showForm(): void {
    const kernel = this.kernel();
    const shape = JSON.stringify([this.kernels.map((k) => k.name), kernel]);
    if (this.form.dataset["shape"] === shape && this.form.childElementCount > 0) return;
    this.form.dataset["shape"] = shape;
    if (!kernel) {
      this.form.replaceChildren(h("p", { class: "quiet" }, "The source has no kernel."));
      return;
    }
    const field = (label: string, about: string, id: string, value: string, changed: (value: string) => void) => {
      const input = h("input", { type: "text", id, value, spellcheck: "false", autocomplete: "off", oninput: () => { changed(input.value); this.changed(); window.clearTimeout(this.timer); this.timer = window.setTimeout(() => this.run(), restMs); } });
      return h("label", { class: "field" }, h("span", { class: "mono" }, label), h("span", { class: "quiet" }, about), input);
    };
    const items = (sizes(this.state.global) ?? [64]).reduce((a, b) => a * b, 1);
    const local = (sizes(this.state.local) ?? [Math.min(64, items)]).reduce((a, b) => a * b, 1);
    const which = choice("Kernel", "kernel", (value) => {
      this.state.kernel = value;
      this.showForm();
      this.run();
    });
    which.set(this.kernels.map((k) => [k.name, k.name]), kernel.name);
    this.form.replaceChildren(...[
      this.kernels.length > 1 ? which.element : null,
      field("global", "work-items", "global", this.state.global, (value) => { this.state.global = value; }),
      field("local", "work-items of a group", "local", this.state.local, (value) => { this.state.local = value; }),
      ...kernel.params.map((parameter) => {
        const key = `${kernel.name}.${parameter.name}`;
        this.state.args[key] ??= guess(parameter, items, local);
        return field(parameter.name, describe(parameter), `arg-${parameter.name}`, this.state.args[key] as string, (value) => { this.state.args[key] = value; });
      }),
    ].filter((element) => element !== null));
  }

  private say(text: string, kind = "wrong"): void {
    this.status.textContent = text;
    this.status.className = text === "" ? "" : kind;
  }

  run(): void {
    window.clearTimeout(this.timer);
    this.launched = this.launch();
  }

  // The first question has perhaps been asked already.
  private ask(request: object): Promise<Answer | null> {
    const { first } = this;
    this.first = null;
    return first?.request === JSON.stringify(request) ? first.answer : this.runner.ask(request);
  }

  // One pane after the other, then what each costs under all schemes, and what the launch leaves.
  private async launch(): Promise<void> {
    const kernel = this.kernel();
    if (!kernel) return;
    const number = ++this.launches;
    const late = () => number !== this.launches; // a newer launch has begun
    const launch = launchOf(kernel, this.state.global, this.state.local, (name) => this.state.args[`${kernel.name}.${name}`] ?? "");
    const wrong = typeof launch === "string" ? launch : "";
    this.say("running …", "busy");
    let ms = 0;
    let problem = wrong;
    const source = this.source();
    const shown: [Pane, object][] = []; // with what was asked
    for (const pane of [...this.panes]) {
      const request = paneRequest(this.state, pane.state);
      const asked = { ...request, ...(launch as object) };
      const answer = await this.ask(wrong === "" ? { ...asked, do: "record" } : { ...request, kernel: kernel.name, do: "stages" });
      if (!answer || late()) return;
      ms += answer.ms;
      if (answer.record) {
        pane.say("");
        await pane.show(answer.record as RawRecord);
        if (wrong === "") shown.push([pane, asked]);
        continue;
      }
      const errors = (answer.diagnostics ?? []).filter((one) => one.severity === "error").length;
      problem ||= answer.error?.message ?? (errors > 0 ? "the source has errors" : "no record");
      pane.say(stale(answer));
      if (pane.record === null && answer.error && answer.error.status !== 70) {
        // Stages need no launch.
        const stages = await this.runner.ask({ ...request, kernel: kernel.name, do: "stages" });
        if (!stages || late()) return;
        if (stages.record) await pane.show(stages.record as RawRecord);
      }
    }
    this.showCosts();
    for (const [pane, asked] of shown) {
      const counted = await this.runner.ask({ ...asked, do: "stats" });
      if (!counted || late()) return;
      problem ||= counted.error?.message ?? "";
      pane.count((counted.stats ?? null) as RawRecord["stats"], `The costs are not known: ${counted.error?.message ?? ""}`);
    }
    if (wrong === "" && problem === "") {
      const ran = await this.runner.ask({ ...(launch as object), source, file: this.state.file, max_steps: mostSteps, do: "run", engines: ["interp", "sim-ipdom", "sim-tf-stack", "wave32"] });
      if (!ran || late()) return;
      if (ran.results) this.showResults(ran.results);
      else problem = ran.error?.message ?? "";
    }
    if (problem !== "") this.say(problem);
    else this.say(`${ms.toFixed(0)} ms`, "done");
    this.changed();
  }

  // Buffers as the interpreter leaves them, and whether the others agree.
  private showResults(results: Result[]): void {
    const first = results[0];
    if (!first) return;
    const others = results.slice(1).filter((result) => result.status === "ok" || result.status === "trapped");
    const differing = others.filter((result) => JSON.stringify(result.buffers) !== JSON.stringify(first.buffers)).map((result) => result.engine);
    this.results.replaceChildren(
      h("p", { class: differing.length > 0 ? "wrong" : "quiet" }, differing.length > 0 ? `Other results on ${differing.join(", ")}.` : `The same on ${[first, ...others].map((result) => result.engine).join(", ")}.`),
      first.message !== "" ? h("p", { class: "wrong" }, first.message) : "",
      first.printed !== "" ? h("pre", {}, first.printed) : "",
      h("dl", {}, first.buffers.map((buffer) => [h("dt", { class: "mono" }, buffer.name), h("dd", { class: "mono" }, elements(buffer.type, buffer.bytes))])));
  }

  // The address follows at rest: a reload and a link show the same.
  changed(): void {
    window.clearTimeout(this.linkTimer);
    this.linkTimer = window.setTimeout(() => void this.flush(), 400);
  }

  async flush(): Promise<void> {
    this.panes.forEach((pane) => { pane.state.view = pane.view(); });
    window.history.replaceState(null, "", await toFragment(this.state));
  }

  private async share(button: HTMLButtonElement): Promise<void> {
    await this.flush();
    const done = (text: string) => {
      button.textContent = text;
      window.setTimeout(() => { button.textContent = "Share"; }, 2000);
    };
    try {
      await navigator.clipboard.writeText(location.href);
      done("Link copied");
    } catch {
      done("In the address bar");
    }
  }

  private async exportPage(): Promise<void> {
    for (let last; last !== this.launched; await last) last = this.launched; // another launch may have begun
    const record = this.panes[0]?.record;
    if (!record) return this.say("there is no launch to save");
    const page = await (await fetch("explore.html")).text();
    // "<" could end the element that holds the record.
    const json = JSON.stringify(record).replaceAll("<", "\\u003c");
    const open = (this.panes[0]?.view() ?? "").replace(/&alone=true/, "").replaceAll("&", "&amp;");
    const link = h("a", { download: `${record.kernel}.html`, href: URL.createObjectURL(new Blob([page.replace("<html ", () => `<html data-open="${open}" `).replace("/*RECORD*/", () => json)], { type: "text/html" })) });
    link.click();
    window.setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
}

// The first elements of a buffer, whose bytes are hexadecimal.
function elements(type: string, hex: string): string {
  const size = Number(type.slice(1)) / 8;
  const shown = Math.min(hex.length / 2 / size, 16);
  const view = new DataView(Uint8Array.from(hex.slice(0, shown * size * 2).match(/../g) ?? [], (two) => Number.parseInt(two, 16)).buffer);
  const texts = Array.from({ length: shown }, (_, n) => {
    const at = n * size;
    if (type === "f32") return String(Number(view.getFloat32(at, true).toPrecision(7)));
    if (type === "f64") return String(view.getFloat64(at, true));
    if (size === 8) return String(type === "u64" ? view.getBigUint64(at, true) : view.getBigInt64(at, true));
    const bits = size === 4 ? view.getUint32(at, true) : size === 2 ? view.getUint16(at, true) : view.getUint8(at);
    if (type === "f16") return `0x${bits.toString(16)}`;
    return String(type.startsWith("u") ? bits : (bits << (32 - 8 * size)) >> (32 - 8 * size));
  });
  return texts.join(" ") + (hex.length / 2 / size > shown ? ` … (${hex.length / 2 / size})` : "");
}

async function start(): Promise<void> {
  const early = await (window as unknown as { early: Promise<Early> }).early;
  (window as unknown as { lab: Lab }).lab = new Lab(early);
  // A link that is opened in a page that shows another.
  window.addEventListener("hashchange", () => location.reload());
}

void start();
export type { Lab, Answer };
