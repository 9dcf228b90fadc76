// SPDX-License-Identifier: Apache-2.0
// The page in a real browser. The pages come from the command, so their numbers are those of the compiler.
import { strict as assert } from "node:assert";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { Watched, folder, violations } from "./browser";

interface Made {
  name: string;
  page: string;
  stats: { warp: number | string; schemes: Record<string, Record<string, number | string>> };
}
const made = JSON.parse(readFileSync(join(folder, "pages.json"), "utf8")) as Made[];

let watched: Watched;
let page: Page;

before(async () => {
  watched = await Watched.launch("file:");
  page = await watched.newPage();
});
after(async () => watched?.close());

const pageOf = (name: string): Made => made.find((candidate) => candidate.name === name) as Made;

async function open(name: string, hash = ""): Promise<void> {
  watched.problems = [];
  await page.goto("about:blank");
  await page.goto(`file://${pageOf(name).page}${hash}`);
  await page.waitForSelector("#view");
}

async function frames(): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

const value = (selector: string): Promise<string> => page.locator(selector).inputValue();
const step = async (): Promise<string> => (await page.locator("#step-counter").textContent()) ?? "";

for (const { name, stats } of made)
  describe(name, () => {
    test("every view opens without an error and without a request", async () => {
      await open(name);
      for (const view of ["stages", "graph", "lanes", "registers", "costs"]) {
        await page.click(`#tab-${view}`);
        await frames();
        assert.equal(await page.locator("#view .empty").count(), 0, `${view} is empty`);
      }
      assert.deepEqual(watched.problems, []);
      assert.ok(statSync(pageOf(name).page).size < 3 << 20);
    });

    test("the numbers are those of stats", async () => {
      await open(name, "#view=costs");
      const digits: Record<string, number> = { activity_factor: 3, memory_efficiency: 3 };
      const shown = await page.evaluate(() => Object.fromEntries([...document.querySelectorAll("#costs td[data-measure]")].map((cell) =>
        [`${cell.closest("tr")?.getAttribute("data-scheme")} ${cell.getAttribute("data-measure")}`, cell.textContent])));
      let compared = 0;
      for (const [scheme, row] of Object.entries(stats.schemes))
        for (const [measure, number] of Object.entries(row)) {
          if (typeof number !== "number") continue;
          assert.equal(shown[`${scheme} ${measure}`], number.toFixed(digits[measure] ?? 0), `${scheme} ${measure}`);
          compared++;
        }
      assert.ok(compared > 20);
      // What lines cost adds up to what the scheme costs.
      const costs = await page.evaluate(() => (window as unknown as { app: { model: { costs: { scheme: string; issued: number; active: number }[] } } }).app.model.costs);
      assert.ok(costs.length > 0);
      for (const { scheme, issued, active } of costs) {
        const row = stats.schemes[scheme] as Record<string, number>;
        if (stats.warp !== 32 || row["dynamic_instructions"] === undefined) continue;
        assert.equal(issued / 32, row["dynamic_instructions"], scheme);
        assert.ok(Math.abs(active / issued - (row["activity_factor"] as number)) < 1e-9, scheme);
      }
    });

    test("steps go forward and back, and what executes and what waits are all lanes that have not ended", async () => {
      await open(name, "#view=lanes");
      await frames();
      const first = await step();
      assert.match(first, /^step 1 of /);
      await page.click("#step-forward");
      await page.click("#step-forward");
      await frames();
      assert.match(await step(), /^step 3 of /);
      await page.click("#step-back");
      await page.click("#step-back");
      await frames();
      assert.equal(await step(), first);
      await page.click("#last-step");
      await frames();
      const [, at, of] = (await step()).match(/step ([\d,]+) of ([\d,]+)/) as RegExpMatchArray;
      assert.equal(at, of);
      await page.click("#step-back");
      const now = Number(at?.replaceAll(",", "")) - 2;
      await page.waitForSelector(`[data-inspect="scheme"][data-step="${now}"], [data-inspect="scheme"]:not([data-step])`);
      const lanes = await page.locator('[data-inspect="scheme"] tr[data-state] td[data-count]').allTextContents();
      const present = await page.evaluate(() => (window as unknown as { app: { model: { traces: { warps: { last: Int32Array }[] }[] } } }).app.model.traces[0]?.warps[0]?.last.filter((last) => last >= 0).length);
      if (lanes.length > 0) assert.equal(lanes.reduce((sum, n) => sum + Number(n), 0), present);
      assert.deepEqual(watched.problems, []);
    });
  });

describe("the page of the scanner", () => {
  test("two schemes beside each other", async () => {
    await open("scanner", "#view=lanes");
    const schemes = await page.locator("#scheme option").evaluateAll((options) => options.map((o) => (o as HTMLOptionElement).value));
    assert.ok(schemes.includes("ipdom") && schemes.includes("tf-stack"));
    await page.selectOption("#scheme", "ipdom");
    await page.selectOption("#other-scheme", "tf-stack");
    await frames();
    assert.equal(await page.locator(".scheme:visible").count(), 2);
    const blocks = await page.locator(".scheme .quiet").allTextContents();
    const number = (text: string | undefined) => Number((text ?? "").replaceAll(",", "").match(/^\d+/)?.[0]);
    assert.ok(number(blocks[0]) > number(blocks[1]), "thread frontiers execute fewer blocks than post-dominators");
    await page.selectOption("#other-scheme", "");
    assert.equal(await page.locator(".scheme:visible").count(), 1);
  });

  test("a line of the source lights up its lines in a stage, and the other way", async () => {
    await open("scanner");
    await page.locator("#source .cm-line", { hasText: "if (left == 0) goto done;" }).first().click();
    assert.ok((await page.locator(".cm-merge-b .cm-line.linked").count()) > 0);
    assert.match(page.url() + (await page.evaluate(() => (window as unknown as { app: { store: { text(): string } } }).app.store.text())), /line=12/);
    await page.keyboard.press("Escape");
    assert.equal(await page.locator(".cm-line.linked, .cm-line.chosen").count(), 0);
    await page.locator(".cm-merge-b .cm-line", { hasText: "!13:" }).first().click();
    assert.equal(await page.locator("#source .cm-line.chosen").textContent(), "    c = *at++;");
  });

  test("links of what costs most lead to the line", async () => {
    await open("scanner", "#view=lanes");
    const head = page.locator("#findings li .head").first();
    const line = (await head.locator(".place").textContent()) as string;
    await head.click();
    assert.equal(await page.locator("#findings li.chosen").first().getAttribute("data-line"), line.replace(/\D/g, ""));
    assert.equal(await page.locator("#source .cm-line.chosen").count(), 1);
  });

  test("search", async () => {
    await open("scanner");
    await page.keyboard.press("/");
    await page.keyboard.type("global_id");
    assert.ok((await page.locator(".cm-searchMatch").count()) > 0);
  });

  test("stages move along the pipeline", async () => {
    await open("scanner");
    const right = await value("#stage-b");
    await page.keyboard.press("n");
    assert.equal(await value("#stage-a"), right);
    assert.notEqual(await value("#stage-b"), right);
    await page.keyboard.press("p");
    assert.equal(await value("#stage-b"), right);
    const shown = await page.locator("#stage-b option").count();
    await page.check("#all-stages");
    assert.ok((await page.locator("#stage-b option").count()) > shown);
  });

  test("the graph follows a chosen block", async () => {
    await open("scanner", "#view=graph");
    const node = page.locator(".node").nth(1);
    await node.focus();
    await page.keyboard.press("Enter");
    const label = await node.getAttribute("data-block");
    assert.equal(await page.locator(".detail h2").textContent(), label);
    assert.ok((await page.locator(".node.divergent").count()) > 0);
    const links = await page.locator(".link").count();
    await page.check("#show-dominators");
    assert.ok((await page.locator(".link").count()) > links);
  });

  test("where lanes wait: at a step, in the whole launch, and in the graph", async () => {
    await open("scanner", "#view=lanes&scheme=ipdom&step=40");
    const whole = page.locator(".waits[data-scheme=ipdom]");
    await whole.locator("tbody tr").first().waitFor();
    // Waiting and ended lanes are what the scheme wastes.
    const shares = await whole.locator("tbody .share .number").allTextContents();
    const wasted = await page.evaluate(() => {
      const cost = (window as unknown as { app: { cost(): { issued: number; active: number } } }).app.cost();
      return (100 * (cost.issued - cost.active)) / cost.issued;
    });
    const sum = shares.reduce((total, text) => total + Number.parseFloat(text), 0);
    assert.ok(Math.abs(sum - wasted) < 0.05 * shares.length, `${sum} of ${wasted}`);
    assert.match((await whole.locator("tbody").textContent()) ?? "", /reconverge there|take turns/);
    const place = page.locator('[data-inspect="scheme"] tr[data-state="waits"]').first();
    await place.waitFor();
    assert.match((await place.textContent()) ?? "", /^wait for.* (reconverge there|may reconverge|take turns)/);
    const label = (await whole.locator("tbody tr").first().getAttribute("data-waits")) as string;
    await whole.locator("tbody tr button.link").first().click();
    await page.click("#tab-graph");
    await page.check("#show-waiting-lanes");
    assert.match((await page.textContent(`.scene-waits [data-waits="${label}"]`)) ?? "", new RegExp(`^lanes wait: ${shares[0]}$`));
    assert.ok((await page.locator(".scene-waits .link").count()) > 0);
    const graph = await value("#graph-stage");
    assert.match((await page.textContent(".detail .waitsof")) ?? "", /^Waiting lanes, under ipdomLanes wait here for/);
    // In a graph of other blocks the page says where they are.
    await page.selectOption("#graph-stage", { index: 0 });
    assert.equal(await page.locator(".scene-waits").count(), 0);
    await page.click("#show-simulated");
    assert.equal(await value("#graph-stage"), graph);
    assert.deepEqual(watched.problems, []);
  });

  test("regions of structured control flow", async () => {
    await open("scanner", "#view=graph");
    assert.equal(await page.isDisabled("#show-regions"), true);
    await page.selectOption("#graph-stage", { label: "vulkan thread: structured control flow" });
    await page.check("#show-regions");
    const kinds = await page.locator("rect.region ~ text.regionlabel").allTextContents();
    assert.ok(kinds.includes("loop") && kinds.includes("selection"), kinds.join());
  });

  test("a reload shows the same", async () => {
    await open("scanner", "#view=lanes");
    await page.selectOption("#scheme", "tf-stack");
    for (let n = 0; n < 5; n++) await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    await page.evaluate(() => (window as unknown as { app: { store: { flush(): void } } }).app.store.flush());
    await frames(); // the step is drawn with the next one
    const before = await step();
    const address = page.url();
    assert.match(address, /step=\d+/);
    await page.reload();
    await frames();
    assert.equal(page.url(), address);
    assert.equal(await step(), before);
    assert.equal(await value("#scheme"), "tf-stack");
  });

  test("keys", async () => {
    await open("scanner");
    await page.keyboard.press("3");
    assert.equal(await page.getAttribute("#tab-lanes", "aria-selected"), "true");
    await page.keyboard.press("End");
    await frames();
    const [, at, of] = (await step()).match(/step ([\d,]+) of ([\d,]+)/) as RegExpMatchArray;
    assert.equal(at, of);
    await page.keyboard.press("Home");
    await page.keyboard.press(" ");
    await page.waitForTimeout(500);
    await page.keyboard.press(" ");
    await frames();
    assert.doesNotMatch(await step(), /^step 1 of /);
    await page.keyboard.press("?");
    assert.equal(await page.locator("dialog[open]").count(), 1);
    await page.keyboard.press("Escape");
    assert.equal(await page.locator("dialog[open]").count(), 0);
    await page.keyboard.press("j");
    assert.equal(await page.locator("#source .cm-line.chosen").count(), 1);
  });

  for (const theme of ["light", "dark"] as const)
    test(`accessibility, ${theme}`, async () => {
      await open("scanner", "#line=12");
      if (theme === "dark") await page.keyboard.press("t");
      for (const view of ["stages", "graph", "lanes", "registers", "costs"]) {
        await page.click(`#tab-${view}`);
        await page.waitForTimeout(250);
                assert.deepEqual(await violations(page), [], view);
      }
    });
});
