// SPDX-License-Identifier: Apache-2.0
// What the page of the labs shows: handouts as HTML, starters in JavaScript, and the files that the grader reads.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join, normalize } from "node:path";
import { Marked } from "marked";

const documents = { "ir-json": { file: "docs/ir-json.md", title: "IR as JSON" } };

// Links inside of the page: to other labs, to documents that it has. What it has not is plain text.
function html(text, folder, labs) {
  const marked = new Marked({
    renderer: {
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        if (/^https?:/.test(href)) return `<a href="${href}" rel="noreferrer" target="_blank">${inner}</a>`;
        const file = normalize(join(folder, href.replace(/#.*/, ""))).replaceAll("\\", "/");
        const document = Object.entries(documents).find(([, one]) => one.file === file);
        if (document) return `<a href="#read-${document[0]}">${inner}</a>`;
        const lab = labs.find((id) => file.startsWith(`course/labs/${id}/`));
        return lab ? `<a href="#lab=${lab}">${inner}</a>` : inner;
      },
      // Regions that scroll can be reached by the keyboard.
      code({ text: code }) {
        return `<pre tabindex="0">${code.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</pre>\n`;
      },
    },
  });
  return marked.parse(text);
}

// The tables of a lab file, as far as the page needs them: the grader reads the file itself.
function partsOf(toml) {
  return toml.split(/^\[\[/m).slice(1).map((part) => {
    const text = (key) => part.match(new RegExp(`^${key} = "(.*)"`, "m"))?.[1];
    return { name: text("name"), of: Number(part.match(/^points = (\d+)/m)?.[1]), program: text("program"), launch: text("launch"), hidden: /^hidden = true/m.test(part) };
  });
}

// Labs whose folder has a starter in JavaScript.
export function labs(root) {
  const read = (...path) => readFileSync(join(root, ...path), "utf8");
  const folders = readdirSync(join(root, "course/labs")).sort();
  const starterOf = (id) => readdirSync(join(root, "course/labs", id)).find((file) => file.endsWith(".js"));
  const ids = folders.filter(starterOf);
  return {
    labs: ids.map((id) => {
      const folder = `course/labs/${id}`;
      const lab = `labs/${id}/lab.toml`;
      const toml = read("course", lab);
      const parts = partsOf(toml);
      const files = { [lab]: toml };
      const programs = {};
      for (const { name, program, launch } of parts) {
        if (!program) continue;
        files[`labs/${id}/${program}`] = read(folder, program);
        programs[name] = { source: read(folder, program), launch };
      }
      const file = starterOf(id);
      return {
        id, lab, files, file, programs,
        title: toml.match(/^title = "(.*)"/m)[1],
        kind: toml.match(/^kind = "(.*)"/m)[1],
        starter: read(folder, file),
        handout: html(read(folder, "README.md"), folder, ids),
        parts: parts.filter((part) => !part.hidden).map(({ name, of }) => ({ name, of })),
      };
    }),
    kir: read("course/js/kir.js"),
    runner: read("web/src/labs/runner.js"),
    documents: Object.fromEntries(Object.entries(documents).filter(([, one]) => existsSync(join(root, one.file)))
      .map(([id, one]) => [id, { title: one.title, html: html(read(one.file), "docs", ids) }])),
  };
}
