// SPDX-License-Identifier: Apache-2.0
#include "fuzz/random_expressions.h"

#include <fmt/format.h>

#include "fuzz/from_last.h"

namespace kc::fuzz {
namespace {

constexpr Number kIntegers[] = {Number::Bool, Number::Char, Number::Uchar, Number::Short, Number::Ushort,
                                Number::Int,  Number::Uint, Number::Long,  Number::Ulong};
constexpr Number kFull[] = {Number::Char, Number::Uchar, Number::Short, Number::Ushort,
                            Number::Int,  Number::Uint,  Number::Long,  Number::Ulong};

std::string subscript_list(const std::vector<uint32_t>& dims) {
  std::string s;
  for (uint32_t d : dims) s += fmt::format("[{}]", d);
  return s;
}

}  // namespace

std::string_view spelling(Number n) {
  static constexpr std::string_view names[] = {"bool", "char", "uchar", "short", "ushort", "int",
                                               "uint", "long", "ulong", "float", "double"};
  return names[static_cast<size_t>(n)];
}

uint32_t bytes_of(Number n) {
  static constexpr uint32_t bytes[] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
  return bytes[static_cast<size_t>(n)];
}

std::string argument_type(Number n) {
  const char kind = is_real(n) ? 'f' : spelling(n).starts_with('u') ? 'u' : 'i';
  return fmt::format("{}{}", kind, 8 * bytes_of(n));
}

std::string ExpressionWriter::name_of(const SourceType& t) const {
  if (t.record < 0) return std::string(spelling(t.number)) + (t.lanes > 1 ? std::to_string(t.lanes) : "");
  return fmt::format("{} R{}", records_[static_cast<size_t>(t.record)].is_union ? "union" : "struct",
                     t.record);
}

SourceType ExpressionWriter::any_type(uint32_t percent_records) {
  if (!records_.empty() && random_.chance(percent_records))
    return {.record = static_cast<int>(random_.below(static_cast<uint32_t>(records_.size())))};
  if (vectors_ && random_.chance(45)) return any_vector();
  return {.number = static_cast<Number>(random_.below(11))};
}

SourceRecord ExpressionWriter::union_record() {
  SourceRecord r{.is_union = true};
  r.members.push_back({"m0", {.number = Number::Ulong}});
  const SourceVariable others[] = {
      {"", {.number = Number::Uchar}, {8}}, {"", {.number = Number::Short}, {4}},
      {"", {.number = Number::Uint}, {2}},  {"", {.number = Number::Int}},
      {"", {.number = Number::Char}},       {"", {.number = Number::Ushort}, {2, 2}}};
  const SourceVariable parts[] = {{"", {.number = Number::Uchar, .lanes = 8}},
                                  {"", {.number = Number::Short, .lanes = 4}},
                                  {"", {.number = Number::Int, .lanes = 2}},
                                  {"", {.number = Number::Ushort, .lanes = 2}, {2}}};
  for (uint32_t i = 1, n = random_.between(2, 4); i < n; ++i) {
    bool vector = vectors_ && random_.chance(50);
    r.members.push_back(vector ? random_.pick_from(parts) : random_.pick_from(others));
    r.members.back().name = fmt::format("m{}", i);
  }
  return r;
}

std::string ExpressionWriter::records() {
  std::string s;
  for (uint32_t k = 0, count = random_.between(2, 4); k < count; ++k) {
    SourceRecord r;
    if (!plain_ && random_.chance(30)) {
      r = union_record();
    } else {
      for (uint32_t i = 0, n = random_.between(1, 4); i < n; ++i) {
        SourceVariable m{.name = fmt::format("m{}", i), .type = any_type(i == 0 ? 0 : 30)};
        if (i == 0) m.type.lanes = 1;
        // A trap reports the bits of a struct's first member; the bits of a NaN are unspecified.
        if (i == 0 && is_real(m.type.number)) m.type.number = Number::Ushort;
        for (uint32_t rank = i && random_.chance(35) ? random_.between(1, 2) : 0; rank; --rank)
          m.dims.push_back(random_.between(1, 4));
        r.members.push_back(std::move(m));
      }
    }
    records_.push_back(r);
    s += name_of({.record = static_cast<int>(k)}) + " {\n";
    for (const SourceVariable& m : r.members) s += "    " + declarator(m) + ";\n";
    s += "};\n";
  }
  return s;
}

std::string ExpressionWriter::macros() {
  std::string s = "#define M0(a, b) ((a) * 3 - (b))\n";
  s += "#define M1(a) ((a) > 9 ? (a) : 9 - (a))\n";
  s += "#define JOIN(a, b) a##b\n";
  s += "#define FIRST(a, ...) (a)\n";
  s += "#define REAL(x) ({ double r_ = (x); r_ > -1e9 && r_ < 1e9 ? (int)r_ : 77; })\n";
  s += options_.portable ? "#define BITS(x) REAL(x)\n"
                         : "#define BITS(x) ({ double r_ = (x); r_ == r_ ? as_long(r_) : 77L; })\n";
  s += "enum { E0 = 3, E1, E2 = -7, E3 = E1 * 5 };\n";
  s +=
      fmt::format("constant short table[8] = {{{}, -2, 300, 4, -5, 32767, -32768, 8}};\n", random_.below(99));
  return s;
}

std::string ExpressionWriter::declarator(const SourceVariable& v) const {
  return fmt::format("{} {}{}{}", name_of(v.type), v.pointer ? "*" : "", v.name, subscript_list(v.dims));
}

std::string ExpressionWriter::initializer(const SourceVariable& v, size_t rank, uint32_t depth) {
  if (rank < v.dims.size()) {
    std::string s;
    uint32_t n = v.dims[rank], given = random_.chance(70) ? n : random_.between(1, n);
    for (uint32_t i = 0; i < given; ++i) {
      bool designated = !options_.portable && random_.chance(10);
      s += (i ? ", " : "") + (designated ? fmt::format("[{}] = ", i) : "") + initializer(v, rank + 1, depth);
    }
    return "{" + s + "}";
  }
  if (v.type.record < 0) return value(v.type, depth);
  const SourceRecord& r = records_[static_cast<size_t>(v.type.record)];
  std::string s = "{";
  for (size_t i = 0; i < (r.is_union ? 1 : r.members.size()); ++i)
    s += (i ? ", " : "") + initializer(r.members[i], 0, depth ? depth - 1 : 0);
  return s + "}";
}

std::string ExpressionWriter::index(uint32_t size, uint32_t depth) {
  if (size == 1) return "0";
  if (plain_ || random_.chance(30)) return fmt::format("{}", random_.below(size));
  // At depth 0 the index is not another array element, which would recurse without end.
  std::string e = depth ? integer(depth - 1) : random_.pick<const char*>({"gid", "k0", "k1", "acc"});
  if ((size & (size - 1)) == 0) return fmt::format("({}) & {}", e, size - 1);
  return fmt::format("(uint)({}) % {}u", e, size);
}

std::string ExpressionWriter::subscripts(const SourceVariable& v, uint32_t depth) {
  std::string s;
  for (uint32_t d : v.dims) s += "[" + index(d, depth) + "]";
  return s;
}

SourcePlace ExpressionWriter::inside(std::string text, const SourceVariable& v, uint32_t depth) {
  SourceType t = v.type;
  bool writable = v.writable;
  while (t.record >= 0) {
    const SourceVariable& m = random_.pick_from(records_[static_cast<size_t>(t.record)].members);
    text += "." + m.name + subscripts(m, depth);
    t = m.type;
  }
  const bool has_address = text.find("(in, gid") == std::string::npos;  // unlike the result of a call
  if (t.lanes > 1) {
    if (!plain_ && !v.shared && has_address && random_.chance(10))
      return {fmt::format("(({}*)&{})[{}]", spelling(t.number), text, index(t.lanes, depth)), t.number,
              writable};
    return {text + component(t, has_address, depth), t.number, writable};
  }
  if (!has_address) return {std::move(text), t.number, writable};
  // Reads single bytes of an integer through a pointer. A float may be a NaN with unspecified bytes.
  if (!plain_ && !v.shared && !is_real(t.number) && t.number != Number::Bool && random_.chance(6)) {
    Number seen = random_.pick({Number::Uchar, Number::Char});
    return {fmt::format("(({}*)&{})[0]", spelling(seen), text), seen, writable};
  }
  return {std::move(text), t.number, writable};
}

SourcePlace ExpressionWriter::place(bool to_write, uint32_t depth) {
  for (int attempt = 0; attempt < 20; ++attempt) {
    const SourceVariable& v = random_.pick_from(scope_);
    if (to_write && !v.writable) continue;
    if (v.name[0] == 'k' && random_.chance(60)) continue;  // often 0
    std::string text = v.pointer ? random_.chance(50) ? fmt::format("(*{})", v.name) : v.name + "[0]"
                                 : v.name + subscripts(v, depth);
    return inside(std::move(text), v, depth);
  }
  return {"acc", Number::Int, true};
}

std::string ExpressionWriter::object(const SourceType& type, bool to_write, uint32_t depth) {
  std::vector<std::string> found;
  for (const SourceVariable& v : scope_) {
    if (v.shared || (to_write && !v.writable)) continue;
    std::string base = v.pointer ? fmt::format("(*{})", v.name) : v.name + subscripts(v, depth);
    if (v.type == type) found.push_back(base);
    if (v.type.record < 0) continue;
    for (const SourceVariable& m : records_[static_cast<size_t>(v.type.record)].members)
      if (m.type == type) found.push_back(base + "." + m.name + subscripts(m, depth));
  }
  return found.empty() ? "" : random_.pick_from(found);
}

std::string ExpressionWriter::literal() {
  switch (random_.below(9)) {
    case 0:
      return random_.pick<const char*>(
          {"0x7fffffff", "0xffffffffu", "0x8000000000000000UL", "0x7fffffffffffffffL"});
    case 1:
      return random_.pick<const char*>({"(-2147483647 - 1)", "65535", "255u", "(-128)", "'a'"});
    case 2:
      return fmt::format("{}L", static_cast<int64_t>(random_.bits() >> random_.between(1, 60)));
    case 3:
      return fmt::format("{}UL", random_.bits() >> random_.below(60));
    case 4:
      return fmt::format("{}u", random_.bits() >> random_.between(32, 63));
    case 5:
      return random_.pick<const char*>({"E0", "E1", "E2", "E3"});
    default:
      return fmt::format("{}", random_.below(20));
  }
}

std::string ExpressionWriter::real_literal() {
  const char* forms[] = {"{}.5f", "{}.25", "{}e-3f", "{}e5", "{}.0f"};
  const uint32_t number = random_.below(200);
  return fmt::format(fmt::runtime(forms[random_.below(5)]), number);
}

std::string ExpressionWriter::integer_leaf(uint32_t depth) {
  if (random_.chance(25)) return literal();
  SourcePlace p = place(false, depth);
  return is_real(p.number) ? fmt::format("REAL({})", p.text) : p.text;
}

std::string ExpressionWriter::integer_operator(uint32_t depth) {
  std::string a = integer(depth - 1), b = integer(depth - 1);
  switch (random_.below(12)) {
    case 0:
      return options_.portable ? fmt::format("({} / (({} & 15) + 1))", a, b) : fmt::format("({} / {})", a, b);
    case 1:
      return options_.portable ? fmt::format("({} % (({} & 15) + 1))", a, b) : fmt::format("({} % {})", a, b);
    case 2:
      return options_.portable ? fmt::format("({} << ({} & 31))", a, b) : fmt::format("({} << {})", a, b);
    case 3:
      return options_.portable ? fmt::format("({} >> ({} & 31))", a, b) : fmt::format("({} >> {})", a, b);
    default:
      break;
  }
  return fmt::format("({} {} {})", a, random_.pick<const char*>({"+", "-", "*", "&", "|", "^", "+", "^"}), b);
}

std::string ExpressionWriter::built_in(uint32_t depth) {
  Number n = random_.pick_from(std::vector(std::begin(kFull), std::end(kFull)));
  auto argument = [&] { return fmt::format("({})({})", spelling(n), integer(depth - 1)); };
  switch (random_.below(6)) {
    case 0: {
      const char* name = random_.pick({"abs", "popcount", "clz", "ctz"});
      return fmt::format("{}({})", name, argument());
    }
    case 1: {
      const char* name = random_.pick({"clamp", "mad_hi", "mad_sat", "bitselect"});
      // clamp requires ordered limits.
      if (name == std::string_view("clamp"))
        return fmt::format("clamp({}, ({})3, ({})100)", argument(), spelling(n), spelling(n));
      std::string a = argument(), b = argument();
      return fmt::format("{}({}, {}, {})", name, a, b, argument());
    }
    default: {
      const char* name =
          random_.pick({"min", "max", "add_sat", "sub_sat", "mul_hi", "rotate", "hadd", "rhadd", "abs_diff"});
      std::string a = argument();
      return fmt::format("{}({}, {})", name, a, argument());
    }
  }
}

std::string ExpressionWriter::integer_special(uint32_t depth) {
  if (random_.chance(30)) {
    Number n = random_.pick_from(std::vector(std::begin(kIntegers), std::end(kIntegers)));
    if (std::string call = helper_call({.number = n}); !call.empty()) return call;
    for (size_t i = 0; i < records_.size(); ++i)
      if (std::string call = helper_call({.record = static_cast<int>(i)}); !call.empty()) {
        SourcePlace p =
            inside(call, {.name = "", .type = {.record = static_cast<int>(i)}, .writable = false}, 0);
        return is_real(p.number) ? fmt::format("REAL({})", p.text) : p.text;
      }
  }
  std::string a = integer(depth - 1);
  if (random_.chance(8)) {
    std::string b = integer(depth - 1);
    return fmt::format("({}, {})", a, b);
  }
  if (!plain_ && random_.chance(12)) return pointer_arithmetic();
  switch (random_.below(options_.portable ? 10 : 14)) {
    case 0:
      return fmt::format("M0({}, {})", a, integer(depth - 1));
    case 1:
      return fmt::format("M1({})", a);
    case 2:
      return fmt::format("FIRST({}, {})", a, integer(0));
    case 3:
      return fmt::format("({{ {} t_ = {}; t_ ^ (t_ + 1); }})",
                         spelling(random_.pick_from(std::vector(std::begin(kIntegers), std::end(kIntegers)))),
                         a);
    case 4:
      return fmt::format("table[({}) & 7]", a);
    case 5:
      return fmt::format("(~{})", a);
    case 6:
      return fmt::format("(-{})", a);
    case 7:
      return fmt::format("(!{})", a);
    case 8:
      return fmt::format("REAL({})", real(depth - 1));
    case 9:
      return fmt::format("in[({}) & 63]", a);
    case 10:
      return from_last(
          "({})({})",
          LATER(spelling(random_.pick_from(std::vector(std::begin(kIntegers), std::end(kIntegers))))),
          LATER(real(depth - 1)));
    case 11: {
      SourcePlace p = place(true, 0);
      if (p.number == Number::Bool || is_real(p.number)) return a;
      return fmt::format(fmt::runtime(random_.pick<const char*>({"({}++)", "(--{})", "({} -= 3)"})), p.text);
    }
    default:
      return built_in(depth);
  }
}

// Pointer arithmetic that reaches an array element, or recovers its index.
std::string ExpressionWriter::pointer_arithmetic() {
  for (const SourceVariable& v : scope_) {
    if (v.pointer || v.dims.size() != 1 || v.type.record >= 0 || v.type.lanes > 1 || is_real(v.type.number))
      continue;
    if (random_.chance(40)) continue;
    std::string i = index(v.dims[0], 1);
    std::string j = index(v.dims[0], 1);
    switch (random_.below(5)) {
      case 0:
        return fmt::format("*({} + ({}))", v.name, i);
      case 1:
        return fmt::format("(&{0}[{1}] - &{0}[{2}])", v.name, i, j);
      case 2:
        return fmt::format("(&{0}[{1}] < {0} + ({2}))", v.name, i, j);
      case 3:
        return fmt::format("({0} + {3})[-({3} - (int)({1}))]", v.name, i, j, v.dims[0]);
      default:
        return fmt::format("({})[{}]", i, v.name);
    }
  }
  return "gid";
}

std::string ExpressionWriter::integer(uint32_t depth) {
  if (depth == 0 || random_.chance(15)) return integer_leaf(depth);
  if (vectors_ && random_.chance(8)) return integer_of_vector(depth);
  if (images_.used && random_.chance(10)) {
    std::string entry = random_.chance(50) ? table_entry(false, depth) : "";
    if (!entry.empty()) return entry;
    return random_.chance(35) ? mixed_bits(depth) : limited(depth);
  }
  switch (random_.below(10)) {
    case 0: {
      Number n = random_.pick_from(std::vector(std::begin(kIntegers), std::end(kIntegers)));
      return fmt::format("({})({})", spelling(n), integer(depth - 1));
    }
    case 1:
      return "(" + condition(depth) + ")";
    case 2: {
      std::string c = condition(depth - 1), a = integer(depth - 1);
      return fmt::format("({} ? {} : {})", c, a, integer(depth - 1));
    }
    case 3:
    case 4:
      return integer_special(depth);
    default:
      return integer_operator(depth);
  }
}

std::string ExpressionWriter::condition(uint32_t depth) {
  if (!conditions_.empty() && random_.chance(15)) {
    const std::string& known = random_.pick_from(conditions_);
    return (random_.chance(40) ? "!" : "") + known;
  }
  if (depth == 0) return fmt::format("({} & 1)", integer_leaf(0));
  if (vectors_ && random_.chance(8)) return condition_of_vector(depth);
  const char* compare = random_.pick({"<", ">", "<=", ">=", "==", "!="});
  switch (random_.below(6)) {
    case 0: {
      std::string a = condition(depth - 1);
      return from_last("({} {} {})", LATER(a), LATER(random_.pick<const char*>({"&&", "||"})),
                       LATER(condition(depth - 1)));
    }
    case 1: {
      std::string a = real(depth - 1);
      if (random_.chance(70)) return fmt::format("{} {} {}", a, compare, real(depth - 1));
      // Numbers that are often equal.
      a = integer(depth - 1);
      return fmt::format("(float)({} & 3) {} (float)({} & 3)", a, compare, integer(depth - 1));
    }
    case 2:
      return from_last("((gid + {}) % {} == 0)", LATER(random_.below(5)), LATER(random_.between(2, 5)));
    default: {
      std::string a = integer(depth - 1);
      return fmt::format("{} {} {}", a, compare, integer(depth - 1));
    }
  }
}

std::string ExpressionWriter::real(uint32_t depth) {
  if (depth == 0 || random_.chance(20)) {
    if (random_.chance(30)) return real_literal();
    SourcePlace p = place(false, 0);
    return is_real(p.number) ? p.text
                             : fmt::format("({}){}", random_.pick<const char*>({"float", "double"}), p.text);
  }
  if (vectors_ && random_.chance(8)) return real_of_vector(depth);
  if (images_.used && random_.chance(8)) {
    std::string entry = random_.chance(50) ? table_entry(true, depth) : "";
    return entry.empty() ? limited_real(depth) : entry;
  }
  if (random_.chance(6)) return special_real(depth - 1);
  std::string a = real(depth - 1);
  switch (random_.below(options_.portable ? 6 : options_.math ? 10 : 9)) {
    case 0:
      return fmt::format("(-{})", a);
    case 1:
      return fmt::format("(float)({})", a);
    case 2: {
      std::string c = condition(depth - 1);
      return fmt::format("({} ? {} : {})", c, a, real(depth - 1));
    }
    case 6:
      return fmt::format("{}({})", random_.pick<const char*>({"floor", "fabs", "ceil", "rint", "trunc"}), a);
    case 7: {
      const char* name = random_.pick({"fmin", "fmax"});
      return fmt::format("{}((float)({}), (float)({}))", name, a, real(depth - 1));
    }
    case 9: {  // generates long code, so it is rare
      if (random_.chance(70)) return fmt::format("sqrt({})", a);
      const char* name =
          random_.pick({"exp", "log", "sin", "cos", "exp2", "log2", "atan", "tanh", "cbrt", "asin"});
      return fmt::format("{}((float)({}))", name, a);
    }
    default: {
      if (random_.chance(25)) {  // rounded once
        std::string b = real(depth - 1);
        return from_last("({} * {} {} {})", LATER(a), LATER(b), LATER(random_.pick<const char*>({"+", "-"})),
                         LATER(real(depth - 1)));
      }
      return from_last("({} {} {})", LATER(a), LATER(random_.pick<const char*>({"+", "-", "*", "/"})),
                       LATER(real(depth - 1)));
    }
  }
}

// Zeros of both signs, infinities and NaNs, from conversions and selects whose operands may be counters of
// loops: what compilers fold once they have unrolled those.
std::string ExpressionWriter::special_real(uint32_t depth) {
  const char* type = random_.pick({"float", "double"});
  std::string bit = fmt::format("({})({} & 1)", type, integer(depth));
  const char* zero = random_.pick({"0.0f", "-0.0f", "0.0"});
  switch (random_.below(4)) {
    case 0:
      return from_last("({} {} {})", LATER(real(depth)),
                       LATER(random_.pick<const char*>({"*", "/", "-", "+"})), LATER(bit));
    case 1:
      return from_last("({} {} {})", LATER(bit), LATER(random_.pick<const char*>({"*", "/", "-"})),
                       LATER(real(depth)));
    case 2:
      return from_last("({} ? {} : {})", LATER(condition(depth)), LATER(zero), LATER(real(depth)));
    default:
      return from_last("({} / ({} ? {} : {}))", LATER(real_literal()), LATER(condition(depth)), LATER(zero),
                       LATER(bit));
  }
}

std::string ExpressionWriter::number(Number n, uint32_t depth) {
  if (is_real(n)) return random_.chance(80) ? real(depth) : integer(depth);
  return options_.portable || random_.chance(92) ? integer(depth) : real(depth);
}

std::string ExpressionWriter::value(const SourceType& type, uint32_t depth) {
  if (type.record >= 0) return record(type.record, depth);
  return type.lanes > 1 ? vector(type, depth) : number(type.number, depth);
}

std::string ExpressionWriter::record(int index, uint32_t depth) {
  SourceType type{.record = index};
  std::string copy = object(type, false, depth);
  if (!copy.empty() && depth && random_.chance(12)) {
    std::string other = object(type, false, depth);
    return fmt::format("({} ? {} : {})", condition(depth - 1), copy, other);
  }
  if (!copy.empty() && random_.chance(60)) return copy;
  if (std::string call = helper_call(type); !call.empty() && random_.chance(50)) return call;
  return fmt::format("({}){}", name_of(type), initializer({.name = "", .type = type}, 0, depth));
}

// Calls a helper without side effects on the caller: the position of the call in an expression is irrelevant,
// except for exceptions.
std::string ExpressionWriter::helper_call(const SourceType& result) {
  if (calls_ == 0 || calling_) return "";
  for (const SourceHelper& h : helpers_) {
    bool pure = !h.is_void && h.result == result;
    for (const SourceVariable& p : h.params) pure = pure && !p.pointer;
    if (!pure || random_.chance(40)) continue;
    --calls_;
    calling_ = true;
    std::string args = "in, gid";
    for (const SourceVariable& p : h.params) args += ", " + value(p.type, 1);
    calling_ = false;
    // One call per statement in portable programs, since C++ does not specify which of two calls throws
    // first.
    calling_ = options_.portable;
    return fmt::format("{}({})", h.name, args);
  }
  return "";
}

}  // namespace kc::fuzz
