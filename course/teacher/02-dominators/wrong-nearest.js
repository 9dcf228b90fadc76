// Of several predecessors the one that comes last dominates, it says.
const tree = require("./tree.js");

tree.parts.meet = (a, b, number) => (number.get(a) > number.get(b) ? a : b);
tree.main();
