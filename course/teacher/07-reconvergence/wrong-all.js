// Every branch is divergent, it says. Right, with more blocks than are needed.
const kir = require("kir");
const opentree = require("./opentree.js");

opentree.parts.divergentIds = (func) => new Set(func.blocks.filter((b) => b.terminator.targets.length > 1).map((b) => b.id));
kir.run(opentree.reconverge);
