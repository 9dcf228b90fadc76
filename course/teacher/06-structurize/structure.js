// SPDX-License-Identifier: Apache-2.0
"use strict";
// Structured control flow by new blocks that branch on what edges tell them.
//
// After N. Reissmann and others, "Efficient Control Flow Restructuring for GPUs" (2016): loops from the outside inwards
// get one entry and one exit, then the arms of each branch one place where they meet.
const kir = require("kir");
const graphs = require("../graphs.js");

const END = {};  // where a region is left

const unique = (list) => [...new Set(list)];

class Structurizer {
  constructor(func) {
    this.func = func;
  }

  run() {
    const reached = new Set(this.func.reversePostorder());
    this.func.blocks = this.func.blocks.filter((b) => reached.has(b));
    this.func.demote();
    this.oneReturn();
    this.region(new Set(this.func.blocks), this.func.entry, null, null);
  }

  oneReturn() {
    const returns = this.func.blocks.filter((b) => b.terminator.op === "ret");
    if (returns.length < 2) return;
    const last = this.func.addBlock("exit");
    last.insts = [new kir.Inst("ret")];
    for (const block of returns) block.insts[block.insts.length - 1] = new kir.Inst("br", { targets: [new kir.Target(last)] });
  }

  // Routes the edges through a new block of this region; without need, the block where they lead.
  add(edges, blocks, hint) {
    if (unique(edges.map((edge) => edge.block)).length === 1) return;
    blocks.add(this.func.route(edges, hint));
  }

  // Structures blocks that begin with `entry`. Edges to `head`, the header of the loop that they are, and out of them
  // lead to its end; those of the block `exiting` out of it do not count.
  region(blocks, entry, head, exiting) {
    const successors = (block) => block.successors.filter((s) => blocks.has(s) && s !== head);
    const loops = graphs.components(this.sorted(blocks), successors)
      .filter((component) => graphs.cyclic(component, successors)).map((component) => this.loop(component, blocks));
    const node = new Map([...blocks].map((b) => [b, b]));
    for (const { inside, start, leaves } of loops) {
      this.region(inside, start, start, leaves);
      for (const b of inside) {
        blocks.add(b);
        node.set(b, start);
      }
    }
    const members = new Map(loops.map(({ inside, start }) => [start, inside]));
    new Acyclic(this, blocks, node, members, head, exiting).walk(node.get(entry), END);
  }

  sorted(blocks) {
    return this.func.blocks.filter((b) => blocks.has(b));
  }

  edges(blocks) {
    return this.sorted(blocks).flatMap((from) => from.terminator.targets.map((edge) => ({ from, edge })));
  }

  // Gives a loop one entry and one place where it is left or repeated. `leaves`: the block whose edges out of it leave it
  // in the middle, if one does.
  loop(inside, around) {
    const outside = new Set(this.func.blocks.filter((b) => !inside.has(b)));
    const entering = this.edges(outside).map(({ edge }) => edge).filter((edge) => inside.has(edge.block));
    const heads = new Set(entering.map((edge) => edge.block));
    let [start] = heads;
    if (heads.size > 1) {
      entering.push(...this.edges(inside).map(({ edge }) => edge).filter((edge) => heads.has(edge.block)));
      start = this.func.route(entering, "enter");
      inside.add(start);
    }
    for (const b of inside) around.add(b);
    const leaving = this.edges(inside).filter(({ edge }) => !inside.has(edge.block));
    const repeating = this.edges(inside).map(({ edge }) => edge).filter((edge) => edge.block === start);
    if (leaving.length === 0 || this.leavesInOnePlace(inside, start, leaving)) return { inside, start, leaves: leaving[0]?.from ?? null };
    const out = leaving.map(({ edge }) => edge);
    this.add(out, around, "leave");
    const latch = this.func.route([...out, ...repeating], "latch");
    inside.add(latch);
    around.add(latch);
    return { inside, start, leaves: latch };
  }

  // Whether one block, which each iteration executes, leaves the loop, for one place.
  leavesInOnePlace(inside, start, leaving) {
    const [{ from: block, edge: first }] = leaving;
    if (leaving.some(({ from, edge }) => from !== block || edge.block !== first.block)) return false;
    if (unique(block.successors).length !== 2) return false;
    const successors = (b) => b.successors.filter((s) => inside.has(s) && s !== start);
    if (graphs.components([start], successors).some((c) => c.has(block) && graphs.cyclic(c, successors))) return false;
    if (block === start) return true;
    const seen = new Set([start]);
    for (const b of seen) {  // paths around it
      if (b.successors.includes(start)) return false;
      for (const s of b.successors) if (inside.has(s) && s !== block) seen.add(s);
    }
    return true;
  }
}

// A region whose loops are single nodes.
class Acyclic {
  constructor(owner, blocks, node, members, head, exiting) {
    Object.assign(this, { owner, blocks, node, members, head, exiting });
  }

  // The edges out of a node, with the nodes that they lead to.
  edges(n) {
    const inside = this.members.get(n) ?? new Set([n]);
    const found = [];
    for (const block of this.owner.sorted(inside))
      for (const edge of block.terminator.targets) {
        const known = this.blocks.has(edge.block) && edge.block !== this.head;
        if (inside.has(edge.block) && this.members.has(n)) continue;
        if (block === this.exiting && edge.block !== this.head && !this.blocks.has(edge.block)) continue;  // it leaves the loop here
        found.push({ edge, to: known ? this.node.get(edge.block) : END });
      }
    return found;
  }

  reach(starts, stop) {
    const seen = new Set(starts.filter((s) => s !== END && s !== stop));
    for (const n of seen) for (const { to } of this.edges(n)) if (to !== END && to !== stop) seen.add(to);
    return seen;
  }

  // From a node to where all paths from it meet.
  walk(n, stop) {
    while (n !== stop && n !== END) {
      const edges = this.edges(n);
      const targets = unique(edges.map(({ to }) => to));
      n = targets.length < 2 ? (targets[0] ?? END) : this.branch(edges, targets, stop);
    }
  }

  // Structures the arms, and returns the node where they meet.
  branch(edges, targets, stop) {
    const arms = new Map();
    for (const target of targets) {
      const others = this.reach(targets.filter((t) => t !== target), stop);
      const alone = target !== END && target !== stop && !others.has(target);
      arms.set(target, alone ? new Set([...this.reach([target], stop)].filter((n) => !others.has(n))) : new Set());
    }
    const ends = edges.filter(({ to }) => arms.get(to).size === 0);
    for (const inside of arms.values())
      for (const n of this.owner.sorted(inside)) ends.push(...this.edges(n).filter(({ to }) => !inside.has(to)));
    const meeting = this.meet(ends);
    for (const [target, inside] of arms) if (inside.size > 0) this.walk(target, meeting);
    return meeting;
  }

  meet(ends) {
    const places = unique(ends.map(({ to }) => to));
    if (places.length < 2) return places[0] ?? END;
    const block = this.owner.func.route(ends.map(({ edge }) => edge), "meet");
    this.blocks.add(block);
    this.node.set(block, block);
    return block;
  }
}

module.exports = { END, Structurizer, Acyclic, structurize: (func) => new Structurizer(func).run() };
