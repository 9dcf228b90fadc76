#!/usr/bin/env python3
import kir
import numbering

kir.run(numbering.number)
