// SPDX-License-Identifier: Apache-2.0
// What the tests share: a browser whose pages are watched, the lab as the command serves it, and axe.
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { type Browser, type BrowserContext, type BrowserContextOptions, type Page, chromium } from "playwright-core";
import { browserFlags, browserPath } from "./kernels.mjs";

export const folder = process.env["KC_WEB_FOLDER"] as string;
export const kernelc = process.env["KC_KERNELC"] as string;

// Why the tests of a page of the lab are skipped; false if they are not.
export const withoutLab = (page: string): string | false =>
  [page, "kernelc.wasm"].every((file) => statSync(join(dirname(kernelc), "lab", file), { throwIfNoEntry: false })) ? false : "kernelc was built without the lab";

export class Watched {
  problems: string[] = []; // errors of pages, and requests of anything but `own`
  private constructor(private readonly browser: Browser, readonly context: BrowserContext, private readonly own: string) {}

  // Nothing moves: a colour on its way to another one is neither.
  static async launch(own: string, options: BrowserContextOptions = {}): Promise<Watched> {
    const browser = await chromium.launch({ executablePath: browserPath(), args: browserFlags });
    return new Watched(browser, await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: "light", reducedMotion: "reduce", ...options }), own);
  }

  async newPage(): Promise<Page> {
    const page = await this.context.newPage();
    page.setDefaultTimeout(60000);
    page.on("pageerror", (error) => this.problems.push(error.message));
    page.on("console", (message) => message.type() === "error" && this.problems.push(message.text()));
    page.on("request", (request) => request.url().startsWith(this.own) || /^(data|blob|about|file):/.test(request.url()) || this.problems.push(`request of ${request.url()}`));
    return page;
  }

  async close(): Promise<void> {
    await this.browser.close();
  }
}

// `kernelc lab` on a free port, and its address.
export async function serveLab(): Promise<{ server: ChildProcess; url: string }> {
  const server = spawn(kernelc, ["lab", "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise<string>((done, failed) => {
    server.stdout?.on("data", (text) => { const match = String(text).match(/http:\S+/); if (match) done(match[0]); });
    server.on("close", (status) => failed(new Error(`kernelc lab ended with ${status}`)));
  });
  return { server, url };
}

// Selects all of the editor and writes over it.
export async function write(page: Page, text: string): Promise<void> {
  await page.click("#editor .cm-content");
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(text);
}

// What axe finds, one text for each rule.
export async function violations(page: Page): Promise<string[]> {
  // Not as an element: the policy of a page would refuse that.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
  return page.evaluate(async () => {
    interface Found { violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }
    const result = await (window as unknown as { axe: { run(options: object): Promise<Found> } }).axe.run({ iframes: false });
    return result.violations.map((violation) => `${violation.id}: ${violation.nodes.slice(0, 3).map((node) => `${node.html.slice(0, 160)} ${node.failureSummary.slice(0, 300)}`).join(" | ")}`);
  });
}
