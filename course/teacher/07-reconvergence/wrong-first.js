// All lanes that pass a flow block go to its first target.
const kir = require("kir");
const opentree = require("./opentree.js");

const { way } = opentree.parts;
opentree.parts.way = (node, k) => new Map([...way(node, k).keys()].map((flow) => [flow, true]));
kir.run(opentree.reconverge);
