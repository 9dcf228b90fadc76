// A pass that gives any function structured control flow. So far it gives every function one `ret`.
//
//     NODE_PATH=../../js kernelc programs/short.cl --emit=ir --passes='mem2reg,simplify_cfg,dce,lower_traps,exec:node structurize.js,mem2reg'
const kir = require("kir");

function structurize(func) {
  func.demote();  // values pass blocks in variables now: edges can be moved freely
  oneReturn(func);
  // Loops first, then branches: they are yours.
  //     func.route(edges, "latch")   sends edges through one new block, which branches to where they led
}

function oneReturn(func) {
  const returns = func.blocks.filter((block) => block.terminator.op === "ret");
  if (returns.length < 2) return;
  const last = func.addBlock("exit");
  last.insts = [new kir.Inst("ret")];
  for (const block of returns) block.insts[block.insts.length - 1] = new kir.Inst("br", { targets: [new kir.Target(last)] });
}

kir.run(structurize);
