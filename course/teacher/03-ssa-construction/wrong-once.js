// Does not iterate: the frontiers of blocks with parameters are forgotten.
const kir = require("kir");
const ssa = require("./ssa.js");

ssa.parts.iterate = false;
kir.run(ssa.promote);
