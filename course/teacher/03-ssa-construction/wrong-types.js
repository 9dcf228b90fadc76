// All variables have the type i32, it says.
const kir = require("kir");
const ssa = require("./ssa.js");

ssa.parts.parameter = () => new kir.Value("i32");
kir.run(ssa.promote);
