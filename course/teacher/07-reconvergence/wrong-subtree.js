// Blocks below an armed block keep their open edges.
const kir = require("kir");
const opentree = require("./opentree.js");

opentree.OpenTree.prototype.subtrees = (roots) => [...new Set(roots)].sort((a, b) => a.place - b.place);
kir.run(opentree.reconverge);
