// Two loads from one address are equal, it says.
const kir = require("kir");
const numbering = require("./numbering.js");

const { mayShare } = numbering.parts;
numbering.parts.mayShare = (inst) => inst.op === "load" || mayShare(inst);
kir.run(numbering.number);
