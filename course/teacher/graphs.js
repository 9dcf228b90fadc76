// SPDX-License-Identifier: Apache-2.0
"use strict";
// Dominators and loops, which several solutions use: graphs.py in JavaScript.

// The immediate dominator of each block that can be reached; the entry's is the entry. In reverse postorder.
// Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm (2001).
function dominators(func) {
  const order = func.reversePostorder();
  const number = new Map(order.map((block, n) => [block, n]));
  const before = func.predecessors();
  const idom = new Map([[func.entry, func.entry]]);
  for (let changed = true; changed;) {
    changed = false;
    for (const block of order.slice(1)) {
      let [found, ...others] = before.get(block).filter((p) => idom.has(p));
      for (let other of others)
        while (found !== other) {
          if (number.get(found) > number.get(other)) found = idom.get(found);
          else other = idom.get(other);
        }
      if (idom.get(block) !== found) {
        idom.set(block, found);
        changed = true;
      }
    }
  }
  return new Map(order.map((block) => [block, idom.get(block)]));
}

// Strongly connected components of the graph: Sets of nodes, each after those that it leads to (Tarjan).
function components(nodes, successors) {
  const index = new Map(), low = new Map(), stack = [], onStack = new Set(), found = [];
  const enter = (node, work) => {
    low.set(node, index.size);
    index.set(node, index.size);
    stack.push(node);
    onStack.add(node);
    work.push({ node, following: successors(node), at: 0 });
  };
  for (const root of nodes) {
    if (index.has(root)) continue;
    const work = [];
    enter(root, work);
    while (work.length > 0) {
      const top = work[work.length - 1];
      while (top.at < top.following.length && index.has(top.following[top.at])) top.at++;
      if (top.at < top.following.length) {
        enter(top.following[top.at], work);
        continue;
      }
      work.pop();
      const { node } = top;
      for (const s of top.following) if (onStack.has(s)) low.set(node, Math.min(low.get(node), low.get(s)));
      if (work.length > 0) {
        const above = work[work.length - 1].node;
        low.set(above, Math.min(low.get(above), low.get(node)));
      }
      if (low.get(node) !== index.get(node)) continue;
      const component = new Set();
      while (!component.has(node)) {
        const member = stack.pop();
        component.add(member);
        onStack.delete(member);
      }
      found.push(component);
    }
  }
  return found;
}

// Whether the component is a loop: a single node is one only with an edge to itself.
function cyclic(component, successors) {
  const [node] = component;
  return component.size > 1 || successors(node).includes(node);
}

// All loops, each before those inside it: what remains connected when the header of the loop around is cut out. The
// header is the entry of the loop that comes first in reverse postorder.
//
// A loop has a header, blocks (a Set), entries (blocks of it that edges from outside lead to; irreducible if more than
// one), the parent around it or null, and exits (a Set).
function loops(func) {
  const order = func.reversePostorder();
  const number = new Map(order.map((block, n) => [block, n]));
  const before = func.predecessors();
  const found = [];
  const split = (blocks, removed, parent) => {
    const successors = (block) => block.successors.filter((s) => blocks.has(s) && s !== removed);
    const sorted = [...blocks].sort((a, b) => number.get(a) - number.get(b));
    for (const component of components(sorted, successors)) {
      if (!cyclic(component, successors)) continue;
      const entries = [...component].filter((b) => before.get(b).some((p) => !component.has(p) && number.has(p)));
      const header = entries.reduce((a, b) => (number.get(a) < number.get(b) ? a : b));
      const exits = new Set([...component].flatMap((b) => b.successors).filter((s) => !component.has(s)));
      const loop = { header, blocks: component, entries, parent, exits };
      found.push(loop);
      split(component, header, loop);
    }
  };
  split(new Set(order), null, null);
  return found;
}

module.exports = { dominators, components, cyclic, loops };
