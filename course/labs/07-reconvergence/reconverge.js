// A pass that makes lanes reconverge after every divergent branch. So far it gives every function one `ret`, at the end.
//
//     NODE_PATH=../../js kernelc ../06-structurize/programs/short.cl --emit=ir --passes='mem2reg,simplify_cfg,dce,lower_traps,exec:node reconverge.js,mem2reg'
const kir = require("kir");

function reconverge(func) {
  func.demote();  // values pass blocks in variables now: edges can be moved freely
  oneReturn(func);
  const order = func.reversePostorder();
  const isExit = (block) => block.terminator.targets.length === 0;
  order.sort((a, b) => isExit(a) - isExit(b));  // the exit comes last
  // Take the blocks one by one, in an order that has the blocks of each loop together (this one has not): that is yours.
  func.blocks = order;  // the layout must be the order in which blocks were taken, flow blocks included
}

function oneReturn(func) {
  const returns = func.blocks.filter((block) => block.terminator.op === "ret");
  if (returns.length < 2) return;
  const last = func.addBlock("exit");
  last.insts = [new kir.Inst("ret")];
  for (const block of returns) block.insts[block.insts.length - 1] = new kir.Inst("br", { targets: [new kir.Target(last)] });
}

kir.run(reconverge);
