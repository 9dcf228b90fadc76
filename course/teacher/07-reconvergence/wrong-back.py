#!/usr/bin/env python3
"""Lanes that go back to a header wait for no others that leave the loop."""
import kir
import opentree


def go_back(self, node):
    to = list(dict.fromkeys(t for t in node.targets if t.place is not None))
    for k, target in enumerate(node.targets):
        if target.place is not None:
            self.close(node, k)
    self.drop(to + [node])


opentree.OpenTree.go_back = go_back
kir.run(opentree.reconverge)
