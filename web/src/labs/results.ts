// SPDX-License-Identifier: Apache-2.0
// What a grading came to: points for each test and measure, and the one that was chosen in detail.
import { h } from "../dom";
import type { Grade, TestResult } from "./grader";
import { type Mark, marksOf, picture } from "./picture";

export interface LabText {
  kind: string;                                    // of the lab file
  programs: Record<string, { source: string; launch: string }>;  // by the name of a test
  parts: { name: string; of: number }[];           // public ones, in order
}

const points = (value: number, of: number): string => `${value}/${of}`;
const firstLine = (text: string): string => text.split("\n", 1)[0] as string;
const shown = (text: string): string => (text.length > 20_000 ? `${text.slice(0, 20_000)}\n…` : text);

export class Results {
  readonly element = h("section", { class: "results", id: "results", "aria-label": "Results", tabindex: 0 });
  private readonly score = h("p", { id: "score", role: "status" });
  private readonly table = h("tbody", {});
  private readonly detail = h("div", { id: "detail", role: "region", "aria-label": "What fails" });
  private chosen = "";
  private grade: Grade | null = null;
  private lab: LabText | null = null;

  constructor() {
    this.element.append(this.score,
      h("table", { class: "parts" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "test"), h("th", { scope: "col", class: "number" }, "points"), h("th", { scope: "col" }, "result"))), this.table),
      this.detail);
  }

  // Nothing has been graded yet.
  clear(lab: LabText, best: string): void {
    this.lab = lab;
    this.grade = null;
    this.chosen = "";
    this.score.textContent = best;
    this.table.replaceChildren(...lab.parts.map((part) => h("tr", {}, h("th", { scope: "row" }, part.name), h("td", { class: "number" }, `–/${part.of}`), h("td", { class: "quiet" }, "not run"))));
    this.detail.replaceChildren();
  }

  // `part`: the one that is being run; null: it is complete.
  show(grade: Grade, part: string | null): void {
    this.grade = grade;
    const failed = grade.tests.filter((test) => test.result === "fail");
    if (!failed.some((test) => test.name === this.chosen)) this.chosen = failed[0]?.name ?? "";
    if (part === null) {
      const all = grade.points === grade.of ? ": all of them" : "";
      this.score.replaceChildren(h("strong", {}, `${points(grade.points, grade.of)} public points`), `${all}. Hidden tests are your teacher's.`);
    } else {
      this.score.textContent = `Running: ${part} …`;
    }
    this.draw();
  }

  private draw(): void {
    const { grade, lab } = this;
    if (!grade || !lab) return;
    const rows = lab.parts.map((part) => {
      const test = grade.tests.find((one) => one.name === part.name);
      const quality = grade.quality.find((one) => one.name === part.name);
      const row = (value: string, kind: string, ...cells: (Node | string)[]) => h("tr", { class: kind }, h("th", { scope: "row" }, part.name), h("td", { class: "number" }, value), h("td", {}, ...cells));
      if (test?.result === "pass") return row(points(test.points, test.of), "pass", "passed");
      if (test) return row(points(test.points, test.of), test.name === this.chosen ? "fail shown" : "fail",
        h("button", { type: "button", class: "link", "aria-pressed": String(test.name === this.chosen), onclick: () => this.choose(test.name) }, "failed"), ` ${firstLine(test.note)}`);
      if (quality) return row(points(quality.points, quality.of), quality.points === quality.of ? "pass" : "part", quality.note !== "" ? quality.note : `${quality.metric.replaceAll("_", " ")} ${quality.value}, baseline ${quality.baseline}`);
      return row(`–/${part.of}`, "quiet", "…");
    });
    this.table.replaceChildren(...rows);
    const test = grade.tests.find((one) => one.name === this.chosen);
    this.detail.replaceChildren(...(test ? this.detailOf(test, lab) : []));
  }

  private choose(name: string): void {
    this.chosen = name;
    this.draw();
    this.table.querySelector<HTMLButtonElement>("button[aria-pressed=true]")?.focus();
  }

  private detailOf(test: TestResult, lab: LabText): (Node | string)[] {
    const file = lab.programs[test.name];
    const source = test.program ?? file?.source ?? "";
    const launch = test.counterexample ?? file?.launch ?? "";
    const marks = lab.kind === "dominators" || lab.kind === "divergence" ? marksOf(test.note) : new Map<number, Mark>();
    const legend = [...new Set(marks.values())].reverse().map((mark) => h("span", { class: `legend ${mark}` }, { wrong: lab.kind === "dominators" ? "the block" : "the branch", expected: "expected", said: "your answer" }[mark]));
    const made = lab.kind === "pass" || lab.kind === "wave";
    return [
      h("h2", {}, test.name),
      h("p", { class: "difference", tabindex: 0 }, test.note),
      ...(test.got === undefined || test.got === "" ? [] : [
        h("h3", {}, test.program !== undefined ? `The smallest program that was found to fail, ${test.blocks} block${test.blocks === 1 ? "" : "s"}` : "What your program got", ...legend),
        picture(test.got, "The function that your program got", marks, lab.kind === "dominators" ? "end" : "all"),
        h("h3", {}, "What it wrote"),
        made ? picture(test.wrote ?? "", "The function that your program wrote", new Map(), "all") : h("pre", { class: "text", tabindex: 0 }, test.wrote === "" ? "nothing" : shown(test.wrote ?? "")),
      ]),
      ...(source === "" ? [] : [h("details", {}, h("summary", {}, "The kernel and its launch"), h("pre", { class: "text", tabindex: 0 }, source), h("p", { class: "mono launch" }, launch))]),
      ...(test.got ? [h("details", {}, h("summary", {}, "What it got, as JSON"), h("pre", { class: "text", tabindex: 0 }, shown(test.got)))] : []),
    ];
  }
}
