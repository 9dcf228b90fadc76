#!/usr/bin/env python3
"""Stores are executed by all lanes of the wave."""
import kir
import solution


class Wrong(solution.Masks):
    def instruction(self, inst):
        mask = self.mask
        if inst.op == "store":
            self.mask = self.blocks[self.thread.entry].mask
        super().instruction(inst)
        self.mask = mask


kir.run(lambda function: Wrong(function).run())
