// SPDX-License-Identifier: Apache-2.0
// A function, given as JSON, as a picture: blocks with their instructions, laid out by dagre.
import dagre from "@dagrejs/dagre";
import { h, svg } from "../dom";

type Operand = number | { type: string; const?: string | number | boolean; bits?: string; undef?: boolean };
interface Instruction {
  results?: { id: number; type: string }[];
  op: string;
  operands?: Operand[];
  attrs?: Record<string, string | number | boolean>;
  targets?: { block: number; args?: Operand[] }[];
}
interface Block {
  id: number;
  hint?: string;
  params?: { id: number; type: string }[];
  insts: Instruction[];
}

// What a block has to do with an error.
export type Mark = "wrong" | "expected" | "said";

const lineHeight = 15, mostLines = 9, mostCharacters = 44;
// With more blocks, there is no room for instructions; with many more, no time for a picture.
const mostWithText = 40, mostBlocks = 300;
// A wider picture scrolls; others are made as wide as the column.
const mostFitted = 720;

const cut = (text: string): string => (text.length > mostCharacters ? `${text.slice(0, mostCharacters - 1)}…` : text);

function operandText(v: Operand): string {
  if (typeof v === "number") return `%${v}`;
  return v.undef ? "undef" : String(v.const ?? v.bits);
}

function instructionText(i: Instruction): string {
  const results = (i.results ?? []).map((r) => `%${r.id}`).join(", ");
  const parts = [...(i.operands ?? []).map(operandText), ...Object.entries(i.attrs ?? {}).map(([name, value]) => `${name}=${value}`)].join(", ");
  const targets = (i.targets ?? []).map((t) => `b${t.block}${t.args?.length ? `(${t.args.map(operandText).join(", ")})` : ""}`).join(", ");
  return `${results ? `${results} = ` : ""}${i.op}${parts ? ` ${parts}` : ""}${targets ? ` → ${targets}` : ""}`;
}

// How much of a block is shown: all, where it leads, or its name.
export type Detail = "all" | "end" | "name";

function linesOf(block: Block, detail: Detail): string[] {
  const title = `b${block.id}${block.hint ? `.${block.hint}` : ""}${block.params?.length ? `(${block.params.map((p) => `%${p.id}`).join(", ")})` : ""}`;
  if (detail === "name") return [cut(title)];
  const texts = (detail === "all" ? block.insts : block.insts.slice(-1)).map(instructionText);
  // The last one says where the block leads.
  const shown = texts.length <= mostLines ? texts : [...texts.slice(0, mostLines - 2), `… ${texts.length - mostLines + 1} more`, texts[texts.length - 1] as string];
  return [title, ...shown].map(cut);
}

// The blocks of the only function; null: the text is no such document.
function blocksOf(text: string): Block[] | null {
  try {
    const blocks = (JSON.parse(text) as { functions: { blocks: Block[] }[] }).functions[0]?.blocks;
    return Array.isArray(blocks) && blocks.every((b) => typeof b.id === "number" && Array.isArray(b.insts)) ? blocks : null;
  } catch {
    return null;
  }
}

let pictures = 0;

export function picture(text: string, label: string, marks: Map<number, Mark>, wanted: Detail): HTMLElement {
  const blocks = blocksOf(text);
  if (!blocks) return h("p", { class: "quiet" }, text.trim() === "" ? "It wrote nothing." : "What it wrote is no function, so there is no picture of it.");
  if (blocks.length > mostBlocks) return h("p", { class: "quiet" }, `${blocks.length} blocks are too many for a picture.`);
  const detail = blocks.length <= mostWithText ? wanted : "name";
  const g = new dagre.graphlib.Graph({ multigraph: true });
  g.setGraph({ rankdir: "TB", nodesep: 22, ranksep: 30, edgesep: 12, marginx: 8, marginy: 8 });
  g.setDefaultEdgeLabel(() => ({}));
  const lines = new Map(blocks.map((block) => [block.id, linesOf(block, detail)]));
  for (const [id, texts] of lines) g.setNode(String(id), { width: Math.max(60, 16 + 6.7 * Math.max(...texts.map((line) => line.length))), height: 10 + lineHeight * texts.length });
  const edges = blocks.flatMap((block) => (block.insts[block.insts.length - 1]?.targets ?? []).map((target, n) => ({ from: block.id, to: target.block, n }))).filter((edge) => lines.has(edge.to));
  for (const edge of edges) g.setEdge(String(edge.from), String(edge.to), {}, String(edge.n));
  dagre.layout(g);
  const arrow = `arrow-${++pictures}`;
  const place = (id: number) => g.node(String(id)) as { x: number; y: number; width: number; height: number };
  const pointsOf = (edge: { from: number; to: number; n: number }) => (g.edge(String(edge.from), String(edge.to), String(edge.n)) as { points?: { x: number; y: number }[] } | undefined)?.points ?? [];
  // The layout counts nodes only: edges may be outside.
  const corners = [...blocks.flatMap(({ id }) => { const { x, y, width, height } = place(id); return [[x - width / 2, y - height / 2], [x + width / 2, y + height / 2]]; }), ...edges.flatMap((edge) => pointsOf(edge).map(({ x, y }) => [x, y]))] as [number, number][];
  const [left, top, right, bottom] = corners.reduce(([a, b, c, d], [x, y]) => [Math.min(a, x), Math.min(b, y), Math.max(c, x), Math.max(d, y)], [Infinity, Infinity, -Infinity, -Infinity]);
  const margin = 8, width = right - left + 2 * margin, height = bottom - top + 2 * margin;
  const image = svg("svg", { role: "img", "aria-label": `${label}: ${blocks.length} blocks`, viewBox: `${left - margin} ${top - margin} ${width} ${height}`, width, height, class: width <= mostFitted ? "fitted" : "" },
    svg("defs", {}, svg("marker", { id: arrow, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" }, svg("path", { d: "M0 0L8 4L0 8z", class: "arrow" }))),
    edges.map((edge) => {
      const back = place(edge.to).y <= place(edge.from).y;
      return svg("path", { class: back ? "edge back" : "edge", d: pointsOf(edge).map((p, k) => `${k ? "L" : "M"}${p.x.toFixed(1)} ${p.y.toFixed(1)}`).join(""), "marker-end": `url(#${arrow})` });
    }),
    blocks.map((block) => {
      const { x, y, width: wide, height: high } = place(block.id);
      const mark = marks.get(block.id);
      return svg("g", { class: mark ? `block ${mark}` : "block", transform: `translate(${(x - wide / 2).toFixed(1)} ${(y - high / 2).toFixed(1)})` },
        svg("rect", { width: wide, height: high, rx: 5 }),
        (lines.get(block.id) as string[]).map((line, k) => svg("text", { x: 8, y: 15 + k * lineHeight, class: k === 0 ? "title" : "" }, line)));
    }));
  return h("div", { class: "picture", tabindex: 0, role: "region", "aria-label": label }, image);
}

// The blocks that a difference speaks of, where the numbers are those of the function that the submission got.
export function marksOf(note: string): Map<number, Mark> {
  const marks = new Map<number, Mark>();
  const dominator = note.match(/^the immediate dominator of block (\d+) is (\d+), and it says (\d+)$/);
  if (dominator) {
    marks.set(Number(dominator[3]), "said");
    marks.set(Number(dominator[2]), "expected");
    marks.set(Number(dominator[1]), "wrong");
    return marks;
  }
  const one = note.match(/^block (\d+) has no immediate dominator|block (\d+) \(line \d+\)/);
  if (one) marks.set(Number(one[1] ?? one[2]), "wrong");
  return marks;
}
