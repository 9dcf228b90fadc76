const kir = require("kir");
const structure = require("./structure.js");

kir.run(structure.structurize);
