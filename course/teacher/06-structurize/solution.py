#!/usr/bin/env python3
import kir
import structure

kir.run(structure.structurize)
