// SPDX-License-Identifier: Apache-2.0
#include "fuzz/random_program.h"

#include <fmt/format.h>

#include "fuzz/from_last.h"
#include "fuzz/random_groups.h"

namespace kc::fuzz {
namespace {

// Whole waves, and what is left of them.
LaunchSizes launch_sizes(Random& random, uint64_t seed, ProgramKind kind, const ImageIdioms& images) {
  constexpr LaunchSizes usual[] = {{1, 1, 1, 1},   {7, 1, 7, 1},   {33, 1, 33, 1},
                                   {64, 1, 64, 1}, {80, 1, 40, 1}, {8, 5, 8, 5}};
  constexpr LaunchSizes whole[] = {{64, 1, 64, 1}, {128, 1, 64, 1}, {100, 1, 50, 1}, {57, 1, 57, 1},
                                   {80, 1, 40, 1}, {33, 1, 33, 1},  {8, 5, 8, 5},    {16, 6, 16, 2}};
  // Several waves, too, which meet at barriers only.
  constexpr LaunchSizes groups[] = {{1, 1, 1, 1},     {24, 1, 8, 1},    {48, 1, 16, 1},   {48, 1, 24, 1},
                                    {64, 1, 32, 1},   {33, 1, 33, 1},   {128, 1, 64, 1},  {64, 1, 64, 1},
                                    {100, 1, 50, 1},  {192, 1, 96, 1},  {256, 1, 128, 1}, {200, 1, 100, 1},
                                    {192, 1, 192, 1}, {256, 1, 256, 1}, {16, 4, 16, 4},   {16, 8, 16, 4},
                                    {32, 4, 8, 4},    {8, 10, 8, 5},    {6, 6, 3, 6},     {64, 2, 32, 1},
                                    {16, 16, 16, 8},  {40, 4, 20, 4}};
  const uint32_t choice = random.below(6);
  const bool more = images.buffers && random.chance(80);
  const LaunchSizes size = more ? whole[random.below(8)] : usual[choice];
  return kind == ProgramKind::Groups ? Random(seed * 11 + 3).pick_from(groups) : size;
}

class ProgramWriter : GroupWriter {
 public:
  ProgramWriter(uint64_t seed, const ProgramOptions& options)
      : GroupWriter(seed, options), kind_(choose_kind()) {
    traps_ = !options.portable && random_.chance(25);
    plain_ = kind_ == ProgramKind::Registers || (kind_ != ProgramKind::Memory && random_.chance(70));
    size_ = random_.chance(options.large) ? 10 : random_.between(2, 4);
    depth_ = size_ > 5 ? 3 : 2;
    tangled_ = random_.chance(35);
    // Uses a separate generator, so that this choice does not change programs without vectors.
    vectors_ = options.vectors && !options.portable && Random(seed * 5 + 3).chance(40);
    images_ = image_idioms(seed, options);
    atomics_ = kind_ == ProgramKind::Atomics || kind_ == ProgramKind::Groups;
    local_ = kind_ == ProgramKind::Memory && !options.portable && random_.chance(25);
    if (kind_ != ProgramKind::Groups) return;
    Random sizes(seed * 3 + 1);
    sizes_ = launch_sizes(sizes, seed, kind_, images_);
    throws_ = random_.chance(50);
    names_its_sizes_ = random_.chance(20);
  }

  ProgramKind kind() const { return kind_; }

  std::string write() {
    const std::string drawn_first = records();
    out_ = macros() + drawn_first;
    if (images_.used) out_ += tables();
    if (kind_ == ProgramKind::Groups) choose_arrays();
    for (uint32_t k = 0, n = random_.between(1, size_ > 3 ? 3 : 2); k < n; ++k) helper(k);
    kernel();
    return std::move(out_);
  }

 private:
  ProgramKind choose_kind() {
    uint32_t r = random_.below(100);
    if (options_.portable) return r < 40 ? ProgramKind::Registers : ProgramKind::Memory;
    return r < 45   ? ProgramKind::Registers
           : r < 72 ? ProgramKind::Memory
           : r < 77 ? ProgramKind::Groups
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
        "kernel {}void k(global long* out, global double* real, global const int* in, int n, float x{}{})",
        names_its_sizes_
            ? fmt::format("__attribute__((reqd_work_group_size({}, {}, 1))) ", sizes_.x, sizes_.y)
            : "",
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
    if (kind_ == ProgramKind::Groups) declare_arrays();
    if (local_) own_local_memory();
    bool guarded = !traps_ || random_.chance(40);
    body(random_.between(2, 5), size_, guarded && throws_);
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

  // One element for each work-item of the group, which no other one reads. All are initialized here.
  void own_local_memory() {
    tile_ =
        random_.pick({Number::Int, Number::Uint, Number::Long, Number::Ushort, Number::Char, Number::Float});
    line("const int lid = (int)(get_local_id(1) * get_local_size(0) + get_local_id(0));");
    line("const int lsz = (int)(get_local_size(1) * get_local_size(0));");
    line(fmt::format("local {} tile[64];", spelling(tile_)));
    line(fmt::format("tile[lid] = ({})(gid * {} - 7);", spelling(tile_), random_.between(1, 99)));
    declare_local_images(false);
    own_strip_ = true;
    scope_.push_back({.name = "tile[lid]", .type = {.number = tile_}, .shared = true});
    if (!strip_.empty()) scope_.push_back(strip_element(true));
  }

  void top_level(uint32_t statements) override {
    if (in_kernel_ && kind_ == ProgramKind::Groups)
      exchanges(statements);
    else
      StatementWriter::top_level(statements);
  }

  ProgramKind kind_;
  Number tile_ = Number::Int;
  bool local_ = false, names_its_sizes_ = false;
};

std::vector<std::string> launch(uint64_t seed, ProgramKind kind, const ImageIdioms& images) {
  Random random(seed * 3 + 1);
  const LaunchSizes sizes = launch_sizes(random, seed, kind, images);
  const uint32_t items = sizes.items();
  auto text = [](uint32_t x, uint32_t y) {
    return y > 1 ? fmt::format("{},{}", x, y) : fmt::format("{}", x);
  };
  std::vector<std::string> options{"--global", text(sizes.global_x, sizes.global_y), "--local",
                                   text(sizes.x, sizes.y)};
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
