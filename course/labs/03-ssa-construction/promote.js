// A pass that turns variables into values: SSA construction. So far it does so inside of the entry block.
//
//     NODE_PATH=../../js kernelc programs/arms.cl --emit=ir --passes='simplify_cfg,exec:node promote.js'
const kir = require("kir");

function promote(func) {
  const types = (func.known.vars ?? []).map((variable) => variable.type);
  const values = new Map();  // by the number of a variable: its value at this point of the block
  const renamed = new Map(); // what becomes of the results of var_get
  let kept = [];
  for (const inst of func.entry.insts) {
    inst.replaceUsed(renamed);
    if (inst.op === "var_get" && values.has(inst.attrs.var)) {
      renamed.set(inst.result, values.get(inst.attrs.var));
    } else {
      if (inst.op === "var_set") values.set(inst.attrs.var, inst.operands[0]);
      kept.push(inst);
    }
  }
  func.entry.insts = kept;
  func.replace(renamed);
  if (func.blocks.length === 1) {  // nobody else reads them
    func.entry.insts = kept.filter((inst) => inst.op !== "var_set");
    delete func.known.vars;
  }
  // Several blocks are yours: `types` says what the parameters of blocks must be.
}

kir.run(promote);
