// SPDX-License-Identifier: Apache-2.0
// The labs: a handout, an editor for a pass in JavaScript, and what the grader says of it. The grader is the command's,
// in a worker; the pass runs in a worker of its own.
import "../style.css";
import "./labs.css";
import { choice, h, iconButton } from "../dom";
import { Service } from "../lab/service";
import { PassEditor } from "./editor";
import { type Grade, type LabFiles, grade } from "./grader";
import { type LabProgress, fromFragment, loadProgress, storeProgress, toFragment } from "./progress";
import { Results, type LabText } from "./results";
import { type Output, Submission } from "./submission";

interface LabData extends LabFiles, LabText {
  id: string;        // its folder
  title: string;
  file: string;      // the starter
  starter: string;
  handout: string;   // as HTML, made when the page was built
}
interface Data {
  labs: LabData[];
  kir: string;       // the course's module
  runner: string;
  documents: Record<string, { title: string; html: string }>;
}

// What a run of a pass may take, as the lab files say it for all languages. An address with ?seconds=N changes it.
const passSeconds = 20;
// After one that took longer: the others hardly do better, and somebody waits.
const impatientSeconds = 2;
const graderSeconds = 120;
const mostPrinted = 20_000;

class Labs {
  private readonly service: Service;
  private readonly progress: Record<string, LabProgress> = loadProgress();
  private readonly editor: PassEditor;
  private readonly results = new Results();
  private readonly select = choice("Lab", "lab", (id) => void this.open(id));
  private readonly status = h("span", { id: "status", role: "status" });
  private readonly text = h("div", { class: "text-of-lab", tabindex: 0, role: "region" });
  private readonly tabs = h("div", { class: "bar", role: "group", "aria-label": "What to read" });
  private readonly notice = h("div", { id: "notice" });
  private readonly printed = h("pre", { id: "printed", tabindex: 0, "aria-label": "What your pass printed" });
  private readonly fold = h("button", { type: "button", id: "fold", "aria-pressed": "false", title: "Hide the handout", onclick: () => this.foldReading() }, "Wide editor");
  private lab: LabData;
  private foreign = false;  // the pass came by a link, and is not this browser's yet
  private submission: Submission | null = null;
  private readonly seconds: number;
  private runs = 0;
  private timer = 0;

  constructor(private readonly data: Data, module: Promise<WebAssembly.Module>) {
    this.service = new Service(module, () => graderSeconds);
    this.lab = data.labs[0] as LabData;
    const seconds = Number(new URLSearchParams(location.search).get("seconds"));
    this.seconds = seconds >= 0.1 && seconds <= 3600 ? seconds : passSeconds;
    const button = (id: string, text: string, title: string, act: () => void) => h("button", { type: "button", id, title, onclick: act }, text);
    const file = h("input", { type: "file", id: "file", accept: ".js,.txt,text/javascript", class: "hidden", "aria-label": "A file with a pass", tabindex: -1, onchange: () => void this.importFile(file) });
    const share = button("share", "Share", "Put your pass into the address and copy it", () => void this.share(share));
    const host = h("div", { class: "editor", id: "editor" });
    (document.getElementById("labs") as HTMLElement).append(
      h("header", { class: "top" }, h("h1", {}, "kernelc labs"), this.select.element,
        button("run", "Run", "Grade your pass (Ctrl-Enter)", () => void this.run()), button("stop", "Stop", "End the grading", () => this.stop("stopped")),
        this.status,
        h("span", { class: "tools" }, h("a", { href: "index.html", class: "outside", title: "The lab of kernels" }, "Kernels"), this.fold, share, button("export", "Save file", "Save your pass as a file, to hand in or to grade with the command", () => this.exportFile()),
          button("import", "Open file", "Put a file in place of your pass", () => file.click()), file, button("reset", "Starter", "Put the starter in place of your pass; undo brings yours back", () => this.reset()),
          iconButton("theme", "Light or dark", "theme", () => this.theme(document.documentElement.dataset["theme"] === "dark" ? "light" : "dark")))),
      h("main", {},
        h("div", { class: "reading" }, this.tabs, this.text),
        h("section", { class: "writing", "aria-label": "Your pass" }, this.notice, host, this.printed),
        this.results.element));
    this.editor = new PassEditor(host, () => this.edited(), () => void this.run());
    this.text.addEventListener("click", (event) => this.follow(event));
    this.theme(window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  }

  async start(): Promise<void> {
    const { hash } = location;
    const place = await fromFragment(hash);
    const known = this.data.labs.some((lab) => lab.id === place?.lab);
    await this.open(known ? (place?.lab as string) : (this.data.labs.find((lab) => !this.done(lab)) ?? this.lab).id, known ? place?.source : null);
    if (hash !== "" && !known) this.say("the address names no lab", "wrong");
  }

  source(): string {
    return this.editor.text;
  }

  private done(lab: LabData): boolean {
    const { points, of } = this.progress[lab.id] ?? {};
    return points !== undefined && points === of;
  }

  private theme(theme: "light" | "dark"): void {
    document.documentElement.dataset["theme"] = theme;
  }

  // More room for the editor.
  private foldReading(): void {
    const wide = this.fold.getAttribute("aria-pressed") !== "true";
    this.fold.setAttribute("aria-pressed", String(wide));
    document.getElementById("labs")?.classList.toggle("folded", wide);
  }

  private say(text: string, kind = ""): void {
    this.status.textContent = text;
    this.status.className = kind;
  }

  private best(lab: LabData): string {
    const { points, of } = this.progress[lab.id] ?? {};
    return points === undefined ? "" : `${points}/${of}`;
  }

  private showLabs(): void {
    this.select.set(this.data.labs.map((lab) => [lab.id, `${lab.title}${this.best(lab) === "" ? "" : ` (${this.best(lab)})`}`]), this.lab.id);
  }

  private async open(id: string, linked: string | null = null): Promise<void> {
    this.stop("");
    this.lab = this.data.labs.find((lab) => lab.id === id) ?? this.lab;
    const own = this.progress[this.lab.id]?.source;
    this.foreign = linked !== null && linked !== (own ?? this.lab.starter);
    this.editor.open(this.foreign ? (linked as string) : (own ?? this.lab.starter));
    this.showNotice();
    this.showLabs();
    this.showDocument("handout");
    const best = this.best(this.lab);
    this.results.clear(this.lab, best === "" ? "Run your pass to see its points." : `Your best: ${best} public points.`);
    this.printed.textContent = "";
    this.say("ready", "done");
    if (!this.foreign) window.history.replaceState(null, "", await toFragment({ lab: this.lab.id, source: null }));
  }

  // A pass that came by a link runs only when somebody asks for it, and takes nothing away.
  private showNotice(): void {
    this.notice.replaceChildren(...(this.foreign ? [h("span", {}, "This pass came with the link. "), h("button", { type: "button", class: "link", onclick: () => void this.open(this.lab.id) }, this.progress[this.lab.id]?.source === undefined ? "Open the starter" : "Go back to mine"), ", or change it to keep it."] : []));
  }

  private showDocument(id: string): void {
    const documents: [string, string][] = [["handout", "Handout"], ["kir", "kir.js"], ...Object.entries(this.data.documents).map(([name, one]): [string, string] => [name, one.title])];
    this.tabs.replaceChildren(...documents.map(([name, title]) => h("button", { type: "button", "aria-pressed": String(name === id), id: `read-${name}`, onclick: () => this.showDocument(name) }, title)));
    this.text.setAttribute("aria-label", documents.find(([name]) => name === id)?.[1] ?? "");
    if (id === "kir") this.text.replaceChildren(h("pre", { class: "text" }, this.data.kir));
    // Made from this project's own files when the page was built.
    else this.text.innerHTML = id === "handout" ? this.lab.handout : (this.data.documents[id]?.html ?? "");
    this.text.scrollTop = 0;
  }

  // Links to other documents of the page, and to other labs.
  private follow(event: Event): void {
    const link = (event.target as Element).closest("a[href^='#read-'], a[href^='#lab=']")?.getAttribute("href");
    if (!link) return;
    event.preventDefault();
    if (link.startsWith("#read-")) this.showDocument(link.slice(6));
    else void this.open(link.slice(5));
  }

  private edited(): void {
    this.foreign = false;
    this.showNotice();
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.keep({ source: this.source() }), 300);
  }

  private keep(what: LabProgress): void {
    this.progress[this.lab.id] = { ...this.progress[this.lab.id], ...what };
    if (!storeProgress(this.progress)) this.say("this browser keeps nothing: save your pass as a file", "wrong");
  }

  private stop(why: string): void {
    this.runs++;
    this.submission?.stop();
    this.submission = null;
    this.service.stop(why);
    if (why !== "") this.say(why, "wrong");
  }

  async run(): Promise<void> {
    this.stop("");
    const number = this.runs;
    const late = () => number !== this.runs;
    const { lab } = this;
    const source = this.source();
    this.editor.clear();
    this.printed.textContent = "";
    this.say("running …", "busy");
    const start = performance.now();
    const submission = (this.submission = new Submission(this.data.runner, this.data.kir, source, this.seconds, Math.min(this.seconds, impatientSeconds)));
    const done = await grade(this.service, lab, lab.file, submission, (so_far, part, run) => {
      if (late()) return;
      this.say(`running: ${part}, run ${run} …`, "busy");
      this.results.show(so_far, part);
    }, (output) => !late() && this.listen(output));
    if (late()) return;
    submission.stop();
    if (typeof done === "string") return this.say(done, "wrong");
    this.results.show(done, null);
    this.remember(lab, done);
    this.say(`graded in ${((performance.now() - start) / 1000).toFixed(1)} s`, "done");
  }

  // What the pass printed, and the line of an error.
  private listen(output: Output): void {
    if (output.errors !== "" && this.printed.textContent.length < mostPrinted) this.printed.append(output.errors.slice(0, mostPrinted));
    if (output.line > 0) this.editor.mark(output.line, output.errors.trimEnd().split("\n").at(-1) ?? "");
  }

  private remember(lab: LabData, result: Grade): void {
    const { points = -1 } = this.progress[lab.id] ?? {};
    if (result.points > points && lab === this.lab && !this.foreign) this.keep({ points: result.points, of: result.of });
    this.showLabs();
  }

  private reset(): void {
    this.editor.replace(this.lab.starter);
    this.say("the starter; undo brings your pass back", "done");
  }

  private async share(button: HTMLButtonElement): Promise<void> {
    window.history.replaceState(null, "", await toFragment({ lab: this.lab.id, source: this.source() }));
    let said = "Link copied";
    try {
      await navigator.clipboard.writeText(location.href);
    } catch {
      said = "In the address bar";
    }
    button.textContent = said;
    window.setTimeout(() => { button.textContent = "Share"; }, 2000);
  }

  private exportFile(): void {
    const link = h("a", { download: this.lab.file, href: URL.createObjectURL(new Blob([this.source()], { type: "text/javascript" })) });
    link.click();
    window.setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  private async importFile(input: HTMLInputElement): Promise<void> {
    const file = input.files?.[0];
    input.value = "";
    if (!file) return;
    if (file.size > 1 << 20) return this.say(`${file.name} has more than 1 MiB`, "wrong");
    this.editor.replace(await file.text());
    this.say(`opened ${file.name}`, "done");
  }
}

async function start(): Promise<void> {
  const module = fetch("kernelc.wasm").then((response) => {
    if (!response.ok) throw new Error(`kernelc.wasm: ${response.status}`);
    return WebAssembly.compileStreaming(response);
  });
  const data = (await (await fetch("labs.json")).json()) as Data;
  const labs = new Labs(data, module);
  (window as unknown as { labs: Labs }).labs = labs;
  window.addEventListener("hashchange", () => location.reload());
  await labs.start();
}

void start();
