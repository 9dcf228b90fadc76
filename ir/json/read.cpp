// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstdlib>
#include <unordered_map>

#include "ir/json/json.h"
#include "ir/json/node.h"
#include "ir/json/scan.h"
#include "ir/original_ids.h"
#include "ir/parameters.h"

namespace kc {
namespace {

constexpr uint32_t kMaxObjectBytes = uint32_t{1} << 31;
using Argument = TargetNote::Argument;

// In two walks: values and blocks first, then what refers to them.
class JsonReader : public JsonValues {
 public:
  bool module(const JsonNode& at, Module& m) {
    if (!object(at, {"kernelc_ir", "source", "functions"})) return false;
    auto version = needed(at, "kernelc_ir");
    uint32_t number = 0;
    if (!version || !small(*version, 0, UINT32_MAX, number)) return false;
    if (number != kJsonVersion)
      return fail(*version, fmt::format("this kernelc reads version {} of the form", kJsonVersion));
    if (auto source = member(at, "source"); source && !text(*source, m.source_name)) return false;
    auto functions = needed(at, "functions");
    if (!functions || !array(*functions)) return false;
    if (size(*functions) == 0) return fail(*functions, "no function in this document");
    for (size_t i = 0; i < size(*functions); ++i) {
      const JsonNode node = element(*functions, i);
      auto f = function(node);
      if (!f) return false;
      if (m.find(f->name)) return fail(node, fmt::format("function @{} is defined twice", f->name));
      m.functions.push_back(std::move(f));
    }
    return true;
  }

 private:
  // Calls read(element) for all of an array that may be absent.
  template <typename Read>
  bool each(const JsonNode& at, std::string_view key, Read read) {
    auto list = member(at, key);
    if (!list) return ok();
    if (!array(*list)) return false;
    for (size_t i = 0; i < size(*list); ++i)
      if (!read(element(*list, i))) return false;
    return true;
  }
  // A member that may be absent.
  template <typename Read>
  bool maybe(const JsonNode& at, std::string_view key, Read read) {
    auto node = member(at, key);
    return node ? read(*node) : ok();
  }
  // One that must be there.
  template <typename Read>
  bool must(const JsonNode& at, std::string_view key, Read read) {
    auto node = needed(at, key);
    return node && read(*node);
  }

  bool type(const JsonNode& at, Type& t) {
    std::string s;
    if (!text(at, s)) return false;
    auto parsed = parse_type(s);
    if (!parsed) return fail(at, "it is not a type");
    t = *parsed;
    return true;
  }

  // --- functions
  std::unique_ptr<Function> function(const JsonNode& at) {
    auto owned = std::make_unique<Function>();
    f_ = owned.get();
    values_.clear(), blocks_.clear(), layout_.clear();
    if (!object(at, {"name", "dialect", "kernel", "width", "local", "sub_group", "target", "params", "vars",
                     "objects", "files", "sites", "blocks"}))
      return nullptr;
    const bool good = header(at) && memory(at) && sites(at) && declare_blocks(at) && fill_blocks(at) &&
                      maybe(at, "target", [&](const JsonNode& n) { return same_in_lanes(n); });
    if (!good) return nullptr;
    return keeps_ids(*owned) ? in_order_of_numbers(*owned) : std::move(owned);
  }

  std::unique_ptr<Function> in_order_of_numbers(const Function& f) const {
    std::vector<uint32_t> values(f.value_count(), 0), blocks(f.block_count(), 0);
    for (auto [number, v] : values_) values[v.index] = number;
    for (auto [number, b] : blocks_) blocks[b.index] = number;
    return with_ids(f, values, blocks);
  }

  bool header(const JsonNode& at) {
    Function& f = *f_;
    return must(at, "name", [&](const JsonNode& n) { return word(n, f.name); }) &&
           must(at, "dialect", [&](const JsonNode& n) { return dialect(n); }) &&
           maybe(at, "kernel", [&](const JsonNode& n) { return boolean(n, f.is_kernel); }) &&
           maybe(at, "width", [&](const JsonNode& n) { return small(n, 0, 1024, f.width); }) &&
           maybe(at, "local", [&](const JsonNode& n) { return local(n); }) &&
           maybe(at, "sub_group", [&](const JsonNode& n) { return small(n, 0, 1024, f.reqd_sub_group); }) &&
           maybe(at, "target", [&](const JsonNode& n) { return target(n); });
  }

  bool dialect(const JsonNode& at) {
    std::string s;
    if (!text(at, s)) return false;
    for (size_t d = 0; d < static_cast<size_t>(Dialect::Count_); ++d)
      if (to_string(static_cast<Dialect>(d)) == s) return f_->dialect = static_cast<Dialect>(d), true;
    return fail(at, "it is not a dialect (thread, wave, x64 or gcn)");
  }

  bool local(const JsonNode& at) {
    if (!array(at)) return false;
    if (size(at) != 3) return fail(at, "expected three sizes");
    for (size_t i = 0; i < 3; ++i)
      if (!small(element(at, i), 0, 1u << 20, f_->reqd_local[i])) return false;
    return true;
  }

  bool target(const JsonNode& at) {
    TargetNote& note = f_->target.emplace();
    if (!object(at, {"name", "after", "settings", "same_in_lanes", "arguments"})) return false;
    return must(at, "name", [&](const JsonNode& n) { return word(n, note.name); }) &&
           maybe(at, "after", [&](const JsonNode& n) { return word(n, note.after); }) &&
           each(at, "settings", [&](const JsonNode& n) { return setting(n, note); }) &&
           each(at, "arguments", [&](const JsonNode& n) {
             Argument a;
             if (!object(n,
                         {"type", "name", "of", "size", "unsigned", "half", "const", "restrict", "role"}) ||
                 !must(n, "type", [&](const JsonNode& t) { return type(t, a.type); }) ||
                 !parameter(n, note.arguments, a))
               return false;
             note.arguments.push_back(std::move(a));
             return true;
           });
  }

  bool setting(const JsonNode& at, TargetNote& note) {
    if (!array(at)) return false;
    if (size(at) != 2) return fail(at, "expected a name and a number");
    std::string key;
    int64_t value = 0;
    if (!word(element(at, 0), key) || !integer(element(at, 1), value)) return false;
    note.settings.emplace_back(std::move(key), value);
    return true;
  }

  bool same_in_lanes(const JsonNode& at) {
    return each(at, "same_in_lanes", [&](const JsonNode& n) {
      ValueId v;
      return operand(n, v) && (f_->target->same_in_lanes.push_back(v), true);
    });
  }

  // What is known of a parameter of the type a.type.
  bool parameter(const JsonNode& at, std::span<const Argument> before, Argument& a) {
    ParamInfo& p = a.info;
    if (auto role = member(at, "role")) {
      std::string s;
      if (!text(*role, s)) return false;
      auto hidden = parse_role_word(s);
      if (!hidden) return fail(*role, "it is not the role of a hidden parameter (" + roles() + ")");
      if (std::string why = why_no_role(*hidden, a.type, before); !why.empty()) return fail(*role, why);
      p = *hidden;
      return true;
    }
    auto flag = [&](std::string_view key, bool& to) {
      return maybe(at, key, [&](const JsonNode& n) { return boolean(n, to); });
    };
    return maybe(at, "name", [&](const JsonNode& n) { return word(n, p.name); }) &&
           maybe(at, "of",
                 [&](const JsonNode& n) {
                   Type of;
                   return type(n, of) && (p.pointee = of.elem, true);
                 }) &&
           maybe(at, "size",
                 [&](const JsonNode& n) { return small(n, 0, UINT32_MAX - 1, p.pointee_size); }) &&
           flag("unsigned", p.is_unsigned) && flag("half", p.is_half) && flag("const", p.is_const) &&
           flag("restrict", p.is_restrict);
  }
  static std::string roles() { return "traps, constants, printf, size_N or mask"; }

  bool memory(const JsonNode& at) {
    return each(at, "vars",
                [&](const JsonNode& n) {
                  Var v;
                  if (!object(n, {"name", "type"}) || !name_and_type(n, v.name, v.type)) return false;
                  f_->add_var(std::move(v.name), v.type);
                  return true;
                }) &&
           each(at, "objects", [&](const JsonNode& n) { return memory_object(n); });
  }
  bool name_and_type(const JsonNode& at, std::string& name, Type& t) {
    return must(at, "name", [&](const JsonNode& n) { return word(n, name); }) &&
           must(at, "type", [&](const JsonNode& n) { return type(n, t); });
  }
  bool memory_object(const JsonNode& at) {
    MemoryObject o{.name = {}, .type = {}, .init = {}};
    uint32_t bytes = 0;
    if (!object(at, {"name", "type", "size", "align", "init"}) || !name_and_type(at, o.name, o.type) ||
        !must(at, "size", [&](const JsonNode& n) { return small(n, 0, kMaxObjectBytes, bytes); }) ||
        !must(at, "align", [&](const JsonNode& n) { return small(n, 0, 4096, o.align); }) ||
        !maybe(at, "init", [&](const JsonNode& n) { return initial_bytes(n, o.init); }))
      return false;
    o.size = bytes;
    f_->add_object(std::move(o));
    return true;
  }
  bool initial_bytes(const JsonNode& at, std::vector<uint8_t>& bytes) {
    std::string s;
    if (!text(at, s)) return false;
    auto digit = [](char c) { return c <= '9' ? c - '0' : (c | 32) - 'a' + 10; };
    const bool hex = std::ranges::all_of(
        s, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); });
    if (!hex || s.size() % 2) return fail(at, "expected an even number of hexadecimal digits");
    for (size_t i = 0; i < s.size(); i += 2)
      bytes.push_back(static_cast<uint8_t>(digit(s[i]) * 16 + digit(s[i + 1])));
    return true;
  }

  bool sites(const JsonNode& at) {
    auto file = [&](const JsonNode& n) {
      std::string name;
      if (!text(n, name)) return false;
      const size_t i = f_->files.size();
      if (i == files_.size()) files_.push_back(name);
      if (files_[i] != name) return fail(n, fmt::format("it is \"{}\" in a function above", files_[i]));
      f_->files.push_back(std::move(name));
      return true;
    };
    auto site = [&](const JsonNode& n) {
      TrapSite s;
      if (!object(n, {"kind", "text", "object", "unit", "loc"}) ||
          !must(n, "kind", [&](const JsonNode& k) { return trap_kind(k, s.kind); }) ||
          !must(n, "text", [&](const JsonNode& k) { return text(k, s.type); }) ||
          !maybe(n, "object", [&](const JsonNode& k) { return text(k, s.object); }) ||
          !maybe(n, "unit", [&](const JsonNode& k) { return small(k, 0, kMaxObjectBytes, s.unit); }) ||
          !maybe(n, "loc", [&](const JsonNode& k) { return location(k, s.loc); }))
        return false;
      f_->traps.push_back(std::move(s));
      return true;
    };
    return each(at, "files", file) && each(at, "sites", site);
  }
  bool trap_kind(const JsonNode& at, TrapKind& kind) {
    std::string s;
    if (!text(at, s)) return false;
    for (size_t k = 0; k < static_cast<size_t>(TrapKind::Count_); ++k)
      if (to_string(static_cast<TrapKind>(k)) == s) return kind = static_cast<TrapKind>(k), true;
    return fail(at, "it is not a kind of trap");
  }
  bool location(const JsonNode& at, Loc& loc) {
    if (!array(at)) return false;
    if (size(at) != 2 && size(at) != 3) return fail(at, "expected a line, a column and perhaps a file");
    return small(element(at, 0), 1, UINT32_MAX, loc.line) &&
           small(element(at, 1), 0, UINT32_MAX, loc.column) &&
           (size(at) == 2 || small(element(at, 2), 0, static_cast<uint32_t>(f_->files.size()), loc.file));
  }

  // --- blocks
  bool declare(const JsonNode& at, Type t, ValueId v) {
    return must(at, "id", [&](const JsonNode& n) {
      uint32_t number = 0;
      if (!small(n, 0, UINT32_MAX - 1, number)) return false;
      if (!values_.emplace(number, v).second)
        return fail(n, fmt::format("value {} is defined twice", number));
      f_->value(v).type = t;
      Location& where = f_->value(v).location;
      return maybe(at, "reg",
                   [&](const JsonNode& r) {
                     return where.kind = Location::Register, small(r, 0, 1023, where.index);
                   }) &&
             maybe(at, "slot", [&](const JsonNode& r) {
               return where.kind = Location::Slot, small(r, 0, 1u << 24, where.index);
             });
    });
  }
  template <typename Add>
  bool declarations(const JsonNode& at, std::string_view key, Add add) {
    return each(at, key, [&](const JsonNode& n) {
      Type t;
      return object(n, {"id", "type", "reg", "slot"}) &&
             must(n, "type", [&](const JsonNode& k) { return type(k, t); }) && declare(n, t, add(t));
    });
  }

  bool function_parameters(const JsonNode& at, BlockId entry) {
    std::vector<Argument> before;
    return each(at, "params", [&](const JsonNode& n) {
      Argument a;
      if (!object(n, {"id", "type", "reg", "slot", "name", "of", "size", "unsigned", "half", "const",
                      "restrict", "role"}) ||
          !must(n, "type", [&](const JsonNode& t) { return type(t, a.type); }) || !parameter(n, before, a))
        return false;
      before.push_back(a);
      f_->params.push_back(a.info);
      return declare(n, a.type, f_->add_param(entry, a.type));
    });
  }

  bool declare_blocks(const JsonNode& at) {
    auto list = needed(at, "blocks");
    if (!list || !array(*list)) return false;
    if (size(*list) == 0) return fail(*list, "function has no blocks");
    for (size_t i = 0; i < size(*list); ++i)
      if (!declare_block(at, element(*list, i), i == 0)) return false;
    f_->layout = layout_;
    return true;
  }
  bool declare_block(const JsonNode& function, const JsonNode& at, bool first) {
    if (!object(at, {"id", "hint", "params", "mask", "unroll", "rare", "flow", "insts"})) return false;
    const BlockId b = f_->add_block();
    layout_.push_back(b);
    Block& block = f_->block(b);
    auto id = [&](const JsonNode& n) {
      uint32_t number = 0;
      if (!small(n, 0, UINT32_MAX - 1, number)) return false;
      return blocks_.emplace(number, b).second || fail(n, fmt::format("block {} is defined twice", number));
    };
    if (!must(at, "id", id) || !maybe(at, "hint", [&](const JsonNode& n) { return word(n, block.hint); }) ||
        !maybe(at, "unroll", [&](const JsonNode& n) { return unroll(n, block.unroll); }) ||
        !maybe(at, "rare", [&](const JsonNode& n) { return boolean(n, block.is_rare); }) ||
        !maybe(at, "flow", [&](const JsonNode& n) { return boolean(n, block.is_flow); }))
      return false;
    if (auto params = member(at, "params"); params && first)
      return fail(*params, "the parameters of the first block are those of the function");
    const bool declared = first ? function_parameters(function, b)
                                : declarations(at, "params", [&](Type t) { return f_->add_param(b, t); });
    return declared && must(at, "insts", [&](const JsonNode& n) {
             if (!array(n)) return false;
             for (size_t i = 0; i < size(n); ++i)
               if (!declare_instruction(element(n, i), b)) return false;
             return true;
           });
  }
  bool unroll(const JsonNode& at, uint32_t& v) {
    if (at.json->is_string() && at.json->get_ref<const std::string&>() == "full")
      return v = UnrollFully, true;
    return small(at, 0, UnrollFully - 1, v);
  }

  bool declare_instruction(const JsonNode& at, BlockId b) {
    if (!object(at, {"results", "op", "operands", "attrs", "targets", "loc"})) return false;
    return must(at, "op", [&](const JsonNode& n) {
      std::string name;
      if (!text(n, name)) return false;
      const Op op = find_op(f_->dialect, name);
      if (op == Op::Count_)
        return fail(n, fmt::format("there is no such opcode in the {} dialect", to_string(f_->dialect)));
      const InstId id = f_->create(op, {}, {});
      f_->append(b, id);
      return declarations(at, "results", [&](Type t) { return f_->add_result(id, t); }) &&
             maybe(at, "loc", [&](const JsonNode& l) { return location(l, f_->inst(id).loc); });
    });
  }

  bool fill_blocks(const JsonNode& at) {
    auto list = needed(at, "blocks");
    if (!list) return false;
    for (size_t k = 0; k < layout_.size(); ++k) {
      const JsonNode node = element(*list, k);
      const BlockId b = layout_[k];
      if (!maybe(node, "mask", [&](const JsonNode& n) {
            ValueId mask;
            if (!operand(n, mask)) return false;
            return f_->block(b).mask = mask, true;
          }))
        return false;
      const bool filled = must(node, "insts", [&](const JsonNode& n) {
        for (size_t i = 0; i < size(n); ++i)
          if (!fill(element(n, i), f_->block(b).insts[i])) return false;
        return true;
      });
      if (!filled) return false;
    }
    return true;
  }

  bool fill(const JsonNode& at, InstId id) {
    auto add_operand = [&](const JsonNode& n) {
      ValueId v;
      return operand(n, v) && (f_->inst(id).operands.push_back(v), true);
    };
    return each(at, "operands", add_operand) &&
           maybe(at, "attrs", [&](const JsonNode& n) { return attributes(n, id); }) &&
           each(at, "targets", [&](const JsonNode& n) { return target(n, id); });
  }

  bool attributes(const JsonNode& at, InstId id) {
    if (!at.json->is_object()) return fail(at, "expected an object");
    const OpInfo& row = info(f_->inst(id).op);
    for (auto it = at.json->begin(); it != at.json->end(); ++it) {
      const JsonNode n{.json = &*it, .up = &at, .key = it.key()};
      size_t i = 0;
      while (i < row.attr_count() && row.attrs[i].name != it.key()) ++i;
      if (i == row.attr_count()) return fail(n, fmt::format("'{}' has no such attribute", row.name));
      if (!integer(n, f_->inst(id).attrs[i])) return false;
    }
    return true;
  }

  bool target(const JsonNode& at, InstId id) {
    if (!object(at, {"block", "args"})) return false;
    Target t;
    auto block = [&](const JsonNode& n) {
      uint32_t number = 0;
      if (!small(n, 0, UINT32_MAX - 1, number)) return false;
      auto it = blocks_.find(number);
      if (it == blocks_.end()) return fail(n, fmt::format("block {} is not defined", number));
      return t.block = it->second, true;
    };
    auto argument = [&](const JsonNode& n) {
      ValueId v;
      return operand(n, v) && (t.args.push_back(v), true);
    };
    if (!must(at, "block", block) || !each(at, "args", argument)) return false;
    f_->inst(id).targets.push_back(std::move(t));
    return true;
  }

  // The number of a value, or an object that is a constant or undef.
  bool operand(const JsonNode& at, ValueId& v) {
    if (!ok()) return false;
    if (at.json->is_number()) {
      uint32_t number = 0;
      if (!small(at, 0, UINT32_MAX - 1, number)) return false;
      auto it = values_.find(number);
      if (it == values_.end()) return fail(at, fmt::format("value {} is not defined", number));
      return v = it->second, true;
    }
    if (!at.json->is_object())
      return fail(at, "expected the number of a value, or an object that is a constant");
    Type t;
    if (!object(at, {"type", "const", "bits", "undef"}) ||
        !must(at, "type", [&](const JsonNode& n) { return type(n, t); }))
      return false;
    if (at.json->size() != 2) return fail(at, "expected a type and one of 'const', 'bits' and 'undef'");
    if (member(at, "undef")) return v = f_->undef(t), true;
    uint64_t bits = 0;
    if (auto given = member(at, "bits")) {
      if (!whole(*given, bits)) return false;
      if (!t.is_float() || (t.bits() < 64 && bits >> t.bits()))
        return fail(*given, fmt::format("these are not the bits of a constant of type {}", to_string(t)));
    } else if (auto constant = member(at, "const"); !constant_bits(*constant, t, bits)) {
      return false;
    }
    return v = f_->constant(t, bits), true;
  }

  bool constant_bits(const JsonNode& at, Type t, uint64_t& bits) {
    auto wrong = [&] { return fail(at, fmt::format("it is not a constant of type {}", to_string(t))); };
    const nlohmann::json& j = *at.json;
    if (t.is_void()) return wrong();
    if (t.is_float()) {
      double d = 0;
      if (j.is_number()) {
        d = j.get<double>();
      } else {
        if (!j.is_string()) return wrong();
        const std::string& s = j.get_ref<const std::string&>();
        char* end = nullptr;
        d = std::strtod(s.c_str(), &end);
        if (s.empty() || end != s.c_str() + s.size() || std::isspace(static_cast<unsigned char>(s[0])))
          return wrong();
      }
      bits =
          t.elem == Elem::F32 ? std::bit_cast<uint32_t>(static_cast<float>(d)) : std::bit_cast<uint64_t>(d);
      return true;
    }
    if (t.elem == Elem::I1) return j.is_boolean() ? (bits = j.get<bool>(), true) : wrong();
    const bool negative = j.is_string() ? j.get_ref<const std::string&>().starts_with('-')
                                        : j.is_number_integer() && !j.is_number_unsigned();
    int64_t v = 0;
    if (negative ? !integer(at, v) : !whole(at, bits)) return false;
    if (negative) bits = static_cast<uint64_t>(v);
    const unsigned width = t.bits();
    const bool fits =
        !width || width == 64 || (negative ? v >= -(int64_t{1} << (width - 1)) : !(bits >> width));
    return fits || wrong();
  }

  Function* f_ = nullptr;
  std::unordered_map<uint32_t, ValueId> values_;
  std::unordered_map<uint32_t, BlockId> blocks_;
  std::vector<BlockId> layout_;
  std::vector<std::string> files_;  // of all functions
};

std::string with_pointer(std::string_view message, std::string_view pointer) {
  return fmt::format("{}, at {}", message, pointer.empty() ? "the document" : pointer);
}

// The instruction or block that an error is about.
std::string pointer_of(const Function& f, size_t index, const VerifyError& e) {
  std::string s = fmt::format("/functions/{}", index);
  if (!e.block.valid()) return s;
  const auto block = std::ranges::find(f.layout, e.block);
  if (block == f.layout.end()) return s;
  s += fmt::format("/blocks/{}", block - f.layout.begin());
  const auto& insts = f.block(e.block).insts;
  const auto inst = std::ranges::find(insts, e.inst);
  return inst == insts.end() ? s : s + fmt::format("/insts/{}", inst - insts.begin());
}

}  // namespace

bool looks_like_json(std::string_view text) {
  const size_t at = text.find_first_not_of(" \t\r\n");
  if (at == std::string_view::npos || text[at] != '{') return false;
  const size_t next = text.find_first_not_of(" \t\r\n", at + 1);
  return next != std::string_view::npos && (text[next] == '"' || text[next] == '}');
}

std::expected<Module, TextError> read_json(std::string_view text) {
  if (auto error = check_json_syntax(text)) return std::unexpected(std::move(*error));
  const nlohmann::json document = nlohmann::json::parse(text, nullptr, false);
  JsonReader reader;
  Module m;
  const JsonNode root{.json = &document};
  if (reader.module(root, m)) return m;
  const JsonPlace at = place_in_json(text, reader.pointer());
  return std::unexpected(TextError{at.line, at.column, with_pointer(reader.message(), reader.pointer())});
}

std::string render_json_error(const TextError& e, std::string_view file) {
  return fmt::format("{}:{}:{}: error: {}\n", file, e.line, e.column, e.message);
}

std::string render_json_errors(const Function& f, size_t index, const std::vector<VerifyError>& errors,
                               std::string_view file, std::string_view text) {
  std::string s;
  for (const VerifyError& e : errors) {
    const std::string pointer = pointer_of(f, index, e);
    const JsonPlace at = place_in_json(text, pointer);
    s += fmt::format("{}:{}:{}: error: {} (in @{}), at {}\n", file, at.line, at.column, e.message, f.name,
                     pointer);
    if (!e.text.empty()) s += "    " + e.text + "\n";
  }
  return s;
}

}  // namespace kc
