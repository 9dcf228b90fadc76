#!/usr/bin/env python3
import kir
import ssa

kir.run(ssa.promote)
