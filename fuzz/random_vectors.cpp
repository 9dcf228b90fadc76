// SPDX-License-Identifier: Apache-2.0
// Vectors in random programs: expressions and stores.
#include <fmt/format.h>

#include "fuzz/from_last.h"
#include "fuzz/random_statements.h"

namespace kc::fuzz {
namespace {

// The integer of the same size: the type of comparison results and of select conditions.
Number mask_of(Number n, bool is_signed = true) {
  switch (bytes_of(n)) {
    case 1:
      return is_signed ? Number::Char : Number::Uchar;
    case 2:
      return is_signed ? Number::Short : Number::Ushort;
    case 4:
      return is_signed ? Number::Int : Number::Uint;
    default:
      return is_signed ? Number::Long : Number::Ulong;
  }
}

constexpr Number kElements[] = {Number::Char, Number::Uchar, Number::Short, Number::Ushort, Number::Int,
                                Number::Uint, Number::Long,  Number::Ulong, Number::Float,  Number::Double};
constexpr std::string_view kDigits = "0123456789abcdef";

}  // namespace

SourceType ExpressionWriter::any_vector() {
  // Wide vectors generate long code.
  const uint32_t lanes = random_.pick({2u, 2u, 2u, 2u, 3u, 3u, 3u, 4u, 4u, 4u, 4u, 8u, 8u, 16u});
  return {.number = random_.pick_from(kElements), .lanes = lanes};
}

std::string ExpressionWriter::swizzle(uint32_t from, uint32_t count, bool distinct) {
  const bool letters = from <= 4 && random_.chance(50);
  if (count * 2 == from && random_.chance(30))
    return random_.pick<const char*>({".lo", ".hi", ".even", ".odd"});
  std::string s = letters ? "." : ".s";
  uint32_t used = 0;
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t c = random_.below(from);
    while (distinct && (used >> c & 1)) c = (c + 1) % from;
    used |= 1u << c;
    s += letters ? "xyzw"[c] : kDigits[c];
  }
  return s;
}

// Indexes by number only if the vector is in memory.
std::string ExpressionWriter::component(const SourceType& type, bool has_address, uint32_t depth) {
  if (random_.chance(25) && has_address) return "[" + index(type.lanes, depth) + "]";
  return swizzle(type.lanes, 1, true);
}

std::vector<SourceObject> ExpressionWriter::vector_objects(bool to_write, uint32_t depth) {
  std::vector<SourceObject> found;
  for (const SourceVariable& v : scope_) {
    if (to_write && !v.writable) continue;
    std::string base = v.pointer ? fmt::format("(*{})", v.name) : v.name;
    if (v.type.lanes > 1) found.push_back({base + (v.pointer ? "" : subscripts(v, depth)), v.type});
    if (v.type.record < 0) continue;
    if (!v.pointer) base += subscripts(v, depth);
    for (const SourceVariable& m : records_[static_cast<size_t>(v.type.record)].members)
      if (m.type.lanes > 1) found.push_back({base + "." + m.name + subscripts(m, depth), m.type});
  }
  return found;
}

std::string ExpressionWriter::vector(const SourceType& type, uint32_t depth) {
  if (depth == 0 || random_.chance(20)) return vector_leaf(type, depth);
  switch (random_.below(9)) {
    case 0:
    case 1:
      return vector_change(type, depth);
    case 2:
    case 3:
      return vector_call(type, depth);
    case 4:
      if (random_.chance(70)) break;
      return vector_load(type, depth);
    case 5: {
      std::string c = random_.chance(60) ? vector_mask(type.number, type.lanes, depth - 1)
                                         : "(" + condition(depth - 1) + ")";
      std::string a = vector(type, depth - 1);
      return fmt::format("({} ? {} : {})", c, a, vector(type, depth - 1));
    }
    default:
      break;
  }
  return vector_operator(type, depth);
}

std::string ExpressionWriter::vector_leaf(const SourceType& type, uint32_t depth) {
  std::string text = object(type, false, depth ? depth - 1 : 0);
  if (!text.empty() && random_.chance(60)) return text;
  auto scalar = [&] {
    // A leaf: the vector may have sixteen components.
    std::string e = random_.chance(50) ? integer_leaf(0) : is_real(type.number) ? real_literal() : literal();
    return fmt::format("({})({})", spelling(type.number), e);
  };
  std::vector<SourceObject> others = vector_objects(false, 0);
  std::erase_if(others, [&](const SourceObject& o) { return o.type.number != type.number; });
  if (!others.empty() && random_.chance(60)) {
    const SourceObject& o = random_.pick_from(others);
    return o.text + swizzle(o.type.lanes, type.lanes, false);
  }
  if (random_.chance(30)) return fmt::format("({})({})", name_of(type), scalar());
  std::string list;
  for (uint32_t left = type.lanes; left > 0;) {
    uint32_t lanes = left >= 2 && random_.chance(type.lanes > 4 ? 70 : 25) ? 2 : 1;
    if (left >= 8 && type.lanes == 16 && random_.chance(70)) lanes = 8;
    if (lanes == type.lanes) lanes = 1;
    left -= lanes;
    list += list.empty() ? "" : ", ";
    list += lanes == 1 ? scalar() : vector_leaf({.number = type.number, .lanes = lanes}, 0);
  }
  return fmt::format("({})({})", name_of(type), list);
}

std::string ExpressionWriter::vector_operator(const SourceType& type, uint32_t depth) {
  if (!is_real(type.number) && mask_of(type.number) == type.number && random_.chance(25))
    return vector_mask(type.number, type.lanes, depth);
  std::string a = vector(type, depth - 1);
  if (random_.chance(10))
    return fmt::format("({}{})", random_.chance(50) || is_real(type.number) ? "-" : "~", a);
  std::string op = random_.pick<const char*>({"+", "-", "*", "+", "-", "*", "/"});
  if (!is_real(type.number))
    op = random_.pick<const char*>({"+", "-", "*", "&", "|", "^", "/", "%", "<<", ">>"});
  if (random_.chance(25))
    return fmt::format("({} {} ({})({}))", a, op, spelling(type.number), number(type.number, depth - 1));
  return fmt::format("({} {} {})", a, op, vector(type, depth - 1));
}

std::string ExpressionWriter::vector_mask(Number n, uint32_t lanes, uint32_t depth) {
  const Number mask = mask_of(n);
  if (depth == 0) return vector_leaf({.number = mask, .lanes = lanes}, 0);
  std::vector<Number> alike;
  for (Number e : kElements)
    if (bytes_of(e) == bytes_of(n)) alike.push_back(e);
  const SourceType type{.number = random_.pick_from(alike), .lanes = lanes};
  if (random_.chance(10)) return fmt::format("(!{})", vector(type, depth - 1));
  std::string a = vector(type, depth - 1);
  if (random_.chance(15) && is_real(type.number))
    return fmt::format("{}({})", random_.pick<const char*>({"isnan", "isinf", "signbit", "isnormal"}), a);
  const char* op = random_.pick({"<", ">", "<=", ">=", "==", "!="});
  if (!is_real(type.number) && random_.chance(20)) op = random_.pick({"&&", "||"});
  return fmt::format("({} {} {})", a, op, vector(type, depth - 1));
}

// From a vector of another type.
std::string ExpressionWriter::vector_change(const SourceType& type, uint32_t depth) {
  switch (random_.below(4)) {
    case 0: {  // The bits of a float may be those of a NaN, which are unspecified.
      std::vector<SourceType> same;
      for (Number e : kElements)
        for (uint32_t lanes : {2u, 3u, 4u, 8u, 16u})
          if (!is_real(e) && bytes_of(e) * lanes == bytes_of(type.number) * type.lanes &&
              (lanes == 3) == (type.lanes == 3))
            same.push_back({.number = e, .lanes = lanes});
      if (same.empty()) break;
      const SourceType& from = random_.pick_from(same);
      return fmt::format("as_{}({})", name_of(type), vector(from, depth - 1));
    }
    case 1: {
      const SourceType from{.number = type.number, .lanes = random_.pick({2u, 3u, 4u, 4u, 8u})};
      // The fourth component of a vector of three is unspecified.
      std::string s = swizzle(from.lanes, type.lanes, false);
      if (from.lanes == 3 && s.size() > 2 && (s == ".hi" || s == ".odd")) s = ".lo";
      return fmt::format("({}){}", vector(from, depth - 1), s);
    }
    default:
      break;
  }
  const SourceType from{.number = random_.pick_from(kElements), .lanes = type.lanes};
  const char* sat = !is_real(type.number) && random_.chance(40) ? "_sat" : "";
  const char* rounding = random_.pick({"", "", "", "_rte", "_rtz", "_rtp", "_rtn"});
  return fmt::format("convert_{}{}{}({})", name_of(type), sat, rounding, vector(from, depth - 1));
}

std::string ExpressionWriter::vector_call(const SourceType& type, uint32_t depth) {
  if (random_.chance(25))
    if (std::string call = helper_call(type); !call.empty()) return call;
  auto next = [&] { return vector(type, depth - 1); };
  std::string a = next();
  if (random_.chance(12)) {
    const SourceType mask{.number = mask_of(type.number, random_.chance(50)), .lanes = type.lanes};
    std::string b = next();
    return fmt::format("select({}, {}, {})", a, b, vector(mask, depth - 1));
  }
  if (type.lanes != 3 && random_.chance(12)) {
    const SourceType order{.number = mask_of(type.number, false), .lanes = type.lanes};
    const SourceType from{.number = type.number, .lanes = random_.pick({2u, 4u, 8u})};
    std::string b = vector(from, depth - 1);
    if (random_.chance(50)) return fmt::format("shuffle({}, {})", b, vector(order, depth - 1));
    std::string c = vector(from, depth - 1);
    return fmt::format("shuffle2({}, {}, {})", b, c, vector(order, depth - 1));
  }
  if (is_real(type.number)) {
    const char* one = random_.pick({"floor", "fabs", "ceil", "rint", "trunc", "sqrt", "sign"});
    if (random_.chance(50)) return fmt::format("{}({})", one, a);
    if (random_.chance(30)) {
      std::string b = next();
      return from_last("{}({}, {}, {})", LATER(random_.pick({"fma", "mix"})), LATER(a), LATER(b),
                       LATER(next()));
    }
    return from_last("{}({}, {})", LATER(random_.pick({"fmin", "fmax", "step", "copysign"})), LATER(a),
                     LATER(next()));
  }
  if (random_.chance(25)) return fmt::format("{}({})", random_.pick({"popcount", "clz", "ctz"}), a);
  if (random_.chance(25)) {
    std::string b = next();
    return from_last("{}({}, {}, {})", LATER(random_.pick({"mad_sat", "mad_hi", "bitselect"})), LATER(a),
                     LATER(b), LATER(next()));
  }
  return from_last(
      "{}({}, {})",
      LATER(random_.pick({"min", "max", "add_sat", "sub_sat", "mul_hi", "rotate", "hadd", "rhadd"})),
      LATER(a), LATER(next()));
}

std::string ExpressionWriter::vector_index(uint32_t elements, uint32_t lanes, uint32_t depth) {
  return index(elements / lanes, depth);
}

std::string ExpressionWriter::vector_load(const SourceType& type, uint32_t depth) {
  for (const SourceVariable& v : scope_) {
    if (plain_ || v.pointer || v.shared || v.dims.size() != 1 || v.dims[0] < type.lanes) continue;
    if (v.type != SourceType{.number = type.number} || random_.chance(30)) continue;
    return fmt::format("vload{}({}, {})", type.lanes, vector_index(v.dims[0], type.lanes, depth - 1), v.name);
  }
  if (type.number == Number::Float && random_.chance(60))
    return fmt::format("vload_half{}({}, (global const half*)in)", type.lanes,
                       vector_index(128, type.lanes, depth - 1));
  std::string e(spelling(type.number));
  // Floats may be NaNs here.
  const uint32_t elements = 256 / bytes_of(type.number);
  if (type.lanes != 3 && random_.chance(40))
    return fmt::format("((global const {}*)in)[{}]", name_of(type),
                       vector_index(elements, type.lanes, depth - 1));
  return fmt::format("vload{}({}, (global const {}*)in)", type.lanes,
                     vector_index(elements, type.lanes, depth - 1), e);
}

std::string ExpressionWriter::integer_of_vector(uint32_t depth) {
  SourceType type = any_vector();
  std::string e = vector(type, depth - 1);
  e = fmt::format("({}){}", e, swizzle(type.lanes, 1, true));
  return is_real(type.number) ? fmt::format("REAL({})", e) : e;
}

std::string ExpressionWriter::real_of_vector(uint32_t depth) {
  const Number n = random_.pick({Number::Float, Number::Float, Number::Double});
  const SourceType type{.number = n, .lanes = random_.pick({2u, 3u, 4u})};
  std::string a = vector(type, depth - 1);
  if (random_.chance(30)) return fmt::format("dot({}, {})", a, vector(type, depth - 1));
  if (options_.math && random_.chance(10)) return fmt::format("length({})", a);
  return fmt::format("({}){}", a, swizzle(type.lanes, 1, true));
}

std::string ExpressionWriter::condition_of_vector(uint32_t depth) {
  const SourceType type = any_vector();
  std::string m = vector_mask(type.number, type.lanes, depth);
  return fmt::format("{}({})", random_.pick<const char*>({"any", "all"}), m);
}

void StatementWriter::assign_vector() {
  std::vector<SourceObject> all = vector_objects(true, 2);
  if (all.empty()) return assign();
  SourceObject o = random_.pick_from(all);
  if (random_.chance(10)) return line(fmt::format("{}{};", o.text, random_.chance(50) ? "++" : "--"));
  if (random_.chance(40)) {
    uint32_t count = random_.pick({2u, 2u, 3u, 4u, 8u});
    if (count < o.type.lanes) {
      std::string places = swizzle(o.type.lanes, count, true);
      o.text += places;
      o.type.lanes = count;
    }
  }
  std::vector<std::string> operators{"=", "=", "=", "+=", "-=", "*=", "/="};
  if (!is_real(o.type.number))
    for (const char* op : {"&=", "|=", "^=", "%=", "<<=", ">>="}) operators.emplace_back(op);
  std::string op = random_.pick_from(operators);
  if (random_.chance(15))
    return line(
        fmt::format("{} {} ({})({});", o.text, op, spelling(o.type.number), number(o.type.number, 2)));
  line(fmt::format("{} {} {};", o.text, op, vector(o.type, 2)));
}

void StatementWriter::store_vector() {
  SourceType type = any_vector();
  for (const SourceVariable& v : scope_) {
    if (plain_ || v.pointer || v.shared || !v.writable || v.dims.size() != 1 || v.type.record >= 0) continue;
    if (v.type.lanes > 1 || v.type.number == Number::Bool || v.dims[0] < 2 || random_.chance(50)) continue;
    type = {.number = v.type.number, .lanes = v.dims[0] < 4 ? 2u : random_.pick({2u, 3u, 4u})};
    return line(from_last("vstore{}({}, {}, {});", LATER(type.lanes), LATER(vector(type, 2)),
                          LATER(vector_index(v.dims[0], type.lanes, 1)), LATER(v.name)));
  }
  if (!in_kernel_) return assign_vector();
  if (type.number == Number::Double && type.lanes <= 4)
    return line(from_last("vstore{}({}, {}, real + gid * 4);", LATER(type.lanes), LATER(vector(type, 2)),
                          LATER(vector_index(4, type.lanes, 1))));
  if (is_real(type.number)) type.number = mask_of(type.number);  // avoids NaN bits
  const uint32_t elements = 128 / bytes_of(type.number);
  std::string at = vector_index(elements, type.lanes, 1);
  std::string e = vector(type, 2);
  if (type.lanes != 3 && random_.chance(40))
    return line(fmt::format("((global {}*)mine)[{}] {} {};", name_of(type), at,
                            random_.pick<const char*>({"=", "+=", "^="}), e));
  line(fmt::format("vstore{}({}, {}, (global {}*)mine);", type.lanes, e, at, spelling(type.number)));
}

}  // namespace kc::fuzz
