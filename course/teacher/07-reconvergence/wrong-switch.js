// A divergent switch stays.
const kir = require("kir");
const opentree = require("./opentree.js");

opentree.parts.expandSwitch = (func, block) => [block];
kir.run(opentree.reconverge);
