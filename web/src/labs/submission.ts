// SPDX-License-Identifier: Apache-2.0
// A submission in a worker of its own, which is ended when it takes too long. The worker's script is a text of this
// page, so the page's policy holds in it: it can load nothing from elsewhere, and send nothing there.

export interface Output {
  output?: string;  // what it wrote to standard output; absent: `problem` says why
  problem?: string;
  errors: string;   // its standard error
  line: number;     // of the submission, that the problem comes from; 0: unknown
}

const newlines = (text: string): number => text.split("\n").length - 1;

export class Submission {
  private worker: Worker | null = null;
  private readonly script: string;
  private readonly firstLine: number;
  private end: ((output: Output) => void) | null = null;

  // `runner`: runner.js; `kir`: the course's module. A run may take `seconds`, and after one that took longer `later`.
  constructor(runner: string, kir: string, source: string, private seconds: number, private readonly later: number) {
    const head = `${runner}\nself.kernelcRunner(function (require, module, exports, process, console) {${kir}\n}, function (require, module, exports, process, console) {\n`;
    this.firstLine = newlines(head) + 1;
    this.script = `${head}${source}\n}, ${this.firstLine});\n`;
  }

  run(input: string, words: string[]): Promise<Output> {
    return new Promise((done) => {
      const timer = window.setTimeout(() => {
        const problem = `takes longer than ${this.seconds} s`;
        this.seconds = this.later;
        this.stop({ problem, errors: "", line: 0 });
      }, this.seconds * 1000);
      this.end = (output) => {
        window.clearTimeout(timer);
        this.end = null;
        done(output);
      };
      this.worker ??= this.start();
      this.worker.postMessage({ input, words });
    });
  }

  // Ends the worker; a run that is under way has this output.
  stop(output: Output = { problem: "stopped", errors: "", line: 0 }): void {
    this.worker?.terminate();
    this.worker = null;
    this.end?.(output);
  }

  private start(): Worker {
    const url = URL.createObjectURL(new Blob([this.script], { type: "text/javascript" }));
    const worker = new Worker(url);
    worker.onmessage = (event: MessageEvent<Output>) => this.end?.(event.data);
    // The script is no JavaScript.
    worker.onerror = (event) => {
      event.preventDefault();
      const line = event.lineno >= this.firstLine ? event.lineno - this.firstLine + 1 : 0;
      const what = event.message.replace(/^Uncaught /, "");
      this.stop({ problem: "it ended with status 1", errors: `${what}${line > 0 ? ` (line ${line})` : ""}\n`, line });
    };
    // It is read by then.
    window.setTimeout(() => URL.revokeObjectURL(url), 10_000);
    return worker;
  }
}
