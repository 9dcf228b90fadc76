// SPDX-License-Identifier: Apache-2.0
// Grades a submission: the module has the tests and judges, the submission runs here. Both are asked in turn.
import type { Service } from "../lab/service";
import type { Output, Submission } from "./submission";

export interface TestResult {
  name: string;
  points: number;
  of: number;
  runs: number;
  hidden: boolean;
  result: "pass" | "fail";
  note: string;
  counterexample?: string;  // a launch
  program?: string;         // the smallest that was found to fail
  blocks?: number;
  got?: string;             // what the submission got last, and what it wrote
  wrote?: string;
}
export interface QualityResult {
  name: string;
  points: number;
  of: number;
  metric: string;
  value: number;
  baseline: number;
  note: string;
}
export interface Grade {
  lab: string;
  points: number;
  of: number;
  tests: TestResult[];
  quality: QualityResult[];
}
interface Reply {
  grade?: Grade;
  run?: { part: string; input: string; arguments: string[] };
  error?: { status: number; message: string };
}

export interface LabFiles {
  lab: string;                    // the path of the lab file
  files: Record<string, string>;  // by path
}

// Calls `progress` before each run. A text says why there is no grade. `said` has each output with something to show.
export async function grade(service: Service, lab: LabFiles, name: string, submission: Submission, progress: (grade: Grade, part: string, run: number) => void, said: (output: Output) => void): Promise<Grade | string> {
  let request: object = { do: "grade", lab: lab.lab, files: lab.files, submission: name };
  for (let run = 1; ; run++) {
    const reply = (await service.ask(request)) as Reply | null;
    if (!reply) return "stopped";
    if (reply.error || !reply.grade) return reply.error?.message ?? "no grade";
    if (!reply.run) return reply.grade;
    progress(reply.grade, reply.run.part, run);
    const output = await submission.run(reply.run.input, reply.run.arguments);
    if (output.problem === "stopped") return "stopped";
    said(output);
    const { line: _, ...answer } = output;
    request = { do: "go_on", ...answer };
  }
}
