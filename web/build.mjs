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

mkdirSync(lab, { recursive: true });
const put = (name, content) => writeFileSync(join(lab, name), content);

// A page of the lab: name.html or `file`, name.js, name.css. What it asks for first, `early`, is loaded while the page is.
// `script` is what the page begins with, if it is not name.js, and `host` the element that it fills.
function putPage(name, result, { file = `${name}.html`, early = [], policy = "", script = `${name}.js`, host = name }) {
  const link = (href) => `<link rel="preload" href="${href}" as="${href.endsWith(".js") ? "script" : "fetch"}"${href.endsWith(".js") ? "" : " crossorigin"}>`;
  const parts = { NAME: name, POLICY: policy, EARLY: early.map(link).join("\n"), SCRIPT: script, HOST: host, NOTICES: notices(result) };
  put(file, readFileSync(join(here, "src", "lab", "frame.html"), "utf8").replace(/\/\*([A-Z]+)\*\//g, (_, part) => parts[part]));
  put(`${name}.js`, text(result, "main.js"));
  put(`${name}.css`, text(result, "main.css"));
}

const parts = await bundle("lab/main.ts", "lab/worker.ts", "lab/early.ts");
putPage("lab", parts, { file: "index.html", early: ["kernelc.wasm", "gallery.json", "lab.js"], script: "early.js", policy: "worker-src 'self'; frame-src 'self'" });
for (const name of ["worker.js", "early.js"]) put(name, text(parts, name));
put("explore.html", page);
// A pane of the lab shows the same page, whose script is a file here: browsers compile it while they load it.
putPage("explore", explore, { file: "pane.html", host: "app" });
// Passes run in workers that the page makes of their text.
putPage("labs", await bundle("labs/main.ts"), { early: ["labs.json"], policy: "worker-src 'self' blob:" });
put("labs.json", JSON.stringify(labs(join(here, ".."))));
const gallery = JSON.parse(readFileSync(join(here, "gallery.json"), "utf8"));
put("gallery.json", JSON.stringify(gallery.map((example) => ({ ...example, source: readFileSync(join(here, "..", example.file), "utf8") }))));
