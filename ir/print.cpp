// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <cmath>
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
      labels_[b.index] = fmt::format("b{}", ids ? b.index : next_block++);
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
      s += declare(params[i]);
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
      for (InstId i : f.block(b).insts) s += "  " + instruction(i) + "\n";
    }
    s += "}\n";
  }

  // The label of a block with its parameters, its mask and what else is noted at it.
  std::string head(BlockId b) const {
    std::string s = label(b);
    const Block& block = f.block(b);
    if (b != f.entry() && !block.params.empty()) {
      s += '(';
      for (size_t i = 0; i < block.params.size(); ++i) {
        if (i) s += ", ";
        s += declare(block.params[i]);
      }
      s += ')';
    }
    if (block.mask) s += " mask " + operand(block.mask);
    if (block.unroll == UnrollFully)
      s += " unroll=full";
    else if (block.unroll != NoUnrollHint)
      s += fmt::format(" unroll={}", block.unroll);
    if (block.is_flow) s += " flow";
    return s;
  }

  std::string instruction(InstId id) const {
    const Inst& inst = f.inst(id);
    const OpInfo& row = info(inst.op);
    std::string s, comment;
    for (size_t i = 0; i < inst.results.size(); ++i) s += (i ? ", " : "") + declare(inst.results[i]);
    if (!inst.results.empty()) s += " = ";
    s += row.name;
    const char* separator = " ";
    for (ValueId v : inst.operands) {
      s += separator + operand(v);
      separator = ", ";
      if (v.valid() && f.is_const(v) && f.type(v).is_float()) comment += fmt::format(" {}", decimal(v));
    }
    for (size_t i = 0; i < row.attr_count(); ++i) {
      if (row.attrs[i].kind == AttrKind::Int && inst.attrs[i] == row.attrs[i].fallback) continue;
      s += separator + attribute(row.attrs[i], inst.attrs[i]);
      separator = ", ";
    }
    for (size_t i = 0; i < inst.targets.size(); ++i) {
      s += i ? ", " : " -> ";
      s += label(inst.targets[i].block);
      if (inst.targets[i].args.empty()) continue;
      s += '(';
      for (size_t k = 0; k < inst.targets[i].args.size(); ++k)
        s += (k ? ", " : "") + operand(inst.targets[i].args[k]);
      s += ')';
    }
    s += loc(inst.loc);
    if (!comment.empty()) s += "  ;" + comment;
    return s;
  }

  static std::string accessed(const TrapSite& site) {
    return site.object.empty() ? "" : fmt::format(" of {} unit={}", in_quotes(site.object), site.unit);
  }

  std::string operand(ValueId id) const {
    if (!id.valid()) return "<none>";
    const Value& v = f.value(id);
    if (v.kind == ValueKind::Undef) return "undef:" + to_string(v.type);
    if (v.kind == ValueKind::Const) return constant(v) + ":" + to_string(v.type);
    if (numbers_[id.index] == UINT32_MAX) return fmt::format("%<detached {}>", id.index);
    return fmt::format("%{}", numbers_[id.index]);
  }

  const std::string& label(BlockId b) const {
    static const std::string none = "<no block>";
    return b.valid() && b.index < labels_.size() && !labels_[b.index].empty() ? labels_[b.index] : none;
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

  std::string declare(ValueId id) const {
    const Value& v = f.value(id);
    std::string s = fmt::format("{}: {}", operand(id), to_string(v.type));
    if (v.location.kind == Location::Register) s += fmt::format(" @r{}", v.location.index);
    if (v.location.kind == Location::Slot) s += fmt::format(" @slot{}", v.location.index);
    return s;
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

  std::string attribute(const Attr& attr, int64_t value) const {
    switch (attr.kind) {
      case AttrKind::Var: {
        auto i = static_cast<size_t>(value);
        return fmt::format("{}=${}", attr.name, i < f.vars.size() ? var_name(f.vars[i]) : "<none>");
      }
      case AttrKind::Object: {
        auto i = static_cast<size_t>(value);
        return fmt::format("{}=${}", attr.name, i < f.objects.size() ? object_name(f.objects[i]) : "<none>");
      }
      default:
        return fmt::format("{}={}", attr.name, value);
    }
  }

  static std::string loc(Loc l) {
    if (!l.line) return {};
    return l.file ? fmt::format(" !{}:{}:{}", l.line, l.column, l.file)
                  : fmt::format(" !{}:{}", l.line, l.column);
  }

  static double as_double(const Value& v) {
    return v.type.elem == Elem::F32 ? static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(v.bits)))
                                    : std::bit_cast<double>(v.bits);
  }
  std::string decimal(ValueId id) const { return fmt::format("{}", as_double(f.value(id))); }

  static std::string constant(const Value& v) {
    if (v.type.is_float()) {
      double d = as_double(v);
      // Only finite values have a unique hexadecimal spelling; NaNs are written as bits.
      return std::isfinite(d) ? fmt::format("{:a}", d) : fmt::format("bits({:#x})", v.bits);
    }
    if (v.type.is_pointer() || v.type.is_mask()) return fmt::format("{}", v.bits);
    unsigned width = v.type.bits();
    if (width == 0) return fmt::format("{}", static_cast<int64_t>(v.bits));
    if (width == 1) return v.bits ? "true" : "false";
    auto shifted = static_cast<int64_t>(v.bits << (64 - width));
    return fmt::format("{}", shifted >> (64 - width));
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

std::string print(const Function& f, InstId inst) { return Printer(f).instruction(inst); }
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
    for (InstId i : f.block(b).insts) text += escape(printer.instruction(i)) + "\\l";
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
