// SPDX-License-Identifier: Apache-2.0
"use strict";
/* IR of kernelc in JavaScript: types, traversal, a builder, reading and writing JSON (docs/ir-json.md).

A pass is a program that reads a function and writes one:

    const kir = require("kir");

    kir.run((func) => {                  // changes it in place, or returns another one
      for (const block of func.blocks)
        for (const inst of block.insts) ...
    });

It runs in node (kernelc k.cl --passes=mem2reg,'exec:node mine.js', with NODE_PATH=course/js), and on the page of the lab.
console.log writes to standard error: standard output is for the IR. Dominators, loops and liveness are not here: they
are exercises. Needs node 18 or a browser, and nothing else. Values, blocks and constants are compared by ===: equal
constants are one object, so all of them can be keys of a Map. */

const fs = require("fs");
console.log = console.error;

// Of a process: the grader shows the last line of standard error, which says what happened, and where.
if (process.on) process.on("uncaughtException", (error) => {
  const stack = String(error?.stack ?? error);
  const line = stack.split("\n").find((frame) => frame.includes(require.main?.filename))?.match(/:(\d+):\d+\)?$/)?.[1];
  console.error(`${stack}\n${error?.name ?? "error"}: ${error?.message ?? error}${line ? ` (line ${line})` : ""}`);
  process.exit(1);
});

const VERSION = 1;

// What opcodes of the thread and wave dialects do besides computing their results; those that are not listed do
// nothing else. "read": memory; "cross_lane": other lanes, so they may be removed, but not moved or shared; "write":
// memory, or order with other work-items; "control": terminators. A test compares this with the compiler's tables.
const OPCODES_WITH = {
    "read": `
        full_waves lane_load load uniform_load var_get
    `,
    "cross_lane": `
        ballot broadcast_first opaque_false reduce scan shuffle
    `,
    "write": `
        atomic_add atomic_and atomic_cmpxchg atomic_or atomic_smax atomic_smin atomic_sub atomic_umax
        atomic_umin atomic_xchg atomic_xor barrier fence lane_atomic_add lane_atomic_and lane_atomic_cmpxchg
        lane_atomic_or lane_atomic_smax lane_atomic_smin lane_atomic_sub lane_atomic_umax lane_atomic_umin
        lane_atomic_xchg lane_atomic_xor lane_barrier lane_store lane_volatile_load lane_volatile_store
        move_wave next_wave store sub_group_barrier uniform_atomic_add uniform_atomic_and uniform_atomic_cmpxchg
        uniform_atomic_or uniform_atomic_smax uniform_atomic_smin uniform_atomic_sub uniform_atomic_umax
        uniform_atomic_umin uniform_atomic_xchg uniform_atomic_xor uniform_store uniform_volatile_load
        uniform_volatile_store var_set volatile_load volatile_store
    `,
    "control": `
        br br_if ret switch trap
    `,
};
// Of machine dialects: the terminators that lead nowhere.
const ENDS_OF_MACHINES = ["p_end", "leave"];
// By opcode: "read", "cross_lane", "write" or "control"; undefined for all others.
const EFFECTS = Object.assign(Object.create(null), ...Object.entries(OPCODES_WITH).map(([effect, ops]) =>
  Object.fromEntries(ops.trim().split(/\s+/).map((op) => [op, effect]))));

// A document that is no IR, or a question that has no answer.
class KirError extends Error {}

const isFloat = (type) => ["f32", "f64", "lane<f32>", "lane<f64>"].includes(type);
const elementOf = (type) => (type.startsWith("lane<") ? type.slice(5, -1) : type);
const BITS = { "i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "f32": 32, "f64": 64, "ptr<global>": 64,
  "ptr<constant>": 64, "ptr<local>": 32, "ptr<private>": 32 };
// The width of one element of an integer, float or pointer type; null for other types.
const bitsOf = (type) => BITS[elementOf(type)] ?? null;

// A parameter of a block or of the function, or a result of an instruction.
class Value {
  constructor(type, id = null, known = {}) {
    this.type = type;
    this.id = id;          // null: writing chooses one
    this.known = known;    // what else the document says: name, of, role, reg ...
  }
  get name() { return this.known.name; }
  toString() { return `%${this.id ?? "?"}: ${this.type}`; }
}

// One object for each type and bits, by both as text.
const constants = new Map();

// A constant. `value` is a number (a BigInt for 64 bits and pointers), true or false for i1; `bits` is a BigInt.
class Const {
  constructor(type, value = null, bits = null) {
    const width = bitsOf(type);
    const all = bits ?? (isFloat(type) ? floatBits(width, Number(value)) : BigInt(value));
    this.type = type;
    this.bits = width ? BigInt.asUintN(width, all) : all;
    const key = `${type}:${this.bits}`;
    const same = constants.get(key);
    if (same) return same;
    constants.set(key, Object.freeze(this));
  }
  get value() {
    const width = bitsOf(this.type);
    if (isFloat(this.type)) return floatOf(width, this.bits);
    if (width === 1) return this.bits === 1n;
    const pointer = elementOf(this.type).startsWith("ptr");
    const exact = width && !pointer ? BigInt.asIntN(width, this.bits) : this.bits;
    return width && width <= 32 ? Number(exact) : exact;
  }
  toString() { return `${this.value}:${this.type}`; }
}

// One frozen value of its type, which nobody knows. One object for each type.
const undefs = new Map();
class Undef {
  constructor(type) {
    this.type = type;
    if (undefs.has(type)) return undefs.get(type);
    undefs.set(type, Object.freeze(this));
  }
  toString() { return `undef:${this.type}`; }
}

// An edge: the block, and an argument for each of its parameters.
class Target {
  constructor(block, args = []) {
    this.block = block;
    this.args = [...args];
  }
}

class Inst {
  constructor(op, { operands = [], results = [], attrs = {}, targets = [], loc = null } = {}) {
    this.op = op;
    this.operands = [...operands];
    this.results = [...results];
    this.attrs = { ...attrs };
    this.targets = [...targets];
    this.loc = loc;        // [line, column] or [line, column, file]
  }
  // The only result.
  get result() {
    if (this.results.length !== 1) throw new KirError(`'${this.op}' has ${this.results.length} results`);
    return this.results[0];
  }
  get isTerminator() {
    return EFFECTS[this.op] === "control" || this.targets.length > 0 || ENDS_OF_MACHINES.includes(this.op);
  }
  // Whether it does more than compute its results: a pass may not remove it. Reads may be removed.
  get hasEffects() { return EFFECTS[this.op] === "write" || EFFECTS[this.op] === "control"; }
  // All values it uses: operands, then arguments of its targets.
  used() { return [...this.operands, ...this.targets.flatMap((target) => target.args)]; }
  // Each used value v becomes map.get(v), if it has one: one step, not a chain as in Function.replace.
  replaceUsed(map) {
    const changed = (v) => (map.has(v) ? map.get(v) : v);
    this.operands = this.operands.map(changed);
    for (const target of this.targets) target.args = target.args.map(changed);
  }
  toString() {
    const targets = this.targets.map((t) => `b${t.block.id}${t.args.length ? `(${t.args.join(", ")})` : ""}`).join(", ");
    return `${this.results.length ? `${this.results.join(", ")} = ` : ""}${this.op} ${this.operands.join(", ")}${targets ? ` -> ${targets}` : ""}`;
  }
}

class Block {
  constructor({ id = null, hint = null, params = [], insts = [], mask = null, known = {} } = {}) {
    this.id = id;
    this.hint = hint;
    this.params = [...params];     // of the first block: those of the function
    this.insts = [...insts];
    this.mask = mask;              // wave: the lanes for which the block runs
    this.known = known;            // unroll, flow
  }
  get terminator() {
    const last = this.insts[this.insts.length - 1];
    if (!last || !last.isTerminator) throw new KirError(`block ${this.id} has no terminator`);
    return last;
  }
  // All instructions but the terminator.
  get body() { return this.insts.slice(0, -1); }
  // In the order of the targets; a block may come twice.
  get successors() { return this.terminator.targets.map((target) => target.block); }
  toString() { return `b${this.id}${this.hint ? `.${this.hint}` : ""}`; }
}

class Func {
  constructor(name, dialect = "thread", blocks = [], known = {}) {
    this.name = name;
    this.dialect = dialect;
    this.blocks = [...blocks];     // the first one is the entry
    this.known = known;            // kernel, width, local, vars, objects, files, sites ...
  }
  get entry() { return this.blocks[0]; }
  get params() { return this.entry.params; }
  insts() { return this.blocks.flatMap((block) => block.insts); }

  // For each block those that have an edge to it, once for each edge: a Map.
  predecessors() {
    const before = new Map(this.blocks.map((block) => [block, []]));
    for (const block of this.blocks) for (const successor of block.successors) before.get(successor).push(block);
    return before;
  }
  // The targets that lead to the block.
  edgesTo(block) {
    return this.blocks.flatMap((b) => b.terminator.targets).filter((target) => target.block === block);
  }
  // The blocks that can be reached, each after its successors but for back edges.
  postorder() {
    const done = new Set([this.entry]), order = [], stack = [[this.entry, this.entry.successors, 0]];
    while (stack.length > 0) {
      const top = stack[stack.length - 1];
      while (top[2] < top[1].length && done.has(top[1][top[2]])) top[2]++;
      if (top[2] === top[1].length) {
        order.push(top[0]);
        stack.pop();
      } else {
        const following = top[1][top[2]];
        done.add(following);
        stack.push([following, following.successors, 0]);
      }
    }
    return order;
  }
  reversePostorder() { return this.postorder().reverse(); }
  // For each value the instruction or the block that defines it: a Map.
  definitions() {
    const defined = new Map();
    for (const block of this.blocks) {
      for (const param of block.params) defined.set(param, block);
      for (const inst of block.insts) for (const result of inst.results) defined.set(result, inst);
    }
    return defined;
  }
  // For each value the instructions that use it, once for each use: a Map.
  uses() {
    const used = new Map();
    for (const inst of this.insts())
      for (const value of inst.used()) {
        if (!used.has(value)) used.set(value, []);
        used.get(value).push(inst);
      }
    return used;
  }
  // Each value v that is used becomes map.get(v), if it has one: the Map may have chains, but no cycles.
  replace(map) {
    const ends = new Map();
    for (const value of map.keys()) {
      let end = value;
      while (map.has(end)) end = map.get(end);
      ends.set(value, end);
    }
    for (const block of this.blocks) {
      if (ends.has(block.mask)) block.mask = ends.get(block.mask);
      for (const inst of block.insts) inst.replaceUsed(ends);
    }
  }
  // The parameter, and the argument of each edge to the block.
  removeParam(block, index) {
    block.params.splice(index, 1);
    for (const target of this.edgesTo(block)) target.args.splice(index, 1);
  }

  // What passes between blocks goes through variables: parameters of blocks are gone, and each block computes or loads
  // what it uses. So blocks and edges can be moved freely; `mem2reg` turns variables into values again.
  demote() {
    const variables = (this.known.vars ??= []);
    const before = this.predecessors();
    const places = new Map();  // of parameters: their variables
    // What an edge passes is stored before it, on the way to other blocks, too: only the block it leads to loads it.
    for (const block of this.blocks.slice(1)) {
      for (const param of block.params) {
        variables.push({ name: "param", type: param.type });
        places.set(param, variables.length - 1);
      }
      for (let edge of this.edgesTo(block)) {
        if (edge.args.length === 0) continue;
        let source = before.get(block).find((b) => b.terminator.targets.includes(edge));
        if (source.successors.filter((s) => s === block).length > 1) {  // its edges pass different values
          const between = this.addBlock("edge", [], source);
          between.insts = [new Inst("br", { targets: [new Target(block, edge.args)], loc: source.terminator.loc })];
          edge.block = between;
          edge.args = [];
          source = between;
          edge = between.terminator.targets[0];
        }
        block.params.forEach((param, k) => source.insts.splice(-1, 0,
          new Inst("var_set", { operands: [edge.args[k]], attrs: { var: places.get(param) } })));
        edge.args = [];
      }
    }
    for (const block of this.blocks.slice(1)) {
      block.insts.unshift(...block.params.map((param) => {
        param.known = {};
        return new Inst("var_get", { results: [param], attrs: { var: places.get(param) } });
      }));
      block.params = [];
    }
    this.demoteValues(variables);
  }
  demoteValues(variables) {
    const place = new Map();
    for (const block of this.blocks) for (const inst of block.insts) for (const r of inst.results) place.set(r, block);
    const stored = new Map();
    for (const block of this.blocks) {
      const loaded = new Map();
      for (const inst of block.insts)
        for (const value of inst.operands) {
          if ((place.get(value) ?? block) === block || loaded.has(value)) continue;
          if (!stored.has(value)) {
            variables.push({ name: "value", type: value.type });
            stored.set(value, variables.length - 1);
          }
          loaded.set(value, new Inst("var_get", { results: [new Value(value.type)], attrs: { var: stored.get(value) } }));
        }
      const map = new Map([...loaded].map(([value, inst]) => [value, inst.result]));
      for (const inst of block.insts) inst.replaceUsed(map);
      block.insts.unshift(...loaded.values());
    }
    for (const block of this.blocks)
      block.insts = block.insts.flatMap((inst) => [inst, ...inst.results.filter((r) => stored.has(r)).map((r) =>
        new Inst("var_set", { operands: [r], attrs: { var: stored.get(r) } }))]);
  }

  // Sends the edges, targets of terminators, through one new block, which branches to where each of them led. The edges
  // tell it by an argument, which has the type i1 for two targets, else i32. Each edge is given once. Returns the block;
  // its own edges are new ones.
  route(edges, hint = null, after = null) {
    const blocks = [...new Set(edges.map((edge) => edge.block))];
    const via = this.addBlock(hint, [], after);
    const parts = new Map(blocks.map((b) => [b, b.params.map((p) => new Value(p.type))]));
    const kind = blocks.length === 2 ? "i1" : "i32";
    const chooser = blocks.length > 1 ? [new Value(kind)] : [];
    via.params = [...chooser, ...blocks.flatMap((b) => parts.get(b))];
    for (const edge of edges) {
      const number = blocks.indexOf(edge.block);
      const told = chooser.length > 0 ? [new Const(kind, kind === "i1" ? number === 0 : number)] : [];
      edge.args = [...told, ...blocks.flatMap((b) => (b === edge.block ? edge.args : b.params.map((p) => new Undef(p.type))))];
      edge.block = via;
    }
    const targets = blocks.map((b) => new Target(b, parts.get(b)));
    const cases = blocks.length > 2 ? blocks.slice(1).map((_, n) => new Const(kind, n + 1)) : [];
    const op = ["br", "br_if"][blocks.length - 1] ?? "switch";
    via.insts = [new Inst(op, { operands: [...chooser, ...cases], targets })];
    return via;
  }

  // A new block, after that one or the last; `types` are those of its parameters.
  addBlock(hint = null, types = [], after = null) {
    const block = new Block({ hint, params: types.map((type) => new Value(type)) });
    this.blocks.splice(after === null ? this.blocks.length : this.blocks.indexOf(after) + 1, 0, block);
    return block;
  }
}

// Appends instructions to a block, or inserts them before number `index`.
class Builder {
  constructor(block, index = null, loc = null) {
    this.block = block;
    this.index = index;
    this.loc = loc;
  }
  // The instruction; `types` are those of its results.
  emit(op, operands = [], types = [], { targets = [], attrs = {} } = {}) {
    const inst = new Inst(op, { operands, results: types.map((type) => new Value(type)), attrs, targets, loc: this.loc });
    if (this.index === null) this.block.insts.push(inst);
    else this.block.insts.splice(this.index++, 0, inst);
    return inst;
  }
  // The only result of a new instruction.
  make(op, type, operands = [], attrs = {}) { return this.emit(op, operands, [type], { attrs }).result; }
  br(block, ...args) { return this.emit("br", [], [], { targets: [new Target(block, args)] }); }
  // `yes` and `no` are targets or blocks without parameters.
  brIf(condition, yes, no) { return this.emit("br_if", [condition], [], { targets: [yes, no].map(asTarget) }); }
  ret() { return this.emit("ret"); }
}

class Module {
  constructor(functions = [], source = null) {
    this.functions = [...functions];
    this.source = source;
  }
}

// --- reading

function loads(text) {
  const document = JSON.parse(text);
  if (document?.kernelc_ir !== VERSION) throw new KirError(`this is no IR of version ${VERSION}`);
  return new Module(document.functions.map(readFunction), document.source ?? null);
}

const read = () => loads(fs.readFileSync(0, "utf8"));

function readFunction({ name, dialect, params = [], blocks: written, ...known }) {
  const values = new Map(), blocks = new Map();
  const declare = ({ id, type, ...rest }) => {
    const value = new Value(type, id, rest);
    values.set(id, value);
    return value;
  };
  const operand = (v) => {
    if (typeof v === "number") return values.get(v);
    if (v.undef) return new Undef(v.type);
    if (v.bits !== undefined) return new Const(v.type, null, BigInt(v.bits));
    if (isFloat(v.type)) return new Const(v.type, typeof v.const === "string" && /0x/i.test(v.const) ? fromHex(v.const) : v.const);
    return new Const(v.type, v.const);
  };
  const func = new Func(name, dialect, [], known);
  for (const { id, hint = null, params: own = [], insts, mask, ...rest } of written) {
    const block = new Block({ id, hint, known: rest });
    block.params = (func.blocks.length > 0 ? own : params).map(declare);
    block.insts = insts.map((i) => new Inst(i.op, { results: (i.results ?? []).map(declare), loc: i.loc ?? null,
      attrs: Object.fromEntries(Object.entries(i.attrs ?? {}).map(([key, x]) => [key, typeof x === "string" ? BigInt(x) : Number(x)])) }));
    blocks.set(id, block);
    func.blocks.push(block);
  }
  written.forEach((b, n) => {
    const block = func.blocks[n];
    if (b.mask !== undefined) block.mask = operand(b.mask);
    b.insts.forEach((i, k) => {
      block.insts[k].operands = (i.operands ?? []).map(operand);
      block.insts[k].targets = (i.targets ?? []).map((t) => new Target(blocks.get(t.block), (t.args ?? []).map(operand)));
    });
  });
  return func;
}

// --- writing

function dumps(module) {
  const source = module.source ? `"source": ${JSON.stringify(module.source)}, ` : "";
  return `{"kernelc_ir": ${VERSION}, ${source}"functions": [\n ${module.functions.map(writeFunction).join(",\n ")}]}\n`;
}

const write = (module) => fs.writeFileSync(1, dumps(module));

function writeFunction(f) {
  numberAll(f);
  const operand = (v) => {
    if (v instanceof Value) return v.id;
    if (v instanceof Undef) return { type: v.type, undef: true };
    if (!(v instanceof Const)) throw new KirError(`${v} is used, and is no value`);
    if (!isFloat(v.type)) return { type: v.type, const: exact(v.value) };
    return Number.isFinite(v.value) ? { type: v.type, const: toHex(v.value) } : { type: v.type, bits: `0x${v.bits.toString(16)}` };
  };
  const declared = (v) => ({ id: v.id, type: v.type, ...v.known });
  const instruction = (i) => JSON.stringify({
    ...(i.results.length && { results: i.results.map(declared) }),
    op: i.op,
    ...(i.operands.length && { operands: i.operands.map(operand) }),
    ...(Object.keys(i.attrs).length && { attrs: Object.fromEntries(Object.entries(i.attrs).map(([key, x]) => [key, exact(x)])) }),
    ...(i.targets.length && { targets: i.targets.map((t) => ({ block: t.block.id, ...(t.args.length && { args: t.args.map(operand) }) })) }),
    ...(i.loc && { loc: i.loc }),
  });
  const block = (b) => {
    const head = JSON.stringify({
      id: b.id,
      ...(b.hint && { hint: b.hint }),
      ...(b.params.length && b !== f.entry && { params: b.params.map(declared) }),
      ...(b.mask !== null && { mask: operand(b.mask) }),
      ...b.known,
    });
    return `${head.slice(0, -1)}, "insts": [\n    ${b.insts.map(instruction).join(",\n    ")}]}`;
  };
  const head = JSON.stringify({ name: f.name, dialect: f.dialect, ...f.known, ...(f.params.length && { params: f.params.map(declared) }) });
  return `${head.slice(0, -1)},\n  "blocks": [\n   ${f.blocks.map(block).join(",\n   ")}]}`;
}

function numberAll(f) {
  for (const things of [[...f.blocks.flatMap((b) => b.params), ...f.insts().flatMap((i) => i.results)], f.blocks]) {
    let following = things.reduce((most, thing) => Math.max(most, thing.id ?? -1), -1) + 1;
    for (const thing of things) thing.id ??= following++;
  }
}

// Readers of JSON may hold numbers as doubles, so larger integers are strings.
function exact(v) {
  if (typeof v !== "bigint") return v;
  return v > -(1n << 53n) && v < 1n << 53n ? Number(v) : String(v);
}

// --- floats

function floatBits(width, value) {
  const view = new DataView(new ArrayBuffer(8));
  if (width === 32) {
    view.setFloat32(0, value);
    return BigInt(view.getUint32(0));
  }
  view.setFloat64(0, value);
  return view.getBigUint64(0);
}

function floatOf(width, bits) {
  const view = new DataView(new ArrayBuffer(8));
  if (width === 32) {
    view.setUint32(0, Number(bits));
    return view.getFloat32(0);
  }
  view.setBigUint64(0, bits);
  return view.getFloat64(0);
}

// 0x1.8p+1: exactly the value of a finite double.
function toHex(value) {
  const bits = floatBits(64, value);
  const sign = bits >> 63n ? "-" : "";
  const exponent = Number((bits >> 52n) & 0x7ffn), fraction = bits & ((1n << 52n) - 1n);
  if (exponent === 0 && fraction === 0n) return `${sign}0x0p+0`;
  const digits = fraction.toString(16).padStart(13, "0").replace(/0+$/, "");
  const power = exponent === 0 ? -1022 : exponent - 1023;
  return `${sign}0x${exponent === 0 ? 0 : 1}${digits ? `.${digits}` : ""}p${power < 0 ? "" : "+"}${power}`;
}

function fromHex(text) {
  const match = text.match(/^([+-]?)0x([0-9a-f]*)\.?([0-9a-f]*)p([+-]?\d+)$/i);
  if (!match) throw new KirError(`'${text}' is no number`);
  const [, sign, whole, fraction, power] = match;
  // At most 53 bits, so the number is exact, and one of the two factors is enough where the other would overflow.
  const exponent = Number(power) - 4 * fraction.length, half = Math.trunc(exponent / 2);
  const value = Number(BigInt(`0x${whole}${fraction}`)) * 2 ** half * 2 ** (exponent - half);
  return sign === "-" ? -value : value;
}

const asTarget = (target) => (target instanceof Target ? target : new Target(target));

// --- passes and analyses

// Reads a document from standard input, calls work(func) for each function, writes the document.
function run(work) {
  const module = read();
  module.functions = module.functions.map((f) => work(f) ?? f);
  write(module);
}

// Reads a document, calls work(func) for its only function, and writes what it returns, an object, as JSON.
const answer = (work) => fs.writeFileSync(1, JSON.stringify(work(read().functions[0])));

module.exports = { VERSION, EFFECTS, KirError, isFloat, bitsOf, Value, Const, Undef, Target, Inst, Block, Function: Func,
  Builder, Module, loads, read, dumps, write, run, answer };
