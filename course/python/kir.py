# SPDX-License-Identifier: Apache-2.0
"""IR of kernelc in Python: types, traversal, a builder, reading and writing JSON (docs/ir-json.md).

A pass is a program that reads a function and writes one:

    #!/usr/bin/env python3
    import kir

    def work(function):                  # changes it in place, or returns another one
        for block in function.blocks:
            for inst in block.insts:
                ...

    kir.run(work)                        # kernelc k.cl --passes=mem2reg,exec:./work.py

While `work` runs, print() writes to standard error: standard output is for the IR.
Dominators, loops and liveness are not here: they are exercises. Needs Python 3.9 and nothing else.
"""

import json
import math
import struct
import sys

VERSION = 1

# What opcodes of the thread and wave dialects do besides computing their results; those that are not listed do
# nothing else. "read": memory; "cross_lane": other lanes, so they may be removed, but not moved or shared; "write":
# memory, or order with other work-items; "control": terminators. A test compares this with the compiler's tables.
_OPCODES_WITH = {
    "read": """
        full_waves lane_load load uniform_load var_get
    """,
    "cross_lane": """
        ballot broadcast_first opaque_false reduce scan shuffle
    """,
    "write": """
        atomic_add atomic_and atomic_cmpxchg atomic_or atomic_smax atomic_smin atomic_sub atomic_umax
        atomic_umin atomic_xchg atomic_xor barrier fence lane_atomic_add lane_atomic_and lane_atomic_cmpxchg
        lane_atomic_or lane_atomic_smax lane_atomic_smin lane_atomic_sub lane_atomic_umax lane_atomic_umin
        lane_atomic_xchg lane_atomic_xor lane_barrier lane_store lane_volatile_load lane_volatile_store
        move_wave next_wave store sub_group_barrier uniform_atomic_add uniform_atomic_and uniform_atomic_cmpxchg
        uniform_atomic_or uniform_atomic_smax uniform_atomic_smin uniform_atomic_sub uniform_atomic_umax
        uniform_atomic_umin uniform_atomic_xchg uniform_atomic_xor uniform_store uniform_volatile_load
        uniform_volatile_store var_set volatile_load volatile_store
    """,
    "control": """
        br br_if ret switch trap
    """,
}
# Of machine dialects: the terminators that lead nowhere.
_ENDS_OF_MACHINES = ("p_end", "leave")
EFFECTS = {op: effect for effect, ops in _OPCODES_WITH.items() for op in ops.split()}


class Error(Exception):
    """A document that is no IR, or a question that has no answer."""


def is_float(type):
    return type in ("f32", "f64", "lane<f32>", "lane<f64>")


def bits_of(type):
    """The width of one element of an integer, float or pointer type; None for other types."""
    element = type[5:-1] if type.startswith("lane<") else type
    return {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "f32": 32, "f64": 64, "ptr<global>": 64,
            "ptr<constant>": 64, "ptr<local>": 32, "ptr<private>": 32}.get(element)


class Value:
    """A parameter of a block or of the function, or a result of an instruction. Its identity counts."""

    def __init__(self, type, id=None, **known):
        self.type = type
        self.id = id            # None: write() chooses one
        self.known = known      # what else the document says: name, of, role, reg ...

    @property
    def name(self):
        return self.known.get("name")

    def __repr__(self):
        return f"%{'?' if self.id is None else self.id}: {self.type}"


class Const:
    """A constant. `value` is an int, a bool for i1, or a float. Equal where type and bits are."""

    def __init__(self, type, value=None, bits=None):
        self.type = type
        if bits is None:
            bits = _float_bits(type, value) if is_float(type) else int(value)
        width = bits_of(type)
        self.bits = bits & ((1 << width) - 1) if width else bits

    @property
    def value(self):
        width = bits_of(self.type)
        if is_float(self.type):
            return struct.unpack(_FORMATS[width][0], struct.pack(_FORMATS[width][1], self.bits))[0]
        if width == 1:
            return bool(self.bits)
        signed = width and not self.type.startswith(("ptr", "lane<ptr"))
        return self.bits - (1 << width) if signed and self.bits >> (width - 1) else self.bits

    @property
    def unsigned(self):
        return self.bits

    def __eq__(self, other):
        return isinstance(other, Const) and (self.type, self.bits) == (other.type, other.bits)

    def __hash__(self):
        return hash((self.type, self.bits))

    def __repr__(self):
        return f"{self.value}:{self.type}"


class Undef:
    """One frozen value of its type, which nobody knows."""

    def __init__(self, type):
        self.type = type

    def __eq__(self, other):
        return isinstance(other, Undef) and self.type == other.type

    def __hash__(self):
        return hash(("undef", self.type))

    def __repr__(self):
        return f"undef:{self.type}"


class Target:
    """An edge: the block, and an argument for each of its parameters."""

    def __init__(self, block, args=()):
        self.block = block
        self.args = list(args)


class Inst:
    def __init__(self, op, operands=(), results=(), attrs=None, targets=(), loc=None):
        self.op = op
        self.operands = list(operands)
        self.results = list(results)
        self.attrs = dict(attrs or {})
        self.targets = list(targets)
        self.loc = loc          # [line, column] or [line, column, file]

    @property
    def result(self):
        """The only result."""
        if len(self.results) != 1:
            raise Error(f"'{self.op}' has {len(self.results)} results")
        return self.results[0]

    @property
    def is_terminator(self):
        return EFFECTS.get(self.op) == "control" or bool(self.targets) or self.op in _ENDS_OF_MACHINES

    @property
    def has_effects(self):
        """Whether it does more than compute its results: a pass may not remove it. Reads may be removed."""
        return EFFECTS.get(self.op) in ("write", "control")

    def used(self):
        """All values it uses: operands, then arguments of its targets."""
        yield from self.operands
        for target in self.targets:
            yield from target.args

    def replace_used(self, new):
        """Each used value v becomes new.get(v, v): one step, not a chain as in Function.replace."""
        self.operands = [new.get(v, v) for v in self.operands]
        for target in self.targets:
            target.args = [new.get(v, v) for v in target.args]

    def __repr__(self):
        results = ", ".join(map(repr, self.results))
        targets = ", ".join(f"b{t.block.id}{tuple(t.args) if t.args else ''}" for t in self.targets)
        return (f"{results} = " if results else "") + self.op + " " + ", ".join(map(repr, self.operands)) + (
            f" -> {targets}" if targets else "")


class Block:
    def __init__(self, id=None, hint=None, params=(), insts=(), mask=None, **known):
        self.id = id
        self.hint = hint
        self.params = list(params)      # of the first block: those of the function
        self.insts = list(insts)
        self.mask = mask                # wave: the lanes for which the block runs
        self.known = known              # unroll, flow

    @property
    def terminator(self):
        if not self.insts or not self.insts[-1].is_terminator:
            raise Error(f"block {self.id} has no terminator")
        return self.insts[-1]

    @property
    def body(self):
        """All instructions but the terminator."""
        return self.insts[:-1]

    @property
    def successors(self):
        """In the order of the targets; a block may come twice."""
        return [target.block for target in self.terminator.targets]

    def __repr__(self):
        return f"b{self.id}" + (f".{self.hint}" if self.hint else "")


class Function:
    def __init__(self, name, dialect="thread", blocks=(), **known):
        self.name = name
        self.dialect = dialect
        self.blocks = list(blocks)      # the first one is the entry
        self.known = known              # kernel, width, local, vars, objects, files, sites ...

    @property
    def entry(self):
        return self.blocks[0]

    @property
    def params(self):
        return self.entry.params

    def insts(self):
        for block in self.blocks:
            yield from block.insts

    def predecessors(self):
        """For each block those that have an edge to it, once for each edge."""
        before = {block: [] for block in self.blocks}
        for block in self.blocks:
            for successor in block.successors:
                before[successor].append(block)
        return before

    def edges_to(self, block):
        """The targets that lead to the block."""
        return [t for b in self.blocks for t in b.terminator.targets if t.block is block]

    def postorder(self):
        """The blocks that can be reached, each after its successors but for back edges."""
        done, order, stack = {self.entry}, [], [(self.entry, iter(self.entry.successors))]
        while stack:
            block, successors = stack[-1]
            following = next((s for s in successors if s not in done), None)
            if following is None:
                order.append(block)
                stack.pop()
            else:
                done.add(following)
                stack.append((following, iter(following.successors)))
        return order

    def reverse_postorder(self):
        return self.postorder()[::-1]

    def definitions(self):
        """For each value the instruction or the block that defines it."""
        defined = {}
        for block in self.blocks:
            defined.update((p, block) for p in block.params)
            for inst in block.insts:
                defined.update((r, inst) for r in inst.results)
        return defined

    def uses(self):
        """For each value the instructions that use it, once for each use."""
        used = {}
        for inst in self.insts():
            for value in inst.used():
                used.setdefault(value, []).append(inst)
        return used

    def replace(self, new):
        """Each value v that is used becomes new.get(v, v): `new` may have chains, but no cycles."""
        def last(value):
            while value in new:
                value = new[value]
            return value
        ends = {value: last(value) for value in new}
        for block in self.blocks:
            block.mask = ends.get(block.mask, block.mask)
            for inst in block.insts:
                inst.replace_used(ends)

    def remove_param(self, block, index):
        """The parameter, and the argument of each edge to the block."""
        del block.params[index]
        for target in self.edges_to(block):
            del target.args[index]

    def demote(self):
        """What passes between blocks goes through variables: parameters of blocks are gone, and each block computes or
        loads what it uses. So blocks and edges can be moved freely; `mem2reg` turns variables into values again."""
        variables = self.known.setdefault("vars", [])
        before = self.predecessors()
        # What an edge passes is stored before it, on the way to other blocks, too: only the block it leads to loads it.
        for block in self.blocks[1:]:
            for param in block.params:
                variables.append({"name": "param", "type": param.type})
                param.known = {"var": len(variables) - 1}
            for edge in self.edges_to(block):
                if not edge.args:
                    continue
                source = next(b for b in before[block] if edge in b.terminator.targets)
                if source.successors.count(block) > 1:   # its edges pass different values
                    between = self.add_block("edge", after=source)
                    between.insts = [Inst("br", targets=[Target(block, edge.args)], loc=source.terminator.loc)]
                    edge.block, edge.args = between, []
                    source, edge = between, between.terminator.targets[0]
                for param, arg in zip(block.params, edge.args):
                    source.insts.insert(-1, Inst("var_set", [arg], attrs={"var": param.known["var"]}))
                edge.args = []
        for block in self.blocks[1:]:
            loads = [Inst("var_get", results=[param], attrs={"var": param.known["var"]}) for param in block.params]
            for param in block.params:
                param.known = {}
            block.insts[:0] = loads
            block.params = []
        self._demote_values(variables)

    def _demote_values(self, variables):
        place = {r: b for b in self.blocks for i in b.insts for r in i.results}
        stored = {}
        for block in self.blocks:
            loaded = {}
            for inst in block.insts:
                for value in inst.operands:
                    if place.get(value, block) is not block and value not in loaded:
                        if value not in stored:
                            variables.append({"name": "value", "type": value.type})
                            stored[value] = len(variables) - 1
                        loaded[value] = Inst("var_get", results=[Value(value.type)], attrs={"var": stored[value]})
            new = {value: inst.result for value, inst in loaded.items()}
            for inst in block.insts:
                inst.replace_used(new)
            block.insts[:0] = loaded.values()
        for block in self.blocks:
            insts = []
            for inst in block.insts:
                insts.append(inst)
                insts += [Inst("var_set", [r], attrs={"var": stored[r]}) for r in inst.results if r in stored]
            block.insts = insts

    def route(self, edges, hint=None, after=None):
        """Sends the edges, targets of terminators, through one new block, which branches to where each of them led. The
        edges tell it by an argument, which has the type i1 for two targets, else i32. Each edge is given once. Returns the
        block; its own edges are new ones."""
        blocks = list(dict.fromkeys(edge.block for edge in edges))
        via = self.add_block(hint, after=after)
        parts = {b: [Value(p.type) for p in b.params] for b in blocks}
        kind = "i1" if len(blocks) == 2 else "i32"
        chooser = [Value(kind)] if len(blocks) > 1 else []
        via.params = chooser + [p for b in blocks for p in parts[b]]
        for edge in edges:
            number = blocks.index(edge.block)
            passed = [Const(kind, number == 0 if kind == "i1" else number)] if chooser else []
            for b in blocks:
                passed += edge.args if b is edge.block else [Undef(p.type) for p in b.params]
            edge.block, edge.args = via, passed
        targets = [Target(b, parts[b]) for b in blocks]
        cases = [Const(kind, n) for n in range(1, len(blocks))] if len(blocks) > 2 else []
        op = "br" if len(blocks) == 1 else "br_if" if len(blocks) == 2 else "switch"
        via.insts = [Inst(op, chooser + cases, targets=targets)]
        return via

    def add_block(self, hint=None, params=(), after=None):
        block = Block(hint=hint, params=[Value(t) for t in params])
        at = len(self.blocks) if after is None else self.blocks.index(after) + 1
        self.blocks.insert(at, block)
        return block


class Builder:
    """Appends instructions to a block, or inserts them before `index`."""

    def __init__(self, block, index=None, loc=None):
        self.block, self.index, self.loc = block, index, loc

    def emit(self, op, operands=(), types=(), targets=(), **attrs):
        """The instruction; `types` are those of its results."""
        inst = Inst(op, operands, [Value(t) for t in types], attrs, targets, self.loc)
        if self.index is None:
            self.block.insts.append(inst)
        else:
            self.block.insts.insert(self.index, inst)
            self.index += 1
        return inst

    def make(self, op, type, *operands, **attrs):
        """The only result of a new instruction."""
        return self.emit(op, operands, [type], **attrs).result

    def br(self, block, *args):
        return self.emit("br", targets=[Target(block, args)])

    def br_if(self, condition, yes, no):
        """`yes` and `no` are targets or blocks without parameters."""
        return self.emit("br_if", [condition], targets=[_target(yes), _target(no)])

    def ret(self):
        return self.emit("ret")


class Module:
    def __init__(self, functions=(), source=None):
        self.functions = list(functions)
        self.source = source


# --- reading

def loads(text):
    document = json.loads(text)
    if not isinstance(document, dict) or document.get("kernelc_ir") != VERSION:
        raise Error(f"this is no IR of version {VERSION}")
    return Module([_read_function(f) for f in document["functions"]], document.get("source"))


def read(stream=None):
    return loads((stream or sys.stdin).read())


def _read_function(d):
    values, blocks = {}, {}

    def declare(v):
        known = {k: x for k, x in v.items() if k not in ("id", "type")}
        values[v["id"]] = value = Value(v["type"], v["id"], **known)
        return value

    def operand(v):
        if isinstance(v, int):
            return values[v]
        if v.get("undef"):
            return Undef(v["type"])
        if "bits" in v:
            return Const(v["type"], bits=int(v["bits"], 0) if isinstance(v["bits"], str) else v["bits"])
        return Const(v["type"], _number(v["type"], v["const"]))

    function = Function(d["name"], d["dialect"], **{
        k: x for k, x in d.items() if k not in ("name", "dialect", "params", "blocks")})
    for b in d["blocks"]:
        known = {k: x for k, x in b.items() if k not in ("id", "hint", "params", "insts", "mask")}
        blocks[b["id"]] = block = Block(b["id"], b.get("hint"), **known)
        params = b.get("params", []) if function.blocks else d.get("params", [])
        block.params = [declare(p) for p in params]
        for i in b["insts"]:
            results = [declare(r) for r in i.get("results", [])]
            attrs = {k: int(x) for k, x in i.get("attrs", {}).items()}
            block.insts.append(Inst(i["op"], (), results, attrs, (), i.get("loc")))
        function.blocks.append(block)
    for b, block in zip(d["blocks"], function.blocks):
        if "mask" in b:
            block.mask = operand(b["mask"])
        for i, inst in zip(b["insts"], block.insts):
            inst.operands = [operand(v) for v in i.get("operands", [])]
            inst.targets = [Target(blocks[t["block"]], [operand(v) for v in t.get("args", [])])
                            for t in i.get("targets", [])]
    return function


# --- writing

def dumps(module):
    functions = ",\n ".join(_write_function(f) for f in module.functions)
    source = f'"source": {json.dumps(module.source, ensure_ascii=False)}, ' if module.source else ""
    return f'{{"kernelc_ir": {VERSION}, {source}"functions": [\n {functions}]}}\n'


def write(module, stream=None):
    (stream or sys.stdout).write(dumps(module))


def _write_function(f):
    _number_all(f)

    def operand(v):
        if isinstance(v, Value):
            return v.id
        if isinstance(v, Undef):
            return {"type": v.type, "undef": True}
        if is_float(v.type):
            if math.isfinite(v.value):
                return {"type": v.type, "const": v.value.hex()}
            return {"type": v.type, "bits": hex(v.bits)}
        return {"type": v.type, "const": _exact(v.value)}

    def declared(v):
        return {"id": v.id, "type": v.type, **v.known}

    def instruction(i):
        d = {}
        if i.results:
            d["results"] = [declared(r) for r in i.results]
        d["op"] = i.op
        if i.operands:
            d["operands"] = [operand(v) for v in i.operands]
        if i.attrs:
            d["attrs"] = {k: _exact(x) for k, x in i.attrs.items()}
        if i.targets:
            d["targets"] = [{"block": t.block.id, **({"args": [operand(v) for v in t.args]} if t.args else {})}
                            for t in i.targets]
        if i.loc:
            d["loc"] = i.loc
        return json.dumps(d, ensure_ascii=False)

    def block(b):
        d = {"id": b.id}
        if b.hint:
            d["hint"] = b.hint
        if b.params and b is not f.entry:
            d["params"] = [declared(p) for p in b.params]
        if b.mask is not None:
            d["mask"] = operand(b.mask)
        d.update(b.known)
        insts = ",\n    ".join(instruction(i) for i in b.insts)
        return json.dumps(d, ensure_ascii=False)[:-1] + f', "insts": [\n    {insts}]}}'

    head = {"name": f.name, "dialect": f.dialect, **f.known}
    if f.params:
        head["params"] = [declared(p) for p in f.params]
    blocks = ",\n   ".join(block(b) for b in f.blocks)
    return json.dumps(head, ensure_ascii=False)[:-1] + f',\n  "blocks": [\n   {blocks}]}}'


def _number_all(f):
    values = [v for b in f.blocks for v in b.params] + [r for i in f.insts() for r in i.results]
    for things in (values, f.blocks):
        following = max((t.id for t in things if t.id is not None), default=-1) + 1
        for thing in things:
            if thing.id is None:
                thing.id, following = following, following + 1


# Readers of JSON may hold numbers as doubles, so larger integers are strings.
def _exact(v):
    return v if isinstance(v, bool) or abs(v) < 1 << 53 else str(v)


def _number(type, v):
    if is_float(type):
        return float.fromhex(v) if isinstance(v, str) and "0x" in v else float(v)
    return int(v, 0) if isinstance(v, str) else v


_FORMATS = {32: ("<f", "<I"), 64: ("<d", "<Q")}


def _float_bits(type, value):
    width = bits_of(type)
    try:
        packed = struct.pack(_FORMATS[width][0], value)
    except OverflowError:  # rounds to infinity
        packed = struct.pack(_FORMATS[width][0], math.copysign(math.inf, value))
    return struct.unpack(_FORMATS[width][1], packed)[0]


def _target(t):
    return t if isinstance(t, Target) else Target(t)


# --- passes

def run(work):
    """Reads a document from standard input, calls work(function) for each function, writes the document."""
    module = read()
    output, sys.stdout = sys.stdout, sys.stderr
    try:
        module.functions = [work(f) or f for f in module.functions]
    finally:
        sys.stdout = output
    write(module)


# The grader shows the last line of standard error: it should say what happened, and at which line of the program.
def _last_line(kind, error, trace):
    sys.__excepthook__(kind, error, trace)
    name = kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"
    program = getattr(sys.modules.get("__main__"), "__file__", None)
    line = None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == program:
            line = trace.tb_lineno
        trace = trace.tb_next
    print(f"{name}: {error}" + (f" (line {line})" if line else ""), file=sys.stderr)


sys.excepthook = _last_line
