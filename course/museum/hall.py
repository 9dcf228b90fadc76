# SPDX-License-Identifier: Apache-2.0
"""What several exhibits need. Nothing in here is broken."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))

import kir  # noqa: E402


def is_pure(inst):
    """Whether it computes its result from its operands and does nothing else."""
    return inst.op not in kir.EFFECTS and len(inst.results) == 1


def loops(function):
    """For each loop its header, its blocks and the blocks outside that lead to the header. A loop with several
    entries is left out."""
    before = function.predecessors()
    number = {block: n for n, block in enumerate(function.reverse_postorder())}
    for header in number:
        inside, work = {header}, [b for b in before[header] if b in number and number[b] >= number[header]]
        if not work:
            continue
        while work:
            block = work.pop()
            if block not in inside:
                inside.add(block)
                work.extend(p for p in before[block] if p in number)
        if all(number[b] >= number[header] for b in inside):
            yield header, inside, [b for b in before[header] if b not in inside]


def new_variable(function, type):
    """The number of a new variable, for var_get and var_set."""
    variables = function.known.setdefault("vars", [])
    variables.append({"name": f"exhibit.{len(variables)}", "type": type})
    return len(variables) - 1


def split(function, block, target):
    """A block of its own on this edge; the edge keeps its arguments."""
    between = function.add_block("edge", after=block)
    kir.Builder(between, loc=block.terminator.loc).br(target.block, *target.args)
    target.block, target.args = between, []
    return between
