// SPDX-License-Identifier: Apache-2.0
// Reads the record (docs/record.md) into the model that the views draw.
import type { Block, Divergence, Graph, LaneValues, Measure, Model, Stage, Trace, Warp } from "./model";

export const version = 1;

export interface Waiting {
  line: number; // before which lanes wait; 0: they have ended
  share: number; // of the idle slots
  branch?: number; // the line of the branch that sent them there, and what the source decides with it
  decision?: string;
}

export interface Place {
  line: number;
  text: string;
}

export interface RawBlock {
  label: string;
  line?: number;
  params?: string;
  mask?: string;
  kind?: string; // "divergent", "uniform" or "flow"; absent: no branch
  why?: Place[];
  reconverges?: string;
  first: number;
  last: number;
  succ: { to: number; label?: string }[];
  idom?: number;
  ipdom?: number;
  loop?: number;
}

export interface RawStage {
  name: string;
  about?: string;
  dialect: string;
  target?: string;
  same?: boolean; // the text is that of the stage before
  text?: string;
  lines?: number[];
  graph?: { blocks: RawBlock[]; loops?: { header: number; blocks: number[]; depth: number; trips?: string }[]; regions?: { kind: string; blocks: number[] }[] };
}

export interface RawWarp {
  warp: number;
  total: number;
  blocks: number[];
  lanes: string[]; // hexadecimal; "": those of the step before
  values?: { step: number; names: string[]; rows: string[][] }[];
}

export interface RawWaits {
  block: number;
  slots: number;
  for: { block: number; slots: number; how: string }[];
}

export interface RawRecord {
  version: number;
  kernel: string;
  launch: string;
  file: string;
  source: string;
  stages: RawStage[];
  traces: { scheme: string; about?: string; order?: string; lanes: number; sampled?: string; stage?: number; waits?: RawWaits[]; ended?: number; blocks: { label: string; line: number }[]; warps: RawWarp[] }[];
  costs: { scheme: string; issued: number; active: number; lines: { line: number; issued: number; active: number }[] }[];
  findings: { line: number; title: string; wasted: number; why: Place[]; out: string[]; waiting?: Waiting[] }[];
  registers: {
    target: string;
    code: { text: string; line: number }[];
    kinds: { name: string; limit: number; pressure: number[] }[];
    ranges: { name: string; kind: string; from: number; to: number; register?: string; spilled?: boolean; line?: number }[];
    facts: { name: string; value: string }[];
  }[];
  stats: { warp: number; schemes: Record<string, Record<string, number | string>> } | null;
  notes?: string[];
}

export const measures: Measure[] = [
  { id: "dynamic_instructions", title: "dynamic instructions", digits: 0 },
  { id: "activity_factor", title: "activity factor", digits: 3 },
  { id: "block_executions", title: "block executions", digits: 0 },
  { id: "redundant_block_executions", title: "redundant executions", digits: 0 },
  { id: "memory_transactions", title: "memory transactions", digits: 0 },
  { id: "memory_efficiency", title: "memory efficiency", digits: 3 },
  { id: "max_stack", title: "max stack", digits: 0 },
  { id: "static_instructions", title: "static insts", digits: 0 },
  { id: "static_blocks", title: "static blocks", digits: 0 },
];

function readWarp(raw: RawWarp, lanes: number): Warp {
  const steps = raw.blocks.length;
  const low = new Uint32Array(steps);
  const high = new Uint32Array(steps);
  for (let step = 0; step < steps; step++) {
    const text = raw.lanes[step] ?? "";
    if (text === "" && step > 0) {
      low[step] = low[step - 1] as number;
      high[step] = high[step - 1] as number;
    } else {
      low[step] = Number.parseInt(text.slice(-8) || "0", 16);
      high[step] = text.length > 8 ? Number.parseInt(text.slice(0, -8), 16) : 0;
    }
  }
  // From the end, as long as lanes are left that have executed nothing.
  const last = new Int32Array(lanes).fill(-1);
  [low, high].forEach((words, word) => {
    const of = Math.max(0, Math.min(32, lanes - 32 * word));
    let open = of === 32 ? -1 : (1 << of) - 1;
    for (let step = steps - 1; step >= 0 && open !== 0; step--)
      for (let found = (words[step] as number) & open; found !== 0; found &= found - 1) {
        const lane = 31 - Math.clz32(found & -found);
        last[32 * word + lane] = step;
        open &= ~(1 << lane);
      }
  });
  const values = new Map<number, LaneValues>();
  for (const { step, names, rows } of raw.values ?? []) values.set(step, { names, rows });
  return { number: raw.warp, block: Int32Array.from(raw.blocks), low, high, last, values, total: raw.total };
}

function readBlock(raw: RawBlock): Block {
  const kind: Divergence = raw.kind === "divergent" || raw.kind === "uniform" || raw.kind === "flow" ? raw.kind : "plain";
  return {
    label: raw.label, line: raw.line ?? 0, params: raw.params ?? "", mask: raw.mask ?? "", kind, why: raw.why ?? [], waits: raw.reconverges ?? "",
    first: raw.first, last: raw.last, succ: raw.succ.map((edge) => ({ to: edge.to, label: edge.label ?? "" })),
    idom: raw.idom ?? -1, ipdom: raw.ipdom ?? -1, loop: raw.loop ?? -1,
  };
}

function readStages(raw: RawStage[]): Stage[] {
  const stages: Stage[] = [];
  raw.forEach((stage, at) => {
    const before = stages[at - 1];
    const same = stage.same === true && before !== undefined;
    const graph: Graph | null = same ? before.graph : stage.graph
      ? { blocks: stage.graph.blocks.map(readBlock), loops: (stage.graph.loops ?? []).map((loop) => ({ ...loop, trips: loop.trips ?? "" })), regions: stage.graph.regions ?? [] }
      : null;
    const dialect = stage.target ? `${stage.target} ${stage.dialect}` : stage.dialect;
    stages.push({
      id: `${at}.${stage.name}`, title: stage.name, about: stage.about ?? "", dialect, changed: !same,
      language: stage.dialect === "assembly" ? "assembly" : ["tokens", "ast"].includes(stage.dialect) ? "plain" : "ir",
      text: same ? before.text : stage.text ?? "", lines: same ? before.lines : stage.lines ?? [], graph,
    });
  });
  return stages;
}

export const readStats = (raw: RawRecord["stats"]): Model["stats"] => Object.entries(raw?.schemes ?? {}).map(([scheme, row]) => ({
  scheme, error: typeof row["error"] === "string" ? row["error"] : "",
  values: new Map(Object.entries(row).filter((entry): entry is [string, number] => typeof entry[1] === "number")),
}));

export function readModel(raw: RawRecord): Model {
  if (raw.version !== version) throw new Error(`This page reads records of version ${version}; this record has version ${raw.version}.`);
  const traces = raw.traces.map((trace): Trace => ({
    scheme: trace.scheme, about: trace.about ?? "", order: trace.order ?? "", sampled: trace.sampled ?? "", lanes: trace.lanes, blocks: trace.blocks,
    stage: trace.stage ?? -1, ended: trace.ended ?? 0,
    waits: (trace.waits ?? []).map((at) => ({ block: at.block, slots: at.slots, others: at.for.map((other) => ({ block: other.block, slots: other.slots, how: other.how === "comes" || other.how === "may" ? other.how : "turn" })) })),
    warps: trace.warps.map((warp) => readWarp(warp, trace.lanes)),
  }));
  return {
    kernel: raw.kernel, launch: raw.launch, file: raw.file, source: raw.source, stages: readStages(raw.stages), traces, costs: raw.costs, findings: raw.findings.map((finding) => ({ ...finding, waiting: finding.waiting ?? [] })),
    registers: raw.registers.map((registers) => ({ ...registers, ranges: registers.ranges.map((range) => ({ ...range, register: range.register ?? "", spilled: range.spilled ?? false, line: range.line ?? 0 })) })),
    measures,
    stats: readStats(raw.stats),
    warp: raw.stats?.warp ?? traces[0]?.lanes ?? 0,
    notes: [...(raw.notes ?? []), ...traces.filter((trace) => trace.sampled !== "").map((trace) => `${trace.scheme}: ${trace.sampled}`)],
  };
}
