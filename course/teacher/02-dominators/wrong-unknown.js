// A predecessor that is not known yet counts as the entry.
const tree = require("./tree.js");

tree.parts.known = (block, before, found) => before.get(block).map((p) => (found.has(p) ? p : [...found.keys()][0]));
tree.main();
