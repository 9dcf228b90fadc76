// SPDX-License-Identifier: Apache-2.0
"use strict";
// Pruned SSA form: parameters on iterated dominance frontiers where the variable is live, then renaming along the
// dominator tree (Cytron and others, 1991).
const kir = require("kir");
const graphs = require("../graphs.js");

function reachableOnly(func) {
  const order = new Set(func.reversePostorder());
  func.blocks = func.blocks.filter((block) => order.has(block));
}

// For each block where its dominance ends: blocks with a predecessor that it dominates, without dominating them.
function frontiers(func, idom) {
  const frontier = new Map(func.blocks.map((block) => [block, new Set()]));
  for (const [block, before] of func.predecessors())
    for (let runner of before)
      while (runner !== idom.get(block) || block === func.entry) {
        frontier.get(runner).add(block);
        if (runner === func.entry) break;
        runner = idom.get(runner);
      }
  return frontier;
}

const setOf = (map, key) => map.get(key) ?? map.set(key, new Set()).get(key);

// For each variable the blocks at whose start it may still be read before it is set.
function liveIn(func) {
  const reads = new Map(), writes = new Map();
  for (const block of func.blocks)
    for (const inst of block.insts) {
      if (inst.op === "var_get" && !setOf(writes, inst.attrs.var).has(block)) setOf(reads, inst.attrs.var).add(block);
      if (inst.op === "var_set") setOf(writes, inst.attrs.var).add(block);
    }
  const before = func.predecessors();
  for (const [variable, live] of reads) {
    const work = [...live];
    while (work.length > 0)
      for (const block of before.get(work.pop()))
        if (!live.has(block) && !setOf(writes, variable).has(block)) {
          live.add(block);
          work.push(block);
        }
  }
  return reads;
}

// For each variable the blocks that set it.
function setters(func) {
  const sets = (func.known.vars ?? []).map(() => new Set());
  for (const block of func.blocks) for (const inst of block.insts) if (inst.op === "var_set") sets[inst.attrs.var].add(block);
  return sets;
}

// What wrong submissions replace.
const parts = {
  iterate: true,
  // For each block the variables that get a parameter there.
  places(func, idom) {
    const frontier = frontiers(func, idom), live = liveIn(func);
    const wanted = new Map(func.blocks.map((block) => [block, []]));
    setters(func).forEach((sets, variable) => {
      const work = [...sets], seen = new Set();
      while (work.length > 0)
        for (const block of frontier.get(work.pop())) {
          if (seen.has(block)) continue;
          seen.add(block);
          if (!live.get(variable)?.has(block)) continue;
          wanted.get(block).push(variable);
          if (parts.iterate) work.push(block);
        }
    });
    return wanted;
  },
  parameter: (type) => new kir.Value(type),
  resolved: (renamed, value) => renamed.get(value) ?? value,
  removeTrivial,
};

function promote(func) {
  reachableOnly(func);
  const types = (func.known.vars ?? []).map((variable) => variable.type);
  const idom = graphs.dominators(func);
  const wanted = parts.places(func, idom);
  const params = new Map();
  for (const [block, variables] of wanted) {
    params.set(block, new Map(variables.map((variable) => [variable, parts.parameter(types[variable])])));
    block.params.push(...params.get(block).values());
  }
  const valueOf = (values, variable) => values.get(variable) ?? new kir.Undef(types[variable]);
  const atEnd = new Map(), renamed = new Map();
  for (const [block, above] of idom) {
    const values = new Map([...(block === func.entry ? [] : atEnd.get(above)), ...params.get(block)]);
    block.insts = block.insts.filter((inst) => {
      inst.operands = inst.operands.map((v) => parts.resolved(renamed, v));
      if (inst.op === "var_get") renamed.set(inst.result, valueOf(values, inst.attrs.var));
      else if (inst.op === "var_set") values.set(inst.attrs.var, inst.operands[0]);
      else return true;
      return false;
    });
    atEnd.set(block, values);
  }
  for (const block of func.blocks)
    for (const target of block.terminator.targets) {
      target.args = target.args.map((v) => parts.resolved(renamed, v));
      target.args.push(...wanted.get(target.block).map((variable) => valueOf(atEnd.get(block), variable)));
    }
  delete func.known.vars;
  parts.removeTrivial(func);
}

// Parameters that all edges give one value, or the parameter itself, are that value.
function removeTrivial(func) {
  for (let changed = true; changed;) {
    changed = false;
    const edgesTo = new Map(func.blocks.map((block) => [block, []]));
    for (const block of func.blocks) for (const target of block.terminator.targets) edgesTo.get(target.block).push(target);
    const renamed = new Map();
    const last = (value) => {
      while (renamed.has(value)) value = renamed.get(value);
      return value;
    };
    for (const block of func.blocks.slice(1))
      for (let index = block.params.length; index-- > 0;) {
        const param = block.params[index];
        const values = new Set(edgesTo.get(block).map((edge) => last(edge.args[index])));
        values.delete(param);
        const [value] = values;
        if (values.size !== 1 || value instanceof kir.Undef) continue;
        renamed.set(param, value);
        block.params.splice(index, 1);
        for (const edge of edgesTo.get(block)) edge.args.splice(index, 1);
        changed = true;
      }
    func.replace(renamed);
  }
}

module.exports = { parts, promote, reachableOnly };
