// SPDX-License-Identifier: Apache-2.0
// node compare.mjs KERNELC MODULE FILE...: the module's thread IR and wave IR of each source are those of the native command.
import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WASI } from "node:wasi";

const [kernelc, file, ...sources] = process.argv.slice(2);
const module = await WebAssembly.compile(readFileSync(file));
const folder = mkdtempSync(join(tmpdir(), "kernelc-"));

function inModule(source, args) {
  const out = join(folder, "out");
  const stdin = openSync(source, "r");
  const stdout = openSync(out, "w");
  const stderr = openSync(join(folder, "err"), "w");
  const wasi = new WASI({ version: "preview1", args: ["kernelc_wasm", ...args], stdin, stdout, stderr, returnOnExit: true });
  try {
    const start = performance.now();
    const instance = new WebAssembly.Instance(module, wasi.getImportObject());
    const status = wasi.start(instance);
    return { status, time: performance.now() - start, text: readFileSync(out, "utf8") };
  } finally {
    for (const fd of [stdin, stdout, stderr]) closeSync(fd);
  }
}

let compared = 0;
let refused = 0;
const different = [];
for (const source of sources)
  for (const [native, args] of [[["--emit=ir"], ["ir"]], [["--emit=wave", "--width", "8"], ["wave", "8"]]]) {
    const expected = spawnSync(kernelc, [source, ...native], { encoding: "utf8", maxBuffer: 1 << 28 });
    if (expected.status !== 0) {
      refused++;
      continue;
    }
    let got;
    try {
      got = inModule(source, args);
    } catch (error) {
      got = { status: String(error), text: "" };
    }
    const plain = (text) => text.replace(/^source .*\n/, "").trim();
    if (got.status === 0 && plain(got.text) === plain(expected.stdout)) compared++;
    else different.push(`${source} ${native.join(" ")} (status ${got.status})`);
  }
rmSync(folder, { recursive: true });
console.log(`${compared} equal, ${different.length} different, ${refused} refused by the native compiler`);
for (const line of different.slice(0, 20)) console.log(line);
process.exit(different.length > 0 || compared === 0 ? 1 : 0);
