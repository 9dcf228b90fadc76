// All edges to a new block tell it the same.
const kir = require("kir");
const structure = require("./structure.js");

const { route } = kir.Function.prototype;
kir.Function.prototype.route = function (edges, hint, after) {
  const block = route.call(this, edges, hint, after);
  for (const edge of edges) if (edge.args[0] instanceof kir.Const) edge.args[0] = new kir.Const(edge.args[0].type, 1);
  return block;
};
kir.run(structure.structurize);
