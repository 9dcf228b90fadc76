// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <concepts>
#include <iterator>

#include "ir/check.h"
#include "ir/original_ids.h"
#include "ir/parameters.h"
#include "ir/text.h"

namespace kc {
namespace {

using Out = std::back_insert_iterator<std::string>;

std::string in_quotes(std::string_view text) {
  std::string r = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      r += '\\', r += c;
    else if (static_cast<unsigned char>(c) < 32)
      r += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else
      r += c;
  }
  return r + '"';
}

class Printer {
 public:
  explicit Printer(const Function& function)
      : f(function), numbers_(f.value_count(), UINT32_MAX), labels_(f.block_count()) {
    uint32_t next = 0, next_block = 0;
    const bool ids = keeps_ids(f);
    for (BlockId b : f.layout) {
      const Block& block = f.block(b);
      labels_[b.index] = "b", number(ids ? b.index : next_block++, labels_[b.index]);
      if (!block.hint.empty()) labels_[b.index] += "." + block.hint;
      for (ValueId p : block.params) numbers_[p.index] = ids ? p.index : next++;
      for (InstId i : block.insts)
        for (ValueId r : f.inst(i).results) numbers_[r.index] = ids ? r.index : next++;
    }
  }

  void function(std::string& s) {
    auto out = std::back_inserter(s);
    fmt::format_to(out, "{} func @{}(", to_string(f.dialect), f.name);
    const auto& params = f.block(f.entry()).params;
    for (size_t i = 0; i < params.size(); ++i) {
      if (i) s += ", ";
      declare(params[i], s);
      if (i < f.params.size()) parameter(f.params[i], s);
    }
    s += ")";
    if (f.is_kernel) s += " kernel";
    if (f.width) fmt::format_to(out, " width={}", f.width);
    if (f.reqd_local[0])
      fmt::format_to(out, " local={}x{}x{}", f.reqd_local[0], f.reqd_local[1], f.reqd_local[2]);
    if (f.reqd_sub_group) fmt::format_to(out, " sub_group={}", f.reqd_sub_group);
    s += " {\n";
    if (f.target) target(*f.target, s);
    for (const Var& v : f.vars) fmt::format_to(out, "  var ${}: {}\n", var_name(v), to_string(v.type));
    for (const MemoryObject& o : f.objects) {
      fmt::format_to(out, "  object ${}: {} size={} align={}", object_name(o), to_string(o.type), o.size,
                     o.align);
      if (!o.init.empty()) fmt::format_to(out, " init=x{:02x}", fmt::join(o.init, ""));
      s += '\n';
    }
    for (size_t i = 0; i < f.files.size(); ++i)
      fmt::format_to(out, "  file {}: {}\n", i + 1, in_quotes(f.files[i]));
    for (size_t i = 0; i < f.traps.size(); ++i)
      fmt::format_to(out, "  site {}: {} {}{}{}\n", i, to_string(f.traps[i].kind), in_quotes(f.traps[i].type),
                     accessed(f.traps[i]), loc(f.traps[i].loc));
    for (BlockId b : f.layout) {
      s += head(b) + ":\n";
      for (InstId i : f.block(b).insts) s += "  ", instruction(i, s), s += '\n';
    }
    s += "}\n";
  }

  // The label of a block with its parameters, its mask and what else is noted at it.
  std::string head(BlockId b) const {
    std::string s(label(b));
    const Block& block = f.block(b);
    if (b != f.entry() && !block.params.empty()) {
      s += '(';
      for (size_t i = 0; i < block.params.size(); ++i) {
        if (i) s += ", ";
        declare(block.params[i], s);
      }
      s += ')';
    }
    if (block.mask) s += " mask " + operand(block.mask);
    if (block.unroll == UnrollFully)
      s += " unroll=full";
    else if (block.unroll != NoUnrollHint)
      s += fmt::format(" unroll={}", block.unroll);
    if (block.is_rare) s += " rare";
    if (block.is_flow) s += " flow";
    return s;
  }

  // Stages are printed at each key stroke of the lab: texts are appended, not made and joined.
  void instruction(InstId id, std::string& s) const {
    const Inst& inst = f.inst(id);
    const OpInfo& row = info(inst.op);
    for (size_t i = 0; i < inst.results.size(); ++i) {
      if (i) s += ", ";
      declare(inst.results[i], s);
    }
    if (!inst.results.empty()) s += " = ";
    s += row.name;
    const char* separator = " ";
    bool floats = false;
    for (ValueId v : inst.operands) {
      s += separator;
      operand(v, s);
      separator = ", ";
      floats |= v.valid() && f.is_const(v) && f.type(v).is_float();
    }
    for (size_t i = 0; i < row.attr_count(); ++i) {
      if (row.attrs[i].kind == AttrKind::Int && inst.attrs[i] == row.attrs[i].fallback) continue;
      s += separator;
      attribute(row.attrs[i], inst.attrs[i], s);
      separator = ", ";
    }
    for (size_t i = 0; i < inst.targets.size(); ++i) {
      s += i ? ", " : " -> ";
      s += label(inst.targets[i].block);
      if (inst.targets[i].args.empty()) continue;
      s += '(';
      for (size_t k = 0; k < inst.targets[i].args.size(); ++k) {
        if (k) s += ", ";
        operand(inst.targets[i].args[k], s);
      }
      s += ')';
    }
    loc(inst.loc, s);
    if (!floats) return;
    s += "  ;";
    for (ValueId v : inst.operands)
      if (v.valid() && f.is_const(v) && f.type(v).is_float())
        s += ' ', fmt::format_to(std::back_inserter(s), "{}", as_double(f.value(v)));
  }

  static std::string accessed(const TrapSite& site) {
    return site.object.empty() ? "" : fmt::format(" of {} unit={}", in_quotes(site.object), site.unit);
  }

  std::string operand(ValueId id) const {
    std::string s;
    operand(id, s);
    return s;
  }
  void operand(ValueId id, std::string& s) const {
    if (!id.valid()) {
      s += "<none>";
      return;
    }
    const Value& v = f.value(id);
    if (v.kind == ValueKind::Undef || v.kind == ValueKind::Const) {
      if (v.kind == ValueKind::Undef)
        s += "undef";
      else
        constant(v, s);
      s += ':', s += to_string(v.type);
    } else if (numbers_[id.index] == UINT32_MAX) {
      s += "%<detached ", number(id.index, s), s += '>';
    } else {
      s += '%', number(numbers_[id.index], s);
    }
  }

  std::string_view label(BlockId b) const {
    const bool known = b.valid() && b.index < labels_.size() && !labels_[b.index].empty();
    return known ? std::string_view(labels_[b.index]) : "<no block>";
  }

 private:
  void target(const TargetNote& note, std::string& s) const {
    s += "  target " + note.name;
    if (!note.after.empty()) s += " after=" + note.after;
    for (const auto& [key, value] : note.settings) s += fmt::format(" {}={}", key, value);
    s += '\n';
    std::string same;
    for (ValueId v : note.same_in_lanes)
      if (numbers_[v.index] != UINT32_MAX) same += (same.empty() ? " " : ", ") + operand(v);
    if (!same.empty()) s += "  same_in_lanes" + same + "\n";
    if (note.arguments.empty()) return;
    s += "  arguments(";
    for (size_t i = 0; i < note.arguments.size(); ++i) {
      s += (i ? ", " : "") + to_string(note.arguments[i].type);
      parameter(note.arguments[i].info, s);
    }
    s += ")\n";
  }

  void declare(ValueId id, std::string& s) const {
    const Value& v = f.value(id);
    operand(id, s);
    s += ": ", s += to_string(v.type);
    if (v.location.kind == Location::Register) s += " @r", number(v.location.index, s);
    if (v.location.kind == Location::Slot) s += " @slot", number(v.location.index, s);
  }

  static void parameter(const ParamInfo& p, std::string& s) {
    // "%0: type" becomes "%0: type name of elem const ..."
    if (!p.name.empty() && !p.hidden()) s += " " + p.name;
    if (p.pointee != Elem::Void) s += " of " + to_string(Type{p.pointee});
    if (p.pointee_size) s += fmt::format(" of {}", p.pointee_size);
    if (p.is_unsigned) s += " unsigned";
    if (p.is_half) s += " half";
    if (p.is_const) s += " const";
    if (p.is_restrict) s += " restrict";
    if (!p.hidden()) return;
    s += " hidden";
    if (p.role != ParamRole::EntryMask) s += "=" + role_word(p);  // no other parameter is a mask
  }

  std::string var_name(const Var& v) const { return fmt::format("{}.{}", v.name, &v - f.vars.data()); }

  std::string object_name(const MemoryObject& o) const {
    return fmt::format("{}.{}", o.name, &o - f.objects.data());
  }

  void attribute(const Attr& attr, int64_t value, std::string& s) const {
    const auto i = static_cast<size_t>(value);
    s += attr.name, s += '=';
    if (attr.kind == AttrKind::Var)
      s += '$', s += i < f.vars.size() ? var_name(f.vars[i]) : "<none>";
    else if (attr.kind == AttrKind::Object)
      s += '$', s += i < f.objects.size() ? object_name(f.objects[i]) : "<none>";
    else
      number(value, s);
  }

  template <std::integral N>
  static void number(N n, std::string& s) {
    char digits[24];
    s.append(digits, std::to_chars(digits, std::end(digits), n).ptr);
  }

  static std::string loc(Loc l) {
    std::string s;
    loc(l, s);
    return s;
  }
  static void loc(Loc l, std::string& s) {
    if (!l.line) return;
    s += " !", number(l.line, s);
    s += ':', number(l.column, s);
    if (l.file) s += ':', number(l.file, s);
  }

  static double as_double(const Value& v) {
    return v.type.elem == Elem::F32 ? static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(v.bits)))
                                    : std::bit_cast<double>(v.bits);
  }

  static void constant(const Value& v, std::string& s) {
    const unsigned width = v.type.bits();
    if (v.type.is_float()) {
      const double d = as_double(v);
      // Only finite values have a unique hexadecimal spelling; NaNs are written as bits.
      if (std::isfinite(d))
        fmt::format_to(std::back_inserter(s), "{:a}", d);
      else
        fmt::format_to(std::back_inserter(s), "bits({:#x})", v.bits);
    } else if (v.type.is_pointer() || v.type.is_mask()) {
      number(v.bits, s);
    } else if (width == 1) {
      s += v.bits ? "true" : "false";
    } else {
      const unsigned above = width == 0 ? 0 : 64 - width;
      number(static_cast<int64_t>(v.bits << above) >> above, s);
    }
  }

  const Function& f;
  std::vector<uint32_t> numbers_;
  std::vector<std::string> labels_;
};

}  // namespace

std::string print(const Function& f) {
  std::string s;
  Printer(f).function(s);
  return s;
}

std::string print(const Module& module) {
  std::string s;
  if (!module.source_name.empty()) s += "source " + in_quotes(module.source_name) + "\n";
  for (const auto& f : module.functions) s += (s.empty() ? "" : "\n") + print(*f);
  return s;
}

std::string print(const Function& f, InstId inst) {
  std::string s;
  Printer(f).instruction(inst, s);
  return s;
}
std::string print_operand(const Function& f, ValueId value) { return Printer(f).operand(value); }

std::string_view file_of(const Function& f, Loc loc, std::string_view compiled) {
  return loc.file ? std::string_view(f.files[loc.file - 1]) : compiled;
}
std::string describe_line(const Function& f, Loc loc) {
  return fmt::format("line {}{}{}", loc.line, loc.file ? " of " : "", file_of(f, loc, ""));
}

std::string print_dot(const Function& f) {
  Printer printer(f);
  auto escape = [](std::string_view text) {
    std::string r;
    for (char c : text) {
      if (std::string_view("\"\\<>{}|").find(c) != std::string_view::npos) r += '\\';
      r += c;
    }
    return r;
  };
  std::string s = fmt::format("digraph \"{}\" {{\n  node [shape=box, fontname=monospace];\n", escape(f.name));
  for (BlockId b : f.layout) {
    std::string text = escape(printer.head(b)) + "\\l";
    for (InstId i : f.block(b).insts) {
      std::string line;
      printer.instruction(i, line);
      text += escape(line) + "\\l";
    }
    s += fmt::format("  n{} [label=\"{}\"];\n", b.index, text);
    auto targets = f.successors(b);
    for (size_t i = 0; i < targets.size(); ++i) {
      std::string_view label = targets.size() == 2            ? (i == 0 ? "true" : "false")
                               : targets.size() > 2 && i == 0 ? "default"
                                                              : "";
      s += fmt::format("  n{} -> n{}", b.index, targets[i].block.index);
      s += label.empty() ? ";\n" : fmt::format(" [label=\"{}\"];\n", label);
    }
  }
  return s + "}\n";
}

}  // namespace kc
