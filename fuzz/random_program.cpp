// SPDX-License-Identifier: Apache-2.0
#include "fuzz/random_program.h"

#include <fmt/format.h>

#include <utility>

#include "fuzz/from_last.h"
#include "fuzz/random_statements.h"

namespace kc::fuzz {
namespace {

class ProgramWriter : StatementWriter {
 public:
  ProgramWriter(uint64_t seed, const ProgramOptions& options)
      : StatementWriter(seed, options), kind_(choose_kind()) {
    traps_ = !options.portable && random_.chance(25);
    plain_ = kind_ == ProgramKind::Registers || (kind_ != ProgramKind::Memory && random_.chance(70));
    size_ = random_.chance(options.large) ? 10 : random_.between(2, 4);
    depth_ = size_ > 5 ? 3 : 2;
    tangled_ = random_.chance(35);
    // Uses a separate generator, so that this choice does not change programs without vectors.
    vectors_ = options.vectors && !options.portable && Random(seed * 5 + 3).chance(40);
    images_ = image_idioms(seed, options);
    atomics_ = kind_ == ProgramKind::Atomics || kind_ == ProgramKind::Groups;
    local_ = kind_ == ProgramKind::Groups ||
             (kind_ == ProgramKind::Memory && !options.portable && random_.chance(25));
  }

  ProgramKind kind() const { return kind_; }

  std::string write() {
    const std::string drawn_first = records();
    out_ = macros() + drawn_first;
    if (images_.used) out_ += tables();
    for (uint32_t k = 0, n = random_.between(1, size_ > 3 ? 3 : 2); k < n; ++k) helper(k);
    kernel();
    return std::move(out_);
  }

 private:
  ProgramKind choose_kind() {
    uint32_t r = random_.below(100);
    if (options_.portable) return r < 40 ? ProgramKind::Registers : ProgramKind::Memory;
    return r < 45   ? ProgramKind::Registers
           : r < 77 ? ProgramKind::Memory
           : r < 88 ? ProgramKind::Atomics
                    : ProgramKind::Groups;
  }

  void helper(uint32_t k) {
    SourceHelper h{.name = fmt::format("h{}", k), .is_void = random_.chance(20), .result = any_type(50)};
    std::string params;
    for (uint32_t i = 0, n = random_.between(1, 3); i < n; ++i) {
      SourceVariable v{
          .name = fmt::format("a{}", i), .type = any_type(50), .pointer = !plain_ && random_.chance(40)};
      params += ", " + declarator(v);
      h.params.push_back(std::move(v));
    }
    begin_function(h);
    open(fmt::format("{} {}(global const int* in, const int gid{})", h.is_void ? "void" : name_of(h.result),
                     h.name, params));
    scope_.insert(scope_.end(), h.params.begin(), h.params.end());
    body(random_.between(1, 2), size_ / 2 + 1);
    if (!h.is_void) {
      bool mixed =
          h.result.record < 0 && h.result.lanes == 1 && h.result.number != Number::Bool && random_.chance(60);
      line(fmt::format(fmt::runtime(mixed ? "return acc + {};" : "return {};"), value(h.result, 2)));
    }
    close();
    helpers_.push_back(std::move(h));
  }

  void begin_function(const SourceHelper& h) {
    function_ = h;
    calls_ = 2;
    scope_.clear();
    conditions_.clear();
    scope_.push_back({.name = "gid", .writable = false});
  }

  void kernel() {
    begin_function({.name = "k", .is_void = true});
    calls_ = size_ > 5 ? 4 : 2;
    open(fmt::format(
        "kernel void k(global long* out, global double* real, global const int* in, int n, float x{}{})",
        atomics_ ? ", global int* tally, global long* wide" : "", images_.parameters()));
    line("const int gid = (int)(get_global_id(1) * get_global_size(0) + get_global_id(0));");
    line(fmt::format("{}global long* mine = out + gid * 16;", size_ == 3 ? "volatile " : ""));
    in_kernel_ = true;
    scope_.push_back({.name = "n"});
    scope_.push_back({.name = "x", .type = {.number = Number::Float}});
    line(from_last("const bool u0 = n > {}, u1 = (n & {}) != 0;", LATER(random_.below(40)),
                   LATER(1u << random_.below(5))));
    for (const char* c : {"u0", "u1"}) conditions_.emplace_back(c);
    declare_image_places();
    if (local_) local_memory();
    bool guarded = !traps_ || random_.chance(40);
    body(random_.between(2, 5), size_, guarded);
    if (local_) line(fmt::format("acc = acc * 31 + {};", observed({.text = "tile[lid]", .number = tile_})));
    if (!strip_.empty())
      line(fmt::format("for (int i_ = 0; i_ < {0}; ++i_) acc = acc * 3 + strip[lid * {0} + i_];",
                       images_.written_stride));
    for (const SourceVariable& v : std::vector(scope_)) observe(v);
    line("mine[15] += acc;");
    for (const SourceVariable& v : std::vector(scope_)) {
      if (v.type.record >= 0 || v.type.lanes > 1 || !is_real(v.type.number) || v.pointer || v.shared)
        continue;
      std::string text = v.name;
      for (uint32_t d : v.dims) text += fmt::format("[{}]", d - 1);
      line(fmt::format("real[gid * 4 + {}] += {};", random_.below(4), text));
    }
    close();
  }

  void observe(const SourceVariable& v) {
    std::vector<SourceVariable> only{v};
    scope_.swap(only);
    for (uint32_t i = 0, n = v.type.record < 0 && v.type.lanes == 1 && v.dims.empty() ? 1 : 3; i < n; ++i)
      line(fmt::format("acc = acc * 31 + {};", observed(place(false, 0))));
    scope_.swap(only);
  }

  // One element for each work-item of the group, and cells for atomics. All are initialized here.
  void local_memory() {
    tile_ =
        random_.pick({Number::Int, Number::Uint, Number::Long, Number::Ushort, Number::Char, Number::Float});
    line("const int lid = (int)(get_local_id(1) * get_local_size(0) + get_local_id(0));");
    line("const int lsz = (int)(get_local_size(1) * get_local_size(0));");
    line(fmt::format("local {} tile[64];", spelling(tile_)));
    line(fmt::format("tile[lid] = ({})(gid * {} - 7);", spelling(tile_), random_.between(1, 99)));
    declare_local_images(kind_ == ProgramKind::Groups);
    own_strip_ = true;
    if (kind_ != ProgramKind::Groups) {
      scope_.push_back({.name = "tile[lid]", .type = {.number = tile_}, .shared = true});
      if (!strip_.empty()) scope_.push_back(strip_element(true));
      return;
    }
    local_atomics_ = true;
    line("local int cells[16];");
    line("for (int i_ = lid; i_ < 16; i_ += lsz) cells[i_] = i_ * 37 - 300;");
    barrier();
  }

  void barrier() {
    line(fmt::format("barrier(CLK_LOCAL_MEM_FENCE{});", random_.chance(20) ? " | CLK_GLOBAL_MEM_FENCE" : ""));
  }

  // Between two barriers a work-item either writes its own element or reads all of them. A work-item that
  // throws or returns ends; barriers do not wait for it. No barrier orders its accesses since its last
  // barrier with those of others, so it ends directly after a barrier.
  void top_level(uint32_t statements) override {
    if (!in_kernel_ || kind_ != ProgramKind::Groups) return StatementWriter::top_level(statements);
    stays_ = true;
    for (uint32_t i = 0, n = random_.between(1, 3); i < n; ++i) {
      switch (random_.below(4)) {
        case 0: {
          SourceVariable round{.name = fmt::format("r{}", names_++), .writable = false};
          open(fmt::format("for (int {0} = 0; {0} < {1}; ++{0})", round.name,
                           random_.pick<const char*>({"2", "3", "1 + u0", "2 * u1 + u0"})));
          scope_.push_back(round);
          exchange(statements / 2 + 1);
          scope_.pop_back();
          close();
          break;
        }
        case 1:
          open(fmt::format("if ({})", random_.pick<const char*>({"u0", "u1", "!u0 && u1"})));
          exchange(statements / 2 + 1);
          close();
          break;
        default:
          exchange(statements / 2 + 1);
      }
    }
    line(fmt::format("mine[13] += cells[(lid + {}) & 15];", random_.below(16)));
    if (bins_) line(fmt::format("mine[12] += bins[(lid * 3 + n) & {}];", bins_ - 1));
  }

  void exchange(uint32_t statements) {
    SourceType type{.number = tile_};
    if (!strip_.empty()) strip_ = fmt::format("lid * {}", images_.written_stride), own_strip_ = true;
    std::vector<SourceVariable> own{{.name = "tile[lid]", .type = type, .shared = true}};
    if (!strip_.empty()) own.push_back(strip_element(true));
    segment(statements, own);
    barrier();
    end_some();
    std::vector<SourceVariable> others;
    for (const char* i : {"lid + {}", "lid * {} + k0", "(uint)acc + {}u"})
      others.push_back(
          {.name = fmt::format("tile[({}) % lsz]", fmt::format(fmt::runtime(i), random_.below(9))),
           .type = type,
           .writable = false,
           .shared = true});
    if (!strip_.empty()) {
      strip_ = fmt::format("(lid + {}) % lsz * {}", random_.below(9), images_.written_stride);
      own_strip_ = false;
      others.push_back(strip_element(false));
    }
    segment(statements, others);
    barrier();
  }

  SourceVariable strip_element(bool own) {
    return {.name = fmt::format("strip[{} + {}]", strip_, random_.below(images_.written_stride)),
            .type = {.number = images_.written},
            .writable = own,
            .shared = true};
  }

  void end_some() {
    if (!random_.chance(20)) return;
    std::string c = condition(2);
    line(random_.chance(50) ? fmt::format("if ({}) return;", c)
                            : fmt::format("if ({}) throw {};", c, thrown()));
  }

  // Neither jumps nor exceptions leave it.
  void segment(uint32_t statements, const std::vector<SourceVariable>& tiles) {
    size_t wall = std::exchange(wall_, closed_.size());
    closed_.emplace_back();
    open("try");
    size_t size = scope_.size();
    scope_.insert(scope_.end(), tiles.begin(), tiles.end());
    StatementWriter::top_level(statements);
    scope_.resize(size);
    end_closed();
    close(" catch (...) {"), ++indent_;
    line("mine[14] ^= 7;");
    close();
    wall_ = wall;
  }

  ProgramKind kind_;
  Number tile_ = Number::Int;
  bool local_ = false;
};

struct Sizes {
  const char *global, *local;
  uint32_t items;
};

std::vector<std::string> launch(uint64_t seed, ProgramKind kind, const ImageIdioms& images) {
  Random random(seed * 3 + 1);
  constexpr Sizes usual[] = {{"1", "1", 1},    {"7", "7", 7},    {"33", "33", 33},
                             {"64", "64", 64}, {"80", "40", 80}, {"8,5", "8,5", 40}};
  // Whole waves, and what is left of them.
  constexpr Sizes whole[] = {{"64", "64", 64}, {"128", "64", 128}, {"100", "50", 100}, {"57", "57", 57},
                             {"80", "40", 80}, {"33", "33", 33},   {"8,5", "8,5", 40}, {"16,6", "16,2", 96}};
  const uint32_t choice = random.below(6);
  const bool more = images.buffers && random.chance(80);
  const Sizes size = more ? whole[random.below(8)] : usual[choice];
  const uint32_t items = size.items;
  std::vector<std::string> options{"--global", size.global, "--local", size.local};
  auto argument = [&](std::string text) { options.insert(options.end(), {"--arg", std::move(text)}); };
  argument(fmt::format("out=i64[{}]", items * 16));
  argument(fmt::format("real=f64[{}]", items * 4));
  argument(fmt::format("in=i32[64]:rand({})", seed));
  argument(fmt::format("n={}", random.below(50)));
  argument("x=1.75");
  if (kind == ProgramKind::Atomics || kind == ProgramKind::Groups) {
    argument(fmt::format("tally=i32[16]:rand({})", seed + 1));
    argument(fmt::format("wide=i64[16]:rand({})", seed + 2));
  }
  for (std::string& text : images.arguments(items, seed)) argument(std::move(text));
  return options;
}

}  // namespace

RandomProgram random_program(uint64_t seed, const ProgramOptions& options) {
  ProgramWriter writer(seed, options);
  RandomProgram p{.kind = writer.kind(), .source = writer.write(), .launch = {}};
  p.launch = launch(seed, p.kind, image_idioms(seed, options));
  return p;
}

}  // namespace kc::fuzz
