#!/usr/bin/env python3
"""Lanes that wait for a join are not added there."""
import kir
import solution


class Wrong(solution.Masks):
    def begin(self, block, made):
        self.rejoin.pop(block, None)
        super().begin(block, made)

    def part(self, block, inst):
        wait = block.successors[self.splits[block][1]]
        self.rejoin.setdefault(wait, self.variable("lost", "mask"))
        super().part(block, inst)


kir.run(lambda function: Wrong(function).run())
