// Loops only: arms of branches that do not meet stay as they are.
const kir = require("kir");
const structure = require("./structure.js");

structure.Acyclic.prototype.meet = () => structure.END;
kir.run(structure.structurize);
