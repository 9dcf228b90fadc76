// SPDX-License-Identifier: Apache-2.0
"use strict";
// Reconvergence by the OpenTree of the poster "Reconverging control flow graphs" (Universität Mainz and AMD).
//
// Blocks are taken one by one. An edge is open until both its ends are taken. The tree holds the taken blocks with open
// edges; lanes that part at a block wait below it. A divergent block is armed when one of its edges is closed and another
// is open.
const kir = require("kir");
const graphs = require("../graphs.js");
const ssa = require("../03-ssa-construction/ssa.js");
const { Divergence } = require("../05-divergence/divergence.js");

const unique = (list) => [...new Set(list)];

// A block in the plan.
class Node {
  constructor({ block = null, kind = "block", targets = [], parts = false }) {
    this.block = block;
    this.kind = kind;                              // "block", "flow" or "latch"
    this.parts = parts;
    this.targets = targets;                        // nodes
    this.goals = [];                               // where the edges lead in the end; of an edge to a header: its latch
    this.closed = targets.map(() => false);
    this.before = [];                              // sources of edges, present ones and former ones
    this.children = [];
    this.parent = null;
    this.place = null;                             // when it was taken
    this.level = 0;
  }
  openEdges() {
    return [...this.closed.keys()].filter((k) => !this.closed[k]);
  }
  armed() {
    return this.parts && this.closed.includes(true) && this.closed.includes(false);
  }
  leadsTo(other) {
    return this.openEdges().some((k) => this.targets[k] === other);
  }
}

// Reverse postorder, with the blocks of each loop together, its header first, and the exit last. And the loops.
function inOrder(func) {
  const number = new Map(func.reversePostorder().map((b, n) => [b, n]));
  const before = func.predecessors();
  const headers = new Map();
  const expand = (blocks, header) => {
    const successors = (block) => block.successors.filter((s) => blocks.has(s) && s !== header);
    const from = [...blocks].sort((a, b) => number.get(b) - number.get(a));
    return graphs.components(from, successors).reverse().flatMap((component) => {
      if (!graphs.cyclic(component, successors)) return [...component];
      const entries = [...component].filter((b) => before.get(b).some((p) => !component.has(p)));
      const inner = entries.reduce((a, b) => (number.get(a) < number.get(b) ? a : b));
      headers.set(inner, component);
      return [inner, ...expand(component, inner).filter((b) => b !== inner)];
    });
  };
  const order = expand(new Set(number.keys()), null);
  const isExit = (block) => block.terminator.targets.length === 0;
  return { order: [...order.filter((b) => !isExit(b)), ...order.filter(isExit)], headers };
}

class OpenTree {
  constructor(func, divergent) {
    const { order: blocks, headers } = inOrder(func);
    this.nodes = new Map(blocks.map((b) => [b, new Node({ block: b, parts: divergent.has(b) })]));
    for (const [b, node] of this.nodes) node.targets = b.successors.map((s) => this.nodes.get(s));
    this.order = [...this.nodes.values()];
    this.addLatches(blocks, headers);
    this.taken = [];
    for (const node of this.order) {
      node.goals = [...node.targets];
      node.closed = node.targets.map(() => false);
      for (const target of node.targets) target.before.push(node);
    }
  }

  // Back edges of a loop pass a latch after its last block, where lanes wait for the end of the iteration.
  addLatches(blocks, headers) {
    const place = new Map(blocks.map((b, n) => [b, n]));
    const after = new Map();
    const later = (a, b) => place.get(b) - place.get(a);
    for (const header of [...headers.keys()].sort(later)) {  // inner loops end first
      const start = this.nodes.get(header);
      const latch = new Node({ kind: "latch", targets: [start] });
      const inside = [...headers.get(header)].sort(later);
      for (const b of inside) {
        const node = this.nodes.get(b);
        node.targets = node.targets.map((t) => (t === start ? latch : t));
      }
      after.set(inside[0], [...(after.get(inside[0]) ?? []), latch]);
    }
    this.order = blocks.flatMap((b) => [this.nodes.get(b), ...(after.get(b) ?? [])]);
  }

  run() {
    for (const node of this.order) {
      this.arrive(node);
      this.add(node);
      this.goBack(node);
    }
    this.finish();
    return this.taken;
  }

  // The nodes below these, themselves included, in the order in which they were taken.
  subtrees(roots) {
    const found = new Set(roots);
    for (const node of found) for (const child of node.children) found.add(child);
    return [...found].sort((a, b) => a.place - b.place);
  }

  // Lanes that wait at armed nodes for this one wait for all others from there.
  arrive(node) {
    const nodes = this.subtrees(node.before.filter((p) => p.place !== null && p.armed() && p.leadsTo(node)));
    if (nodes.some((n) => n.openEdges().some((k) => n.targets[k] !== node))) this.reroute(nodes);
  }

  // Edges from the node to nodes that were taken before it.
  goBack(node) {
    const to = unique(node.targets.filter((t) => t.place !== null));
    if (to.length === 0) return;
    const nodes = this.subtrees(to);
    [...node.targets].forEach((target, k) => target.place !== null && this.close(node, k));
    const waiting = new Set(nodes.flatMap((n) => n.openEdges().map((k) => n.targets[k])));
    const roots = to.filter((s) => !this.below(s, to) && this.subtrees([s]).some((n) => n.openEdges().length > 0));
    if (waiting.size > 1 || roots.length > 1) this.reroute(nodes);
    this.drop([...to, node]);
  }

  below(node, others) {
    let above = node.parent;
    while (above !== null && !others.includes(above)) above = above.parent;
    return above !== null;
  }

  close(node, k) {
    if (node.kind === "flow" && k > 0 && !node.closed.slice(0, k).includes(true)) {  // the first edge is the one closed first
      [node.targets[0], node.targets[k]] = [node.targets[k], node.targets[0]];
      node.closed[k] = node.closed[0];
      k = 0;
    }
    node.closed[k] = true;
  }

  attach(node, parent) {
    if (node.parent !== null) node.parent.children.splice(node.parent.children.indexOf(node), 1);
    node.parent = parent;
    if (parent !== null) parent.children.push(node);
  }

  // Takes the node: below all its predecessors, which become one path for that.
  add(node) {
    node.place = this.taken.length;
    this.taken.push(node);
    const sources = unique(node.before.filter((p) => p.place !== null && p !== node && p.leadsTo(node)));
    this.attach(node, sources.length > 0 ? this.onePath(sources) : null);
    for (const source of sources)
      while (source.leadsTo(node)) this.close(source, source.openEdges().find((k) => source.targets[k] === node));
    this.drop(sources);
  }

  // Merges the paths from the nearest common ancestor to these nodes into one; returns its last node.
  onePath(nodes) {
    const above = nodes.map((n) => this.path(n));
    const top = above[0].find((a) => above.every((other) => other.includes(a))) ?? null;
    const row = [];
    for (const path of above) {
      const added = [];
      for (const n of path) {
        if (n === top || row.includes(n)) break;
        added.push(n);
      }
      const next = path[added.length];
      const start = next !== undefined && next !== top ? next.level : 0;
      added.reverse().forEach((n, distance) => { n.level = start + distance + 1; });
      row.push(...added.reverse());
    }
    if (row.length === 0) return top;
    const among = new Set(row);
    const isLast = new Map(row.map((n) => [n, !n.children.some((c) => among.has(c))]));
    row.sort((a, b) => isLast.get(a) - isLast.get(b) || a.level - b.level || a.place - b.place);
    let last = top;
    for (const n of row) {
      this.attach(n, last);
      last = n;
    }
    return last;
  }

  path(node) {
    const found = [];
    for (let at = node; at !== null; at = at.parent) found.push(at);
    return found;
  }

  // Nodes without open edges, in and out, leave the tree.
  drop(nodes) {
    for (const node of nodes) {
      if (node.openEdges().length > 0 || node.before.some((p) => p.place === null && p.leadsTo(node))) continue;
      for (const child of [...node.children]) this.attach(child, node.parent);
      this.attach(node, null);
    }
  }

  // Sends all open edges of the nodes through a new flow node.
  reroute(nodes) {
    const targets = unique(nodes.flatMap((n) => n.openEdges().map((k) => n.targets[k])));
    const flow = new Node({ kind: "flow", targets, parts: true });
    for (const target of targets) target.before.push(flow);
    for (const node of nodes) {
      const rest = node.openEdges();
      if (rest.length === 0) continue;
      for (const k of rest) node.targets[k] = flow;
      flow.before.push(node);
      if (node.kind !== "flow") continue;
      const kept = node.targets.filter((_, k) => node.closed[k]);  // one edge stands for all that are left
      node.targets = [...kept, flow];
      node.closed = [...kept.map(() => true), false];
    }
    this.add(flow);
  }

  // Removes flow nodes that lead to one place only, and latches where nobody waits.
  finish() {
    const instead = new Map();
    const end = (node) => {
      while (instead.has(node)) node = instead.get(node);
      return node;
    };
    const resolve = () => {
      for (const node of this.taken) {
        node.targets = node.targets.map(end);
        node.goals = node.goals.map(end);
      }
      this.taken = this.taken.filter((n) => !instead.has(n));
    };
    for (const node of [...this.taken].reverse()) {
      if (node.kind !== "flow") continue;
      node.targets = node.targets.map((t) => instead.get(t) ?? t);
      if (unique(node.targets).length === 1) instead.set(node, node.targets[0]);
    }
    resolve();
    const place = new Map(this.taken.map((n, k) => [n, k]));
    const waits = new Set(this.taken.filter((n) => n.parts && unique(n.targets).length > 1)
      .map((n) => n.targets.reduce((a, b) => (place.get(a) >= place.get(b) ? a : b))));
    for (const node of this.taken) if (node.kind === "latch" && !waits.has(node)) instead.set(node, node.targets[0]);
    resolve();
  }
}

// What wrong submissions replace.
const parts = { apply, way, expandSwitch, divergentIds };

// Makes the plan's control flow. A variable for each flow block says whether a lane goes to its first target.
function apply(func, plan) {
  const variables = (func.known.vars ??= []);
  for (const node of plan) {
    if (node.kind === "block") continue;
    node.block = func.addBlock(node.kind);
    if (node.kind === "flow") {
      variables.push({ name: "first", type: "i1" });
      node.var = variables.length - 1;
    }
  }
  func.blocks = plan.flatMap((node) => {
    const build = new kir.Builder(node.block);
    if (node.kind === "block") return [node.block, ...redirect(func, node)];
    if (node.kind === "latch") build.br(node.targets[0].block);
    else build.brIf(build.make("var_get", "i1", [], { var: node.var }), ...node.targets.map((t) => t.block));
    return [node.block];
  });
}

// The flow nodes that an edge passes, and whether each sends it to its first target.
function way(node, k) {
  const goal = node.goals[k], found = new Map();
  for (let at = node.targets[k]; at !== goal && at.kind !== "block";) {
    const first = at.kind === "latch" || at.targets[0] === goal;
    if (at.kind === "flow") found.set(at, first);
    at = at.targets[first ? 0 : 1];
  }
  return found;
}

// Gives the edges of a block their new targets. Returns blocks that it needs after it.
function redirect(func, node) {
  const end = node.block.terminator;
  const ways = end.targets.map((_, k) => parts.way(node, k));
  const set = (build, flow, value) => build.emit("var_set", [value], [], { attrs: { var: flow.var } });
  if (end.op === "switch" && ways.some((w) => w.size > 0))
    return end.targets.map((target, k) => {
      const block = func.addBlock("edge");
      const build = new kir.Builder(block);
      for (const [flow, first] of ways[k]) set(build, flow, new kir.Const("i1", first));
      build.br(node.targets[k].block);
      target.block = block;
      return block;
    });
  const build = new kir.Builder(node.block, node.block.insts.length - 1);
  for (const flow of unique(ways.flatMap((w) => [...w.keys()]))) {
    const said = ways.filter((w) => w.has(flow)).map((w) => w.get(flow));
    let value = new kir.Const("i1", said[0]);
    if (said.includes(true) && said.includes(false)) {
      [value] = end.operands;
      if (!said[0]) value = build.make("xor", "i1", [value, new kir.Const("i1", true)]);
    }
    set(build, flow, value);
  }
  end.targets.forEach((target, k) => { target.block = node.targets[k].block; });
  if (end.op === "br_if" && unique(node.block.successors).length === 1) becomeJump(node.block);
  return [];
}

// All edges of the block lead to one place.
function becomeJump(block) {
  const { targets, loc } = block.terminator;
  block.insts[block.insts.length - 1] = new kir.Inst("br", { targets: targets.slice(0, 1), loc });
}

// One return; branches with two different targets, or switches.
function prepare(func) {
  ssa.reachableOnly(func);
  func.demote();
  const returns = func.blocks.filter((b) => b.terminator.op === "ret");
  if (returns.length > 1) {
    const last = func.addBlock("exit");
    last.insts = [new kir.Inst("ret")];
    for (const block of returns) block.insts[block.insts.length - 1] = new kir.Inst("br", { targets: [new kir.Target(last)] });
  }
  for (const block of func.blocks) if (block.terminator.op !== "br" && unique(block.successors).length === 1) becomeJump(block);
}

// A switch becomes a chain of comparisons.
function expandSwitch(func, start) {
  const end = start.insts.pop();
  const [value, ...cases] = end.operands;
  const [fallback, ...targets] = end.targets;
  func.known.vars.push({ name: "case", type: value.type });
  const attrs = { var: func.known.vars.length - 1 };
  new kir.Builder(start).emit("var_set", [value], [], { attrs });
  const added = [start];
  let block = start;
  cases.forEach((one, n) => {
    const build = new kir.Builder(block);
    const got = build.make("var_get", value.type, [], attrs);
    const following = n + 1 < cases.length ? func.addBlock("case", [], block) : fallback.block;
    build.brIf(build.make("eq", "i1", [got, one]), targets[n].block, following);
    if (targets[n].block === following) becomeJump(block);
    block = following;
    added.push(block);
  });
  return added;
}

// Ids of blocks with divergent branches, once it is in SSA form.
function divergentIds(func) {
  ssa.promote(func);
  return new Set([...new Divergence(func).branches].map((b) => b.id));
}

function restructure(func, divergent) {
  const ids = new Set(divergent);
  for (const block of [...func.blocks])
    if (ids.has(block.id) && block.terminator.op === "switch") for (const b of number(func, parts.expandSwitch(func, block))) ids.add(b.id);
  parts.apply(func, new OpenTree(func, new Set(func.blocks.filter((b) => ids.has(b.id)))).run());
}

// Gives new blocks their ids now.
function number(func, blocks) {
  let following = Math.max(...func.blocks.map((b) => b.id ?? -1)) + 1;
  for (const block of blocks) block.id ??= following++;
  return blocks;
}

const copyOf = (func) => kir.loads(kir.dumps(new kir.Module([func]))).functions[0];

function reconverge(func) {
  prepare(func);
  number(func, func.blocks);
  const known = new Set(func.blocks.map((b) => b.id));
  const divergent = parts.divergentIds(copyOf(func));
  for (;;) {  // values that pass flow blocks may differ, and branches on them
    const result = copyOf(func);
    restructure(result, divergent);
    number(result, result.blocks);
    const more = [...parts.divergentIds(copyOf(result))].filter((id) => known.has(id) && !divergent.has(id));
    if (more.length === 0) return result;
    for (const id of more) divergent.add(id);
  }
}

module.exports = { parts, OpenTree, reconverge };
