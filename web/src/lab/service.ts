// SPDX-License-Identifier: Apache-2.0
// Requests from the page to a worker. Of waiting requests only the newest is sent; one that takes too long is ended
// with its worker.
import type { Question, Reply } from "./worker";

export interface Place {
  line: number;
  column: number;
  end_line: number;
  end_column: number;
}
export interface Diagnostic {
  severity: "error" | "warning" | "note" | "remark" | "fatal";
  message: string;
  line?: number;
  column?: number;
  range?: Place;
  flag?: string;
  fixits?: (Place & { text: string })[];
}
export interface Parameter {
  name: string;
  type: string;
  size: number;
  element?: string;
  element_size?: number;
  const?: boolean;
  unsigned?: boolean;
  parts?: { type: string; unsigned: boolean }[];
}
export interface Kernel {
  name: string;
  params: Parameter[];
  reqd_work_group_size?: number[];
}
export interface Result {
  engine: string;
  status: string;
  message: string;
  line?: number;
  printed: string;
  buffers: { name: string; type: string; bytes: string }[];
}
export interface Answer {
  diagnostics?: Diagnostic[];
  kernels?: Kernel[];
  record?: unknown;
  results?: Result[];
  error?: { status: number; message: string };
  ms: number;
}

interface Waiting {
  request: object;
  done: (answer: Answer | null) => void;
}

export class Service {
  private worker: Worker | null = null;
  private current: (Waiting & { id: number; timer: number }) | null = null;
  private next: Waiting | null = null;
  private last = 0;

  constructor(private readonly module: Promise<WebAssembly.Module>, private readonly seconds: () => number) {}

  get busy(): boolean {
    return this.current !== null;
  }

  // Null: a newer request took its place.
  ask(request: object): Promise<Answer | null> {
    return new Promise((done) => {
      this.next?.done(null);
      this.next = { request, done };
      if (!this.current) void this.send();
    });
  }

  // Ends what is under way.
  stop(why: string): void {
    if (!this.current) return;
    this.worker?.terminate();
    this.worker = null;
    this.finish({ ms: 0, error: { status: 5, message: why } });
  }

  private async send(): Promise<void> {
    const waiting = this.next;
    if (!waiting) return;
    this.next = null;
    const id = ++this.last;
    this.current = { ...waiting, id, timer: 0 };
    try {
      if (!this.worker) {
        const module = await this.module;
        this.worker = new Worker("worker.js");
        this.worker.onmessage = (event: MessageEvent<Reply>) => this.receive(event.data);
        this.worker.onerror = (event) => this.stop(`the worker failed: ${event.message}`);
        this.worker.postMessage(module);
      }
    } catch (error) {
      this.finish({ ms: 0, error: { status: 4, message: `the compiler cannot be loaded: ${error instanceof Error ? error.message : String(error)}` } });
      return;
    }
    const limit = this.seconds();
    this.current.timer = window.setTimeout(() => this.stop(`ended after ${limit} s: the launch did not come to an end`), limit * 1000);
    const question: Question = { id, request: JSON.stringify(waiting.request) };
    this.worker.postMessage(question);
  }

  private receive(reply: Reply): void {
    if (reply.id !== this.current?.id) return;
    if (reply.error !== "") this.finish({ ms: reply.ms, error: { status: 70, message: `internal error of the compiler: ${reply.error}` } });
    else this.finish({ ...(JSON.parse(reply.answer) as Omit<Answer, "ms">), ms: reply.ms });
  }

  private finish(answer: Answer): void {
    const { current } = this;
    this.current = null;
    if (current) window.clearTimeout(current.timer);
    current?.done(answer);
    void this.send();
  }
}
