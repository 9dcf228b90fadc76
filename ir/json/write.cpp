// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <cmath>
#include <iterator>

#include "ir/json/bytes.h"
#include "ir/json/json.h"
#include "ir/original_ids.h"
#include "ir/parameters.h"

namespace kc {
namespace {

// Readers that hold numbers as doubles keep integers up to here.
constexpr int64_t kExact = int64_t{1} << 53;

std::string json_integer(int64_t v) {
  return v > -kExact && v < kExact ? fmt::format("{}", v) : fmt::format("\"{}\"", v);
}
std::string json_unsigned(uint64_t v) {
  return v < static_cast<uint64_t>(kExact) ? fmt::format("{}", v) : fmt::format("\"{}\"", v);
}

// {"a": 1, "b": 2}, for members that may be left out.
class Members {
 public:
  void add(std::string_view key, std::string_view json) {
    text_ += fmt::format("{}\"{}\": {}", text_.empty() ? "" : ", ", key, json);
  }
  void flag(std::string_view key, bool value) {
    if (value) add(key, "true");
  }
  void string(std::string_view key, std::string_view bytes) { add(key, json_string(bytes)); }
  std::string object() const { return "{" + text_ + "}"; }
  std::string open() const { return "{" + text_; }

 private:
  std::string text_;
};

std::string json_array(const std::vector<std::string>& items) {
  return fmt::format("[{}]", fmt::join(items, ", "));
}
// Each on a line of its own.
std::string json_lines(const std::vector<std::string>& items, std::string_view indent) {
  std::string s = "[";
  for (size_t i = 0; i < items.size(); ++i) s += fmt::format("{}\n{}{}", i ? "," : "", indent, items[i]);
  return s + "]";
}

class JsonWriter {
 public:
  explicit JsonWriter(const Function& function)
      : f(function), numbers_(f.value_count(), UINT32_MAX), blocks_(f.block_count(), 0) {
    // The numbers of the text form.
    uint32_t next = 0, next_block = 0;
    const bool ids = keeps_ids(f);
    for (BlockId b : f.layout) {
      blocks_[b.index] = ids ? b.index : next_block++;
      for (ValueId p : f.block(b).params) numbers_[p.index] = ids ? p.index : next++;
      for (InstId i : f.block(b).insts)
        for (ValueId r : f.inst(i).results) numbers_[r.index] = ids ? r.index : next++;
    }
  }

  std::string function() const {
    Members m;
    m.string("name", f.name);
    m.string("dialect", to_string(f.dialect));
    m.add("kernel", f.is_kernel ? "true" : "false");
    if (f.width) m.add("width", fmt::format("{}", f.width));
    if (f.reqd_local[0]) m.add("local", fmt::format("[{}]", fmt::join(f.reqd_local, ", ")));
    if (f.reqd_sub_group) m.add("sub_group", fmt::format("{}", f.reqd_sub_group));
    std::string s = m.open();
    auto part = [&](std::string_view key, const std::vector<std::string>& items) {
      if (!items.empty()) s += fmt::format(",\n  \"{}\": {}", key, json_lines(items, "   "));
    };
    if (f.target) s += ",\n  \"target\": " + target(*f.target);
    part("params", parameters());
    std::vector<std::string> items;
    for (const Var& v : f.vars) items.push_back(variable(v));
    part("vars", items);
    items.clear();
    for (const MemoryObject& o : f.objects) items.push_back(object(o));
    part("objects", items);
    items.clear();
    for (const std::string& file : f.files) items.push_back(json_string(file));
    part("files", items);
    items.clear();
    for (const TrapSite& site : f.traps) items.push_back(trap(site));
    part("sites", items);
    items.clear();
    for (BlockId b : f.layout) items.push_back(block(b));
    part("blocks", items);
    return s + "}";
  }

 private:
  std::string block(BlockId b) const {
    const Block& block = f.block(b);
    Members m;
    m.add("id", fmt::format("{}", blocks_[b.index]));
    if (!block.hint.empty()) m.string("hint", block.hint);
    if (b != f.entry() && !block.params.empty()) m.add("params", declarations(block.params));
    if (block.mask) m.add("mask", operand(block.mask));
    if (block.unroll == UnrollFully)
      m.string("unroll", "full");
    else if (block.unroll != NoUnrollHint)
      m.add("unroll", fmt::format("{}", block.unroll));
    m.flag("rare", block.is_rare);
    m.flag("flow", block.is_flow);
    std::vector<std::string> insts;
    for (InstId i : block.insts) insts.push_back(instruction(i));
    return fmt::format("{}, \"insts\": {}}}", m.open(), json_lines(insts, "    "));
  }

  std::string instruction(InstId id) const {
    const Inst& inst = f.inst(id);
    const OpInfo& row = info(inst.op);
    Members m;
    if (!inst.results.empty()) m.add("results", declarations(inst.results));
    m.string("op", row.name);
    if (!inst.operands.empty()) m.add("operands", operands(inst.operands));
    Members attrs;
    bool any = false;
    for (size_t i = 0; i < row.attr_count(); ++i) {
      if (row.attrs[i].kind == AttrKind::Int && inst.attrs[i] == row.attrs[i].fallback) continue;
      attrs.add(row.attrs[i].name, json_integer(inst.attrs[i]));
      any = true;
    }
    if (any) m.add("attrs", attrs.object());
    std::vector<std::string> targets;
    for (const Target& t : inst.targets) {
      Members edge;
      edge.add("block", fmt::format("{}", blocks_[t.block.index]));
      if (!t.args.empty()) edge.add("args", operands(t.args));
      targets.push_back(edge.object());
    }
    if (!targets.empty()) m.add("targets", json_array(targets));
    if (inst.loc.line) m.add("loc", location(inst.loc));
    return m.object();
  }

  template <typename List>
  std::string operands(const List& list) const {
    std::vector<std::string> items;
    for (ValueId v : list) items.push_back(operand(v));
    return json_array(items);
  }
  std::string operand(ValueId id) const {
    const Value& v = f.value(id);
    if (!f.is_inline(id)) return fmt::format("{}", numbers_[id.index]);
    Members m;
    m.string("type", to_string(v.type));
    if (v.kind == ValueKind::Undef)
      m.add("undef", "true");
    else
      constant(v, m);
    return m.object();
  }

  static void constant(const Value& v, Members& m) {
    const unsigned width = v.type.bits();
    if (v.type.is_float()) {
      const double d = v.type.elem == Elem::F32
                           ? static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(v.bits)))
                           : std::bit_cast<double>(v.bits);
      // Only finite values have a unique hexadecimal spelling.
      if (std::isfinite(d))
        m.string("const", fmt::format("{:a}", d));
      else
        m.string("bits", fmt::format("{:#x}", v.bits));
    } else if (v.type.is_pointer() || v.type.is_mask()) {
      m.add("const", json_unsigned(v.bits));
    } else if (width == 1) {
      m.add("const", v.bits ? "true" : "false");
    } else {
      const unsigned unused = width ? 64 - width : 0;
      m.add("const", json_integer(static_cast<int64_t>(v.bits << unused) >> unused));
    }
  }

  template <typename List>
  std::string declarations(const List& list) const {
    std::vector<std::string> items;
    for (ValueId v : list) items.push_back(declaration(v).object());
    return json_array(items);
  }
  Members declaration(ValueId id) const {
    const Value& v = f.value(id);
    Members m;
    m.add("id", fmt::format("{}", numbers_[id.index]));
    m.string("type", to_string(v.type));
    if (v.location.kind == Location::Register) m.add("reg", fmt::format("{}", v.location.index));
    if (v.location.kind == Location::Slot) m.add("slot", fmt::format("{}", v.location.index));
    return m;
  }

  std::vector<std::string> parameters() const {
    std::vector<std::string> items;
    const auto& params = f.block(f.entry()).params;
    for (size_t i = 0; i < params.size(); ++i) {
      Members m = declaration(params[i]);
      if (i < f.params.size()) parameter(f.params[i], m);
      items.push_back(m.object());
    }
    return items;
  }
  static void parameter(const ParamInfo& p, Members& m) {
    if (p.hidden()) return m.string("role", role_word(p));
    if (!p.name.empty()) m.string("name", p.name);
    if (p.pointee != Elem::Void) m.string("of", to_string(Type{p.pointee}));
    if (p.pointee_size) m.add("size", fmt::format("{}", p.pointee_size));
    m.flag("unsigned", p.is_unsigned);
    m.flag("half", p.is_half);
    m.flag("const", p.is_const);
    m.flag("restrict", p.is_restrict);
  }

  std::string target(const TargetNote& note) const {
    Members m;
    m.string("name", note.name);
    if (!note.after.empty()) m.string("after", note.after);
    std::vector<std::string> items;
    for (const auto& [key, value] : note.settings)
      items.push_back(fmt::format("[{}, {}]", json_string(key), json_integer(value)));
    if (!items.empty()) m.add("settings", json_array(items));
    items.clear();
    for (ValueId v : note.same_in_lanes)
      if (numbers_[v.index] != UINT32_MAX) items.push_back(operand(v));
    if (!items.empty()) m.add("same_in_lanes", json_array(items));
    items.clear();
    for (const TargetNote::Argument& a : note.arguments) {
      Members argument;
      argument.string("type", to_string(a.type));
      parameter(a.info, argument);
      items.push_back(argument.object());
    }
    if (!items.empty()) m.add("arguments", json_lines(items, "   "));
    return m.object();
  }

  static std::string variable(const Var& v) {
    Members m;
    m.string("name", v.name);
    m.string("type", to_string(v.type));
    return m.object();
  }
  static std::string object(const MemoryObject& o) {
    Members m;
    m.string("name", o.name);
    m.string("type", to_string(o.type));
    m.add("size", fmt::format("{}", o.size));
    m.add("align", fmt::format("{}", o.align));
    if (!o.init.empty()) m.string("init", fmt::format("{:02x}", fmt::join(o.init, "")));
    return m.object();
  }
  static std::string trap(const TrapSite& site) {
    Members m;
    m.string("kind", to_string(site.kind));
    m.string("text", site.type);
    if (!site.object.empty()) {
      m.string("object", site.object);
      m.add("unit", fmt::format("{}", site.unit));
    }
    if (site.loc.line) m.add("loc", location(site.loc));
    return m.object();
  }
  static std::string location(Loc l) {
    return l.file ? fmt::format("[{}, {}, {}]", l.line, l.column, l.file)
                  : fmt::format("[{}, {}]", l.line, l.column);
  }

  const Function& f;
  std::vector<uint32_t> numbers_, blocks_;
};

std::string document(std::string_view source, std::span<const Function* const> functions) {
  std::string s = fmt::format("{{\"kernelc_ir\": {}, ", kJsonVersion);
  if (!source.empty()) s += fmt::format("\"source\": {}, ", json_string(source));
  s += "\"functions\": [";
  for (size_t i = 0; i < functions.size(); ++i)
    s += (i ? ",\n " : "\n ") + JsonWriter(*functions[i]).function();
  return s + "]}\n";
}

}  // namespace

std::string write_json(const Function& f) {
  const Function* one = &f;
  return document("", std::span(&one, 1));
}

std::string write_json(const Module& module) {
  std::vector<const Function*> all;
  for (const auto& f : module.functions) all.push_back(f.get());
  return document(module.source_name, all);
}

}  // namespace kc
