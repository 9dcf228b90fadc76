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
// The bundle lies beside node_modules, where its imports are found.
const output = join(here, "..", "dist", "page.test.mjs");
await build({ entryPoints: [join(here, "page.test.ts")], bundle: true, platform: "node", format: "esm", packages: "external", outfile: output, logLevel: "warning" });
const run = spawnSync(process.execPath, ["--test", output], { stdio: "inherit", env: { ...process.env, KC_WEB_FOLDER: folder } });
process.exit(run.status ?? 1);
