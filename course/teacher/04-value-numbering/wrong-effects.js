// Two atomic operations with equal operands have equal results, it says.
const kir = require("kir");
const numbering = require("./numbering.js");

const { mayShare } = numbering.parts;
numbering.parts.mayShare = (inst) => inst.op.startsWith("atomic_") || mayShare(inst);
kir.run(numbering.number);
