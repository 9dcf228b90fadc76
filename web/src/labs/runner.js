// SPDX-License-Identifier: Apache-2.0
// Begins a worker that runs a submission as node would: the page puts the course's module and the submission behind it
// (submission.ts). Each run begins anew, as a process does. `firstLine`: where the submission begins in the script.
"use strict";
self.kernelcRunner = (kir, submission, firstLine) => {
  class Exit extends Error {}

  // The line of the submission that an error comes from; 0: none.
  const lineOf = (error) => {
    for (const [, line] of String(error?.stack ?? "").matchAll(/:(\d+):\d+\)?$/gm)) if (Number(line) >= firstLine) return Number(line) - firstLine + 1;
    return 0;
  };

  self.onmessage = ({ data: { input, words } }) => {
    let output = "", errors = "", line = 0, status = 0;
    const put = (file, text) => {
      if (file === 1) output += text;
      else if (file === 2) errors += text;
      else throw new Error("there are no files here: 1 is standard output, 2 standard error");
    };
    const fs = {
      readFileSync: (file) => {
        if (file !== 0 && file !== "/dev/stdin") throw new Error("there are no files here: 0 is standard input");
        return input;
      },
      writeFileSync: put,
      writeSync: put,
    };
    const text = (value) => (typeof value === "string" ? value : value instanceof Error ? String(value.stack) : typeof value === "object" && value !== null && String(value) === "[object Object]" ? JSON.stringify(value, (_, v) => (typeof v === "bigint" ? String(v) : v)) : String(value));
    const say = (...values) => put(2, `${values.map(text).join(" ")}\n`);
    const console = { log: say, error: say, warn: say, info: say, debug: say, trace: say, assert: (good, ...values) => good || say("assertion failed:", ...values) };
    const process = {
      argv: ["node", "submission.js", ...words],
      stdout: { write: (written) => (put(1, written), true) },
      stderr: { write: (written) => (put(2, written), true) },
      exit: (code = 0) => {
        status = code;
        throw new Exit();
      },
    };
    const loaded = { fs, "node:fs": fs, process };
    const require = (name) => {
      if (name === "kir" && !loaded.kir) {
        const module = { exports: {} };
        kir(require, module, module.exports, process, console);
        loaded.kir = module.exports;
      }
      if (!(name in loaded)) throw new Error(`there is no module '${name}' on this page, only 'kir' and 'fs'`);
      return loaded[name];
    };
    try {
      const module = { exports: {} };
      submission(require, module, module.exports, process, console);
    } catch (error) {
      if (!(error instanceof Exit)) {
        status = 1;
        line = lineOf(error);
        const what = error instanceof RangeError && /call stack/.test(error.message) ? "RangeError: the stack is full" : error instanceof Error ? `${error.name}: ${error.message}` : String(error);
        errors += `${what}${line > 0 ? ` (line ${line})` : ""}\n`;
      }
    }
    self.postMessage(status === 0 ? { output, errors, line } : { problem: `it ended with status ${status}`, errors, line });
  };
};
