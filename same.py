#!/usr/bin/env python3
import kir
kir.run(lambda f: None)
