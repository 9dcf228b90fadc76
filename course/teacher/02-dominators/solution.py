#!/usr/bin/env python3
import tree

tree.main()
