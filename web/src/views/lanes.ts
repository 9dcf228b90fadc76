// SPDX-License-Identifier: Apache-2.0
// Lanes over time: lanes down, steps across. A step is one block that a warp executes.
import type { App } from "../app";
import { choice, count, h, icon, iconButton, percent, svg } from "../dom";
import type { Trace, TraceBlock, Warp } from "../model";
import { Paint, css, fit } from "../paint";
import { encounter, encounters, waitTable } from "./waits";

const overviewHeight = 44;

export const isActive = (warp: Warp, step: number, lane: number): boolean =>
  lane < 32 ? (((warp.low[step] ?? 0) >>> lane) & 1) === 1 : (((warp.high[step] ?? 0) >>> (lane - 32)) & 1) === 1;

function bits(word: number): number {
  let n = word - ((word >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return (((n + (n >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

export const activeLanes = (warp: Warp, step: number): number => bits(warp.low[step] ?? 0) + bits(warp.high[step] ?? 0);

// The lanes that a warp has: those that execute something, which is all of them but in the last warp of a launch.
const hasLane = (warp: Warp, lane: number): boolean => (warp.last[lane] ?? -1) >= 0;

// Where the lanes that do not execute wait: the block that each executes next.
export function waiting(warp: Warp, step: number, lanes: number): { block: number; lanes: number[] }[] {
  const open = new Set<number>();
  for (let lane = 0; lane < lanes; lane++) if (!isActive(warp, step, lane) && (warp.last[lane] ?? -1) > step) open.add(lane);
  const groups = new Map<number, number[]>();
  for (let s = step + 1; s < warp.block.length && open.size > 0; s++) {
    for (const lane of open) {
      if (!isActive(warp, s, lane)) continue;
      open.delete(lane);
      const block = warp.block[s] as number;
      const group = groups.get(block);
      if (group) group.push(lane);
      else groups.set(block, [lane]);
    }
  }
  return [...groups].map(([block, members]) => ({ block, lanes: members.sort((a, b) => a - b) }));
}

// A cell for each lane, filled for those of the list.
function lanePicture(lanes: number[], of: number, colour: string): SVGSVGElement {
  const cell = of > 32 ? 3 : 4;
  return svg("svg", { width: of * cell + 1, height: 14, role: "img", "aria-label": `lanes ${lanes.join(", ")}` },
    svg("rect", { x: 0.5, y: 0.5, width: of * cell, height: 13, style: "fill:none;stroke:var(--edge)" }),
    lanes.map((lane) => svg("rect", { x: lane * cell + 1, y: 1.5, width: cell - 1, height: 11, style: `fill:${colour}` })));
}

export class LanesView {
  readonly element: HTMLElement;
  private readonly body = h("div", { class: "lanes" });
  private readonly inspect = h("div", { class: "inspect" });
  private readonly legend = h("div", { class: "legend" });
  private readonly waits = h("div", { class: "whole" });
  private readonly strips: Strip[] = [];
  private readonly scheme = choice("scheme", "scheme", (value) => this.app.store.set({ scheme: value }));
  private readonly other = choice("beside", "other-scheme", (value) => this.app.store.set({ other: value }));
  private readonly warp = choice("warp", "warp", (value) => this.app.store.set({ warp: Number(value), step: 0 }));
  private readonly colour = choice("colour", "colour", (value) => this.app.store.set({ colour: value as "block" | "line" }));
  private readonly time: HTMLInputElement;
  private readonly counter = h("output", { class: "mono", id: "step-counter" });
  private readonly playButton: HTMLButtonElement;
  private playing = false;
  private lastTick = 0;
  private frame = 0;
  private inspectTimer = 0;
  readonly frames: number[] = []; // milliseconds that drawing took

  constructor(private readonly app: App) {
    const { store, model } = app;
    this.time = h("input", { type: "range", class: "time", min: 0, id: "time", "aria-label": "Step", oninput: () => store.set({ step: Number(this.time.value) }) });
    this.playButton = iconButton("play", "Play (space)", "play", () => this.play());
    const bar = h("div", { class: "bar" },
      h("h2", {}, "Lanes over time"), this.scheme.element, this.other.element, this.warp.element, this.colour.element,
      h("span", { class: "transport" }, h("span", { class: "player", role: "group", "aria-label": "Player" },
        iconButton("first", "First step (Home)", "first-step", () => this.go(0)),
        iconButton("back", "Step back (left arrow)", "step-back", () => this.move(-1)),
        this.playButton,
        iconButton("forward", "Step forward (right arrow)", "step-forward", () => this.move(1)),
        iconButton("last", "Last step (End)", "last-step", () => this.go(Infinity))),
      this.time, this.counter,
      h("span", { class: "group" }, iconButton("less", "Narrower steps ([)", "zoom-out", () => this.zoom(1 / 1.5)), iconButton("more", "Wider steps (])", "zoom-in", () => this.zoom(1.5)))));
    this.element = h("div", { class: "view" }, bar, this.body);
    this.colour.set([["block", "by block"], ["line", "by line"]], store.state.colour);
    if (model.traces.length === 0) this.body.append(h("p", { class: "empty" }, "The record has no trace: give the command a launch, and a scheme that runs the kernel."));
    for (const which of ["scheme", "other"] as const) {
      const strip = new Strip(app, which);
      this.strips.push(strip);
      this.body.append(strip.element);
    }
    this.body.append(this.inspect, this.waits);
    new ResizeObserver(() => this.redraw()).observe(this.body);
  }

  traces(): Trace[] {
    return this.strips.map((strip) => strip.trace).filter((trace): trace is Trace => trace !== null);
  }

  steps(): number {
    return Math.max(1, ...this.strips.map((strip) => strip.warp?.block.length ?? 0));
  }

  go(step: number): void {
    this.app.store.set({ step: Math.max(0, Math.min(this.steps() - 1, step)) });
  }

  move(by: number): void {
    this.go(this.app.store.state.step + by);
  }

  lane(by: number): void {
    const lanes = Math.max(0, ...this.traces().map((trace) => trace.lanes));
    if (lanes > 0) this.app.store.set({ lane: Math.max(0, Math.min(lanes - 1, this.app.store.state.lane + by)) });
  }

  zoom(by: number): void {
    this.app.store.set({ zoom: Math.max(2, Math.min(48, Math.round(this.app.store.state.zoom * by))) });
  }

  play(): void {
    this.playing = !this.playing;
    if (this.playing && this.app.store.state.step >= this.steps() - 1) this.go(0);
    this.showPlaying();
    if (this.playing) {
      this.lastTick = performance.now();
      requestAnimationFrame((now) => this.tick(now));
    }
  }

  stop(): void {
    this.playing = false;
    this.showPlaying();
  }

  private showPlaying(): void {
    this.playButton.replaceChildren(icon(this.playing ? "pause" : "play"));
    this.playButton.setAttribute("aria-label", this.playing ? "Pause (space)" : "Play (space)");
  }

  // Twelve steps a second, which the eye follows.
  private tick(now: number): void {
    if (!this.playing) return;
    if (now - this.lastTick > 1000 / 12) {
      this.lastTick = now;
      if (this.app.store.state.step >= this.steps() - 1) return this.stop();
      this.move(1);
    }
    requestAnimationFrame((next) => this.tick(next));
  }

  // Chooses traces and sets the controls; then draws.
  refresh(): void {
    const { store, model } = this.app;
    const names: [string, string][] = model.traces.map((trace) => [trace.scheme, trace.scheme]);
    this.scheme.set(names, store.state.scheme);
    this.other.set([["", "(none)"], ...names], store.state.other);
    for (const strip of this.strips) strip.choose();
    const warps = new Set(this.traces().flatMap((trace) => trace.warps.map((warp) => warp.number)));
    this.warp.set([...warps].sort((a, b) => a - b).map((n) => [String(n), String(n)]), String(store.state.warp));
    this.colour.select.value = store.state.colour;
    this.time.max = String(this.steps() - 1);
    this.showLegend();
    this.waits.replaceChildren(...this.traces().map((trace) => waitTable(this.app, trace)).filter((table) => table !== null));
    this.redraw();
  }

  redraw(): void {
    if (this.frame !== 0) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      const start = performance.now();
      const state = this.app.store.state;
      const step = Math.min(state.step, this.steps() - 1);
      this.time.value = String(step);
      this.counter.textContent = `step ${count(step + 1)} of ${count(this.steps())}`;
      for (const strip of this.strips) strip.draw();
      // Tables cost more than pixels: while the time moves they follow ten times a second.
      if (this.inspectTimer === 0)
        this.inspectTimer = window.setTimeout(() => {
          this.inspectTimer = 0;
          this.showInspect();
        }, this.inspect.childElementCount === 0 ? 0 : 80);
      this.frames.push(performance.now() - start);
      if (this.frames.length > 600) this.frames.shift();
    });
  }

  private showLegend(): void {
    const { store } = this.app;
    const trace = this.strips[0]?.trace;
    const keys: HTMLElement[] = [];
    if (trace) {
      if (store.state.colour === "block") {
        const warp = this.strips[0]?.warp;
        const seen = new Set<number>(warp ? Array.from(warp.block) : []);
        for (const block of seen) keys.push(h("span", { class: "key" }, Paint.swatch(block), h("span", {}, trace.blocks[block]?.label ?? "?")));
      } else {
        const lines = [...new Set(trace.blocks.map((block) => block.line))].filter((line) => line > 0).sort((a, b) => a - b);
        for (const line of lines) keys.push(h("span", { class: "key" }, Paint.swatch(this.app.lineColour(line)), h("span", {}, `line ${line}`)));
      }
    }
    this.legend.replaceChildren(
      h("span", { class: "key" }, h("span", { class: "swatch waiting" }), h("span", {}, "waits")), h("span", { class: "key" }, h("span", { class: "swatch ended" }), h("span", {}, "has ended")), ...keys);
  }

  private showInspect(): void {
    if (this.app.store.state.view !== "lanes") return;
    const parts = this.strips.map((strip) => strip.inspect()).filter((part): part is HTMLElement => part !== null);
    this.inspect.replaceChildren(...parts, h("div", { class: "signs" }, h("h3", {}, this.app.store.state.colour === "block" ? `Blocks of ${this.app.store.state.scheme}` : "Lines"), this.legend));
  }
}

class Strip {
  readonly element: HTMLElement;
  trace: Trace | null = null;
  warp: Warp | null = null;
  private readonly name = h("b", {});
  private readonly now = h("span", {});
  private readonly share = h("span", { class: "quiet" });
  private readonly note = h("span", { class: "missing" });
  private readonly canvas = h("canvas", { role: "img" });
  private readonly overview = h("canvas", { class: "overview", role: "img" });
  private readonly paint = new Paint();
  private overviewPicture: { canvas: HTMLCanvasElement; key: string } | null = null;
  private start = 0; // the first step that is drawn

  constructor(private readonly app: App, private readonly which: "scheme" | "other") {
    this.element = h("section", { class: "scheme", "data-which": which }, h("div", { class: "head" }, this.name, this.now, this.share, this.note), this.canvas, this.overview);
    const drag = (canvas: HTMLCanvasElement, at: (event: PointerEvent) => void) => {
      canvas.addEventListener("pointerdown", (event) => {
        canvas.setPointerCapture(event.pointerId);
        at(event);
      });
      canvas.addEventListener("pointermove", (event) => {
        if (event.buttons & 1) at(event);
      });
    };
    drag(this.canvas, (event) => {
      const place = this.place(event);
      if (place) this.app.store.set({ step: place.step, lane: place.lane, ...this.blockOf(place.step) });
    });
    drag(this.overview, (event) => {
      const steps = this.axis();
      this.app.store.set({ step: Math.max(0, Math.min(steps - 1, Math.floor((event.offsetX / this.overview.clientWidth) * steps))) });
    });
    this.canvas.addEventListener("pointermove", (event) => {
      const place = this.place(event);
      this.app.tip(place ? this.describe(place.step, place.lane) : "", event.clientX, event.clientY);
    });
    this.canvas.addEventListener("pointerleave", () => this.app.tip("", 0, 0));
    this.canvas.addEventListener("wheel", (event) => {
      if (Math.abs(event.deltaX) <= Math.abs(event.deltaY) && !event.shiftKey) return;
      event.preventDefault();
      this.app.lanes.move(Math.sign(event.deltaX || event.deltaY) * Math.max(1, Math.round(Math.abs(event.deltaX || event.deltaY) / this.app.store.state.zoom)));
    }, { passive: false });
  }

  private axis(): number {
    return this.app.lanes.steps();
  }

  private cell(): number {
    const lanes = this.trace?.lanes ?? 32;
    const two = this.app.store.state.other !== "";
    return lanes > 32 ? (two ? 4 : 7) : lanes > 16 ? (two ? 7 : 11) : 14;
  }

  private place(event: PointerEvent): { step: number; lane: number } | null {
    if (!this.trace || !this.warp) return null;
    const step = this.start + Math.floor((event.offsetX - gutterWidth) / this.app.store.state.zoom);
    const lane = Math.max(0, Math.min(this.trace.lanes - 1, Math.floor(event.offsetY / this.cell())));
    return { step: Math.max(0, Math.min(this.axis() - 1, step)), lane };
  }

  private blockOf(step: number): { line?: number; block?: string } {
    const block = this.trace?.blocks[this.warp?.block[step] ?? -1];
    return block ? { line: block.line, block: block.label } : {};
  }

  private describe(step: number, lane: number): string {
    const { trace, warp } = this;
    if (!trace || !warp || step >= warp.block.length) return "";
    const block = trace.blocks[warp.block[step] as number];
    const where = `step ${step + 1}: ${block?.label ?? "?"}${block && block.line > 0 ? `, line ${block.line}` : ""}\n${activeLanes(warp, step)} of ${trace.lanes} lanes execute`;
    if (isActive(warp, step, lane)) return `${where}\nlane ${lane} executes`;
    if ((warp.last[lane] ?? -1) < step) return `${where}\nlane ${lane} has ended`;
    for (let s = step + 1; s < warp.block.length; s++)
      if (isActive(warp, s, lane)) return `${where}\nlane ${lane} waits for ${trace.blocks[warp.block[s] as number]?.label ?? "?"}, ${s - step} steps`;
    return where;
  }

  choose(): void {
    const { store, model } = this.app;
    const name = this.which === "scheme" ? store.state.scheme : store.state.other;
    this.trace = model.traces.find((trace) => trace.scheme === name) ?? (this.which === "scheme" ? model.traces[0] ?? null : null);
    this.warp = this.trace ? this.trace.warps.find((warp) => warp.number === store.state.warp) ?? this.trace.warps[0] ?? null : null;
    this.element.classList.toggle("hidden", !this.trace);
    this.overviewPicture = null;
    if (!this.trace || !this.warp) return;
    this.name.textContent = this.trace.scheme;
    this.note.textContent = this.trace.sampled;
    const warp = this.warp;
    let active = 0;
    for (let step = 0; step < warp.block.length; step++) active += activeLanes(warp, step);
    this.share.textContent = `${count(warp.total)} blocks executed, ${percent(active, warp.block.length * this.trace.lanes)} of their lanes active`;
    this.canvas.setAttribute("aria-label", `${this.trace.scheme}: ${this.trace.lanes} lanes, ${warp.block.length} steps. The table below describes the chosen step.`);
    this.overview.setAttribute("aria-label", `${this.trace.scheme}: active lanes over all steps`);
  }

  draw(): void {
    const { trace, warp } = this;
    if (!trace || !warp) return;
    const { zoom, lane: chosen, line: chosenLine, colour } = this.app.store.state;
    const step = Math.min(this.app.store.state.step, this.axis() - 1);
    const cell = this.cell();
    const height = trace.lanes * cell;
    const target = fit(this.canvas, height);
    if (!target) return;
    const { context, width } = target;
    const columns = Math.floor((width - gutterWidth) / zoom);
    const steps = warp.block.length;
    this.start = Math.max(0, Math.min(this.axis() - columns, step - Math.floor(columns * 0.4)));
    context.fillStyle = css("--ground");
    context.fillRect(0, 0, width, height);
    const edge = css("--edge");
    const quiet = css("--quiet");
    const accent = css("--accent");
    // A chosen line that no block begins at says nothing about the others.
    const fades = chosenLine > 0 && trace.blocks.some((block) => block.line === chosenLine);
    const gap = zoom >= 6 ? 1 : 0;
    const rowGap = cell >= 4 ? 1 : 0;
    // Waiting lanes first: a line in the middle of the row, which active ones cover.
    context.fillStyle = edge;
    for (let lane = 0; lane < trace.lanes; lane++) {
      const until = Math.min(this.start + columns, (warp.last[lane] ?? -1) + 1) - this.start;
      if (until > 0) context.fillRect(gutterWidth, lane * cell + cell / 2 - 1, until * zoom, 1.5);
    }
    for (let column = 0; column < columns; column++) {
      const s = this.start + column;
      if (s >= steps) break;
      const block = warp.block[s] as number;
      const line = trace.blocks[block]?.line ?? 0;
      context.fillStyle = this.paint.fill(context, colour === "block" ? block : this.app.lineColour(line));
      context.globalAlpha = fades && line !== chosenLine ? 0.32 : 1;
      const x = gutterWidth + column * zoom;
      const low = warp.low[s] as number;
      const high = warp.high[s] as number;
      for (let lane = 0; lane < trace.lanes; lane++)
        if (((lane < 32 ? low >>> lane : high >>> (lane - 32)) & 1) === 1) context.fillRect(x, lane * cell, zoom - gap, cell - rowGap);
    }
    context.globalAlpha = 1;
    // The rows' numbers, the chosen lane and the chosen step.
    context.fillStyle = quiet;
    context.font = `10px ${css("--mono")}`;
    context.textBaseline = "middle";
    context.textAlign = "right";
    const every = cell >= 12 ? 1 : cell >= 6 ? 4 : 8;
    for (let lane = 0; lane < trace.lanes; lane += every) context.fillText(String(lane), gutterWidth - 5, Math.max(6, lane * cell + cell / 2));
    context.strokeStyle = accent;
    if (chosen >= 0 && chosen < trace.lanes) {
      context.lineWidth = 1.5;
      context.strokeRect(0.75, chosen * cell - 0.5, width - 1.5, cell + 0.5);
    }
    context.lineWidth = 2;
    context.strokeRect(gutterWidth + (step - this.start) * zoom - 1.5, 1, zoom + 2, height - 2);
    if (steps < this.start + columns && steps < this.axis()) {
      context.fillStyle = quiet;
      context.textAlign = "left";
      context.font = `13px ${css("--sans")}`;
      const x = gutterWidth + Math.max(0, steps - this.start) * zoom + 10;
      context.fillText(steps < warp.total ? "not recorded" : "finished", x, height / 2);
    }
    this.drawOverview(step, columns);
    const block = step < steps ? trace.blocks[warp.block[step] as number] : undefined;
    this.now.textContent = block ? `${block.label}${block.line > 0 ? ` at line ${block.line}` : ""}: ${activeLanes(warp, step)} of ${trace.lanes} lanes` : steps < warp.total ? "not recorded" : "finished";
  }

  // The lanes active over all steps, and the part that is drawn above.
  private drawOverview(step: number, columns: number): void {
    const { warp, trace } = this;
    if (!warp || !trace) return;
    const target = fit(this.overview, overviewHeight);
    if (!target) return;
    const { context, width } = target;
    const axis = this.axis();
    const key = `${width} ${axis} ${document.documentElement.dataset["theme"] ?? ""}`;
    if (this.overviewPicture?.key !== key) {
      const picture = document.createElement("canvas");
      picture.width = Math.max(1, Math.round(width));
      picture.height = overviewHeight;
      const c = picture.getContext("2d");
      if (!c) return;
      c.fillStyle = css("--panel");
      c.fillRect(0, 0, width, overviewHeight);
      c.fillStyle = css("--used");
      for (let x = 0; x < width; x++) {
        const from = Math.floor((x / width) * axis);
        const to = Math.min(warp.block.length, Math.max(from + 1, Math.floor(((x + 1) / width) * axis)));
        let sum = 0;
        for (let s = from; s < to; s++) sum += activeLanes(warp, s);
        const bar = to > from ? (sum / (to - from) / trace.lanes) * (overviewHeight - 4) : 0;
        c.fillRect(x, overviewHeight - bar, 1, bar);
      }
      this.overviewPicture = { canvas: picture, key };
    }
    context.drawImage(this.overviewPicture.canvas, 0, 0, width, overviewHeight);
    context.strokeStyle = css("--accent");
    context.lineWidth = 1.5;
    context.strokeRect((this.start / axis) * width + 0.75, 0.75, Math.max(3, (Math.min(columns, axis) / axis) * width - 1.5), overviewHeight - 1.5);
    context.fillStyle = css("--wasted");
    context.fillRect((step / axis) * width - 1, 0, 2.5, overviewHeight);
  }

  inspect(): HTMLElement | null {
    const { trace, warp } = this;
    if (!trace || !warp) return null;
    const state = this.app.store.state;
    const step = Math.min(state.step, this.axis() - 1);
    if (step >= warp.block.length)
      return h("div", { "data-inspect": this.which }, h("h3", {}, trace.scheme), h("p", { class: "quiet" }, warp.block.length < warp.total ? "This step was not recorded." : `Warp ${warp.number} has finished.`));
    const block = trace.blocks[warp.block[step] as number];
    const active: number[] = [];
    const ended: number[] = [];
    for (let lane = 0; lane < trace.lanes; lane++) {
      if (isActive(warp, step, lane)) active.push(lane);
      else if (hasLane(warp, lane) && (warp.last[lane] ?? -1) < step) ended.push(lane);
    }
    const row = (state: string, text: string, at: TraceBlock | undefined, lanes: number[], colour: string, why?: { short: string; long: string }) =>
      h("tr", { "data-state": state }, h("td", {}, text), h("td", {}, this.app.blockLink(at, false), why && h("span", { class: "quiet", title: why.long }, ` ${why.short}`)), h("td", { class: "number" }, at && at.line > 0 ? at.line : ""), h("td", { class: "number", "data-count": lanes.length }, lanes.length), h("td", {}, lanePicture(lanes, trace.lanes, colour)));
    const rows = [row("active", "execute", block, active, "var(--used)"), ...waiting(warp, step, trace.lanes).map((group) => {
      const how = encounter(trace, group.block, warp.block[step] as number);
      return row("waits", "wait for", trace.blocks[group.block], group.lanes, "var(--wasted)", how && encounters[how]);
    })];
    if (ended.length > 0) rows.push(row("ended", "have ended", undefined, ended, "var(--edge-strong)"));
    return h("div", { "data-inspect": this.which, "data-step": step },
      h("h3", {}, `${trace.scheme}, step ${count(step + 1)}`), trace.order !== "" && h("p", { class: "quiet" }, trace.order),
      h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "state"), h("th", { scope: "col" }, "block"), h("th", { scope: "col", class: "number" }, "line"), h("th", { scope: "col", class: "number" }, "lanes"), h("th", { scope: "col" }, "which"))), h("tbody", {}, rows)),
      this.values(step));
  }

  private values(step: number): HTMLElement | null {
    const { trace, warp } = this;
    const known = warp?.values.get(step);
    if (!trace || !warp || !known || known.names.length === 0) return null;
    const chosen = this.app.store.state.lane;
    const lanes: number[] = [];
    if (chosen >= 0 && chosen < trace.lanes) lanes.push(chosen);
    for (let lane = 0; lane < trace.lanes && lanes.length < 8; lane++) if (lane !== chosen && isActive(warp, step, lane)) lanes.push(lane);
    return h("div", {}, h("h3", { style: "margin-top:12px" }, "Values at the start of the block"),
      h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "value"), lanes.map((lane) => h("th", { scope: "col", class: "number" }, lane === chosen ? `lane ${lane}` : String(lane))))),
        h("tbody", {}, known.names.map((name, at) => h("tr", {}, h("td", { class: "mono" }, name), lanes.map((lane) => h("td", { class: "number mono" }, known.rows[at]?.[lane] ?? "")))))));
  }
}

const gutterWidth = 26;
