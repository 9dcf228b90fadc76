// SPDX-License-Identifier: Apache-2.0
"use strict";
// Tests of kir.js that need no compiler: node course/js/test_kir.js
const assert = require("assert").strict;
const kir = require("./kir.js");

const DOCUMENT = `{"kernelc_ir": 1, "functions": [
 {"name": "k", "dialect": "thread", "kernel": true, "params": [{"id": 0, "type": "i32", "name": "n"}],
  "blocks": [
   {"id": 0, "insts": [
    {"results": [{"id": 5, "type": "i1"}], "op": "slt", "operands": [0, {"type": "i32", "const": -5}]},
    {"op": "br_if", "operands": [5], "targets": [{"block": 2, "args": [0]}, {"block": 1}]}]},
   {"id": 1, "insts": [{"op": "br", "targets": [{"block": 2, "args": [{"type": "i32", "const": 7}]}]}]},
   {"id": 2, "hint": "join", "params": [{"id": 6, "type": "i32"}], "insts": [
    {"results": [{"id": 7, "type": "i64"}], "op": "sext", "operands": [6]},
    {"op": "ret", "loc": [3, 4]}]}]}]}
`;
const load = () => kir.loads(DOCUMENT);
const tests = {
  "there and back"() {
    const text = kir.dumps(load());
    assert.equal(kir.dumps(kir.loads(text)), text);
    assert.deepEqual(JSON.parse(text), JSON.parse(DOCUMENT));
  },
  "the graph"() {
    const f = load().functions[0];
    const [b0, b1, b2] = f.blocks;
    assert.deepEqual([...f.predecessors().values()].map((list) => list.map((b) => b.id)), [[], [0], [0, 1]]);
    assert.deepEqual(f.reversePostorder(), [b0, b1, b2]);
    assert.deepEqual(f.edgesTo(b2).map((t) => t.args[0]), [f.params[0], new kir.Const("i32", 7)]);
  },
  "constants"() {
    assert.equal(new kir.Const("i8", -1), new kir.Const("i8", 255));
    assert.equal(new kir.Const("i8", 255).value, -1);
    assert.equal(new kir.Const("i1", true).value, true);
    assert.notEqual(new kir.Const("f32", 0), new kir.Const("f32", -0));
    assert.equal(new kir.Const("f32", 0.1).value, Math.fround(0.1));
    assert.equal(new kir.Const("f32", 1e300).bits, 0x7f800000n);
    assert.equal(new kir.Undef("i32"), new kir.Undef("i32"));
    for (const [type, text] of [["f32", '"bits":"0x7fc00001"'], ["f64", '"const":"0x1.8p+1"'], ["f64", '"const":"-0x1.fffffffffffffp+1023"'],
      ["f64", '"const":"0x0.0000000000001p-1022"'], ["f64", '"const":"-0x0p+0"'], ["i64", '"const":"9223372036854775807"'], ["i64", '"const":-5'],
      ["i1", '"const":true'], ["mask", '"const":3'], ["ptr<global>", '"const":"18446744073709551615"']]) {
      const operand = `{"type":"${type}",${text}}`;
      const changed = kir.loads(DOCUMENT.replace('{"type": "i32", "const": 7}', operand));
      assert.ok(kir.dumps(changed).includes(operand), operand);
    }
  },
  "changes"() {
    const module = load(), f = module.functions[0];
    const [, b1, b2] = f.blocks;
    f.removeParam(b2, 0);
    assert.deepEqual(b1.terminator.targets[0].args, []);
    b2.insts[0].operands = [f.params[0]];
    const value = new kir.Builder(b2, 1).make("add", "i64", [b2.insts[0].result, new kir.Const("i64", 1)]);
    f.replace(new Map([[f.params[0], new kir.Const("i32", 3)]]));
    const text = kir.dumps(module);
    assert.equal(value.id, 8);
    assert.ok(text.includes('"op":"slt","operands":[{"type":"i32","const":3},{"type":"i32","const":-5}]'));
    assert.throws(() => b2.insts[2].result, kir.KirError);
  },
  "routes and variables"() {
    const f = load().functions[0];
    const [b0, b1, b2] = f.blocks;
    const via = f.route([b0.terminator.targets[1], ...b1.terminator.targets], "via");
    assert.deepEqual(via.successors, [b1, b2]);
    assert.deepEqual(via.params.map((p) => p.type), ["i1", "i32"]);
    f.demote();
    assert.ok(f.blocks.slice(1).every((b) => b.params.length === 0));
    assert.ok(f.insts().every((i) => i.targets.every((t) => t.args.length === 0)));
  },
};
for (const [name, test] of Object.entries(tests)) {
  test();
  console.log(`ok: ${name}`);
}
