// SPDX-License-Identifier: Apache-2.0
// The lab in a real browser, served by the command.
import { strict as assert } from "node:assert";
import { type ChildProcess, spawn } from "node:child_process";
import { connect } from "node:net";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { Watched, folder, kernelc, serveLab, violations, withoutLab, write as writeIn } from "./browser";

let server: ChildProcess;
let url = "";
let watched: Watched;
let page: Page;

// Does something, and waits until all panes show what comes of it.
async function settled(action: () => Promise<unknown>, panes = 1): Promise<void> {
  const shown = () => page.evaluate(() => [...document.querySelectorAll<HTMLElement>(".pane-of-lab")].map((pane) => Number(pane.dataset["shown"] ?? 0)));
  const before = await shown();
  await action();
  await page.waitForFunction(([old, count]) => {
    const now = [...document.querySelectorAll<HTMLElement>(".pane-of-lab")].map((pane) => Number(pane.dataset["shown"] ?? 0));
    return now.length === count && now.every((n, at) => n > (old[at] ?? 0)) && document.querySelector("#status.done") !== null;
  }, [before, panes] as const);
}

async function open(hash = ""): Promise<void> {
  watched.problems = [];
  await page.goto("about:blank");
  await page.goto(url + hash);
  await page.waitForSelector("#status.done");
}

const source = (): Promise<string> => page.evaluate(() => (window as unknown as { lab: { source(): string } }).lab.source());
const write = (text: string): Promise<void> => writeIn(page, text);
const costs = (pane: number): Promise<string | null> => page.locator(".pane-of-lab").nth(pane).locator(".bar > .quiet").textContent();

const squares = `kernel void squares(global const int* in, global int* out, int add) {
    int i = get_global_id(0);
    out[i] = in[i] * in[i] + add;
}
`;

describe("the lab", { skip: withoutLab("index.html") }, () => {
  before(async () => {
    ({ server, url } = await serveLab());
    watched = await Watched.launch(url, { acceptDownloads: true });
    page = await watched.newPage();
  });
  after(async () => watched?.close());

  test("it opens with an example that has run", async () => {
    await open();
    assert.match(await source(), /kernel void scanner/);
    assert.equal(await page.textContent("#gallery option:checked"), "Examples · scanner.cl is open");
    assert.match((await page.textContent("#results")) ?? "", /^The same on interp, sim-ipdom, sim-tf-stack, wave32/);
    assert.match((await costs(0)) ?? "", /^[\d,]+ issue slots under ipdom, [\d.]+ % used$/);
    assert.ok((await page.locator("#findings p").count()) > 0);
    const frame = page.frameLocator("#frame-0");
    assert.equal(await frame.locator("#tab-lanes[aria-selected=true]").count(), 1);
    assert.ok((await page.locator("#editor .cm-cost .wasted").count()) > 0);
    assert.deepEqual(watched.problems, []);
  });

  test("every example runs without an error, and all engines agree", async () => {
    await open();
    const examples = await page.locator("#gallery option:not([disabled])").evaluateAll((options) => options.map((one) => (one as HTMLOptionElement).value));
    assert.ok(examples.length > 8);
    for (const example of examples) {
      const name = (await page.locator(`#gallery option[value="${example}"]`).textContent()) ?? "";
      await settled(() => page.selectOption("#gallery", example));
      assert.equal(await page.locator("#problems .error, #problems .fatal").count(), 0, name);
      assert.match((await page.textContent("#results p")) ?? "", /^The same on/, name);
    }
    assert.deepEqual(watched.problems, []);
  });

  // These go on in the page as it is: opening it takes longer than they do.
  test("a name is misspelt, and the fix-it mends it", async () => {
    await write(squares.replace("in[i] + add", "in[i] + ad"));
    const fix = page.locator("#problems .error .fix").first();
    await fix.waitFor();
    assert.match((await page.textContent("#problems .error")) ?? "", /line 3.*did you mean 'add'/);
    assert.ok((await page.locator("#editor .cm-lintRange-error").count()) > 0);
    await settled(() => fix.click());
    assert.equal(await source(), squares);
    assert.equal(await page.locator("#problems .error").count(), 0);
    assert.deepEqual(watched.problems, []);
  });

  test("the form of the launch comes from the kernel, and what it asks for runs", async () => {
    await settled(() => write(squares.replace("out[i]", "out[i + 0]")));
    const labels = await page.locator("#launch .field .mono").allTextContents();
    assert.deepEqual(labels, ["global", "local", "in", "out", "add"]);
    await page.fill("#global", "8");
    await page.fill("#arg-in", "i32[8]:iota");
    await page.fill("#arg-out", "i32[8]");
    await settled(() => page.fill("#arg-add", "100"));
    assert.equal(await page.locator("#results dd").nth(1).textContent(), "100 101 104 109 116 125 136 149");
    // An argument that does not fit is refused in words of the command, and what was shown stays.
    await page.fill("#arg-out", "i32[4]");
    await page.waitForSelector("#status.wrong");
    assert.match((await page.textContent(".pane-of-lab .message")) ?? "", /out/);
    assert.deepEqual(watched.problems, []);
  });

  test("two panes compare options, and versions of the source", async () => {
    await open();
    const wide = await costs(0);
    await settled(() => page.click("#compare"), 2);
    assert.equal(await costs(1), wide);
    await settled(() => page.selectOption("#warp-1", "4"), 2);
    const slots = async (pane: number) => Number(((await costs(pane)) ?? "").replaceAll(",", "").match(/^\d+/)?.[0]);
    assert.ok((await slots(1)) < (await slots(0)), "narrow warps waste fewer slots");
    const fewer = Math.round(100 - (100 * (await slots(1))) / (await slots(0)));
    assert.equal(await page.textContent(".difference >> nth=1"), `${fewer} % fewer than above`);
    await settled(() => write(squares), 2);
    await settled(() => page.click("#version-1"), 2);
    const kept = await costs(1);
    const before = await slots(0);
    await settled(() => write(squares.replace("+ add;", "+ add;\n    for (int k = 0; k < i; k++) out[i] += k;")), 2);
    assert.equal(await costs(1), kept, "the second pane keeps its source");
    assert.ok((await slots(0)) > before);
    await settled(() => page.click("#close-pane"), 1);
    assert.deepEqual(watched.problems, []);
  });

  test("a link and a reload bring source and settings back", async () => {
    await open();
    await settled(() => write(squares));
    await page.fill("#global", "16");
    await settled(() => page.selectOption("#warp-0", "8"));
    await page.frameLocator("#frame-0").locator("#tab-costs").click();
    await page.click("#share");
    await page.waitForFunction(() => document.getElementById("share")?.textContent !== "Share");
    const link = page.url();
    assert.match(link, /#lab=[\w-]{100,}$/);
    const check = async () => {
      await page.waitForSelector("#status.done");
      assert.equal(await source(), squares);
      assert.equal(await page.inputValue("#global"), "16");
      assert.equal(await page.inputValue("#warp-0"), "8");
      assert.equal(await page.frameLocator("#frame-0").locator("#tab-costs[aria-selected=true]").count(), 1);
      // Counted after the launch was shown: a row for each scheme.
      assert.ok((await page.frameLocator("#frame-0").locator("#costs tbody tr").count()) > 3);
    };
    await page.reload();
    await check();
    await page.goto("about:blank");
    await page.goto(link);
    await check();
    assert.deepEqual(watched.problems, []);
  });

  test("the page of the launch is saved as one file", async () => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#export")]);
    assert.equal(download.suggestedFilename(), "squares.html");
    const file = join(folder, "saved.html");
    await download.saveAs(file);
    const saved = await watched.newPage();
    // As it was in the lab, with the source.
    await saved.goto(`file://${file}`);
    assert.equal(await saved.locator("#tab-costs[aria-selected=true]").count(), 1);
    await saved.click("#tab-lanes");
    assert.match((await saved.textContent("#step-counter")) ?? "", /^step 1 of/);
    assert.match((await saved.textContent("#source .cm-content")) ?? "", /kernel void squares/);
    await saved.close();
    assert.deepEqual(watched.problems, []);
  });

  test("a launch without an end blocks nothing and can be stopped", async () => {
    const forever = "kernel void forever(global int* out) {\n    while (out[0] == 0) out[1] += 1;\n}\n";
    await write(forever);
    await page.waitForSelector("#status.busy");
    const frames = await page.evaluate(() => new Promise<number>((done) => {
      const start = performance.now();
      let n = 0;
      const tick = () => (n++, performance.now() - start < 500 ? requestAnimationFrame(tick) : done(n));
      requestAnimationFrame(tick);
    }));
    assert.ok(frames >= 5, `${frames} frames in half a second`);
    // The editor answers meanwhile.
    await page.click("#editor .cm-content");
    await page.keyboard.press("Control+End");
    await page.keyboard.insertText("// still here\n");
    assert.match(await source(), /still here/);
    await page.waitForTimeout(400);
    await page.click("#stop");
    await page.waitForSelector("#status.wrong");
    await settled(() => write(squares));
    assert.match((await page.textContent("#results p")) ?? "", /^The same on/);
    // Nor does it keep the next one waiting until its time is over.
    await write(forever);
    await page.waitForSelector("#status.busy");
    await page.evaluate(() => {
      const said: (string | null)[] = ((window as unknown as { said: (string | null)[] }).said = []);
      const status = document.getElementById("status") as HTMLElement;
      new MutationObserver(() => said.push(status.textContent)).observe(status, { childList: true });
    });
    await settled(() => write(squares));
    const said = await page.evaluate(() => (window as unknown as { said: (string | null)[] }).said);
    assert.deepEqual(said.filter((text) => text?.startsWith("ended")), []);
    assert.deepEqual(watched.problems, []);
  });

  for (const theme of ["light", "dark"] as const)
    test(`accessibility, ${theme}`, async () => {
      if (theme === "dark") await page.click("#theme");
      else await write(squares.replace("in[i] + add", "in[i] + ad"));
      await page.locator("#problems .fix").first().waitFor();
      await page.waitForTimeout(250);
            assert.deepEqual(await violations(page), []);
    });

  test("the server gives its files and nothing else, and ends at Ctrl-C", async () => {
    // As it is: fetch would tidy the path.
    const ask = (head: string) => new Promise<string>((done, failed) => {
      const { hostname, port } = new URL(url);
      const socket = connect(Number(port), hostname, () => socket.write(`${head}\r\nHost: lab\r\n\r\n`));
      let text = "";
      socket.on("data", (bytes) => { text += bytes.toString("latin1"); });
      socket.on("close", () => done(text));
      socket.on("error", failed);
    });
    const first = await ask("GET /kernelc.wasm HTTP/1.1");
    const tag = first.match(/\r\nETag: (".+?")\r\n/)?.[1] ?? "none";
    assert.ok(first.startsWith("HTTP/1.1 200 ") && first.length > 1e6);
    // A browser that has the module gets no bytes; one that has another gets them.
    assert.match(await ask(`GET /kernelc.wasm HTTP/1.1\r\nif-none-match: ${tag}`), /^HTTP\/1.1 304 [^]*\r\n\r\n$/);
    assert.ok((await ask('GET /kernelc.wasm HTTP/1.1\r\nIf-None-Match: "0"')).length > 1e6);
    assert.match(await ask("GET / HTTP/1.1"), /^HTTP\/1.1 200 /);
    assert.match(await ask("GET /kernelc.wasm?x HTTP/1.1"), /^HTTP\/1.1 200 /);
    for (const path of ["/../kernelc", "/..%2fkernelc", "//etc/passwd", "/lab/../../CMakeCache.txt", "/none"]) assert.match(await ask(`GET ${path} HTTP/1.1`), /^HTTP\/1.1 404 /, path);
    assert.match(await ask("POST / HTTP/1.1"), /^HTTP\/1.1 405 /);
    const second = spawn(kernelc, ["lab", "--port", new URL(url).port], { stdio: ["ignore", "pipe", "pipe"] });
    const said = new Promise<string>((done) => second.stderr.on("data", (text) => done(String(text))));
    assert.equal(await new Promise((done) => second.on("close", done)), 3);
    assert.match(await said, /cannot listen on port \d+: Address already in use; --port takes another/);
    const ended = new Promise((done) => server.on("close", (status, signal) => done(`${status} ${signal}`)));
    server.kill("SIGINT");
    assert.equal(await ended, "0 null");
  });
});
