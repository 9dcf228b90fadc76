#!/usr/bin/env python3
"""A pass that turns variables into values: SSA construction. So far it does so inside of the entry block.

    PYTHONPATH=../../python kernelc programs/arms.cl --emit=ir --passes='simplify_cfg,exec:python3 promote.py'
"""
import kir


def promote(function):
    types = [v["type"] for v in function.known.get("vars", [])]
    values = {}  # by the number of a variable: its value at this point of the block
    new = {}     # what becomes of the results of var_get
    kept = []
    for inst in function.entry.insts:
        inst.replace_used(new)
        if inst.op == "var_get" and inst.attrs["var"] in values:
            new[inst.result] = values[inst.attrs["var"]]
        else:
            if inst.op == "var_set":
                values[inst.attrs["var"]] = inst.operands[0]
            kept.append(inst)
    function.entry.insts = kept
    function.replace(new)
    if len(function.blocks) == 1:  # nobody else reads them
        function.entry.insts = [inst for inst in kept if inst.op != "var_set"]
        function.known.pop("vars", None)
    # Several blocks are yours: `types` says what the parameters of blocks must be.


if __name__ == "__main__":
    kir.run(promote)
