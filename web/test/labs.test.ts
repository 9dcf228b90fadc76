// SPDX-License-Identifier: Apache-2.0
// The labs in a real browser: passes in JavaScript, graded in the page.
import { strict as assert } from "node:assert";
import type { ChildProcess } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import { Watched, folder, serveLab, violations, withoutLab, write as writeIn } from "./browser";

const course = join(process.cwd(), "..", "course");

// With their public points.
const labs = { "02-dominators": 80, "03-ssa-construction": 90, "04-value-numbering": 80, "05-divergence": 90, "06-structurize": 90, "07-reconvergence": 90 };
type Lab = keyof typeof labs;

let server: ChildProcess;
let url = "";
let watched: Watched;
let page: Page;

// A submission of the teacher's package with the modules that it loads, as one file.
async function submission(lab: Lab, name: string): Promise<string> {
  const made = await build({ entryPoints: [join(course, "teacher", lab, name)], bundle: true, platform: "node", format: "cjs", external: ["kir"], write: false });
  return made.outputFiles[0]?.text ?? "";
}

async function open(address: string): Promise<void> {
  watched.problems = [];
  await page.goto("about:blank");
  await page.goto(`${url}labs.html${address}`);
  await page.waitForSelector("#status.done");
}
const source = (): Promise<string> => page.evaluate(() => (window as unknown as { labs: { source(): string } }).labs.source());
const write = (text: string): Promise<void> => writeIn(page, text);
async function run(): Promise<string[]> {
  await page.click("#run");
  await page.waitForFunction(() => /^graded in/.test(document.getElementById("status")?.textContent ?? ""));
  return rows();
}
const rows = (): Promise<string[]> => page.locator("table.parts tbody tr").allInnerTexts();

describe("the labs", { skip: withoutLab("labs.html") }, () => {
  before(async () => {
    ({ server, url } = await serveLab());
    watched = await Watched.launch(url, { acceptDownloads: true });
    page = await watched.newPage();
  });
  after(async () => {
    await watched?.close();
    server?.kill("SIGINT");
  });

  test("lab 2 opens from the lab of kernels, with its handout and the starter, which fails with a picture", async () => {
    await page.goto(url);
    await page.click("header a[href='labs.html']");
    await page.waitForSelector("#status.done");
    assert.equal(await page.inputValue("#lab"), "02-dominators");
    assert.match((await page.textContent(".text-of-lab")) ?? "", /Compute the dominator tree/);
    assert.equal(await source(), readFileSync(join(course, "labs/02-dominators/dominators.js"), "utf8"));
    assert.deepEqual(await rows(), ["a loop\t–/20\tnot run", "loops with two entries\t–/10\tnot run", "two entries, two dominators\t–/10\tnot run", "random programs\t–/40\tnot run"]);
    const failed = await run();
    assert.equal(failed[0], "a loop\t0/20\tfailed block 1 has no immediate dominator");
    assert.match((await page.textContent("#score")) ?? "", /^0\/80 public points/);
    assert.equal(await page.locator("#detail .picture").count(), 1);
    assert.match((await page.textContent("#detail .picture .block.wrong")) ?? "", /^b1/);
    assert.match((await page.textContent("#detail details pre")) ?? "", /kernel void loop/);
    await page.click("table.parts tr:nth-child(4) button");
    assert.equal(await page.textContent("#detail h2"), "random programs");
    assert.deepEqual(watched.problems, []);
  });

  test("a pass that is wrong for random programs alone is shown the smallest one, with what is expected", async () => {
    // Wrong wherever three edges meet.
    await write(`const kir = require("kir");
const { edges } = { edges: 3 };
${(await submission("02-dominators", "solution.js")).replace("parts.known(block, before, found).reduce", "(before.get(block).length >= edges ? [func.entry] : parts.known(block, before, found)).reduce")}`);
    const [loop, knot, entries, random] = await run();
    assert.equal(loop, "a loop\t20/20\tpassed");
    assert.equal(knot, "loops with two entries\t10/10\tpassed");
    assert.equal(entries, "two entries, two dominators\t10/10\tpassed");
    const said = random?.match(/failed the immediate dominator of block (\d+) is (\d+), and it says (\d+)$/);
    assert.ok(said, random);
    const blocks = Number((await page.textContent("#detail h3"))?.match(/^The smallest program that was found to fail, (\d+) blocks/)?.[1]);
    assert.ok(blocks > 3 && blocks <= 12, `${blocks} blocks`);
    assert.equal(await page.locator("#detail .picture .block").count(), blocks);
    for (const [kind, number] of [["wrong", said[1]], ["expected", said[2]], ["said", said[3]]]) assert.match((await page.textContent(`.picture .block.${kind} .title`)) ?? "", new RegExp(`^b${number}\\b`));
    assert.match((await page.textContent("#detail details .launch")) ?? "", /^--global/);
    assert.deepEqual(watched.problems, []);
  });

  test("a pass without an end is ended, says so, and blocks nothing", async () => {
    await open("?seconds=3#lab=02-dominators");
    await write(`while (true) {}\n`);
    await page.click("#run");
    await page.waitForFunction(() => document.querySelector("table.parts tr.fail"));
    assert.equal((await rows())[0], "a loop\t0/20\tfailed takes longer than 3 s");
    await page.click("#stop");
    assert.equal(await page.textContent("#status"), "stopped");
    assert.deepEqual(watched.problems, []);
  });

  test("errors have their line, and what a pass prints is shown", async () => {
    await write(`const kir = require("kir");\nkir.answer((func) => {\n  console.log("blocks:", func.blocks.length);\n  return func.nothing();\n});\n`);
    assert.match((await run())[0] ?? "", /failed it ended with status 1: TypeError: func.nothing is not a function \(line 4\)$/);
    assert.match((await page.textContent("#printed")) ?? "", /^blocks: 7\nTypeError/);
    assert.equal(await page.locator("#editor .cm-lintRange-error").count(), 1);
    await write(`const kir = require("kir");\nkir.answer((func) => {{\n`);
    assert.match((await run())[0] ?? "", /failed it ended with status 1: SyntaxError: /);
  });

  test("a pass can send nothing to other places", async () => {
    let asked = 0;
    const elsewhere = createServer((_, response) => (asked++, response.end()));
    await new Promise<void>((done) => elsewhere.listen(0, "127.0.0.1", done));
    const { port } = elsewhere.address() as AddressInfo;
    await write(`fetch("http://127.0.0.1:${port}/", { mode: "no-cors" }).catch(() => {});
try { importScripts("http://127.0.0.1:${port}/x.js"); } catch (error) { console.log("refused"); }
`);
    await run();
    assert.match((await page.textContent("#printed")) ?? "", /^refused/);
    assert.equal(asked, 0);
    elsewhere.close();
  });

  test("progress is kept, a link brings a pass and takes none away, files go out and come in", async () => {
    await open("#lab=02-dominators");
    const solution = await submission("02-dominators", "solution.js");
    await write(solution);
    assert.deepEqual((await run()).map((row) => row.split("\t")[1]), ["20/20", "10/10", "10/10", "40/40"]);
    assert.match((await page.textContent("#score")) ?? "", /^80\/80 public points: all of them/);
    await page.waitForTimeout(400);
    await page.reload();
    await page.waitForSelector("#status.done");
    assert.equal(await source(), solution);
    assert.match((await page.textContent("#score")) ?? "", /^Your best: 80\/80/);
    await page.click("#share");
    await page.waitForFunction(() => document.getElementById("share")?.textContent !== "Share");
    const link = page.url();
    await write("// mine\n");
    await page.waitForTimeout(400);
    await page.goto("about:blank");
    await page.goto(link);
    await page.waitForSelector("#status.done");
    assert.equal(await source(), solution);
    assert.match((await page.textContent("#notice")) ?? "", /came with the link/);
    await page.click("#notice button");
    await page.waitForFunction(() => (window as unknown as { labs: { source(): string } }).labs.source() === "// mine\n");
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#export")]);
    assert.equal(download.suggestedFilename(), "dominators.js");
    assert.equal(readFileSync((await download.path()) as string, "utf8"), "// mine\n");
    const file = join(folder, "mine.js");
    writeFileSync(file, "// from a file\n");
    await page.setInputFiles("#file", file);
    await page.waitForFunction(() => /^opened/.test(document.getElementById("status")?.textContent ?? ""));
    assert.equal(await source(), "// from a file\n");
    await page.click("#reset");
    assert.match(await source(), /yours/);
    assert.deepEqual(watched.problems, []);
  });

  for (const lab of Object.keys(labs).slice(1) as Lab[])
    test(`${lab}: the solution has all public points`, async () => {
      await page.selectOption("#lab", lab);
      await page.waitForFunction((name) => location.hash === `#lab=${name}`, lab);
      assert.equal(await source(), readFileSync(join(course, "labs", lab, await page.evaluate(() => (window as unknown as { labs: { lab: { file: string } } }).labs.lab.file)), "utf8"));
      await write(await submission(lab, "solution.js"));
      const graded = await run();
      assert.match((await page.textContent("#score")) ?? "", new RegExp(`^${labs[lab]}/${labs[lab]} public points`), graded.join("\n"));
      assert.deepEqual(watched.problems, []);
    });

  test("what a pass made is shown beside what it got", async () => {
    await page.selectOption("#lab", "06-structurize");
    await page.waitForFunction(() => location.hash === "#lab=06-structurize");
    await page.click("#reset");
    await page.click("#run");
    await page.waitForFunction(() => document.querySelectorAll("#detail .picture").length === 2);
    assert.match((await rows())[0] ?? "", /failed Structured does not hold/);
    assert.match((await page.locator("#detail .picture").nth(1).textContent()) ?? "", /var_set/);
    await page.waitForFunction(() => /^graded in/.test(document.getElementById("status")?.textContent ?? ""));
    assert.deepEqual(watched.problems, []);
  });

  for (const theme of ["light", "dark"] as const)
    test(`accessibility, ${theme}`, async () => {
      if (theme === "dark") await page.click("#theme");
      await page.waitForTimeout(150);
            assert.deepEqual(await violations(page), []);
    });
});
