const kir = require("kir");
const ssa = require("./ssa.js");

kir.run(ssa.promote);
