// SPDX-License-Identifier: Apache-2.0
// node compose.mjs KERNELC PAGE OUTPUT FILE LAUNCH...: fills the page with a record made of what the command prints about
// a launch: stages, remarks, traces, costs. It knows no more than these texts say.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const schemes = [
  ["ipdom", "A stack: the arms of a branch execute one after the other, up to its immediate post-dominator."],
  ["tf-stack", "Next is the block of highest priority among those where work-items wait."],
  ["tf-sandy", "The same priorities, but next is the first block where some might wait."],
];
// One function everywhere: the costs of stats are those of code in which nothing is done together.
const same = "--no-meld";
const mostSteps = 10000; // of a warp
const mostWarps = 4;

const options = { maxBuffer: 1 << 29, encoding: "utf8" };

function run(kernelc, ...words) {
  return execFileSync(kernelc, words, { ...options, stdio: ["ignore", "pipe", "pipe"] });
}

// The line of the source that each line of the text comes from: the last place that it names in the main file.
const linesOf = (text) => text.split("\n").map((line) => Number([...line.matchAll(/!(\d+):\d+(?!:)/g)].pop()?.[1] ?? 0));

// Immediate dominators by iteration over the reverse post-order (Cooper, Harvey and Kennedy).
function dominators(count, roots, succ, pred) {
  const order = [];
  const seen = new Set();
  const visit = (root) => {
    const stack = [[root, 0]];
    seen.add(root);
    while (stack.length > 0) {
      const top = stack[stack.length - 1];
      const next = succ[top[0]][top[1]++];
      if (next === undefined) {
        order.push(top[0]);
        stack.pop();
      } else if (!seen.has(next)) {
        seen.add(next);
        stack.push([next, 0]);
      }
    }
  };
  // A virtual root above all roots has the number `count`.
  for (const root of roots) if (!seen.has(root)) visit(root);
  order.reverse();
  const at = new Map(order.map((block, n) => [block, n + 1]));
  at.set(count, 0);
  const idom = new Array(count + 1).fill(-1);
  idom[count] = count;
  const isRoot = new Set(roots);
  for (let changed = true; changed; ) {
    changed = false;
    for (const block of order) {
      let best = isRoot.has(block) ? count : -1;
      for (let other of pred[block]) {
        if (idom[other] < 0) continue;
        if (best < 0) best = other;
        while (best !== other) {
          while (at.get(other) > at.get(best)) other = idom[other];
          while (at.get(best) > at.get(other)) best = idom[best];
        }
      }
      if (idom[block] !== best) {
        idom[block] = best;
        changed = true;
      }
    }
  }
  return idom.slice(0, count).map((parent) => (parent === count ? -1 : parent));
}

function loopsOf(blocks, idom, pred) {
  const dominates = (a, b) => {
    for (; b >= 0; b = idom[b]) if (a === b) return true;
    return false;
  };
  const bodies = new Map();
  blocks.forEach((block, from) => {
    for (const { to } of block.succ) {
      if (!dominates(to, from)) continue;
      const body = bodies.get(to) ?? new Set([to]);
      bodies.set(to, body);
      const work = [from];
      while (work.length > 0) {
        const one = work.pop();
        if (body.has(one)) continue;
        body.add(one);
        work.push(...pred[one]);
      }
    }
  });
  const loops = [...bodies].map(([header, body]) => ({ header, blocks: [...body].sort((a, b) => a - b), depth: 0 })).sort((a, b) => b.blocks.length - a.blocks.length);
  for (const loop of loops) loop.depth = loops.filter((other) => other !== loop && other.blocks.includes(loop.header) && other.blocks.length > loop.blocks.length).length;
  return loops;
}

// The blocks of one function in the text form of any dialect.
function graphOf(text, causes) {
  const blocks = [];
  let current = null;
  text.split("\n").forEach((line, index) => {
    const head = line.match(/^([\w.$]+)(?:\((.*)\))?(?: mask (%\d+))?( flow)?(?: [\w=]+)*:$/);
    if (head) {
      current = { label: head[1], params: head[2] ?? "", mask: head[3] ?? "", first: index + 1, last: index + 1, line: 0, end: "", flow: head[4] !== undefined };
      blocks.push(current);
    } else if (current && line === "}") current = null;
    else if (current) {
      current.last = index + 1;
      current.end = line;
      current.line ||= Number(line.match(/!(\d+):\d+(?!:)/)?.[1] ?? 0);
    }
  });
  if (blocks.length === 0) return undefined;
  const at = new Map(blocks.map((block, n) => [block.label, n]));
  for (const block of blocks) {
    const targets = [...(block.end.split(" -> ")[1] ?? "").matchAll(/(?:^|[ ,])([\w.$]+)(?:\(([^()]*(?:\([^()]*\)[^()]*)*)\))?(?=,|$| !)/g)].map((m) => at.get(m[1])).filter((to) => to !== undefined);
    const isIf = /^\s+(br_if|j\w+|p_br_\w+)\b/.test(block.end) && targets.length === 2;
    block.succ = targets.map((to, n) => ({ to, label: targets.length < 2 ? "" : isIf ? (n === 0 ? "true" : "false") : `${n}` }));
    const place = block.end.match(/!(\d+:\d+)(?!:)/)?.[1];
    const why = place ? causes.get(place) : undefined;
    if (block.flow) block.kind = "flow";
    else if (targets.length > 1) block.kind = why ? "divergent" : "uniform";
    if (why && targets.length > 1) block.why = why;
    delete block.end;
    delete block.flow;
  }
  const succ = blocks.map((block) => block.succ.map((edge) => edge.to));
  const pred = blocks.map(() => []);
  succ.forEach((targets, from) => targets.forEach((to) => pred[to].push(from)));
  const idom = dominators(blocks.length, [0], succ, pred);
  const ipdom = dominators(blocks.length, blocks.flatMap((block, n) => (block.succ.length === 0 ? [n] : [])), pred, succ);
  const loops = loopsOf(blocks, idom, pred);
  blocks.forEach((block, n) => {
    block.idom = idom[n];
    block.ipdom = ipdom[n];
    block.loop = loops.findLastIndex((loop) => loop.blocks.includes(n));
  });
  return { blocks, loops };
}

// Live ranges in the text of an allocated function: "%5: gpr @r0 = ..." says which register a value has.
function registersOf(target, stage, kinds, facts) {
  const { text, graph } = stage;
  const lines = text.split("\n");
  const code = []; // instructions, in the order of the text
  const values = new Map(); // name: kind and register
  const note = (line) => {
    for (const [, name, kind, register] of line.matchAll(/(%\d+): (\w+) @r(\d+)/g)) values.set(name, { kind, register: Number(register) });
  };
  note(lines[0]);
  const blocks = graph.blocks.map((block) => {
    const defs = [...(lines[block.first - 1].match(/(%\d+): \w+ @r/g) ?? [])].map((text) => text.slice(0, text.indexOf(":")));
    note(lines[block.first - 1]);
    const from = code.length;
    for (let at = block.first; at < block.last; at++) {
      const line = lines[at];
      note(line);
      const defined = line.match(/^\s+(%\d+): /)?.[1];
      const used = [...line.slice(defined ? line.indexOf("=") : 0).matchAll(/%\d+/g)].map((m) => m[0]);
      code.push({ text: line.trim(), line: stage.lines[at] ?? 0, defined, used });
    }
    return { defs, from, to: code.length, in: new Set() };
  });
  const liveAfter = new Array(code.length);
  for (let changed = true; changed; ) {
    changed = false;
    for (let b = blocks.length - 1; b >= 0; b--) {
      const block = blocks[b];
      const live = new Set(graph.blocks[b].succ.flatMap(({ to }) => [...blocks[to].in]));
      for (let at = block.to - 1; at >= block.from; at--) {
        liveAfter[at] = new Set(live);
        if (code[at].defined) live.delete(code[at].defined);
        for (const name of code[at].used) live.add(name);
      }
      for (const name of block.defs) live.delete(name);
      if (live.size !== block.in.size) {
        block.in = live;
        changed = true;
      }
    }
  }
  const prefix = new Map(kinds.map((kind) => [kind.name, kind]));
  const kindOf = (name) => prefix.get(values.get(name)?.kind.replace(/\d+$/, ""));
  const words = (name) => Number(values.get(name)?.kind.match(/\d+$/)?.[0] ?? 1);
  const pressure = kinds.map(() => code.map(() => 0));
  const ranges = [];
  const open = new Map();
  const close = (name, to) => {
    const kind = kindOf(name);
    const { from, line } = open.get(name);
    open.delete(name);
    const first = values.get(name).register;
    for (let word = 0; word < words(name); word++) ranges.push({ name, kind: kind.name, from, to, register: `${kind.prefix}${first + word}`, line });
  };
  const lineOf = new Map(code.filter((inst) => inst.defined).map((inst) => [inst.defined, inst.line]));
  code.forEach((inst, at) => {
    const live = new Set([...liveAfter[at], ...(inst.defined ? [inst.defined] : [])].filter(kindOf));
    for (const name of [...open.keys()]) if (!live.has(name)) close(name, at);
    for (const name of live) {
      if (!open.has(name)) open.set(name, { from: at, line: lineOf.get(name) ?? 0 });
      pressure[kinds.indexOf(kindOf(name))][at] += words(name);
    }
  });
  for (const name of [...open.keys()]) close(name, code.length);
  const number = (register) => Number(register.replace(/\D+/, ""));
  ranges.sort((a, b) => kinds.findIndex((kind) => kind.name === a.kind) - kinds.findIndex((kind) => kind.name === b.kind) || number(a.register) - number(b.register) || a.from - b.from);
  return {
    target, ranges, facts, code: code.map(({ text, line }) => ({ text, line })),
    kinds: kinds.map(({ title, limit }, at) => ({ name: title, limit, pressure: pressure[at] })),
  };
}

// Registers as the text names them.
const machines = [
  { target: "avx2", after: ["allocate_registers"], kinds: [{ name: "gpr", title: "general", prefix: "gpr ", limit: 16 }, { name: "vec", title: "vector", prefix: "ymm", limit: 16 }] },
  { target: "gfx900", after: ["allocate_vectors"], kinds: [{ name: "s", title: "scalar", prefix: "s", limit: 102 }, { name: "v", title: "vector", prefix: "v", limit: 256 }] },
];

function allocations(kernelc, file, stages, kernel) {
  return machines.flatMap(({ target, after, kinds }) => {
    const stage = stages.find((one) => one.target === target && after.includes(one.name) && one.text);
    if (!stage?.graph) return [];
    const about = JSON.parse(run(kernelc, file, same, "--emit=json", `--target=${target}`));
    const used = about.kernels.find((one) => one.name === kernel)?.resources ?? {};
    const facts = Object.entries(used).filter(([, value]) => typeof value === "number").map(([name, value]) => ({ name: name.replaceAll("_", " "), value: String(value) }));
    return [registersOf(target, stage, kinds, facts)];
  });
}

// "line:column" of each divergent branch, and why it is that.
function readCauses(text, file) {
  const causes = new Map();
  let last = null;
  for (const line of text.split("\n")) {
    const [, where, row, column, kind, message] = line.match(/^(.*?):(\d+):(\d+): (remark|note): (.*)$/) ?? [];
    if (where === undefined || basename(where) !== basename(file)) continue;
    if (kind === "remark") {
      last = null;
      const what = message.match(/^(?:branch|switch) is divergent(?:: (.*?))? \[-Rpass=uniformity\]$/);
      if (!what) continue;
      last = [{ line: Number(row), text: what[1] ?? "differs between the lanes" }];
      if (!causes.has(`${row}:${column}`)) causes.set(`${row}:${column}`, last);
    } else if (last) last.push({ line: Number(row), text: message });
  }
  return causes;
}

function stagesOf(kernelc, file, causes, kernel) {
  const stages = [];
  const add = (words, target) => {
    const { stderr, stdout, status } = spawnSync(kernelc, [file, same, ...words, "--print-after", "all"], options);
    if (status !== 0) return;
    for (const part of stderr.split(/^; after /m).slice(1)) {
      const [, name, of, unchanged] = part.match(/^(\w+): @(\S+?)( is unchanged)?\n/) ?? [];
      if (name === undefined || of !== kernel) continue;
      const text = part.slice(part.indexOf("\n") + 1).trim();
      const kind = unchanged ? "" : text.match(/^(\w+) func/)?.[1] ?? "";
      if (target && (kind === "thread" || kind === "wave")) continue;
      if (unchanged && stages.length === 0) continue;
      if (unchanged && target && stages[stages.length - 1].target !== target) continue;
      if (unchanged) stages.push({ name, dialect: stages[stages.length - 1].dialect, target, same: true });
      else stages.push({ name, dialect: kind, target, text, lines: linesOf(text), graph: graphOf(text, causes) });
    }
    if (target) stages.push({ name: `${target} assembly`, dialect: "assembly", text: stdout.trimEnd(), lines: [] });
  };
  for (const kind of ["tokens", "ast"]) {
    const text = run(kernelc, file, `--emit=${kind}`).trimEnd();
    stages.push({ name: kind, dialect: kind, text, lines: text.split("\n").map((line) => Number(line.match(/\b(\d+):\d+/)?.[1] ?? 0)) });
  }
  add(["--emit=wave", "--width", "32"]);
  for (const target of ["avx2", "gfx900"]) add([`--target=${target}`, "-S"], target);
  return stages;
}

// The instructions of each block of the function that the simulator runs, by line of the source. One without a place
// counts for the line before it.
function instructionsOf(kernelc, file, kernel) {
  const text = run(kernelc, file, same, "--emit=ir", "--kernel", kernel);
  const places = linesOf(text);
  return new Map(graphOf(text, new Map()).blocks.map((block) => {
    const lines = new Map();
    let last = block.line;
    for (let at = block.first; at < block.last; at++) {
      last = places[at] || last;
      lines.set(last, (lines.get(last) ?? 0) + 1);
    }
    return [block.label, [...lines]];
  }));
}

function traceOf(kernelc, file, launch, scheme, order, folder, instructions) {
  const path = join(folder, `${scheme}.trace`);
  const { status } = spawnSync(kernelc, ["run", file, same, ...launch, "--target", "sim", "--scheme", scheme, "--warp", "32", "--trace", path], options);
  if (status !== 0) return null;
  const trace = JSON.parse(run(kernelc, "trace", path, "--json"));
  const warps = new Map();
  const lines = new Map();
  for (const event of trace.events) {
    const warp = warps.get(event.warp) ?? { warp: event.warp, total: 0, blocks: [], lanes: [] };
    warps.set(event.warp, warp);
    warp.total++;
    for (const [line, count] of instructions.get(trace.blocks[event.block].label) ?? []) {
      const cost = lines.get(line) ?? { line, issued: 0, active: 0 };
      cost.issued += count * trace.width;
      cost.active += count * event.lanes.length;
      lines.set(line, cost);
    }
    if (warps.size > mostWarps || warp.blocks.length >= mostSteps) continue;
    const mask = event.lanes.reduce((bits, lane) => bits | (1n << BigInt(lane)), 0n).toString(16);
    warp.blocks.push(event.block);
    warp.lanes.push(mask);
  }
  const kept = [...warps.values()].slice(0, mostWarps);
  const missing = [];
  if (warps.size > kept.length) missing.push(`the first ${kept.length} of ${warps.size} warps`);
  if (kept.some((warp) => warp.total > warp.blocks.length)) missing.push(`at most the first ${mostSteps} steps of each warp`);
  const costs = [...lines.values()].filter((cost) => cost.line > 0);
  const sum = (key) => [...lines.values()].reduce((total, cost) => total + cost[key], 0);
  return {
    trace: { scheme, order, lanes: trace.width, blocks: trace.blocks, warps: kept, sampled: missing.length > 0 ? `Shown: ${missing.join(", ")}.` : "" },
    cost: { scheme, issued: sum("issued"), active: sum("active"), lines: costs },
  };
}

export function compose(kernelc, page, output, file, launch) {
  const folder = mkdtempSync(join(tmpdir(), "kernelc-"));
  try {
    const stats = JSON.parse(run(kernelc, "stats", file, ...launch, "--json"));
    const causes = readCauses(spawnSync(kernelc, [file, same, "-Rpass=uniformity"], options).stderr, file);
    const instructions = instructionsOf(kernelc, file, stats.kernel);
    const traced = schemes.map(([scheme, order]) => traceOf(kernelc, file, launch, scheme, order, folder, instructions)).filter((one) => one !== null);
    const cost = traced[0]?.cost;
    const byLine = new Map();
    for (const [place, why] of causes) {
      const line = Number(place.split(":")[0]);
      if (!byLine.has(line) || byLine.get(line).length < why.length) byLine.set(line, why);
    }
    const costly = [...(cost?.lines ?? [])].sort((a, b) => b.issued - b.active - (a.issued - a.active)).slice(0, 5);
    const stages = stagesOf(kernelc, file, causes, stats.kernel);
    const record = {
      version: 1, kernel: stats.kernel, launch: launch.map((word) => word.replace(/@.*\//, "@")).join(" "), file: basename(file), source: readFileSync(file, "utf8"),
      stages, traces: traced.map((one) => one.trace), costs: traced.map((one) => one.cost),
      findings: costly.map((line) => ({
        line: line.line, wasted: (line.issued - line.active) / Math.max(1, cost.issued), out: [],
        title: `${((100 * (line.issued - line.active)) / line.issued).toFixed(0)} % of its issue slots are wasted`,
        why: byLine.get(line.line) ?? [],
      })),
      registers: allocations(kernelc, file, stages, stats.kernel), stats, notes: ["Everything here is compiled with --no-meld, as the rows of kernelc stats are."],
    };
    const text = JSON.stringify(record).replaceAll("<", "\\u003c");
    writeFileSync(output, readFileSync(page, "utf8").replace("/*RECORD*/", () => text));
    return stats;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [kernelc, page, output, file, ...launch] = process.argv.slice(2);
  compose(kernelc, page, output, file, launch);
}
