#!/usr/bin/env python3
"""What only the second arm does is done by the lanes of the first."""
import kir
import solution


class Wrong(solution.Melding):
    def guard(self, inst, if_true):
        super().guard(inst, True)


solution.Melding = Wrong
kir.run(solution.meld)
