// SPDX-License-Identifier: Apache-2.0
// node measure.mjs KERNELC FOLDER [TIMES]: measures the page of the scanner and the lab in Chromium, TIMES times (3), and
// prints the figures beside their goals. FOLDER is for the page and its data. It compares nothing: times belong to a machine.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { browserFlags, browserPath } from "./test/kernels.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const kernelc = resolve(process.argv[2] ?? join(root, "build/release/kernelc"));
const folder = resolve(process.argv[3] ?? join(root, "build/release/web/measure"));
const times = Number(process.argv[4] ?? 3);
mkdirSync(folder, { recursive: true });

// A thousand lines of text, four times: one for each of 4,096 work-items.
const lines = execFileSync(join(root, "examples/scanner/make_text.sh"), { encoding: "latin1" });
const text = join(folder, "text4096.txt");
writeFileSync(text, lines.repeat(4));
const source = readFileSync(join(root, "examples/scanner/scanner.cl"), "utf8");
const file = join(folder, "scanner4096.html");
execFileSync(kernelc, ["explore", join(root, "examples/scanner/scanner.cl"), "--global", "4096", "--warp", "64",
  "--arg", `text=@${text}`, "--arg", "stride=64", "--arg", "out=i32[16384]", "-o", file]);

const figures = new Map(); // by name: goal, unit, values
function put(name, unit, value, goal = "") {
  if (!figures.has(name)) figures.set(name, { goal, unit, values: [] });
  figures.get(name).values.push(value);
}

const sorted = (numbers) => [...numbers].sort((a, b) => a - b);
const quantile = (numbers, share) => sorted(numbers)[Math.min(numbers.length - 1, Math.floor(share * numbers.length))] ?? 0;
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

// In every page before its scripts: long tasks, and the time from one frame to the next while somebody asks for it.
const watch = () => {
  window.tasks = [];
  new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map((entry) => entry.duration))).observe({ type: "longtask", buffered: true });
  window.frames_ = null;
  let last = 0;
  const frame = (now) => {
    window.frames_?.push(now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  // The time since navigation when `condition` holds and the frame that shows it has been painted.
  window.when = (condition) => new Promise((done) => {
    const look = () => (condition() ? requestAnimationFrame(() => setTimeout(() => done(performance.now()))) : requestAnimationFrame(look));
    look();
  });
};

async function newPage(browser, viewport = { width: 1920, height: 1080 }) {
  const context = await browser.newContext({ viewport, colorScheme: "light" });
  const page = await context.newPage();
  await page.addInitScript(watch);
  page.on("pageerror", (error) => { throw error; });
  // A new window keeps the browser's own parts busy for a second or two, on both processors of a small machine.
  await sleep(3000);
  return page;
}

// What happens while `action` runs: intervals of frames, without those before the first event, and long tasks.
async function during(page, action) {
  await page.evaluate(() => { window.tasks.length = 0; window.frames_ = []; });
  await action();
  return page.evaluate(() => {
    const result = { frames: window.frames_.slice(1), tasks: window.tasks.slice() };
    window.frames_ = null;
    return result;
  });
}

function putFrames(name, frames) {
  put(`${name}: frame, median`, "ms", quantile(frames, 0.5), "60 frames a second: 16.7 ms");
  put(`${name}: frame, 95th percentile`, "ms", quantile(frames, 0.95));
  put(`${name}: frames over 20 ms`, "%", (100 * frames.filter((ms) => ms > 20).length) / frames.length);
}

async function measurePage(browser) {
  put("page: size", "MB", statSync(file).size / 1e6, "under 3 MB");
  put("page: size, compressed by gzip", "MB", gzipSync(readFileSync(file)).length / 1e6);
  let page = await newPage(browser);
  await page.goto(`file://${file}`, { waitUntil: "commit" });
  put("page: opens, stages", "ms", await page.evaluate(() => window.when(() => document.querySelector(".cm-mergeView .cm-line"))), "under a second");
  await page.context().close();
  page = await newPage(browser);
  await page.goto(`file://${file}#view=lanes&scheme=ipdom&other=tf-stack`, { waitUntil: "commit" });
  put("page: opens, lanes drawn", "ms", await page.evaluate(() => window.when(() => window.app?.lanes?.frames.length > 0 && document.querySelector(".inspect table"))), "under a second");
  await sleep(300);
  // A key that is held repeats thirty times a second.
  const held = await during(page, async () => {
    for (let n = 0; n < 120; n++) {
      await page.keyboard.down("ArrowRight");
      await sleep(33);
    }
    await page.keyboard.up("ArrowRight");
  });
  putFrames("page: step key held", held.frames);
  const each = await during(page, () => page.evaluate(() => new Promise((done) => {
    let n = 0;
    const step = () => {
      document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
      if (++n < 240) requestAnimationFrame(step);
      else done();
    };
    // The page reads where the event went.
    document.body.focus();
    const { dispatchEvent } = document;
    document.dispatchEvent = (event) => dispatchEvent.call(document.body, event);
    step();
  })));
  putFrames("page: a step in each frame", each.frames);
  put("page: stepping, longest task", "ms", Math.max(0, ...held.tasks, ...each.tasks), "0: none over 50 ms");
  put("page: stepping, drawing, 95th percentile", "ms", quantile(await page.evaluate(() => window.app.lanes.frames), 0.95));
  for (const [view, ready] of [["graph", ".node"], ["registers", ".uplot"], ["costs", "table"], ["stages", ".cm-mergeView .cm-line"]]) {
    const start = await page.evaluate(() => performance.now());
    await page.click(`#tab-${view}`);
    put(`page: opens the view ${view}`, "ms", (await page.evaluate((selector) => window.when(() => document.querySelector(`#view ${selector}`)), ready)) - start);
  }
  await page.context().close();
}

async function measureLab(browser, url) {
  const page = await newPage(browser);
  const loaded = [];
  page.on("response", (response) => loaded.push(response.body().catch(() => Buffer.alloc(0))));
  await page.goto(url, { waitUntil: "commit" });
  put("lab: first launch shown", "ms", await page.evaluate(() => window.when(() => document.querySelector(".pane-of-lab[data-shown]"))), "under a second");
  put("lab: all engines compared", "ms", await page.evaluate(() => window.when(() => document.querySelector("#status.done"))));
  put("lab: opening, longest task", "ms", Math.max(0, ...(await page.evaluate(() => window.tasks))));
  const bodies = await Promise.all(loaded);
  put("lab: loaded", "MB", bodies.reduce((sum, body) => sum + body.length, 0) / 1e6);
  put("lab: loaded, compressed by gzip", "MB", bodies.reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0) / 1e6, "under 3 MB");
  put("lab: loaded, compressed by brotli", "MB", bodies.reduce((sum, body) => sum + brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }).length, 0) / 1e6);
  await sleep(500);

  // Key strokes: what the compiler takes for all stages, and with the way through the worker.
  const strokes = await during(page, async () => {
    const result = await page.evaluate(async (text) => {
      const ask = (n) => window.lab.runner.ask({ do: "stages", source: `${text}// ${n}\n`, file: "scanner.cl" });
      const worker = [], way = [];
      for (let n = 0; n < 40; n++) {
        const start = performance.now();
        const answer = await ask(n);
        if (n >= 10) {
          way.push(performance.now() - start);
          worker.push(answer.ms);
        }
      }
      return { worker, way };
    }, source);
    put("lab: key stroke, source to all stages", "ms", quantile(result.worker, 0.5), "under 16 ms");
    put("lab: key stroke, source to all stages, 95th percentile", "ms", quantile(result.worker, 0.95));
    put("lab: key stroke, with the way to the page", "ms", quantile(result.way, 0.5));
  });
  put("lab: key stroke, longest task", "ms", Math.max(0, ...strokes.tasks), "0: none over 50 ms");

  // Typing as people do: eight letters a second, then a rest in which the launch runs and the pane shows it.
  await page.click("#editor .cm-content");
  await page.keyboard.press("Control+End");
  const typed = await during(page, async () => {
    await page.keyboard.type("// a comment of the length of a line, typed", { delay: 120 });
    await sleep(2500);
  });
  put("lab: typing, frame, 95th percentile", "ms", quantile(typed.frames, 0.95));
  put("lab: typing, longest frame", "ms", Math.max(...typed.frames));
  put("lab: typing, longest task", "ms", Math.max(0, ...typed.tasks), "0: none over 50 ms");

  for (const engine of ["sim-ipdom", "sim-tf-stack"]) {
    const ms = await page.evaluate(async ([text, lines, engine]) => {
      const all = [];
      for (let n = 0; n < 5; n++) {
        const answer = await window.lab.runner.ask({ do: "run", source: text, file: "scanner.cl", files: { lines }, global: [1024], args: ["text=@lines", "stride=64", "out=i32[4096]"], engines: [engine] });
        if (answer.results?.[0]?.status !== "ok") throw new Error(JSON.stringify(answer).slice(0, 300));
        all.push(answer.ms);
      }
      return all;
    }, [source, lines, engine]);
    put(`lab: ${engine}, 1,024 work-items`, "ms", quantile(ms, 0.5), "under 150 ms");
  }
  const record = await page.evaluate(async ([text, lines]) => {
    const start = performance.now();
    const answer = await window.lab.runner.ask({ do: "record", source: text, file: "scanner.cl", files: { lines }, global: [1024], args: ["text=@lines", "stride=64", "out=i32[4096]"] });
    if (!answer.record) throw new Error(JSON.stringify(answer).slice(0, 300));
    return { worker: answer.ms, way: performance.now() - start };
  }, [source, lines]);
  put("lab: a whole record of 1,024 work-items", "ms", record.worker);
  // Once more, as somebody who comes back.
  await page.goto("about:blank");
  await page.goto(url, { waitUntil: "commit" });
  put("lab: first launch shown, opened again", "ms", await page.evaluate(() => window.when(() => document.querySelector(".pane-of-lab[data-shown]"))));
  await page.context().close();
}

const loads = [];
let version = "";
const lab = spawn(kernelc, ["lab", "--port", "0"]);
const url = await new Promise((done) => lab.stdout.on("data", (said) => done(String(said).match(/http:\S+/)[0])));
try {
  for (let n = 0; n < times; n++) {
    loads.push(loadavg()[0].toFixed(2));
    // Each time a browser of its own: nothing is warm.
    const browser = await chromium.launch({ executablePath: browserPath(), args: browserFlags });
    version = browser.version();
    await measurePage(browser);
    await measureLab(browser, url);
    await browser.close();
  }
} finally {
  lab.kill("SIGINT");
}
console.log(`${cpus().length} x ${cpus()[0]?.model}, Chromium ${version}`);
console.log(`load before each run: ${loads.join(", ")}`);
const width = Math.max(...[...figures.keys()].map((name) => name.length));
for (const [name, { goal, unit, values }] of figures)
  console.log(`${name.padEnd(width)}  ${values.map((value) => value.toFixed(unit === "MB" ? 2 : 1).padStart(8)).join("")} ${unit.padEnd(3)} ${goal}`.trimEnd());
