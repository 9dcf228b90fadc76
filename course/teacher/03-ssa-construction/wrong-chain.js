// A variable that is set to what was loaded from another one keeps the load, which is gone.
const kir = require("kir");
const ssa = require("./ssa.js");

ssa.parts.resolved = (renamed, value) => value;
kir.run(ssa.promote);
