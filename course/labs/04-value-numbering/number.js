// A pass that removes instructions whose result is known already. It changes nothing yet.
//
//     NODE_PATH=../../js kernelc programs/twice.cl --emit=ir --passes='mem2reg,exec:node number.js,dce'
const kir = require("kir");

function number(func) {
  for (const block of func.blocks)
    for (const inst of block.body) {
      // yours
    }
}

kir.run(number);
