// SPDX-License-Identifier: Apache-2.0
"use strict";
// Divergence analysis: which values and branches may differ between the lanes of a warp.
//
// After Rosemann, Moll and Hack, "An Abstract Interpretation for SPMD Divergence on Reducible Control Flow Graphs"
// (2021). Everything is uniform until a source, an operand, or a divergent branch says otherwise.
const kir = require("kir");
const graphs = require("../graphs.js");

const SOURCES = new Set(["global_id", "local_id", "sub_group_local_id", "scan", "var_get"]);

// What wrong submissions replace.
const parts = {
  // Whether its results differ between lanes although its operands may not.
  isSource(inst) {
    const effect = kir.EFFECTS[inst.op];
    if (SOURCES.has(inst.op) || effect === "write") return true;  // the results of atomic operations, too
    return effect === "read" && inst.operands[0]?.type === "ptr<private>";
  },
};

class Divergence {
  constructor(func) {
    this.func = func;
    this.loops = graphs.loops(func);
    this.order = func.reversePostorder();
    this.successors = new Map(this.order.map((block) => [block, block.successors]));
    this.paths = new Map();       // by loop: predecessors, see `predecessors`
    this.edges = new Map(func.blocks.map((block) => [block, []]));
    for (const block of func.blocks) for (const target of block.terminator.targets) this.edges.get(target.block).push(target);
    this.values = new Set();      // values that differ
    this.branches = new Set();    // blocks that end in divergent branches
    this.left = new Set();        // loops that lanes leave in different iterations
    this.placeOf = new Map();     // by value: its block
    for (const block of func.blocks) {
      for (const param of block.params) this.placeOf.set(param, block);
      for (const inst of block.insts) for (const result of inst.results) this.placeOf.set(result, block);
    }
    do {
      this.changed = false;
      for (const block of this.order) for (const inst of block.insts) this.visit(block, inst);
    } while (this.changed);
  }

  // Whether lanes that use the value in this block may see different ones.
  differs(block, value) {
    if (this.values.has(value)) return true;
    return value instanceof kir.Value && [...this.left].some((loop) => !loop.blocks.has(block) && this.isIn(value, loop));
  }

  // Whether the loop computes the value.
  isIn(value, loop) {
    return loop.blocks.has(this.placeOf.get(value));
  }

  add(value) {
    if (this.values.has(value)) return;
    this.values.add(value);
    this.changed = true;
  }

  visit(block, inst) {
    const anyDiffers = inst.operands.some((v) => this.differs(block, v));
    if (parts.isSource(inst) || (anyDiffers && (kir.EFFECTS[inst.op] !== "cross_lane" || inst.op === "shuffle")))
      for (const result of inst.results) this.add(result);
    for (const target of inst.targets)
      target.block.params.forEach((param, k) => this.differs(block, target.args[k]) && this.add(param));
    if (!anyDiffers || inst.targets.length < 2 || this.branches.has(block)) return;
    this.branches.add(block);
    this.changed = true;
    this.part(block);
  }

  // What a divergent branch makes divergent.
  part(branch) {
    const { joins, labels } = this.findJoins(branch);
    for (const join of joins) this.join(join);
    for (const loop of this.loops) {
      if (loop.entries.length > 1) {
        if (loop.blocks.has(branch) || [...joins].some((j) => loop.blocks.has(j))) this.mix(loop);
      } else if (loop.blocks.has(branch) && [...loop.exits].some((e) => labels.has(e) && labels.get(e) !== labels.get(loop.header))) {
        this.leave(loop);
      }
    }
  }

  // Lanes come to the block along different paths.
  join(block) {
    block.params.forEach((param, index) => this.sameOnAllEdges(block, index) || this.add(param));
  }

  // Whether all edges pass one value that this loop does not compute.
  sameOnAllEdges(block, index, loop = null) {
    const values = new Set(this.edges.get(block).map((edge) => edge.args[index]));
    values.delete(block.params[index]);
    const known = [...values].filter((v) => !(v instanceof kir.Undef));
    if (known.length === 0 || (known.length === 1 && known[0] instanceof kir.Const)) return true;
    const [value] = values;
    return values.size === 1 && !(loop && this.isIn(value, loop));
  }

  // Lanes leave the loop in different iterations, or by different exits.
  leave(loop) {
    if (this.left.has(loop)) return;
    this.left.add(loop);
    this.changed = true;
    for (const block of loop.exits) block.params.forEach((param, index) => this.sameOnAllEdges(block, index, loop) || this.add(param));
  }

  // Lanes are at different places of a loop with several entries: nothing in it is the same for all.
  mix(loop) {
    for (const block of loop.blocks) for (const value of [...block.params, ...block.insts.flatMap((i) => i.results)]) this.add(value);
    this.leave(loop);
  }

  // The blocks where paths from different targets of the branch meet for the first time, and a label for each block that
  // paths lead to: the last place where all its paths have met, or the target that they all begin with.
  findJoins(branch) {
    const targets = this.successors.get(branch);
    const joins = new Set(targets.filter((t, n) => targets.indexOf(t) !== n));
    const before = this.predecessors(branch);
    let labels = null;
    while (labels === null) labels = labelsFrom(branch, targets, this.order, before, joins);
    return { joins, labels };
  }

  // At the header of a loop around the branch a new iteration begins: from there, paths lead only out of the loop.
  predecessors(branch) {
    const around = this.loops.filter((loop) => loop.blocks.has(branch));
    const inner = around[around.length - 1] ?? null;
    if (!this.paths.has(inner)) {
      const exits = new Map(around.filter((loop) => loop.entries.length === 1).map((loop) => [loop.header, loop.exits]));
      const before = new Map(this.order.map((block) => [block, []]));
      for (const block of this.order) for (const following of exits.get(block) ?? this.successors.get(block)) before.get(following).push(block);
      this.paths.set(inner, before);
    }
    return this.paths.get(inner);
  }
}

// The labels, given these joins, to which it adds those that it finds. null if a block that has passed on its label turns
// out to be a join: what it has passed on is out of date.
function labelsFrom(branch, targets, order, before, joins) {
  const labels = new Map(targets.map((block) => [block, block]));
  for (let changed = true; changed;) {
    changed = false;
    for (const block of order) {
      const come = new Set(before.get(block).filter((p) => p !== branch && labels.has(p)).map((p) => labels.get(p)));
      if (targets.includes(block)) come.add(block);
      if (come.size > 1 && !joins.has(block)) {
        joins.add(block);
        if (labels.has(block) && !targets.includes(block)) return null;
      }
      if (come.size > 0 && !labels.has(block)) {
        labels.set(block, joins.has(block) ? block : [...come][0]);
        changed = true;
      }
    }
  }
  return labels;
}

const main = () => kir.answer((func) => ({ divergent: [...new Divergence(func).branches].map((block) => block.id) }));

module.exports = { parts, Divergence, main };
