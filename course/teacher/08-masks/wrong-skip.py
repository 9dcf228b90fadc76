#!/usr/bin/env python3
"""The wave goes on although no lane does."""
import kir
import solution


class Wrong(solution.Masks):
    def part(self, block, inst):
        super().part(block, inst)
        made = self.blocks[block]
        made.insts.pop()
        kir.Builder(made).br(self.blocks[block.successors[self.splits[block][0]]])


kir.run(lambda function: Wrong(function).run())
