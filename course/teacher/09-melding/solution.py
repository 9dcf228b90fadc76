#!/usr/bin/env python3
"""Branch fusion with alignment: the arms of a diamond become one sequence. Pairs of equal operations are done once, with
operands that a select chooses; what has no counterpart is done by all lanes if it has no effect, and else under a branch
on the condition. Control-flow melding (DARM, Saumya, Sundararajah and Kulkarni, 2022) does the same for whole regions.
"""
import kir

COMMUTATIVE = ("add", "mul", "and", "or", "xor", "eq", "ne", "fadd", "fmul")
MEMORY = 4  # what a guard around an access costs
GUARD = 2   # its branches


def diamonds(function):
    """Branches whose arms are one block each: (block of the branch, arm if true, arm if false, join)."""
    before = function.predecessors()
    for block in list(function.blocks):
        if block.terminator.op != "br_if":
            continue
        yes, no = block.successors
        arms = (yes, no)
        if yes is no or any(len(before[arm]) != 1 or arm.params or arm.terminator.op != "br" for arm in arms):
            continue
        if yes.successors == no.successors:
            yield block, yes, no, yes.successors[0]


def matches(a, b):
    def form(inst):
        return inst.op, [v.type for v in inst.operands], [r.type for r in inst.results], inst.attrs
    return form(a) == form(b) and kir.EFFECTS.get(a.op) in (None, "read", "write") and len(a.results) <= 1


def guarded(inst):
    """Whether it must not run for lanes of the other arm: it accesses memory, or needs other lanes."""
    return inst.op in kir.EFFECTS


def gain(a, b, own):
    """The slots that a pair saves: one, less a select for each operand that differs. Results of the arms may be paired
    themselves."""
    differ = sum(x != y and not (x in own and y in own) for x, y in zip(a.operands, b.operands))
    return (MEMORY if guarded(a) else 1) - differ * 0.5


def align(yes, no):
    """Pairs of instructions with the greatest gain, by dynamic programming over the ends of both arms."""
    own = {r for inst in yes.body + no.body for r in inst.results}
    a, b = yes.body, no.body
    best = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(len(a) - 1, -1, -1):
        for j in range(len(b) - 1, -1, -1):
            best[i][j] = max(best[i + 1][j], best[i][j + 1])
            if matches(a[i], b[j]):
                best[i][j] = max(best[i][j], best[i + 1][j + 1] + gain(a[i], b[j], own))
    steps, i, j = [], 0, 0
    while i < len(a) or j < len(b):
        if i < len(a) and j < len(b) and matches(a[i], b[j]) and (
                best[i][j] == best[i + 1][j + 1] + gain(a[i], b[j], own)):
            steps.append((a[i], b[j]))
            i, j = i + 1, j + 1
        elif j == len(b) or i < len(a) and best[i][j] == best[i + 1][j]:
            steps.append((a[i], None))
            i += 1
        else:
            steps.append((None, b[j]))
            j += 1
    return steps


class Melding:
    def __init__(self, function, block, yes, no, join):
        self.function, self.block, self.yes, self.no, self.join = function, block, yes, no, join
        self.condition = block.terminator.operands[0]
        self.new = {}  # values of the arms: what takes their place

    def run(self, steps):
        ends = [arm.terminator.targets[0].args for arm in (self.yes, self.no)]
        self.block.insts.pop()
        self.at = self.block
        for a, b in steps:
            if a and b:
                self.both(a, b)
            elif guarded(a or b):
                self.guard(a or b, a is not None)
            else:
                self.keep(a or b)
        args = [self.choose(x, y) for x, y in zip(*ends)]
        kir.Builder(self.at).br(self.join, *args)
        self.function.blocks.remove(self.yes)
        self.function.blocks.remove(self.no)

    def use(self, v):
        return self.new.get(v, v)

    def choose(self, x, y):
        x, y = self.use(x), self.use(y)
        if x == y or isinstance(y, kir.Undef):
            return x
        if isinstance(x, kir.Undef):
            return y
        return kir.Builder(self.at).make("select", x.type, self.condition, x, y)

    def copy(self, inst, operands, block):
        made = kir.Inst(inst.op, operands, [kir.Value(r.type) for r in inst.results], inst.attrs, (), inst.loc)
        block.insts.append(made)
        return made

    def both(self, a, b):
        x, y = [self.use(v) for v in a.operands], [self.use(v) for v in b.operands]
        if a.op in COMMUTATIVE and x != y and (x[0] == y[1] or x[1] == y[0]):
            y.reverse()
        made = self.copy(a, [self.choose(p, q) for p, q in zip(x, y)], self.at)
        for inst in (a, b):
            self.new.update(zip(inst.results, made.results))

    def keep(self, inst):
        made = self.copy(inst, [self.use(v) for v in inst.operands], self.at)
        self.new.update(zip(inst.results, made.results))

    def guard(self, inst, if_true):
        inside = self.function.add_block("melded", after=self.at)
        after = self.function.add_block("after", [r.type for r in inst.results], after=inside)
        made = self.copy(inst, [self.use(v) for v in inst.operands], inside)
        kir.Builder(inside).br(after, *made.results)
        around = kir.Target(after, [kir.Undef(r.type) for r in inst.results])
        targets = (inside, around) if if_true else (around, inside)
        kir.Builder(self.at).br_if(self.condition, *targets)
        self.new.update(zip(inst.results, after.params))
        self.at = after


def saved(steps, own):
    """The slots that a wave saves that runs both arms."""
    total = 3  # the branches of the diamond
    for a, b in steps:
        if a and b:
            total += 1 - sum(x != y and not (x in own and y in own) for x, y in zip(a.operands, b.operands))
        elif guarded(a or b):
            total -= GUARD
    return total


def meld(function):
    changed = True
    while changed:
        changed = False
        for block, yes, no, join in diamonds(function):
            steps = align(yes, no)
            if saved(steps, {r for inst in yes.body + no.body for r in inst.results}) > 0:
                Melding(function, block, yes, no, join).run(steps)
                changed = True
                break


if __name__ == "__main__":
    kir.run(meld)
