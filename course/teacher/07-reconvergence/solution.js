const kir = require("kir");
const opentree = require("./opentree.js");

kir.run(opentree.reconverge);
