// SPDX-License-Identifier: Apache-2.0
// node test/run.mjs KERNELC FOLDER: makes pages with the command and runs the tests of this folder on them.
// Ends with 77 if a part that the tests need is missing.
import { spawnSync } from "node:child_process";
import { existsSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { browserPath, kernels, pageOf } from "./kernels.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const [kernelc, folder] = process.argv.slice(2);
const root = join(here, "..", "..");

function skip(reason) {
  console.log(`SKIPPED: ${reason}`);
  process.exit(77);
}
const page = join(folder, "explore.html");
if (!existsSync(page) || statSync(page).size === 0) skip("kernelc was built without the page");
if (!browserPath()) skip("no chromium");

const { build } = await import("esbuild");
const pages = kernels.map((kernel) => pageOf(kernelc, root, folder, kernel));
writeFileSync(join(folder, "pages.json"), JSON.stringify(pages));

const check = spawnSync(process.execPath, [join(here, "..", "node_modules", "typescript", "bin", "tsc"), "--noEmit", "-p", join(here, "..")], { stdio: "inherit" });
if (check.status !== 0) process.exit(1);
// The bundles lie beside node_modules, where their imports are found.
const dist = join(here, "..", "dist");
const names = ["page", "lab", "labs"];
const tests = names.map((name) => join(here, `${name}.test.ts`));
await build({ entryPoints: tests, bundle: true, platform: "node", format: "esm", packages: "external", outdir: dist, outExtension: { ".js": ".mjs" }, logLevel: "warning" });
const outputs = names.map((name) => join(dist, `${name}.test.mjs`));
const run = spawnSync(process.execPath, ["--test", ...outputs], { stdio: "inherit", env: { ...process.env, KC_WEB_FOLDER: folder, KC_KERNELC: kernelc } });
process.exit(run.status ?? 1);
