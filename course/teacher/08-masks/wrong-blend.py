#!/usr/bin/env python3
"""What waiting lanes hold is overwritten by those that go on."""
import kir
import solution


class Wrong(solution.Masks):
    def write(self, value, new, mask, first=False):
        super().write(value, new, mask, True)


kir.run(lambda function: Wrong(function).run())
