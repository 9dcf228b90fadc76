// SPDX-License-Identifier: Apache-2.0
// Lines of assembly text and of disassemblies: labels, directives, and references to labels.
#include <fmt/format.h>

#include <charconv>
#include <map>

#include "sim/gcn/parse.h"

namespace kc {
namespace gcn_text {
namespace {

// Sizes are unknown for code read from text. Each instruction counts as this many bytes, which is consistent
// for distances between labels and for jumps by them.
constexpr uint64_t kTextBytes = 4;
constexpr uint64_t kDataAlignment = 4096;  // of the data after the code

// Reads lines. Directives that describe kernels are recorded, others are ignored.
class TextReader {
 public:
  TextReader(std::string_view text, GcnObject& object) : text_(text), object_(object) {}

  std::expected<void, std::string> run() {
    while (!text_.empty()) {
      size_t end = text_.find('\n');
      std::string_view line = text_.substr(0, end);
      text_ = end == std::string_view::npos ? std::string_view{} : text_.substr(end + 1);
      ++line_;
      if (Problem p = this->line(line); !p.empty())
        return std::unexpected(
            fmt::format("line {}: {}: {}", line_, p, trim(line.substr(0, line.find(';')))));
    }
    return finish();
  }

 private:
  Problem line(std::string_view s) {
    bool tabbed = s.starts_with('\t') || s.starts_with(' ');
    size_t comment = s.find("//");
    uint64_t pc = 0;
    bool has_pc = false;
    if (comment != std::string_view::npos) {
      std::string_view note = trim(s.substr(comment + 2));
      auto [end, error] = std::from_chars(note.data(), note.data() + note.size(), pc, 16);
      has_pc = !object_.from_text && error == std::errc{} && end < note.data() + note.size() && *end == ':';
      s = s.substr(0, comment);
    }
    if (!object_.from_text) {
      if (s.starts_with("; ")) return source_line(s), Problem{};
      // In a disassembly, instructions are indented lines with an address.
      return tabbed && has_pc ? add(trim(s), pc) : Problem{};
    }
    s = trim(s.substr(0, s.find(';')));
    for (size_t colon = s.find(':'); colon != std::string_view::npos; colon = s.find(':')) {
      std::string_view label = s.substr(0, colon);
      if (label.empty() || label.find_first_of(" \t,[(") != std::string_view::npos) break;
      if (in_data_)
        data_labels_[std::string(label)] = data_.size();
      else
        labels_[std::string(label)] = static_cast<uint32_t>(object_.code.size());
      s = trim(s.substr(colon + 1));
    }
    if (metadata_) return metadata_ = s != ".end_amdgpu_metadata", Problem{};
    if (s.empty()) return {};
    if (s[0] == '.') return directive(s);
    return add(s, kTextBytes * object_.code.size());
  }

  // "; path:12" before the instructions of a line.
  void source_line(std::string_view s) {
    size_t colon = s.rfind(':');
    int64_t n = 0;
    if (colon != std::string_view::npos && integer(trim(s.substr(colon + 1)), n) && n > 0)
      source_line_ = static_cast<uint32_t>(n);
  }

  Problem add(std::string_view text, uint64_t pc) {
    if (text.empty()) return {};
    GcnInst inst;
    inst.pc = pc;
    inst.line = source_line_ ? source_line_ : object_.from_text ? line_ : 0;
    std::string branch, plain(text);
    if (object_.from_text) distance_of_labels(plain), distance_of_data(plain);
    Problem p = instruction(plain, inst, branch);
    // Distances of labels are known later, but they are literals.
    if (p.empty() && object_.from_text) p = not_encodable(inst, plain);
    inst.text = text;
    if (!p.empty()) {
      if (object_.from_text) return p;
      // Other kernels of the object remain executable: the emulator stops only at this instruction.
      inst.op = Op::Count_;
      inst.text = fmt::format("{} ({})", text, p);
    }
    auto index = static_cast<uint32_t>(object_.code.size());
    if (!branch.empty()) branches_.emplace_back(index, branch);
    object_.index_of_pc[pc] = index;
    object_.code.push_back(std::move(inst));
    return {};
  }

  // An operand "(.La-.Lb)&4294967295" or "(.La-.Lb)>>32" becomes a number, which is known at the end.
  void distance_of_labels(std::string& text) {
    size_t open = text.find("(."), minus = text.find('-', open), close = text.find(')', open);
    if (open == std::string::npos || minus > close || close == std::string::npos) return;
    std::string_view rest = std::string_view(text).substr(close + 1);
    if (rest != "&4294967295" && rest != ">>32") return;
    distances_.push_back({static_cast<uint32_t>(object_.code.size()), text.substr(open + 1, minus - open - 1),
                          text.substr(minus + 1, close - minus - 1), rest == ">>32"});
    text.replace(open, std::string::npos, "0x7fffffff");
  }

  // The same for "NAME@rel32@lo+4" and "NAME@rel32@hi+12", for data, after an s_getpc.
  void distance_of_data(std::string& text) {
    size_t at = text.find("@rel32@"), start = text.find_last_of(" ,", at) + 1;
    if (at == std::string::npos || start == 0) return;
    std::string_view rest = std::string_view(text).substr(at);
    if (rest != "@rel32@lo+4" && rest != "@rel32@hi+12") return;
    relocations_.push_back({static_cast<uint32_t>(object_.code.size()),
                            text.substr(start, at - start),
                            {},
                            rest == "@rel32@hi+12"});
    text.replace(start, std::string::npos, "0x7fffffff");
  }

  Problem data(std::string_view name, std::string_view value) {
    if (name == ".text" || name == ".rodata") in_data_ = name == ".rodata";
    int64_t n = 0;
    if (name == ".p2align" && in_data_ && integer(value, n) && n >= 0 && n <= 12)
      data_.resize((data_.size() + (size_t{1} << n) - 1) >> n << n);
    if (name != ".long" || !in_data_) return {};
    for (std::string_view word : split(value, ',')) {
      if (!integer(trim(word), n)) return "not a number";
      for (int shift = 0; shift < 32; shift += 8) data_.push_back(static_cast<uint8_t>(n >> shift));
    }
    return {};
  }

  Problem directive(std::string_view s) {
    size_t space = s.find_first_of(" \t");
    std::string_view name = s.substr(0, space),
                     value = space == std::string_view::npos ? std::string_view{} : trim(s.substr(space));
    if (name == ".amdgpu_metadata") metadata_ = true;
    if (Problem p = data(name, value); !p.empty()) return p;
    if (name == ".amdgcn_target") {
      size_t dash = value.rfind('-');
      std::string_view cpu = value.substr(dash == std::string_view::npos ? 0 : dash + 1);
      cpu = cpu.substr(0, cpu.find_first_of(":\""));
      const gcn::MachineModel* model = gcn::find_emulated(cpu);
      if (!model) return fmt::format("machine '{}' is not known", cpu);
      object_.model = model;
    }
    if (name == ".loc") {
      Words words = split(value, ' ');
      int64_t n = 0;
      if (words.size() >= 2 && integer(words[1], n)) source_line_ = static_cast<uint32_t>(n);
    }
    if (name == ".amdhsa_kernel") {
      GcnKernel k;
      k.name = value;
      k.rsrc1 = 3u << 18 | 1u << 21 | 1u << 23;
      k.rsrc2 = 1u << 7;
      object_.kernels.push_back(k);
    } else if (name.starts_with(".amdhsa_") && !object_.kernels.empty()) {
      return kernel_field(name.substr(8), value, object_.kernels.back());
    }
    return {};
  }

  static Problem kernel_field(std::string_view name, std::string_view value, GcnKernel& k) {
    struct Field {
      std::string_view name;
      uint8_t word, shift, bits;  // word 0: properties, 1: rsrc1, 2: rsrc2
    };
    static constexpr Field kFields[] = {
        {"user_sgpr_private_segment_buffer", 0, 0, 1},
        {"user_sgpr_dispatch_ptr", 0, 1, 1},
        {"user_sgpr_queue_ptr", 0, 2, 1},
        {"user_sgpr_kernarg_segment_ptr", 0, 3, 1},
        {"user_sgpr_dispatch_id", 0, 4, 1},
        {"user_sgpr_flat_scratch_init", 0, 5, 1},
        {"user_sgpr_private_segment_size", 0, 6, 1},
        {"float_round_mode_32", 1, 12, 2},
        {"float_round_mode_16_64", 1, 14, 2},
        {"float_denorm_mode_32", 1, 16, 2},
        {"float_denorm_mode_16_64", 1, 18, 2},
        {"dx10_clamp", 1, 21, 1},
        {"ieee_mode", 1, 23, 1},
        {"system_sgpr_workgroup_id_x", 2, 7, 1},
        {"system_sgpr_workgroup_id_y", 2, 8, 1},
        {"system_sgpr_workgroup_id_z", 2, 9, 1},
        {"system_sgpr_workgroup_info", 2, 10, 1},
        {"system_vgpr_workitem_id", 2, 11, 2},
        {"system_sgpr_private_segment_wavefront_offset", 2, 0, 1},
    };
    int64_t n = 0;
    if (!integer(value, n) || n < 0) return "not a number";
    auto u = static_cast<uint32_t>(n);
    if (name == "group_segment_fixed_size") k.lds_bytes = u;
    if (name == "private_segment_fixed_size") k.private_bytes = u;
    if (name == "kernarg_size") k.kernarg_bytes = u;
    if (name == "next_free_vgpr") k.vgprs = std::min(256u, (std::max(u, 1u) + 3) / 4 * 4);
    if (name == "next_free_sgpr") k.sgprs = std::min(102u, std::max(u, 1u));
    for (const Field& f : kFields) {
      if (f.name != name) continue;
      uint32_t mask = ((1u << f.bits) - 1) << f.shift, bits = (u << f.shift) & mask;
      if (f.word == 0) k.properties = static_cast<uint16_t>((k.properties & ~mask) | bits);
      if (f.word == 1) k.rsrc1 = (k.rsrc1 & ~mask) | bits;
      if (f.word == 2) k.rsrc2 = (k.rsrc2 & ~mask) | bits;
    }
    return {};
  }

  std::expected<void, std::string> finish() {
    for (const auto& [index, word] : branches_) {
      GcnInst& inst = object_.code[index];
      int64_t distance = 0;
      if (auto it = labels_.find(word); it != labels_.end()) {
        inst.target = it->second;
      } else if (integer(word, distance) && !object_.from_text) {
        uint64_t pc =
            inst.pc + 4 + 4 * static_cast<uint64_t>(static_cast<int64_t>(static_cast<int16_t>(distance)));
        auto at = object_.index_of_pc.find(pc);
        if (at != object_.index_of_pc.end()) inst.target = at->second;
      } else {
        return std::unexpected(fmt::format("label '{}' is not defined", word));
      }
    }
    for (const Distance& d : distances_) {
      auto to = labels_.find(d.to), from = labels_.find(d.from);
      if (to == labels_.end() || from == labels_.end() || object_.code[d.inst].operands.empty())
        return std::unexpected(fmt::format("the distance of '{}' and '{}' is not known", d.to, d.from));
      uint64_t bytes = kTextBytes * (uint64_t{to->second} - from->second);
      object_.code[d.inst].operands.back().value = static_cast<uint32_t>(d.high ? bytes >> 32 : bytes);
    }
    if (auto placed = place_data(); !placed) return placed;
    if (!object_.from_text) return {};
    for (GcnKernel& k : object_.kernels) {
      auto it = labels_.find(k.name);
      if (it == labels_.end()) return std::unexpected(fmt::format("kernel '{}' has no code", k.name));
      k.entry = it->second;
    }
    return {};
  }

  // The data follows the code.
  std::expected<void, std::string> place_data() {
    if (relocations_.empty()) return {};
    const uint64_t code = kTextBytes * object_.code.size();
    const uint64_t base = (code + kDataAlignment - 1) / kDataAlignment * kDataAlignment;
    object_.image.assign(base, 0);
    object_.image.insert(object_.image.end(), data_.begin(), data_.end());
    for (const Distance& d : relocations_) {
      auto to = data_labels_.find(d.to);
      GcnInst& inst = object_.code[d.inst];
      if (to == data_labels_.end() || inst.operands.empty())
        return std::unexpected(fmt::format("data '{}' is not defined", d.to));
      const uint64_t distance = base + to->second - (inst.pc - (d.high ? kTextBytes : 0));
      inst.operands.back().value = static_cast<uint32_t>(d.high ? distance >> 32 : distance);
    }
    return {};
  }

  std::string_view text_;
  GcnObject& object_;
  uint32_t line_ = 0, source_line_ = 0;
  bool metadata_ = false;
  std::map<std::string, uint32_t, std::less<>> labels_;
  std::vector<std::pair<uint32_t, std::string>> branches_;
  struct Distance {
    uint32_t inst;
    std::string to, from;
    bool high;
  };
  std::vector<Distance> distances_, relocations_;
  bool in_data_ = false;
  std::vector<uint8_t> data_;
  std::map<std::string, size_t, std::less<>> data_labels_;
};

}  // namespace
}  // namespace gcn_text

std::expected<void, std::string> parse_gcn_text(std::string_view text, GcnObject& object) {
  return gcn_text::TextReader(text, object).run();
}

}  // namespace kc
