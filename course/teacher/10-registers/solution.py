#!/usr/bin/env python3
"""Priority-based colouring (Chow and Hennessy): values in the order of what a spill of them would cost, for the time that
they hold a register. Each gets a register that no interfering value has, if there is one, and one that saves a copy,
if it can be."""
import json
import sys

import kir

# The result is written before all operands are read, or takes the register of an operand (TIED: of the first).
EARLY = ("p_", "v_writelane", "v_mac", "global_load_short_d16", "global_load_ubyte_d16", "global_load_sbyte_d16")
TIED = ("p_merge", "p_merge_exec")


def size(value):
    """Registers of a vector value, 0 of others."""
    return int(value.type[1:] or 1) if value.type[0] == "v" else 0


def is_vector(value):
    return isinstance(value, kir.Value) and size(value) > 0


def needed_at_the_end(target):
    """The arguments of an edge are."""
    return set(filter(is_vector, target.args))


def live_out(function):
    """By block: vector values that are needed after it, arguments of its edges included."""
    live_in = {b: set() for b in function.blocks}
    out = {b: set() for b in function.blocks}
    changed = True
    while changed:
        changed = False
        for block in function.postorder():
            now = set()
            for target in block.terminator.targets:
                now |= live_in[target.block] | needed_at_the_end(target)
            out[block] = set(now)
            for inst in reversed(block.insts):
                now -= set(inst.results)
                now |= set(filter(is_vector, inst.operands))
            now -= set(block.params)
            if now != live_in[block]:
                live_in[block] = now
                changed = True
    return out


def depths(function):
    """By block: how many loops are around it, by back edges in reverse postorder."""
    order = function.reverse_postorder()
    position = {b: n for n, b in enumerate(order)}
    before = function.predecessors()
    depth = {b: 0 for b in function.blocks}
    for head in order:
        body = {head}
        work = [b for b in before[head] if b in position and position[b] >= position[head]]
        looped = bool(work)
        while work:
            block = work.pop()
            if block not in body:
                body.add(block)
                work.extend(p for p in before[block] if position.get(p, -1) >= position[head])
        if looped:
            for block in body:
                depth[block] += 1
    return depth


class Ranges:
    """When values are live, as sets of points: bits of a number. Each instruction has a point before it and one after."""

    def __init__(self, function):
        self.live, self.early, self.shared = {}, {}, set()
        self.cost, self.copies = {}, {}
        out, depth, point = live_out(function), depths(function), 0
        for block in function.blocks:
            begin, now = point, set(out[block])
            point += 2 * len(block.insts) + 1
            at = point - 1
            weight = 10 ** depth[block]
            for inst in reversed(block.insts):
                results = [r for r in inst.results if is_vector(r)]
                operands = [v for v in inst.operands if is_vector(v)]
                self.mark(now | set(results), at)  # those that nothing reads are written, too
                for r in results:
                    self.cost[r] = self.cost.get(r, 0) + weight
                    if inst.op.startswith(EARLY):
                        self.early[r] = self.early.get(r, 0) | 1 << (at - 1)
                    if inst.op in TIED and is_vector(inst.operands[0]):
                        self.prefer(r, inst.operands[0], weight)
                        if inst.operands[0] not in now and inst.operands[0] not in inst.operands[1:]:
                            self.shared.add((r, inst.operands[0]))
                now = now - set(results) | set(operands)
                self.mark(now, at - 1)
                for v in set(operands):
                    self.cost[v] = self.cost.get(v, 0) + weight
                at -= 2
            self.mark(now | set(filter(is_vector, block.params)), begin)
            for target in block.terminator.targets:
                for p, a in zip(target.block.params, target.args):
                    if is_vector(p):
                        self.prefer(p, a, weight)
                        self.cost[p] = self.cost.get(p, 0) + weight

    def mark(self, values, point):
        for v in values:
            self.live[v] = self.live.get(v, 0) | 1 << point

    def prefer(self, a, b, weight):
        self.copies.setdefault(a, []).append((weight, b))
        self.copies.setdefault(b, []).append((weight, a))

    def interfere(self, a, b):
        live_a, live_b, early_a, early_b = self.live[a], self.live[b], self.early.get(a, 0), self.early.get(b, 0)
        return bool(live_a & live_b or early_a & early_b
                    or early_a & live_b and (a, b) not in self.shared
                    or early_b & live_a and (b, a) not in self.shared)


def allocate(function, first, last):
    """The first register of each value, and the spilled values."""
    ranges = Ranges(function)
    values = [v for b in function.blocks if b is not function.entry for v in b.params if is_vector(v)]
    values += [r for i in function.insts() for r in i.results if is_vector(r)]

    def priority(v):
        return ranges.cost.get(v, 0) / (bin(ranges.live[v]).count("1") * size(v))

    assign, spill = {}, []
    for v in sorted(values, key=priority, reverse=True):
        taken = set()
        for other, register in assign.items():
            if ranges.interfere(v, other):
                taken.update(range(register, register + size(other)))
        free = [r for r in range(first, last + 2 - size(v)) if not taken.intersection(range(r, r + size(v)))]
        wishes = {}
        for weight, other in ranges.copies.get(v, ()):
            if other in assign:
                wishes[assign[other]] = wishes.get(assign[other], 0) + weight
        if free:
            assign[v] = max(free, key=lambda r: (wishes.get(r, 0), -r))
        else:
            spill.append(v)
    return assign, spill


def write(assign, spill):
    json.dump({"assign": {str(v.id): r for v, r in assign.items()}, "spill": [v.id for v in spill]}, sys.stdout)


if __name__ == "__main__":
    write(*allocate(kir.read().functions[0], *map(int, sys.argv[1:])))
