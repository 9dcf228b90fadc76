// Reads a function and writes its dominator tree: for each block but the entry, its immediate dominator.
//
//     {"idom": {"1": 0, "2": 1}}
const kir = require("kir");

// A Map from blocks to blocks.
function idom(func) {
  return new Map();  // yours
}

kir.answer((func) => {
  const numbers = [...idom(func)].map(([block, dominator]) => [block.id, dominator.id]);
  return { idom: Object.fromEntries(numbers) };
});
