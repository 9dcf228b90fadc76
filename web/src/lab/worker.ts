// SPDX-License-Identifier: Apache-2.0
// The compiler in a thread of its own: the page stays alive whatever a kernel does, and can end this.
import { Compiler } from "./compiler";

export interface Question {
  id: number;
  request: string;
}
export interface Reply {
  id: number; // of the question; 0: nothing was asked
  answer: string; // empty: `error` says why
  error: string;
  ms: number;
}

let compiler: Compiler | null = null;

// It has started.
self.postMessage({ id: 0, answer: "", error: "", ms: 0 } satisfies Reply);

self.onmessage = (event: MessageEvent<WebAssembly.Module | Question>) => {
  const { data } = event;
  if (data instanceof WebAssembly.Module) {
    compiler = new Compiler(data);
    return;
  }
  const start = performance.now();
  const reply: Reply = { id: data.id, answer: "", error: "", ms: 0 };
  try {
    reply.answer = (compiler as Compiler).ask(data.request);
  } catch (error) {
    reply.error = error instanceof Error ? error.message : String(error);
  }
  reply.ms = performance.now() - start;
  self.postMessage(reply);
};
