// Data only: what a divergent branch does to parameters after it is forgotten.
const divergence = require("./divergence.js");

divergence.Divergence.prototype.join = () => {};
divergence.main();
