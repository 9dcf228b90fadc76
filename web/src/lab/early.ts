// SPDX-License-Identifier: Apache-2.0
// The first script of the lab, a small one: it loads the compiler, opens a worker and asks for the first launch. The
// page's own script follows when the worker has started, which it cannot do while a page is busy.
import { type Early, begin } from "./first";

const mostMs = 300; // that the page waits

const module = fetch("kernelc.wasm").then((response) => {
  if (!response.ok) throw new Error(`kernelc.wasm: ${response.status}`);
  return WebAssembly.compileStreaming(response);
});
module.catch(() => undefined); // whoever asks the compiler hears of it
const runs = new Worker("worker.js");
(window as unknown as { early: Promise<Early> }).early = begin(module, fetch("gallery.json"), runs);

const started = new Promise((done) => runs.addEventListener("message", done, { once: true }));
void Promise.race([started, new Promise((done) => window.setTimeout(done, mostMs))]).then(() => {
  const script = document.createElement("script");
  script.src = "lab.js";
  document.body.append(script);
});
