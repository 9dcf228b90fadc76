#!/usr/bin/env python3
"""What only one arm does, all lanes do, stores included."""
import kir
import solution


solution.guarded = lambda inst: False


kir.run(solution.meld)
