// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cstdlib>
#include <unordered_map>

#include "ir/original_ids.h"
#include "ir/parse_note.h"
#include "ir/text.h"

namespace kc {
namespace {

constexpr size_t kMaxText = size_t{256} << 20;
constexpr uint32_t kMaxObject = uint32_t{1} << 31;

class Parser : TextReader {
 public:
  using TextReader::TextReader;

  Module module() {
    Module m;
    if (text_.size() > kMaxText) fail("text is larger than 256 MiB");
    if (try_word("source")) m.source_name = string();
    for (skip(); at_ < text_.size(); skip()) {
      auto f = function();
      if (m.find(f->name)) fail(fmt::format("function @{} is defined twice", f->name));
      m.functions.push_back(std::move(f));
    }
    if (m.functions.empty()) fail("no function in this text");
    return m;
  }

 private:
  Loc loc() {
    if (!try_punct("!")) return {};
    uint32_t line = small("line", UINT32_MAX);
    punct(":");
    uint32_t column = small("column", UINT32_MAX);
    size_t where = at_;
    uint32_t file = try_punct(":") ? small("file", UINT32_MAX) : 0;
    if (file > f_->files.size()) fail_at(where, fmt::format("there is no file {}", file));
    return {line, column, file};
  }

  struct Ref {
    uint32_t number;
    size_t at;
    InstId inst;      // operand of this instruction ...
    uint32_t target;  // ... or argument of its target (kOperand: an operand, kMask: a block's mask ...)
    uint32_t index;
    BlockId block;
  };
  static constexpr uint32_t kOperand = UINT32_MAX, kMask = UINT32_MAX - 1,
                            kSame = UINT32_MAX - 2;  // one of the note about the target

  // A constant, or a reference to be resolved when the function is complete.
  ValueId operand(Ref ref) {
    char c = peek();
    if (c == '%') {
      ++at_;
      ref.at = at_;
      ref.number = small("value number", UINT32_MAX - 1);
      refs_.push_back(ref);
      return {};
    }
    if (try_word("undef")) {
      punct(":");
      return f_->undef(type());
    }
    size_t start = at_;
    while (at_ < text_.size() &&
           (is_word(text_[at_]) || std::string_view("-+()").find(text_[at_]) != std::string_view::npos))
      ++at_;
    std::string spelling(text_.substr(start, at_ - start));
    if (spelling.empty()) fail("expected a value");
    punct(":");
    Type t = type();
    return f_->constant(t, constant_bits(spelling, t, start));
  }

  uint64_t constant_bits(const std::string& s, Type t, size_t where) {
    uint64_t v = 0;
    auto whole = [&](std::string_view digits, int base) {
      auto [end, ec] = std::from_chars(digits.data(), digits.data() + digits.size(), v, base);
      return ec == std::errc{} && end == digits.data() + digits.size() && !digits.empty();
    };
    if (t.is_float()) {
      if (s.starts_with("bits(0x") && s.ends_with(")")) {
        if (whole(std::string_view(s).substr(7, s.size() - 8), 16)) return v;
      } else {
        char* end = nullptr;
        double d = std::strtod(s.c_str(), &end);
        if (end == s.c_str() + s.size())
          return t.elem == Elem::F32 ? std::bit_cast<uint32_t>(static_cast<float>(d))
                                     : std::bit_cast<uint64_t>(d);
      }
    } else if (t.elem == Elem::I1) {
      if (s == "true" || s == "false") return s == "true";
    } else if (!t.is_void()) {
      std::string_view digits = s;
      bool negative = digits.starts_with('-');
      if (negative) digits.remove_prefix(1);
      bool ok = digits.starts_with("0x") ? whole(digits.substr(2), 16) : whole(digits, 10);
      if (ok) return negative ? uint64_t{0} - v : v;
    }
    fail_at(where, fmt::format("'{}' is not a constant of type {}", s, to_string(t)));
  }

  struct Declared {
    uint32_t number;
    size_t at;
    Type type;
    Location location;
  };
  Declared declaration() {
    punct("%");
    Declared d{};
    d.at = at_;
    d.number = small("value number", UINT32_MAX - 1);
    punct(":");
    d.type = type();
    if (try_punct("@")) {
      if (try_punct("slot"))
        d.location = {Location::Slot, small("slot", 1u << 24)};
      else
        punct("r"), d.location = {Location::Register, small("register", 1023)};
    }
    return d;
  }
  void define(const Declared& d, ValueId v) {
    f_->value(v).location = d.location;
    if (!values_.emplace(d.number, v).second) fail_at(d.at, fmt::format("%{} is defined twice", d.number));
  }

  BlockId label_ref(std::string_view label, size_t where) {
    auto [it, fresh] = labels_.try_emplace(std::string(label), BlockId());
    if (fresh) {
      it->second = f_->add_block(hint_of(label));
      pending_labels_.emplace_back(it->second, where);
    }
    return it->second;
  }
  // "b12.loop" and "loop" both carry the hint "loop"; "b12" carries none.
  static std::string hint_of(std::string_view label) {
    if (label.size() >= 2 && label[0] == 'b' && is_digit(label[1])) {
      size_t i = 1;
      while (i < label.size() && is_digit(label[i])) ++i;
      if (i == label.size()) return {};
      if (label[i] == '.') return std::string(label.substr(i + 1));
    }
    return std::string(label);
  }

  // --- functions
  std::unique_ptr<Function> function() {
    auto owned = std::make_unique<Function>();
    f_ = owned.get();
    values_.clear(), labels_.clear(), refs_.clear(), pending_labels_.clear(), vars_.clear(), objects_.clear(),
        defined_.clear();
    size_t start = (skip(), at_);
    std::string_view dialect = word();
    bool known = false;
    for (size_t d = 0; d < static_cast<size_t>(Dialect::Count_); ++d)
      if (to_string(static_cast<Dialect>(d)) == dialect) f_->dialect = static_cast<Dialect>(d), known = true;
    if (!known) fail_at(start, fmt::format("'{}' is not a dialect (thread, wave, x64 or gcn)", dialect));
    if (!try_word("func")) fail("expected 'func'");
    punct("@");
    f_->name = word();
    std::vector<Declared> params;
    std::vector<TargetNote::Argument> arguments;
    punct("(");
    while (peek() != ')') {
      if (!params.empty()) punct(",");
      params.push_back(declaration());
      arguments.push_back({params.back().type, read_parameter(*this, params.back().type, arguments)});
      f_->params.push_back(arguments.back().info);
    }
    punct(")");
    f_->is_kernel = try_word("kernel");
    if (try_word("width")) punct("="), f_->width = small("width", 1024);
    if (try_word("local")) {
      punct("=");
      // "64x1x1" is one word after the first number
      for (size_t i = 0; i < 3; ++i) {
        if (i) punct("x");
        f_->reqd_local[i] = small("local size", 1u << 20);
      }
    }
    if (try_word("sub_group")) punct("="), f_->reqd_sub_group = small("sub-group size", 1024);
    punct("{");
    header_items();
    bool first = true;
    while (peek() != '}') block(params, first), first = false;
    punct("}");
    if (first) fail("function has no blocks");
    resolve();
    return keeps_ids(*owned) ? in_order_of_numbers(*owned) : std::move(owned);
  }

  std::unique_ptr<Function> in_order_of_numbers(const Function& f) const {
    std::vector<uint32_t> values(f.value_count(), 0), blocks(f.block_count(), 0);
    for (auto [number, v] : values_) values[v.index] = number;
    for (const auto& [label, b] : labels_) {
      const bool numbered = label.size() >= 2 && label[0] == 'b' && is_digit(label[1]);
      if (numbered) std::from_chars(label.data() + 1, label.data() + label.size(), blocks[b.index]);
    }
    return with_ids(f, values, blocks);
  }

  TrapKind trap_kind() {
    for (size_t k = 0; k < static_cast<size_t>(TrapKind::Count_); ++k)
      if (try_word(to_string(static_cast<TrapKind>(k)))) return static_cast<TrapKind>(k);
    fail("expected 'throw', 'assert' or 'barrier'");
  }

  uint32_t unit() {
    if (!try_word("unit")) fail("expected 'unit='");
    punct("=");
    return static_cast<uint32_t>(small("unit", kMaxObject));
  }

  void object() {
    punct("$");
    size_t where = at_;
    std::string_view full = word();
    MemoryObject o{.name = std::string(full.substr(0, full.rfind('.'))), .type = {}, .init = {}};
    punct(":");
    o.type = type();
    if (!try_word("size")) fail("expected 'size='");
    punct("=");
    o.size = small("size", kMaxObject);
    if (!try_word("align")) fail("expected 'align='");
    punct("=");
    o.align = small("alignment", 4096);
    if (try_word("init")) punct("="), o.init = bytes();
    if (!objects_.emplace(std::string(full), static_cast<uint32_t>(f_->objects.size())).second)
      fail_at(where, fmt::format("object ${} is declared twice", full));
    f_->add_object(std::move(o));
  }

  // x00ff12...: two digits for each byte.
  std::vector<uint8_t> bytes() {
    size_t start = (skip(), at_);
    std::string_view digits = word();
    std::vector<uint8_t> r;
    if (!digits.starts_with('x') || digits.size() % 2 == 0)
      fail_at(start, "expected x and an even number of hexadecimal digits");
    for (size_t i = 1; i < digits.size(); i += 2) {
      uint8_t v = 0;
      const char* end = digits.data() + i + 2;
      if (std::from_chars(digits.data() + i, end, v, 16).ptr != end)
        fail_at(start + i, "expected a hexadecimal digit");
      r.push_back(v);
    }
    return r;
  }

  void header_items() {
    for (;;) {
      if (try_word("var")) {
        punct("$");
        size_t where = at_;
        std::string_view full = word();
        std::string name(full.substr(0, full.rfind('.')));
        punct(":");
        Type t = type();
        if (!vars_.emplace(std::string(full), static_cast<uint32_t>(f_->vars.size())).second)
          fail_at(where, fmt::format("variable ${} is declared twice", full));
        f_->add_var(std::move(name), t);
      } else if (try_word("target")) {
        if (f_->target) fail("a function has one target");
        f_->target = read_target_note(*this, [&](uint32_t index) {
          return operand({.number = 0, .at = 0, .inst = {}, .target = kSame, .index = index, .block = {}});
        });
      } else if (try_word("object")) {
        object();
      } else if (try_word("file")) {
        if (small("file", UINT32_MAX - 1) != f_->files.size() + 1) fail("files are numbered from 1 in order");
        punct(":");
        f_->files.push_back(string());
        file(f_->files.size() - 1);
      } else if (try_word("site")) {
        if (small("site", UINT32_MAX - 1) != f_->traps.size())
          fail("trap sites are numbered from 0 in order");
        punct(":");
        TrapSite site;
        site.kind = trap_kind();
        site.type = string();
        if (try_word("of")) site.object = string(), site.unit = unit();
        site.loc = loc();
        f_->traps.push_back(std::move(site));
      } else {
        return;
      }
    }
  }

  // All functions share one numbering of files.
  void file(size_t i) {
    if (i == files_.size()) files_.push_back(f_->files[i]);
    if (files_[i] != f_->files[i])
      fail(fmt::format("file {} is \"{}\" in a function above", i + 1, files_[i]));
  }

  void block(const std::vector<Declared>& function_params, bool first) {
    size_t where = (skip(), at_);
    std::string_view label = word();
    BlockId b = label_ref(label, where);
    if (!defined_.emplace(b.index, true).second)
      fail_at(where, fmt::format("block {} is defined twice", label));
    order_.push_back(b);
    if (first) {
      order_ = {b};
      for (const Declared& d : function_params) define(d, f_->add_param(b, d.type));
    } else if (try_punct("(")) {
      for (bool more = false; peek() != ')'; more = true) {
        if (more) punct(",");
        Declared d = declaration();
        define(d, f_->add_param(b, d.type));
      }
      punct(")");
    }
    if (try_word("mask")) {
      ValueId m = operand({.number = 0, .at = 0, .inst = {}, .target = kMask, .index = 0, .block = b});
      f_->block(b).mask = m;
    }
    if (try_word("unroll")) {
      punct("=");
      f_->block(b).unroll = try_word("full") ? UnrollFully : small("unroll", UnrollFully - 1);
    }
    f_->block(b).is_rare = try_word("rare");
    f_->block(b).is_flow = try_word("flow");
    punct(":");
    do {
      if (peek() == '}' || peek() == '\0') fail("block ends without a terminator");
    } while (!instruction(b));
  }

  // Returns whether it was a terminator.
  bool instruction(BlockId b) {
    std::vector<Declared> results;
    if (peek() == '%') {
      do results.push_back(declaration());
      while (try_punct(","));
      punct("=");
    }
    size_t where = (skip(), at_);
    std::string_view name = word();
    Op op = find_op(f_->dialect, name);
    if (op == Op::Count_)
      fail_at(where, fmt::format("unknown opcode '{}' in the {} dialect", name, to_string(f_->dialect)));
    const OpInfo& row = info(op);
    InstId id = f_->create(op, {}, {});
    for (const Declared& d : results) define(d, f_->add_result(id, d.type));
    if (starts_operand(row)) {
      do {
        if (!attribute(id, row)) {
          auto index = static_cast<uint32_t>(f_->inst(id).operands.size());
          ValueId v =
              operand({.number = 0, .at = 0, .inst = id, .target = kOperand, .index = index, .block = {}});
          f_->inst(id).operands.push_back(v);
        }
      } while (try_punct(","));
    }
    if (try_punct("->")) {
      do target(id);
      while (try_punct(","));
    }
    f_->inst(id).loc = loc();
    f_->append(b, id);
    return row.has(Terminator);
  }

  // Whether an operand of the current instruction follows.
  bool starts_operand(const OpInfo& row) {
    char c = peek();
    if (c == '%') {
      // "%3: i32 = ..." starts the next instruction, "%3" followed by anything else is an operand.
      size_t save = at_;
      ++at_;
      while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
      bool declares = peek() == ':';
      at_ = save;
      return !declares;
    }
    if (c == '-') return at_ + 1 < text_.size() && is_digit(text_[at_ + 1]);
    if (is_digit(c)) return true;
    size_t save = at_;
    if (!is_word(c)) return false;
    std::string_view w = word();
    char next = peek();
    at_ = save;
    if (next == '=') {
      for (size_t i = 0; i < row.attr_count(); ++i)
        if (row.attrs[i].name == w) return true;
    }
    return (next == ':' && (w == "true" || w == "false" || w == "undef")) || w == "bits";
  }

  bool attribute(InstId id, const OpInfo& row) {
    size_t save = (skip(), at_);
    if (at_ < text_.size() && is_word(text_[at_]) && !is_digit(text_[at_])) {
      std::string_view name = word();
      if (try_punct("=")) {
        for (size_t i = 0; i < row.attr_count(); ++i)
          if (row.attrs[i].name == name) return f_->inst(id).attrs[i] = attribute_value(row.attrs[i]), true;
        fail_at(save, fmt::format("'{}' has no attribute '{}'", row.name, name));
      }
    }
    at_ = save;
    return false;
  }
  int64_t attribute_value(const Attr& attr) {
    bool var = attr.kind == AttrKind::Var;
    if (!var && attr.kind != AttrKind::Object) return integer();
    punct("$");
    size_t where = at_;
    std::string_view name = word();
    const auto& known = var ? vars_ : objects_;
    auto it = known.find(std::string(name));
    if (it == known.end())
      fail_at(where, fmt::format("{} ${} is not declared", var ? "variable" : "object", name));
    return it->second;
  }

  void target(InstId id) {
    size_t where = (skip(), at_);
    std::string_view label = word();
    Target t{label_ref(label, where), {}};
    auto which = static_cast<uint32_t>(f_->inst(id).targets.size());
    if (try_punct("(")) {
      while (peek() != ')') {
        if (!t.args.empty()) punct(",");
        t.args.push_back(operand({.number = 0,
                                  .at = 0,
                                  .inst = id,
                                  .target = which,
                                  .index = static_cast<uint32_t>(t.args.size()),
                                  .block = {}}));
      }
      punct(")");
    }
    f_->inst(id).targets.push_back(std::move(t));
  }

  void resolve() {
    for (auto [b, where] : pending_labels_)
      if (!defined_.contains(b.index)) fail_at(where, "block is not defined in this function");
    f_->layout = order_;
    for (const Ref& ref : refs_) {
      auto it = values_.find(ref.number);
      if (it == values_.end()) fail_at(ref.at, fmt::format("%{} is not defined", ref.number));
      if (ref.target == kMask)
        f_->block(ref.block).mask = it->second;
      else if (ref.target == kSame)
        f_->target->same_in_lanes[ref.index] = it->second;
      else if (ref.target == kOperand)
        f_->inst(ref.inst).operands[ref.index] = it->second;
      else
        f_->inst(ref.inst).targets[ref.target].args[ref.index] = it->second;
    }
  }

  Function* f_ = nullptr;
  std::unordered_map<uint32_t, ValueId> values_;
  std::unordered_map<std::string, BlockId> labels_;
  std::unordered_map<std::string, uint32_t> vars_, objects_;
  std::unordered_map<uint32_t, bool> defined_;
  std::vector<std::pair<BlockId, size_t>> pending_labels_;
  std::vector<Ref> refs_;
  std::vector<BlockId> order_;
  std::vector<std::string> files_;  // of all functions
};

}  // namespace

// Without exceptions only text that this program printed is read, and an error in it ends the program.
std::expected<Module, TextError> parse_module(std::string_view text) {
#ifdef __cpp_exceptions
  try {
    return Parser(text).module();
  } catch (TextError& error) {
    return std::unexpected(std::move(error));
  }
#else
  return Parser(text).module();
#endif
}

std::string TextError::render(std::string_view file, std::string_view text) const {
  std::string s = fmt::format("{}:{}:{}: error: {}\n", file, line, column, message);
  size_t at = 0;
  for (uint32_t n = 1; n < line && at < text.size(); ++at)
    if (text[at] == '\n') ++n;
  std::string_view source = text.substr(at, text.find('\n', at) - at);
  return s + fmt::format("  {}\n  {:>{}}\n", source, '^', column);
}

}  // namespace kc
