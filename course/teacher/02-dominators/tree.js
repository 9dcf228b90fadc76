// SPDX-License-Identifier: Apache-2.0
"use strict";
// Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm (2001).
const kir = require("kir");

// What wrong submissions replace.
const parts = {
  // The predecessors that say something yet.
  known: (block, before, found) => before.get(block).filter((p) => found.has(p)),
  // The nearest common ancestor of two blocks.
  meet(a, b, number, found) {
    while (a !== b) {
      while (number.get(a) > number.get(b)) a = found.get(a);
      while (number.get(b) > number.get(a)) b = found.get(b);
    }
    return a;
  },
  mostSweeps: Infinity,
};

function idom(func) {
  const order = func.reversePostorder();
  const number = new Map(order.map((block, n) => [block, n]));
  const before = func.predecessors();
  const found = new Map([[func.entry, func.entry]]);
  for (let changed = true, sweeps = 0; changed && sweeps < parts.mostSweeps; sweeps++) {
    changed = false;
    for (const block of order.slice(1)) {
      const dominator = parts.known(block, before, found).reduce((a, b) => parts.meet(a, b, number, found));
      if (found.get(block) === dominator) continue;
      found.set(block, dominator);
      changed = true;
    }
  }
  found.delete(func.entry);
  return found;
}

const main = () => kir.answer((func) => ({ idom: Object.fromEntries([...idom(func)].map(([b, d]) => [b.id, d.id])) }));

module.exports = { parts, main };
