// SPDX-License-Identifier: Apache-2.0
// Requests from the page to a worker. Of waiting requests only the newest is sent; one that takes too long is ended
// with its worker, sooner if another one waits.
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
  stats?: unknown;
  results?: Result[];
  error?: { status: number; message: string };
  ms: number;
}

const patienceMs = 1000; // with a request while a newer one waits

interface Waiting {
  request: object;
  done: (answer: Answer | null) => void;
}

export class Service {
  private worker: Worker | null = null;
  private current: (Waiting & { id: number; timer: number; since: number }) | null = null;
  private next: Waiting | null = null;
  private last = 0;

  // `spare` is a worker that has been opened already.
  constructor(private readonly module: Promise<WebAssembly.Module>, private readonly seconds: () => number, private spare: Worker | null = null) {}

  // Null: a newer request took its place.
  ask(request: object): Promise<Answer | null> {
    return new Promise((done) => {
      this.next?.done(null);
      this.next = { request, done };
      if (!this.current) void this.send();
      else if (this.current.timer) this.endAt(this.current.since + patienceMs, null);
    });
  }

  // Ends what is under way, and what waits.
  stop(why: string): void {
    this.next?.done(null);
    this.next = null;
    this.end({ ms: 0, error: { status: 5, message: why } });
  }

  private end(answer: Answer | null): void {
    if (!this.current) return;
    this.worker?.terminate();
    this.worker = null;
    this.finish(answer);
  }

  private endAt(time: number, answer: Answer | null): void {
    if (!this.current) return;
    window.clearTimeout(this.current.timer);
    this.current.timer = window.setTimeout(() => this.end(answer), Math.max(0, time - performance.now()));
  }

  private async send(): Promise<void> {
    const waiting = this.next;
    if (!waiting) return;
    this.next = null;
    const id = ++this.last;
    this.current = { ...waiting, id, timer: 0, since: 0 };
    try {
      if (!this.worker) {
        const module = await this.module;
        if (this.current?.id !== id) return; // stopped meanwhile
        this.worker = this.spare ?? new Worker("worker.js");
        this.spare = null;
        this.worker.onmessage = (event: MessageEvent<Reply>) => this.receive(event.data);
        this.worker.onerror = (event) => this.stop(`the worker failed: ${event.message}`);
        this.worker.postMessage(module);
      }
    } catch (error) {
      this.finish({ ms: 0, error: { status: 4, message: `the compiler cannot be loaded: ${error instanceof Error ? error.message : String(error)}` } });
      return;
    }
    this.limit();
    const question: Question = { id, request: JSON.stringify(waiting.request) };
    this.worker.postMessage(question);
  }

  // From now on the time counts.
  private limit(): void {
    if (!this.current) return;
    const seconds = this.seconds();
    this.current.since = performance.now();
    if (this.next) this.endAt(this.current.since + patienceMs, null);
    else this.endAt(this.current.since + seconds * 1000, { ms: 0, error: { status: 5, message: `ended after ${seconds} s: the launch did not come to an end` } });
  }

  private receive(reply: Reply): void {
    // The worker has started only now.
    if (reply.id === 0) return this.limit();
    if (reply.id !== this.current?.id) return;
    if (reply.error !== "") this.finish({ ms: reply.ms, error: { status: 70, message: `internal error of the compiler: ${reply.error}` } });
    else this.finish({ ...(JSON.parse(reply.answer) as Omit<Answer, "ms">), ms: reply.ms });
  }

  private finish(answer: Answer | null): void {
    const { current } = this;
    this.current = null;
    if (current) window.clearTimeout(current.timer);
    current?.done(answer);
    void this.send();
  }
}
