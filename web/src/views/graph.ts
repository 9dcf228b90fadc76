// SPDX-License-Identifier: Apache-2.0
// The control flow of a stage, laid out by dagre.
import dagre from "@dagrejs/dagre";
import type { App } from "../app";
import { choice, h, iconButton, percent, svg, toggle } from "../dom";
import type { Block, Graph, Stage, Trace } from "../model";
import { waitsOf } from "./waits";

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}
interface Layout {
  boxes: Box[];
  edges: { from: number; to: number; label: string; points: { x: number; y: number }[]; back: boolean }[];
  width: number;
  height: number;
}

const lineHeight = 15;
const mostArrows = 12; // of waiting lanes, unless a block is chosen
const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length - 1)}…` : text);

function linesOf(block: Block): string[] {
  const lines = [cut(block.label + (block.line > 0 ? `  · line ${block.line}` : ""), 34)];
  if (block.params !== "") lines.push(cut(block.params, 34));
  if (block.mask !== "") lines.push(cut(block.mask, 34));
  if (block.kind === "divergent") lines.push("divergent branch");
  else if (block.kind === "uniform") lines.push("uniform branch");
  else if (block.kind === "flow") lines.push("flow block");
  return lines;
}

function layOut(graph: Graph): Layout {
  const g = new dagre.graphlib.Graph({ multigraph: true });
  g.setGraph({ rankdir: "TB", nodesep: 26, ranksep: 34, edgesep: 12, marginx: 20, marginy: 20 });
  g.setDefaultEdgeLabel(() => ({}));
  graph.blocks.forEach((block, at) => {
    const lines = linesOf(block);
    g.setNode(String(at), { width: Math.max(96, 18 + 7.3 * Math.max(...lines.map((line) => line.length))), height: 14 + lineHeight * lines.length });
  });
  graph.blocks.forEach((block, at) => block.succ.forEach((edge, n) => g.setEdge(String(at), String(edge.to), {}, String(n))));
  dagre.layout(g);
  const boxes = graph.blocks.map((_, at): Box => {
    const node = g.node(String(at)) as { x: number; y: number; width: number; height: number };
    return { x: node.x - node.width / 2, y: node.y - node.height / 2, width: node.width, height: node.height };
  });
  const edges = graph.blocks.flatMap((block, from) =>
    block.succ.map((edge, n) => {
      const laid = g.edge(String(from), String(edge.to), String(n)) as { points?: { x: number; y: number }[] } | undefined;
      const points = laid?.points ?? [];
      return { from, to: edge.to, label: edge.label, points, back: (boxes[edge.to]?.y ?? 0) <= (boxes[from]?.y ?? 0) };
    }),
  );
  const size = g.graph() as { width?: number; height?: number };
  return { boxes, edges, width: size.width ?? 100, height: size.height ?? 100 };
}

function smooth(points: { x: number; y: number }[]): string {
  const [first, ...rest] = points;
  if (!first) return "";
  let path = `M${first.x.toFixed(1)} ${first.y.toFixed(1)}`;
  for (let at = 0; at < rest.length; at++) {
    const point = rest[at] as { x: number; y: number };
    const next = rest[at + 1];
    if (!next) path += `L${point.x.toFixed(1)} ${point.y.toFixed(1)}`;
    else path += `Q${point.x.toFixed(1)} ${point.y.toFixed(1)} ${((point.x + next.x) / 2).toFixed(1)} ${((point.y + next.y) / 2).toFixed(1)}`;
  }
  return path;
}

export class GraphView {
  readonly element: HTMLElement;
  private readonly layouts = new Map<string, Layout>();
  private readonly picture = svg("svg", { role: "group", "aria-label": "Graph of the control flow" });
  private readonly scene = svg("g", {});
  private readonly detail = h("aside", { class: "detail", "aria-label": "The chosen block", tabindex: 0 });
  private readonly choose = choice("of", "graph-stage", (value) => this.app.store.set({ graph: value }));
  private readonly toggles: [string, HTMLInputElement][] = [];
  private drawn = "";
  private shape = { x: 0, y: 0, scale: 1 };

  constructor(private readonly app: App) {
    const shows: [string, string][] = [["d", "dominators"], ["p", "post-dominators"], ["l", "loops"], ["r", "regions"], ["w", "waiting lanes"]];
    const boxes = shows.map(([letter, name]) => {
      const box = toggle(name, `show-${name.replace(" ", "-")}`, (on) => {
        const rest = app.store.state.show.replaceAll(letter, "");
        // Lanes wait in the blocks that the simulator runs; other stages have other blocks.
        const simulated = letter === "w" && on ? app.model.stages[this.trace()?.stage ?? -1]?.id : undefined;
        app.store.set({ show: on ? rest + letter : rest, ...(simulated !== undefined ? { graph: simulated } : {}) });
      });
      this.toggles.push([letter, box.input]);
      return box.element;
    });
    const button = (text: string, label: string, id: string, act: () => void) => h("button", { type: "button", id, title: label, onclick: act }, text);
    this.element = h("div", { class: "view" },
      h("div", { class: "bar" }, h("h2", {}, "Graph"), this.choose.element, boxes,
        h("span", { class: "group" }, iconButton("less", "Smaller (−)", "graph-out", () => this.scale(1 / 1.25)), iconButton("more", "Larger (+)", "graph-in", () => this.scale(1.25)), button("Fit", "The whole graph (0)", "graph-fit", () => this.fitAll()))),
      h("div", { class: "graph" }, this.picture, this.detail));
    this.picture.append(
      svg("defs", {}, ...["edge-strong", "accent", "uniform", "flow", "wasted"].map((colour) =>
        // Those of waiting lanes are as large whatever the width of the arrow is.
        svg("marker", { id: `arrow-${colour}`, viewBox: "0 0 8 8", refX: 7, refY: 4, ...(colour === "wasted" ? { markerUnits: "userSpaceOnUse", markerWidth: 13, markerHeight: 13 } : { markerWidth: 7, markerHeight: 7 }), orient: "auto-start-reverse" }, svg("path", { d: "M0 0L8 4L0 8z", style: `fill:var(--${colour})` })))),
      this.scene);
    this.drag();
  }

  private stages(): Stage[] {
    return this.app.model.stages.filter((stage) => stage.graph !== null && (stage.changed || stage.id === this.app.store.state.graph));
  }

  stage(): Stage | null {
    const stages = this.stages();
    return stages.find((stage) => stage.id === this.app.store.state.graph) ?? stages[stages.length - 1] ?? null;
  }

  private trace(): Trace | undefined {
    const { model, store } = this.app;
    return model.traces.find((trace) => trace.scheme === store.state.scheme) ?? model.traces[0];
  }

  // The trace whose blocks those of the stage are.
  private traceOf(stage: Stage): Trace | undefined {
    const trace = this.trace();
    return trace && this.app.model.stages[trace.stage] === stage ? trace : undefined;
  }

  private drag(): void {
    let from: { x: number; y: number; moved: boolean } | null = null;
    this.picture.addEventListener("pointerdown", (event) => {
      from = { x: event.clientX, y: event.clientY, moved: false };
    });
    window.addEventListener("pointermove", (event) => {
      if (!from || !(event.buttons & 1)) return;
      this.shape.x += event.clientX - from.x;
      this.shape.y += event.clientY - from.y;
      from = { x: event.clientX, y: event.clientY, moved: true };
      this.place();
    });
    window.addEventListener("pointerup", () => {
      from = null;
    });
    this.picture.addEventListener("wheel", (event) => {
      event.preventDefault();
      if (event.ctrlKey || event.metaKey) {
        const box = this.picture.getBoundingClientRect();
        this.scale(Math.exp(-event.deltaY / 300), event.clientX - box.left, event.clientY - box.top);
      } else {
        this.shape.x -= event.deltaX;
        this.shape.y -= event.deltaY;
        this.place();
      }
    }, { passive: false });
  }

  scale(by: number, x = this.picture.clientWidth / 2, y = this.picture.clientHeight / 2): void {
    const scale = Math.max(0.05, Math.min(4, this.shape.scale * by));
    const factor = scale / this.shape.scale;
    this.shape = { scale, x: x - (x - this.shape.x) * factor, y: y - (y - this.shape.y) * factor };
    this.place();
  }

  fitAll(): void {
    const layout = this.layouts.get(this.drawn);
    if (!layout || this.picture.clientWidth === 0) return;
    const scale = Math.min(1.2, this.picture.clientWidth / (layout.width + 20), this.picture.clientHeight / (layout.height + 20));
    this.shape = { scale, x: (this.picture.clientWidth - layout.width * scale) / 2, y: Math.max(8, (this.picture.clientHeight - layout.height * scale) / 2) };
    this.place();
  }

  // At first the entry, in a size that can be read.
  private start(): void {
    const layout = this.layouts.get(this.drawn);
    const entry = layout?.boxes[0];
    if (!layout || !entry || this.picture.clientWidth === 0) return;
    this.fitAll();
    if (this.shape.scale >= 0.62) return;
    const scale = 0.8;
    this.shape = { scale, x: this.picture.clientWidth / 2 - (entry.x + entry.width / 2) * scale, y: 16 };
    this.place();
  }

  private reveal(graph: Graph, layout: Layout): void {
    const at = graph.blocks.findIndex((block) => block.label === this.app.store.state.block);
    const box = layout.boxes[at];
    const { clientWidth: width, clientHeight: height } = this.picture;
    if (!box || width === 0) return;
    const x = this.shape.x + box.x * this.shape.scale;
    const y = this.shape.y + box.y * this.shape.scale;
    if (x >= 0 && y >= 0 && x + box.width * this.shape.scale <= width && y + box.height * this.shape.scale <= height) return;
    this.shape.x = width / 2 - (box.x + box.width / 2) * this.shape.scale;
    this.shape.y = height / 2 - (box.y + box.height / 2) * this.shape.scale;
    this.place();
  }

  private place(): void {
    this.scene.setAttribute("transform", `translate(${this.shape.x.toFixed(1)} ${this.shape.y.toFixed(1)}) scale(${this.shape.scale.toFixed(3)})`);
  }

  refresh(): void {
    const stage = this.stage();
    const { state } = this.app.store;
    this.choose.set(this.stages().map((candidate) => [candidate.id, `${candidate.dialect}: ${candidate.title}`]), stage?.id ?? "");
    for (const [letter, input] of this.toggles) input.checked = state.show.includes(letter);
    if (!stage?.graph) {
      this.detail.replaceChildren(h("p", { class: "quiet" }, "No stage of the record has a graph."));
      return;
    }
    for (const [letter, input] of this.toggles)
      if (letter === "r") input.disabled = stage.graph.regions.length === 0;
      else if (letter === "w") input.disabled = (this.trace()?.stage ?? -1) < 0;
    let layout = this.layouts.get(stage.id);
    if (!layout) {
      layout = layOut(stage.graph);
      this.layouts.set(stage.id, layout);
    }
    const fresh = this.drawn !== stage.id;
    this.drawn = stage.id;
    this.draw(stage.graph, layout);
    if (fresh) this.start();
    this.reveal(stage.graph, layout);
    this.showDetail(stage);
  }

  private around(blocks: number[], layout: Layout, margin: number): Box {
    let left = Infinity, top = Infinity, right = -Infinity, bottom = -Infinity;
    for (const block of blocks) {
      const box = layout.boxes[block];
      if (!box) continue;
      left = Math.min(left, box.x);
      top = Math.min(top, box.y);
      right = Math.max(right, box.x + box.width);
      bottom = Math.max(bottom, box.y + box.height);
    }
    return { x: left - margin, y: top - margin, width: right - left + 2 * margin, height: bottom - top + 2 * margin };
  }

  private draw(graph: Graph, layout: Layout): void {
    const { state } = this.app.store;
    const focused = (document.activeElement as Element | null)?.getAttribute("data-block");
    const parts: Element[] = [];
    if (state.show.includes("l"))
      for (const loop of graph.loops) {
        const box = this.around(loop.blocks, layout, Math.max(5, 14 - 4 * loop.depth));
        // Room for the name above the blocks.
        box.y -= 10;
        box.height += 10;
        parts.push(svg("rect", { class: "loop", rx: 10, ...box }), svg("text", { class: "regionlabel", x: box.x + 8, y: box.y + 12 }, `loop of ${graph.blocks[loop.header]?.label ?? "?"}${loop.trips !== "" ? `, ${loop.trips}` : ""}`));
      }
    if (state.show.includes("r")) parts.push(...this.regions(graph, layout));
    for (const edge of layout.edges) {
      parts.push(svg("path", { class: edge.back ? "link back" : "link", d: smooth(edge.points), "marker-end": `url(#arrow-${edge.back ? "accent" : "edge-strong"})` }));
      const middle = edge.points[Math.floor(edge.points.length / 2)];
      if (edge.label !== "" && middle) parts.push(svg("text", { class: "linklabel", x: middle.x, y: middle.y + 3, "text-anchor": "middle" }, cut(edge.label, 22)));
    }
    const tree = (parent: (block: Block) => number, name: string, colour: string) =>
      graph.blocks.forEach((block, at) => {
        const to = layout.boxes[at];
        const from = layout.boxes[parent(block)];
        if (!to || !from || parent(block) === at) return;
        const x1 = from.x + from.width * 0.2, x2 = to.x + to.width * 0.2;
        const y1 = from.y + from.height / 2, y2 = to.y + to.height / 2;
        parts.push(svg("path", { class: `link ${name}`, "marker-end": `url(#arrow-${colour})`, d: `M${x1} ${y1}C${x1 - 30} ${(y1 + y2) / 2} ${x2 - 30} ${(y1 + y2) / 2} ${x2} ${y2}` }));
      });
    if (state.show.includes("d")) tree((block) => block.idom, "tree", "uniform");
    if (state.show.includes("p")) tree((block) => block.ipdom, "posttree", "flow");
    graph.blocks.forEach((block, at) => {
      const box = layout.boxes[at];
      if (!box) return;
      const names = ["node", block.kind];
      if (block.label === state.block) names.push("chosen");
      else if (state.line > 0 && (block.line === state.line || this.hasLine(block, state.line))) names.push("linked");
      const lines = linesOf(block);
      const pick = () => this.app.store.set({ block: block.label, ...(block.line > 0 ? { line: block.line } : {}) });
      parts.push(svg("g", { class: names.join(" "), tabindex: 0, role: "button", "data-block": block.label, "aria-pressed": block.label === state.block, onclick: pick,
        onkeydown: ((event: KeyboardEvent) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); event.stopPropagation(); pick(); } }) as EventListener },
        svg("rect", { x: box.x, y: box.y, width: box.width, height: box.height, rx: 5 }),
        lines.map((line, n) => svg("text", { class: n === 0 ? "name" : "small", x: box.x + 9, y: box.y + 19 + lineHeight * n }, line))));
    });
    const trace = state.show.includes("w") ? this.traceOf(this.stage() as Stage) : undefined;
    if (trace) parts.push(svg("g", { class: "scene-waits" }, this.waits(trace, layout)));
    this.scene.replaceChildren(...parts);
    if (focused) this.scene.querySelector<SVGElement>(`[data-block="${CSS.escape(focused)}"]`)?.focus();
  }

  // A frame for each region, wider by each level of regions inside it, and its kind where there is room for it.
  private regions(graph: Graph, layout: Layout): Element[] {
    const { regions } = graph;
    const within = regions.map((region) => new Set(region.blocks));
    const levels = new Array<number>(regions.length).fill(0);
    // Outer regions come first.
    for (let at = regions.length - 1; at > 0; at--) {
      const first = regions[at]?.blocks[0] ?? -1;
      for (let outer = at - 1; outer >= 0; outer--) {
        if (!within[outer]?.has(first)) continue;
        levels[outer] = Math.max(levels[outer] ?? 0, (levels[at] ?? 0) + 1);
        break;
      }
    }
    const labels: Box[] = [];
    return regions.flatMap((region, at) => {
      const box = this.around(region.blocks, layout, Math.min(30, 7 + 4 * (levels[at] ?? 0)));
      box.height += 11;
      // Selections often end where the loop in them does: its kind stands at the other end.
      const width = 6 * region.kind.length;
      const label = { x: region.kind === "loop" ? box.x + box.width - width - 6 : box.x + 6, y: box.y + box.height - 15, width, height: 12 };
      const free = !labels.some((other) => other.x < label.x + label.width && label.x < other.x + other.width && other.y < label.y + label.height && label.y < other.y + other.height);
      if (free) labels.push(label);
      return [svg("rect", { class: `region ${region.kind === "loop" ? "cycle" : ""}`, rx: 4, ...box }, svg("title", {}, region.kind)), ...(free ? [svg("text", { class: "regionlabel", x: label.x, y: label.y + 10 }, region.kind)] : [])];
    });
  }

  // At each block the share of all issue slots that is lost to lanes which wait there, and arrows to what others
  // execute meanwhile, as thick as that share: the thickest ones, or all of a chosen block.
  private waits(trace: Trace, layout: Layout): Element[] {
    const total = this.app.model.costs.find((cost) => cost.scheme === trace.scheme)?.issued ?? 0;
    const parts: Element[] = [];
    const chosen = trace.blocks.findIndex((block) => block.label === this.app.store.state.block);
    const pairs = trace.waits.flatMap((at) => at.others.filter((other) => other.block !== at.block && other.slots >= total / 200 && (chosen < 0 || chosen === at.block || chosen === other.block)).map((other) => ({ ...other, at: at.block })));
    for (const other of pairs.sort((a, b) => b.slots - a.slots).slice(0, chosen < 0 ? mostArrows : undefined)) {
      const from = layout.boxes[other.at];
      const to = layout.boxes[other.block];
      if (from && to) {
        const x1 = from.x + from.width, x2 = to.x + to.width + 2;
        const y1 = from.y + from.height / 2, y2 = to.y + to.height / 2;
        const bend = 40 + Math.abs(y1 - y2) / 6;
        parts.push(svg("path", { class: `link waits ${other.how}`, "marker-end": "url(#arrow-wasted)", style: `stroke-width:${Math.min(7, 1.2 + (30 * other.slots) / total).toFixed(1)}`, d: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 + bend} ${y2} ${x2} ${y2}` }));
      }
    }
    // On the upper edge of the block, between the names of edges and its own.
    for (const at of trace.waits) {
      const box = layout.boxes[at.block];
      if (!box || at.slots < total / 200) continue;
      const text = `lanes wait: ${percent(at.slots, total)}`;
      const width = 6.7 * text.length + 8;
      parts.push(svg("rect", { class: "badge", x: box.x + box.width - width + 10, y: box.y - 9, width, height: 15, rx: 4 }),
        svg("text", { class: "badge", x: box.x + box.width - width + 14, y: box.y + 2, "data-waits": trace.blocks[at.block]?.label ?? "" }, text));
    }
    return parts;
  }

  private hasLine(block: Block, line: number): boolean {
    const lines = this.stage()?.lines;
    if (!lines || block.first <= 0) return false;
    for (let at = block.first; at <= block.last; at++) if (lines[at - 1] === line) return true;
    return false;
  }

  private showDetail(stage: Stage): void {
    const graph = stage.graph;
    const block = graph?.blocks.find((candidate) => candidate.label === this.app.store.state.block);
    const legend = h("div", { class: "legend", style: "flex-direction:column;align-items:start" },
      ...([["divergent", "divergent branch: lanes part here"], ["uniform", "uniform branch: all lanes take the same edge"], ["flow", "flow block: added so that lanes reconverge"]] as const).map(([kind, text]) =>
        h("span", { class: "key" }, svg("svg", { width: 26, height: 16, class: `node ${kind}`, style: "width:26px;height:16px;background:none" }, svg("rect", { x: 2, y: 2, width: 22, height: 12, rx: 3 })), text)),
      ...([["link back", "edge back to an earlier block"], ["link waits", "lanes wait here while others execute that block"]] as const).map(([kind, text]) =>
        h("span", { class: "key" }, svg("svg", { width: 26, height: 8, style: "width:26px;height:8px;background:none" }, svg("path", { class: kind, d: "M1 4L25 4" })), text)));
    const simulated = this.app.model.stages[this.trace()?.stage ?? -1];
    const elsewhere = this.app.store.state.show.includes("w") && simulated && simulated !== stage
      ? h("p", {}, "Waiting lanes are known for the blocks of ", h("button", { type: "button", class: "link", id: "show-simulated", onclick: () => this.app.store.set({ graph: simulated.id }) }, simulated.title), ".")
      : null;
    if (!graph || !block) {
      this.detail.replaceChildren(...[elsewhere, h("p", { class: "quiet" }, "Choose a block to see its instructions, its edges and why it is divergent."), h("h3", {}, "Signs"), legend].filter((part) => part !== null));
      return;
    }
    const name = (at: number): HTMLElement | string => {
      const other = graph.blocks[at];
      return other ? h("button", { class: "link", type: "button", onclick: () => this.app.store.set({ block: other.label, ...(other.line > 0 ? { line: other.line } : {}) }) }, other.label) : "none";
    };
    const text = stage.text.split("\n").slice(block.first - 1, block.last).join("\n");
    const from = graph.blocks.map((candidate, at) => (candidate.succ.some((edge) => graph.blocks[edge.to] === block) ? at : -1)).filter((at) => at >= 0);
    const trace = this.traceOf(stage);
    const parts: (HTMLElement | false)[] = [
      elsewhere ?? false,
      h("h2", {}, block.label),
      h("p", { class: "quiet" }, { divergent: "Its branch is divergent.", uniform: "Its branch is uniform.", flow: "A flow block of the restructuring.", plain: "" }[block.kind]),
      block.why.length > 0 && h("div", {}, h("h3", {}, "Why lanes part here"), h("ul", {}, block.why.map((cause) => h("li", {}, this.app.lineLink(cause.line), cause.line > 0 && ": ", cause.text)))),
      block.waits !== "" && h("div", {}, h("h3", {}, "Where they reconverge"), h("p", {}, block.waits)),
      trace ? waitsOf(this.app, trace, block.label) ?? false : false,
      block.first > 0 && h("div", {}, h("h3", {}, "Instructions"), h("pre", {}, text)),
      h("h3", {}, "Edges"),
      h("ul", {}, block.succ.map((edge) => h("li", {}, "to ", name(edge.to), edge.label !== "" && `, ${edge.label}`)), from.map((at) => h("li", {}, "from ", name(at)))),
      h("h3", {}, "Place in the graph"),
      h("ul", {}, h("li", {}, "immediate dominator: ", name(block.idom)), h("li", {}, "immediate post-dominator: ", name(block.ipdom)), block.loop >= 0 && h("li", {}, "in the loop of ", name(graph.loops[block.loop]?.header ?? -1))),
      h("h3", {}, "Signs"), legend,
    ];
    this.detail.replaceChildren(...parts.filter((part): part is HTMLElement => part !== false));
  }
}
