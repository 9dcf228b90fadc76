// SPDX-License-Identifier: Apache-2.0
// Bundles src/: the page of a launch as one HTML file that needs nothing else, and the folder of the lab, without the
// compiler's module. node build.mjs [PAGE [FOLDER]]
import { build } from "esbuild";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { labs } from "./labs.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const output = process.argv[2] ?? join(here, "dist", "explore.html");
const lab = process.argv[3] ?? join(here, "dist", "lab");

const bundle = (...entryPoints) => build({
  entryPoints: entryPoints.map((name) => join(here, "src", name)),
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
const text = (result, suffix) => result.outputFiles.find((file) => file.path.endsWith(suffix))?.text ?? "";

// The libraries' licences ask that their notices go along.
function notices(result) {
  const packages = new Set(Object.keys(result.metafile.inputs).map((file) => file.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1]).filter(Boolean));
  return [...packages].sort().map((name) => {
    const folder = join(here, "node_modules", name);
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    if (!file) throw new Error(`${name} has no licence file`);
    const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return `${name} ${version}\n\n${readFileSync(join(folder, file), "utf8").trim().replaceAll("--", "- -")}\n`;
  }).join("\n");
}

const explore = await bundle("main.ts");
// Inside a script element "</script" ends the element wherever it stands, in a string, too.
const script = text(explore, ".js").replaceAll("</script", "<\\/script");
const page = readFileSync(join(here, "src", "explore.html"), "utf8")
  .replace("/*STYLE*/", () => text(explore, ".css"))
  .replace("/*SCRIPT*/", () => script)
  .replace("/*NOTICES*/", () => notices(explore));
mkdirSync(dirname(output), { recursive: true });
writeFileSync(output, page);

const parts = await bundle("lab/main.ts", "lab/worker.ts");
mkdirSync(lab, { recursive: true });
writeFileSync(join(lab, "index.html"), readFileSync(join(here, "src", "lab", "lab.html"), "utf8").replace("/*NOTICES*/", () => notices(parts)));
writeFileSync(join(lab, "lab.js"), text(parts, "main.js"));
writeFileSync(join(lab, "lab.css"), text(parts, "main.css"));
writeFileSync(join(lab, "worker.js"), text(parts, "worker.js"));
writeFileSync(join(lab, "explore.html"), page);
const course = await bundle("labs/main.ts");
writeFileSync(join(lab, "labs.html"), readFileSync(join(here, "src", "labs", "labs.html"), "utf8").replace("/*NOTICES*/", () => notices(course)));
writeFileSync(join(lab, "labs.js"), text(course, ".js"));
writeFileSync(join(lab, "labs.css"), text(course, ".css"));
writeFileSync(join(lab, "labs.json"), JSON.stringify(labs(join(here, ".."))));
const gallery = JSON.parse(readFileSync(join(here, "gallery.json"), "utf8"));
writeFileSync(join(lab, "gallery.json"), JSON.stringify(gallery.map((example) => ({ ...example, source: readFileSync(join(here, "..", example.file), "utf8") }))));
