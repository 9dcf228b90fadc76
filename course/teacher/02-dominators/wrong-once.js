// One sweep only.
const tree = require("./tree.js");

tree.parts.mostSweeps = 1;
tree.main();
