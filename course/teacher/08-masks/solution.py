#!/usr/bin/env python3
"""From the code of a work-item to the code of a wave.

Lanes that leave a branch by its post-dominating target S wait in a mask of S; the wave adds them where it comes to
S. Only what a waiting lane needs, and what the wave computes anew meanwhile, is blended (plan).
"""
import kir

LANES = 16
SOURCES = ("global_id", "local_id")  # differ between lanes


def reaches_end(start, avoided):
    """Whether a work-item at the start of the block `start` can end without passing `avoided`."""
    seen, work = {avoided}, [start]
    while work:
        block = work.pop()
        if block in seen:
            continue
        seen.add(block)
        if not block.successors:
            return True
        work.extend(block.successors)
    return False


def split(block):
    """The indices of primary and secondary target: lanes that take the secondary one wait there. None for a branch
    without a post-dominating target: reconverge leaves no divergent branch of that kind."""
    yes, no = block.successors
    if not reaches_end(yes, no):
        return 0, 1
    if not reaches_end(no, yes):
        return 1, 0
    return None


def region(start, end):
    """The blocks that the wave can execute while lanes wait at `end`."""
    seen, work = set(), [start]
    while work:
        block = work.pop()
        if block is not end and block not in seen:
            seen.add(block)
            work.extend(block.successors)
    return seen


def live_in(function):
    live = {block: set() for block in function.blocks}
    changed = True
    while changed:
        changed = False
        for block in reversed(function.reverse_postorder()):
            now = set().union(*(live[s] - set(s.params) for s in block.successors))
            for inst in reversed(block.insts):
                now -= set(inst.results)
                now |= {v for v in inst.used() if isinstance(v, kir.Value)}
            if now != live[block]:
                live[block] = now
                changed = True
    return live


def plan(function, splits):
    """The values that lanes keep while they wait and that the wave can compute anew meanwhile."""
    live, defined, kept = live_in(function), {}, set()
    for block in function.blocks:
        for value in block.params + [r for i in block.insts for r in i.results]:
            defined[value] = block
    for block, (primary, secondary) in splits.items():
        end = block.successors[secondary]
        inside = region(block.successors[primary], end)
        kept |= {v for v in live[end] if defined[v] in inside}
        kept |= set(end.params)
    return kept


def analyse(function):
    """Values that can differ between lanes, divergent branches with their targets, kept values. Each finds more of
    the others."""
    differing = {r for i in function.insts() if i.op in SOURCES for r in i.results}
    while True:
        splits = {b: targets for b in function.blocks
                  if b.terminator.op == "br_if" and b.terminator.operands[0] in differing and (targets := split(b))}
        kept = plan(function, splits)
        now = differing | kept
        for block, (primary, secondary) in splits.items():  # lanes come to a join by different edges
            for inside in region(block.successors[primary], block.successors[secondary]):
                if len(function.edges_to(inside)) > 1:
                    now |= set(inside.params)
        for block in function.blocks:
            for inst in block.insts:
                if now & set(inst.operands):
                    now |= set(inst.results)
                for target in inst.targets:
                    now |= {p for p, a in zip(target.block.params, target.args) if a in now}
        if now == differing:
            return differing, splits, kept
        differing = now


def first_to_wait(block, splits):
    """Whether no lane can wait at the secondary target yet when the wave comes to this branch."""
    def end(b):
        return b.successors[splits[b][1]]
    return not any(block in region(b.successors[splits[b][0]], end(b)) for b in splits if end(b) is end(block))


class Masks:
    def __init__(self, function):
        self.thread = function
        self.differing, self.splits, self.kept = analyse(function)
        self.wave = kir.Function(function.name, "wave", **{**function.known, "width": LANES})
        self.variables = self.wave.known["vars"] = []
        self.blocks = {b: self.wave.add_block(b.hint) for b in function.reverse_postorder()}
        self.exec = self.variable("exec", "mask")
        self.rejoin = {b.successors[s[1]]: None for b, s in self.splits.items()}
        self.rejoin = {b: self.variable("rejoin", "mask") for b in self.rejoin}
        self.held = {}  # variables of values
        for block in function.blocks[1:]:
            for p in block.params:
                self.held[p] = self.variable("param", f"lane<{p.type}>" if p in self.differing else p.type)
        for value in self.kept:
            if value not in self.held:
                self.held[value] = self.variable("kept", f"lane<{value.type}>")
        self.value = {}  # the wave's, where it is computed

    def run(self):
        entry = self.blocks[self.thread.entry]
        entry.params = list(self.thread.params) + [kir.Value("mask", role="mask")]
        self.value.update((p, p) for p in self.thread.params)
        for block, made in self.blocks.items():
            self.begin(block, made)
            for inst in block.body:
                self.instruction(inst)
            self.end(block)
        return self.wave

    def variable(self, name, type):
        self.variables.append({"name": name, "type": type})
        return len(self.variables) - 1

    def get(self, variable):
        return self.build.make("var_get", self.variables[variable]["type"], var=variable)

    def set(self, variable, value):
        self.build.emit("var_set", [value], var=variable)

    def begin(self, block, made):
        self.build, self.local, self.block = kir.Builder(made), set(), block
        if block is self.thread.entry:
            self.mask = made.params[-1]
            for rejoin in self.rejoin.values():
                self.set(rejoin, kir.Const("mask", 0))
        else:
            self.mask = self.get(self.exec)
        if block in self.rejoin:
            self.mask = self.build.make("mask_or", "mask", self.mask, self.get(self.rejoin[block]))
            self.set(self.rejoin[block], kir.Const("mask", 0))
        made.mask = self.mask
        if block is not self.thread.entry:
            for p in block.params:
                self.value[p] = self.get(self.held[p])
                self.local.add(p)

    def use(self, v):
        if not isinstance(v, kir.Value):
            return v
        if v in self.kept and v not in self.local:
            return self.get(self.held[v])
        return self.value[v]

    def lanes(self, v):
        """The same for each lane."""
        if v.type.startswith("lane<") or v.type == "mask":
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
        result = inst.result
        lane = f"lane<{result.type}>"
        if inst.op == "load" and result not in self.differing:
            made = self.build.make("uniform_load", result.type, *operands, **inst.attrs)
        elif inst.op == "load":
            made = self.build.make("lane_load", lane, self.mask, self.lanes(operands[0]), **inst.attrs)
        else:
            differs = inst.op in SOURCES or any(v.type.startswith("lane<") for v in operands)
            made = self.build.make(inst.op, lane if differs else result.type, *operands, **inst.attrs)
        self.value[result] = made
        self.local.add(result)
        if result in self.kept:
            self.write(result, made, self.mask)

    def write(self, value, new, mask, first=False):
        """`first`: no other lane holds a value yet."""
        if value in self.differing:
            new = self.lanes(new)
        if value in self.kept and not first:
            new = self.build.make("blend", new.type, mask, new, self.get(self.held[value]))
        self.set(self.held[value], new)

    def edges(self, *edges):
        """Passes the arguments: all are read before the first is written."""
        for p, a, mask, first in [(p, self.use(a), mask, first) for target, mask, first in edges
                                  for p, a in zip(target.block.params, target.args)]:
            if not isinstance(a, kir.Undef):
                self.write(p, a, mask, first)

    def end(self, block):
        inst = block.terminator
        self.build.loc = inst.loc
        if inst.op == "ret":
            self.build.ret()
            return
        if block in self.splits:
            self.part(block, inst)
            return
        self.set(self.exec, self.mask)
        if inst.op == "br":
            self.edges((inst.targets[0], self.mask, False))
            self.build.br(self.blocks[inst.targets[0].block])
            return
        condition = self.use(inst.operands[0])  # the same for all lanes
        if condition.type != "i1":
            condition = self.build.make("any", "i1", self.build.make("mask_cond", "mask", self.mask, condition))
        end, blocks = self.build, []
        for target in inst.targets:
            blocks.append(self.blocks[target.block])
            if target.args:
                blocks[-1] = self.wave.add_block("edge")
                blocks[-1].mask = self.mask
                self.build = kir.Builder(blocks[-1])
                self.edges((target, self.mask, False))
                self.build.br(self.blocks[target.block])
        end.br_if(condition, *blocks)

    def part(self, block, inst):
        taken = self.build.make("mask_cond", "mask", self.mask, self.lanes(self.use(inst.operands[0])))
        others = self.build.make("mask_andnot", "mask", self.mask, taken)
        primary, secondary = self.splits[block]
        go, wait = inst.targets[primary], inst.targets[secondary]
        going, waiting = ((taken, others), (others, taken))[primary]
        first = first_to_wait(block, self.splits)
        self.edges((wait, waiting, first), (go, going, False))
        rejoin = self.rejoin[wait.block]
        if not first:
            waiting = self.build.make("mask_or", "mask", self.get(rejoin), waiting)
        self.set(rejoin, waiting)
        self.set(self.exec, going)
        some = self.build.make("any", "i1", going)
        self.build.br_if(some, self.blocks[go.block], self.blocks[wait.block])


if __name__ == "__main__":
    kir.run(lambda function: Masks(function).run())
