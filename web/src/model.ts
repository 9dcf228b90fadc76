// SPDX-License-Identifier: Apache-2.0
// What the views draw, in the shape that drawing needs. record.ts makes it from the record in the page.

export interface Edge {
  to: number;
  label: string;
}

export type Divergence = "divergent" | "uniform" | "flow" | "plain";

export interface Block {
  label: string;
  params: string;
  mask: string;
  kind: Divergence;
  why: { line: number; text: string }[]; // the chain of causes of a divergent branch
  waits: string; // where lanes that part here reconverge
  succ: Edge[];
  idom: number; // -1: none
  ipdom: number;
  loop: number; // the innermost one; -1: none
  first: number; // lines of the stage's text, from 1
  last: number;
  line: number; // of the source; 0: unknown
}

export interface Region {
  kind: string;
  blocks: number[];
}

export interface Loop {
  header: number;
  blocks: number[];
  depth: number;
  trips: string;
}

export interface Graph {
  blocks: Block[];
  loops: Loop[];
  regions: Region[];
}

export interface Stage {
  id: string;
  title: string;
  about: string;
  dialect: string;
  changed: boolean;
  language: "ir" | "assembly" | "plain";
  text: string;
  lines: number[]; // the source line of each line of the text; 0: none
  graph: Graph | null;
}

export interface TraceBlock {
  label: string;
  line: number;
}

// The steps of one warp: the block that each executes, and its lanes as two words of 32 bits.
export interface Warp {
  number: number;
  block: Int32Array;
  low: Uint32Array;
  high: Uint32Array;
  last: Int32Array; // the last step of each lane; -1: none
  values: Map<number, LaneValues>; // by step
  total: number; // steps executed, which are more than the steps here if the trace was cut
}

export interface LaneValues {
  names: string[];
  rows: string[][]; // by name, then by lane
}

// What executing lanes have to do with those that wait: they come to the same place, they may, or they do not.
export type Encounter = "comes" | "may" | "turn";

export interface Waits {
  block: number; // where lanes wait
  slots: number; // the idle issue slots of that
  others: { block: number; slots: number; how: Encounter }[]; // what other lanes execute meanwhile, the most first
}

export interface Trace {
  scheme: string;
  about: string;
  lanes: number;
  blocks: TraceBlock[];
  warps: Warp[];
  sampled: string; // what is missing; "": nothing
  order: string; // how the scheme chooses the next block
  waits: Waits[]; // of the whole launch, the most first
  ended: number; // idle issue slots of lanes that have ended
  stage: number; // the place of the stage that is simulated; -1: it is not there
}

export interface LineCost {
  line: number;
  issued: number; // lane slots: instructions times lanes
  active: number;
}

export interface Cost {
  scheme: string;
  lines: LineCost[];
  issued: number;
  active: number;
}

export interface Finding {
  line: number;
  title: string;
  wasted: number; // share of all issue slots
  why: { line: number; text: string }[];
  out: string[];
  waiting: { line: number; share: number; branch?: number; decision?: string }[]; // before which lines the idle lanes wait meanwhile, and what sent them there; 0: they have ended
}

export interface Range {
  name: string;
  from: number;
  to: number;
  register: string;
  kind: string;
  spilled: boolean;
  line: number;
}

export interface Registers {
  target: string;
  code: { text: string; line: number }[];
  ranges: Range[];
  kinds: { name: string; limit: number; pressure: number[] }[];
  facts: { name: string; value: string }[];
}

export interface Measure {
  id: string;
  title: string;
  digits: number; // of the fraction
}

export interface Model {
  kernel: string;
  launch: string;
  file: string;
  source: string;
  stages: Stage[];
  traces: Trace[];
  costs: Cost[];
  findings: Finding[];
  registers: Registers[];
  measures: Measure[];
  stats: { scheme: string; error: string; values: Map<string, number> }[];
  warp: number;
  notes: string[]; // what the record leaves out
}
