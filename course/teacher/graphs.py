# SPDX-License-Identifier: Apache-2.0
"""Dominators and loops, which several solutions use."""


def dominators(function):
    """The immediate dominator of each block that can be reached; the entry's is the entry. In reverse postorder.

    Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm (2001).
    """
    order = function.reverse_postorder()
    number = {block: n for n, block in enumerate(order)}
    before = function.predecessors()
    idom = {function.entry: function.entry}
    changed = True
    while changed:
        changed = False
        for block in order[1:]:
            known = [p for p in before[block] if p in idom]
            new = known[0]
            for other in known[1:]:
                while new is not other:
                    if number[new] > number[other]:
                        new = idom[new]
                    else:
                        other = idom[other]
            if idom.get(block) is not new:
                idom[block] = new
                changed = True
    return {block: idom[block] for block in order}


def components(nodes, successors):
    """Strongly connected components of the graph: sets of nodes, each after those that it leads to (Tarjan)."""
    index, low, stack, on_stack, found = {}, {}, [], set(), []
    for root in nodes:
        if root in index:
            continue
        work = [(root, iter(successors(root)))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, rest = work[-1]
            new = next((s for s in rest if s not in index), None)
            if new is not None:
                index[new] = low[new] = len(index)
                stack.append(new)
                on_stack.add(new)
                work.append((new, iter(successors(new))))
                continue
            work.pop()
            low[node] = min([low[node]] + [low[s] for s in successors(node) if s in on_stack])
            if work:
                low[work[-1][0]] = min(low[work[-1][0]], low[node])
            if low[node] == index[node]:
                component = set()
                while node not in component:
                    component.add(stack.pop())
                on_stack -= component
                found.append(component)
    return found


def cyclic(component, successors):
    """Whether the component is a loop: a single node is one only with an edge to itself."""
    node = next(iter(component))
    return len(component) > 1 or node in successors(node)


class Loop:
    def __init__(self, header, blocks, entries, parent):
        self.header = header
        self.blocks = blocks      # a set
        self.entries = entries    # blocks of it that edges from outside lead to; irreducible if more than one
        self.parent = parent      # the loop around it, or None
        self.exits = {s for b in blocks for s in b.successors} - blocks


def loops(function):
    """All loops, each before those inside it: what remains connected when the header of the loop around is cut out.
    The header is the entry of the loop that comes first in reverse postorder."""
    order = function.reverse_postorder()
    number = {block: n for n, block in enumerate(order)}
    before = function.predecessors()
    found = []

    def split(blocks, removed, parent):
        def successors(block):
            return [s for s in block.successors if s in blocks and s is not removed]

        for component in components(sorted(blocks, key=number.get), successors):
            if not cyclic(component, successors):
                continue
            entries = [b for b in component if any(p not in component and p in number for p in before[b])]
            loop = Loop(min(entries, key=number.get), component, entries, parent)
            found.append(loop)
            split(component, loop.header, loop)

    split(set(order), None, None)
    return found
