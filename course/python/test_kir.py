# SPDX-License-Identifier: Apache-2.0
"""Tests of kir.py that need no compiler."""

import struct
import unittest

import kir

DOCUMENT = """{"kernelc_ir": 1, "functions": [
 {"name": "k", "dialect": "thread", "kernel": true, "params": [{"id": 0, "type": "i32", "name": "n"}],
  "blocks": [
   {"id": 0, "insts": [
    {"results": [{"id": 5, "type": "i1"}], "op": "slt", "operands": [0, {"type": "i32", "const": -5}]},
    {"op": "br_if", "operands": [5], "targets": [{"block": 2, "args": [0]}, {"block": 1}]}]},
   {"id": 1, "insts": [{"op": "br", "targets": [{"block": 2, "args": [{"type": "i32", "const": 7}]}]}]},
   {"id": 2, "hint": "join", "params": [{"id": 6, "type": "i32"}], "insts": [
    {"results": [{"id": 7, "type": "i64"}], "op": "sext", "operands": [6]},
    {"op": "ret", "loc": [3, 4]}]}]}]}
"""


class Kir(unittest.TestCase):
    def setUp(self):
        self.module = kir.loads(DOCUMENT)
        self.f = self.module.functions[0]

    def test_there_and_back(self):
        text = kir.dumps(self.module)
        self.assertEqual(text, kir.dumps(kir.loads(text)))

    def test_graph(self):
        b0, b1, b2 = self.f.blocks
        self.assertEqual(self.f.predecessors(), {b0: [], b1: [b0], b2: [b0, b1]})
        self.assertEqual(self.f.reverse_postorder(), [b0, b1, b2])
        self.assertEqual([t.args[0] for t in self.f.edges_to(b2)], [self.f.params[0], kir.Const("i32", 7)])

    def test_constants(self):
        self.assertEqual(kir.Const("i8", -1), kir.Const("i8", 255))
        self.assertEqual(kir.Const("i8", 255).value, -1)
        self.assertIs(kir.Const("i1", True).value, True)
        self.assertNotEqual(kir.Const("f32", 0.0), kir.Const("f32", -0.0))
        self.assertEqual(kir.Const("f32", 0.1).value, struct.unpack("<f", struct.pack("<f", 0.1))[0])
        self.assertEqual(kir.Const("f32", 1e300).bits, 0x7f800000)
        for type, text in [("f32", '"bits": "0x7fc00001"'), ("f64", '"const": "0x1.8000000000000p+1"'),
                           ("i64", '"const": "9223372036854775807"'), ("i64", '"const": -5'), ("i1", '"const": true'),
                           ("mask", '"const": 3'), ("ptr<global>", '"const": "18446744073709551615"')]:
            operand = f'{{"type": "{type}", {text}}}'
            changed = kir.loads(DOCUMENT.replace('{"type": "i32", "const": 7}', operand))
            self.assertIn(operand, kir.dumps(changed))

    def test_change(self):
        b0, b1, b2 = self.f.blocks
        self.f.remove_param(b2, 0)
        self.assertEqual(b1.terminator.targets[0].args, [])
        b2.insts[0].operands = [self.f.params[0]]
        builder = kir.Builder(b2, index=1)
        value = builder.make("add", "i64", b2.insts[0].result, kir.Const("i64", 1))
        self.f.replace({self.f.params[0]: kir.Const("i32", 3)})
        text = kir.dumps(self.module)
        self.assertEqual(value.id, 8)
        self.assertIn('{"results": [{"id": 8, "type": "i64"}], "op": "add", "operands": [7, {"type": "i64", "const": 1}]}',
                      text)
        self.assertIn('"op": "sext", "operands": [{"type": "i32", "const": 3}]', text)
        added = self.f.add_block("more", ["i32"], after=b1)
        self.assertEqual(self.f.blocks, [b0, b1, added, b2])
        kir.Builder(added).ret()
        kir.dumps(self.module)
        self.assertEqual(added.id, 3)

    def test_demote(self):
        self.f.demote()
        self.assertEqual([p for b in self.f.blocks[1:] for p in b.params], [])
        self.assertEqual([a for i in self.f.insts() for t in i.targets for a in t.args], [])
        places = {r: b for b in self.f.blocks for i in b.insts for r in i.results}
        for block in self.f.blocks:
            for inst in block.insts:
                for value in inst.operands:
                    self.assertIs(places.get(value, block), block)
        sets = [i.attrs["var"] for i in self.f.insts() if i.op == "var_set"]
        gets = [i.attrs["var"] for i in self.f.insts() if i.op == "var_get"]
        self.assertEqual(sets.count(0), 2)  # the parameter of b2, once for each edge
        self.assertEqual(set(sets), set(gets))
        self.assertEqual(kir.dumps(kir.loads(kir.dumps(self.module))), kir.dumps(self.module))

    def test_route(self):
        b0, b1, b2 = self.f.blocks
        one, = b1.terminator.targets
        other = next(t for t in b0.terminator.targets if t.block is b1)
        via = self.f.route([one, other], "via")
        self.assertEqual([t.block for t in via.terminator.targets], [b2, b1])
        self.assertEqual((via.terminator.op, [p.type for p in via.params]), ("br_if", ["i1", "i32"]))
        self.assertEqual(one.args, [kir.Const("i1", True), kir.Const("i32", 7)])
        self.assertEqual(other.args, [kir.Const("i1", False), kir.Undef("i32")])
        self.assertEqual(via.terminator.targets[0].args, via.params[1:])
        same = self.f.route(self.f.edges_to(via))
        self.assertEqual((same.terminator.op, len(same.params)), ("br", 2))

    def test_versions(self):
        with self.assertRaises(kir.Error):
            kir.loads('{"kernelc_ir": 2, "functions": []}')


if __name__ == "__main__":
    unittest.main()
