// SPDX-License-Identifier: Apache-2.0
// Bundles src/ into one HTML file that needs nothing else: node build.mjs [OUTPUT]
import { build } from "esbuild";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const output = process.argv[2] ?? join(here, "dist", "explore.html");

const result = await build({
  entryPoints: [join(here, "src", "main.ts")],
  bundle: true,
  minify: true,
  write: false,
  outdir: "out",
  format: "iife",
  target: ["es2022"],
  charset: "utf8",
  legalComments: "none",
  metafile: true,
  absWorkingDir: here,
  loader: { ".css": "css" },
});
const text = (suffix) => result.outputFiles.find((file) => file.path.endsWith(suffix))?.text ?? "";
// The libraries' licences ask that their notices go along.
const packages = new Set(Object.keys(result.metafile.inputs).map((file) => file.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1]).filter(Boolean));
const notices = [...packages].sort().map((name) => {
  const folder = join(here, "node_modules", name);
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (!file) throw new Error(`${name} has no licence file`);
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return `${name} ${version}\n\n${readFileSync(join(folder, file), "utf8").trim().replaceAll("--", "- -")}\n`;
});
// Inside a script element "</script" ends the element wherever it stands, in a string, too.
const script = text(".js").replaceAll("</script", "<\\/script");
const page = readFileSync(join(here, "src", "explore.html"), "utf8")
  .replace("/*STYLE*/", () => text(".css"))
  .replace("/*SCRIPT*/", () => script)
  .replace("/*NOTICES*/", () => notices.join("\n"));
mkdirSync(dirname(output), { recursive: true });
writeFileSync(output, page);
