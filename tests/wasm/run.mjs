// SPDX-License-Identifier: Apache-2.0
// node run.mjs REQUESTS MODULE: the module answers each request as the native build does, byte by byte; only NaNs may
// have other bits.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";

const [requests, file] = process.argv.slice(2);
const web = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "web");
let esbuild;
try {
  esbuild = createRequire(join(web, "package.json"))("esbuild");
} catch {
  console.log("SKIPPED: no esbuild");
  process.exit(77);
}
// The part of the lab that talks to the module.
const bundle = join(web, "dist", "compiler.mjs");
await esbuild.build({ entryPoints: [join(web, "src", "lab", "compiler.ts")], bundle: true, platform: "node", format: "esm", outfile: bundle, logLevel: "warning" });
const { Compiler } = await import(pathToFileURL(bundle).href);
const compiler = new Compiler(new WebAssembly.Module(readFileSync(file)));

// The elements of both that are numbers and the same, or NaN in both.
function sameElements(type, a, b) {
  if (a.length !== b.length || !type.startsWith("f")) return a === b;
  const bytes = [a, b].map((text) => new DataView(Uint8Array.from(text.match(/../g) ?? [], (two) => Number.parseInt(two, 16)).buffer));
  const size = Number(type.slice(1)) / 8;
  const nan = (view, at) => {
    if (size === 8) return Number.isNaN(view.getFloat64(at, true));
    if (size === 4) return Number.isNaN(view.getFloat32(at, true));
    return (view.getUint16(at, true) & 0x7fff) > 0x7c00;
  };
  for (let at = 0; at < bytes[0].byteLength; at += size) {
    const same = [...Array(size).keys()].every((k) => bytes[0].getUint8(at + k) === bytes[1].getUint8(at + k));
    if (!same && !(nan(bytes[0], at) && nan(bytes[1], at))) return false;
  }
  return true;
}

function difference(native, own) {
  if (native === own) return "";
  const [a, b] = [JSON.parse(native), JSON.parse(own)];
  for (const [at, result] of (a.results ?? []).entries())
    for (const [n, buffer] of result.buffers.entries()) {
      const other = b.results?.[at]?.buffers[n];
      if (!other || !sameElements(buffer.type, buffer.bytes, other.bytes)) return `${result.engine}: buffer ${buffer.name} differs`;
      other.bytes = buffer.bytes;
    }
  // How far an address is from a buffer that it does not belong to depends on where memory lies.
  const plain = (value) => JSON.stringify(value).replace(/\[-?\d{6,}\]/g, "[far]");
  if (plain(a) === plain(b)) return "";
  const at = [...native].findIndex((c, n) => c !== own[n]);
  return `native: ${native.slice(Math.max(0, at - 60), at + 60)}\n  module: ${own.slice(Math.max(0, at - 60), at + 60)}`;
}

const child = spawn(requests, { stdio: ["ignore", "pipe", "inherit"] });
const ended = new Promise((done) => child.on("close", done));
let request = null;
let compared = 0;
let ran = 0;
let different = 0;
for await (const line of createInterface({ input: child.stdout })) {
  if (request === null) {
    request = line;
    continue;
  }
  let what;
  try {
    what = difference(line, compiler.ask(request));
  } catch (error) {
    what = error.message;
  }
  if (what !== "" && different++ < 20) console.log(`FAILED ${request.slice(0, 400)}\n  ${what}`);
  compared++;
  ran += (JSON.parse(line).results ?? []).filter((result) => result.status === "ok" || result.status === "trapped").length;
  request = null;
}
const status = await ended;
console.log(`${compared} requests, ${ran} launches that ran natively, ${different} different answers`);
process.exit(status !== 0 || different > 0 || compared < 500 || ran < 3000 ? 1 : 0);
