const kir = require("kir");
const numbering = require("./numbering.js");

kir.run(numbering.number);
