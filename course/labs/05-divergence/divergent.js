// Reads a function and writes the blocks that end in divergent branches: {"divergent": [1, 3]}.
const kir = require("kir");

// Blocks whose branch lanes of one warp may leave by different edges. So far: all branches, which is never wrong.
function divergent(func) {
  return func.blocks.filter((block) => block.terminator.targets.length > 1);
}

kir.answer((func) => ({ divergent: divergent(func).map((block) => block.id) }));
