#!/usr/bin/env python3
"""The operands of the first arm serve both."""
import kir
import solution


class Wrong(solution.Melding):
    def both(self, a, b):
        self.new.update(zip(b.results, a.results))
        made = self.copy(a, [self.use(v) for v in a.operands], self.at)
        for inst in (a, b):
            self.new.update(zip(inst.results, made.results))


solution.Melding = Wrong


kir.run(solution.meld)
