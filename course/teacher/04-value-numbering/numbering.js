// SPDX-License-Identifier: Apache-2.0
"use strict";
// Value numbering over the dominator tree: an instruction without effects is replaced by an equal one that dominates
// it. Parameters of blocks that all edges give one value are that value.
const kir = require("kir");
const graphs = require("../graphs.js");

function children(func) {
  const idom = graphs.dominators(func);
  const below = new Map([...idom.keys()].map((block) => [block, []]));
  for (const [block, above] of idom) if (block !== above) below.get(above).push(block);
  return below;
}

function sameArguments(func) {
  for (const block of func.blocks.slice(1)) {
    const edges = func.edgesTo(block);
    for (let index = block.params.length; index-- > 0;) {
      const values = new Set(edges.map((edge) => edge.args[index]));
      values.delete(block.params[index]);
      const [value] = values;
      if (values.size !== 1 || value instanceof kir.Undef) continue;
      func.replace(new Map([[block.params[index], value]]));
      func.removeParam(block, index);
    }
  }
}

// Of a value; by bits, since 0 and -0 are not one constant.
const name = (v) => (v instanceof kir.Const ? `${v.bits}:${v.type}` : String(v));

// What wrong submissions replace.
const parts = {
  // Text that is equal for instructions that compute the same.
  keyOf: (inst, operands) => [inst.op, inst.result.type, ...operands.map(name), JSON.stringify(Object.entries(inst.attrs).sort(), (_, x) => (typeof x === "bigint" ? `${x}n` : x))].join(" "),
  mayShare: (inst) => kir.EFFECTS[inst.op] === undefined && inst.results.length === 1,
  // The table of a block; `above` is that of its immediate dominator.
  begin: (above) => new Map(above),
};

function number(func) {
  sameArguments(func);
  const below = children(func);
  const renamed = new Map();
  const work = [[func.entry, new Map()]];
  while (work.length > 0) {
    const [block, above] = work.pop();
    const known = parts.begin(above);
    for (const inst of block.body) {
      if (!parts.mayShare(inst)) continue;
      const key = parts.keyOf(inst, inst.operands.map((v) => renamed.get(v) ?? v));
      if (known.has(key)) renamed.set(inst.result, known.get(key));
      else known.set(key, inst.result);
    }
    for (const child of below.get(block)) work.push([child, known]);
  }
  func.replace(renamed);
}

module.exports = { parts, number };
