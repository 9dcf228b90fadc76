// Loads from one address give all lanes the same, it says, from private memory, too.
const divergence = require("./divergence.js");

const { isSource } = divergence.parts;
divergence.parts.isSource = (inst) => inst.operands[0]?.type !== "ptr<private>" && isSource(inst);
divergence.main();
