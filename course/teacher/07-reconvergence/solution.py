#!/usr/bin/env python3
import kir
import opentree

kir.run(opentree.reconverge)
