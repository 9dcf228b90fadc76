// SPDX-License-Identifier: Apache-2.0
// node screenshots.mjs KERNELC FOLDER: draws the pictures of docs/pictures; FOLDER is that of the built page, and the lab
// lies beside the command.
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { browserFlags, browserPath, kernels, pageOf } from "./test/kernels.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const [kernelc, folder] = process.argv.slice(2).map((word) => resolve(word));
mkdirSync(folder, { recursive: true });
const pictures = join(root, "docs", "pictures");
mkdirSync(pictures, { recursive: true });

// By page: what is opened, and what is done before the picture is taken.
const fit = (page) => page.click("#graph-fit");
const shots = {
  scanner: [
    { name: "stages", hash: "view=stages&line=13" },
    { name: "graph", hash: "view=graph&line=13" },
    { name: "lanes", hash: "view=lanes&scheme=ipdom&other=tf-stack&step=60&lane=3" },
    { name: "lanes-dark", hash: "view=lanes&scheme=ipdom&other=tf-stack&step=60&lane=3", theme: "dark" },
    { name: "waits", hash: "view=lanes&scheme=ipdom&other=tf-stack&step=60&lane=3&alone=true", act: (page) => page.locator(".whole").scrollIntoViewIfNeeded() },
    { name: "registers", hash: "view=registers&target=gfx900" },
    { name: "costs", hash: "view=costs&alone=true" },
  ],
  exceptions: [
    { name: "waiting-lanes", hash: "view=graph&alone=true&show=l", act: async (page) => { await page.check("#show-waiting-lanes"); await fit(page); } },
    { name: "regions", hash: "view=graph&alone=true&show=r", act: async (page) => { await page.selectOption("#graph-stage", { label: "vulkan thread: structured control flow" }); await fit(page); } },
  ],
};

const browser = await chromium.launch({ executablePath: browserPath(), args: browserFlags });
for (const [kernel, pictured] of Object.entries(shots)) {
  const { page: file } = pageOf(kernelc, root, folder, kernels.find(({ name }) => name === kernel));
  for (const { name, hash, theme, act } of pictured) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: theme ?? "light" });
    const page = await context.newPage();
    await page.goto(`file://${file}#${hash}`);
    await page.waitForTimeout(800);
    await act?.(page);
    await page.waitForTimeout(200);
    await page.screenshot({ path: join(pictures, `${name}.png`) });
    await context.close();
  }
}
const lab = spawn(kernelc, ["lab", "--port", "0"]);
const url = await new Promise((done) => lab.stdout.on("data", (said) => done(String(said).match(/http:\S+/)[0])));
const page = await (await browser.newContext({ viewport: { width: 1440, height: 860 }, colorScheme: "light" })).newPage();
await page.goto(url);
await page.waitForSelector("#status.done");
await page.click("#editor .cm-content");
await page.keyboard.press("Control+Home");
for (let n = 0; n < 12; n++) await page.keyboard.press("ArrowDown");
await page.keyboard.press("End");
await page.keyboard.insertText(" lefft = left;");
await page.locator("#problems .fix").waitFor();
await page.screenshot({ path: join(pictures, "lab.png") });
// A pass that takes a predecessor for the dominator.
await page.goto(`${url}labs.html#lab=02-dominators`);
await page.waitForSelector("#status.done");
await page.click("#editor .cm-content");
await page.keyboard.press("Control+A");
await page.keyboard.insertText(`const kir = require("kir");

// A Map from blocks to blocks.
function idom(func) {
  const before = func.predecessors();
  const [entry, ...rest] = func.reversePostorder();
  const found = new Map();
  for (const block of rest) {
    const [first, ...others] = before.get(block);
    found.set(block, others.length > 1 ? entry : first);
  }
  return found;
}

kir.answer((func) => {
  const numbers = [...idom(func)].map(([block, dominator]) => [block.id, dominator.id]);
  return { idom: Object.fromEntries(numbers) };
});
`);
await page.click("#run");
await page.waitForFunction(() => /^graded/.test(document.getElementById("status").textContent));
await page.screenshot({ path: join(pictures, "labs.png") });
lab.kill("SIGINT");
await browser.close();
