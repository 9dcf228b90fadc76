#!/usr/bin/env python3
"""From the code of one work-item to the code of a wave of 16 lanes. Blocks without branches are done.

    PYTHONPATH=../../python kernelc programs/straight.cl --emit=ir --passes='mem2reg,reconverge,exec:python3 masks.py,mem2reg,dce'
"""
import kir

LANES = 16
SOURCES = ("global_id", "local_id")  # differ between lanes; all other results do if an operand does


def reaches_end(start, avoided):
    """Whether a work-item at the start of the block `start` can end without passing `avoided`."""
    seen, work = {avoided}, [start]
    while work:
        block = work.pop()
        if block not in seen:
            seen.add(block)
            if not block.successors:
                return True
            work.extend(block.successors)
    return False


class Masks:
    def __init__(self, function):
        self.thread = function
        self.wave = kir.Function(function.name, "wave", **{**function.known, "width": LANES})
        self.variables = self.wave.known["vars"] = []
        self.blocks = {b: self.wave.add_block(b.hint) for b in function.reverse_postorder()}
        self.value = {}  # of thread values: the wave's

    def run(self):
        entry = self.blocks[self.thread.entry]
        entry.params = list(self.thread.params) + [kir.Value("mask", role="mask")]
        self.value.update((p, p) for p in self.thread.params)
        for block, made in self.blocks.items():  # dominators first
            self.build = kir.Builder(made)
            self.begin(block, made)
            for inst in block.body:
                self.instruction(inst)
            self.end(block.terminator)
        return self.wave

    def begin(self, block, made):
        """The mask of the block, and the values of its parameters."""
        if block is not self.thread.entry:
            raise kir.Error("branches are yours")
        self.mask = made.mask = made.params[-1]

    def end(self, inst):
        """The masks of the next blocks, and where the wave goes."""
        if inst.op != "ret":
            raise kir.Error("branches are yours")
        self.build.ret()

    # Variables of the wave function. The pass mem2reg, which runs next, makes values of them.

    def variable(self, type):
        """The number of a new one. Before it is set it holds nothing."""
        self.variables.append({"name": "v", "type": type})
        return len(self.variables) - 1

    def get(self, variable):
        return self.build.make("var_get", self.variables[variable]["type"], var=variable)

    def set(self, variable, value):
        self.build.emit("var_set", [value], var=variable)

    # Instructions

    def use(self, v):
        """The wave's value of an operand."""
        return self.value[v] if isinstance(v, kir.Value) else v

    def lanes(self, v):
        """The same with an element for each lane."""
        if v.type.startswith("lane<"):
            return v
        type = f"lane<{v.type}>"
        if isinstance(v, kir.Const):
            return kir.Const(type, bits=v.bits)
        if isinstance(v, kir.Undef):
            return kir.Undef(type)
        return self.build.make("splat", type, v)

    def instruction(self, inst):
        self.build.loc = inst.loc
        operands = [self.use(v) for v in inst.operands]
        if inst.op == "store":
            self.build.emit("lane_store", [self.mask] + [self.lanes(v) for v in operands], **inst.attrs)
            return
        lane = f"lane<{inst.result.type}>"
        if inst.op == "load":
            made = self.build.make("lane_load", lane, self.mask, self.lanes(operands[0]), **inst.attrs)
        else:
            differs = inst.op in SOURCES or any(v.type.startswith("lane<") for v in operands)
            made = self.build.make(inst.op, lane if differs else inst.result.type, *operands, **inst.attrs)
        self.value[inst.result] = made


if __name__ == "__main__":
    kir.run(lambda function: Masks(function).run())
