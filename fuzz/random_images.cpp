// SPDX-License-Identifier: Apache-2.0
// What code for images and text consists of: interleaved elements, constant tables, limits, arrays of bytes,
// and histograms.
#include <fmt/format.h>

#include <array>
#include <numeric>

#include "fuzz/from_last.h"
#include "fuzz/random_statements.h"

namespace kc::fuzz {
namespace {

constexpr Number kSmall[] = {Number::Uchar, Number::Uchar,  Number::Char, Number::Char, Number::Short,
                             Number::Short, Number::Ushort, Number::Int,  Number::Uint};

Number small_number(Random& random) { return random.pick_from(kSmall); }

// The numbers below n in any order.
std::vector<uint32_t> shuffled(Random& random, uint32_t n) {
  std::vector<uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0u);
  for (uint32_t k = n; k > 1; --k) std::swap(order[k - 1], order[random.below(k)]);
  return order;
}

}  // namespace

// A separate generator, so that programs without these idioms stay what they were.
ImageIdioms image_idioms(uint64_t seed, const ProgramOptions& options) {
  Random random(seed * 7 + 5);
  ImageIdioms b;
  b.used = random.chance(options.images);
  b.buffers = b.used && !options.portable;
  b.written = small_number(random), b.read = small_number(random);
  b.written_stride = random.between(2, 8), b.read_stride = random.between(2, 8);
  if (random.chance(50)) b.read = b.written, b.read_stride = b.written_stride;
  b.rows = random.pick<uint32_t>({1, 1, 2, 4});
  b.spare = random.chance(50) ? 0 : 8;
  b.restricted = random.chance(50);
  return b;
}

std::string ImageIdioms::parameters() const {
  if (!buffers) return "";
  const char* restrict_ = restricted ? " restrict" : "";
  return fmt::format(", global {}*{} pix, global const {}*{} src", spelling(written), restrict_,
                     spelling(read), restrict_);
}

std::vector<std::string> ImageIdioms::arguments(uint32_t items, uint64_t seed) const {
  if (!buffers) return {};
  return {
      fmt::format("pix={}[{}]:rand({})", argument_type(written), items * written_stride * rows, seed + 3),
      fmt::format("src={}[{}]:rand({})", argument_type(read), items * read_stride * rows + spare, seed + 4),
  };
}

std::string ExpressionWriter::tables() {
  std::string s;
  for (uint32_t k = 0, n = random_.between(1, 3); k < n; ++k) {
    ConstantTable t{.name = fmt::format("tab{}", k)};
    t.number = random_.pick({Number::Uchar, Number::Uchar, Number::Char, Number::Short, Number::Ushort,
                             Number::Int, Number::Uint, Number::Long, Number::Float});
    t.size = random_.pick<uint32_t>({3, 4, 8, 16, 16, 32, 64, 100, 256});
    s += fmt::format("constant {} {}[{}] = {{", spelling(t.number), t.name, t.size);
    const uint64_t mask = UINT64_MAX >> (64 - 8 * bytes_of(t.number));
    for (uint32_t i = 0; i < t.size; ++i) {
      const uint64_t bits = random_.bits() & mask;
      if (t.number == Number::Float)
        s += fmt::format("{}{}.5f", i ? ", " : "", bits % 1000);
      else
        s += fmt::format("{}({}){}UL", i ? ", " : "", spelling(t.number), bits);
    }
    s += "};\n";
    tables_.push_back(t);
  }
  return s;
}

/// An element of a constant table; empty if there is no table of such numbers.
std::string ExpressionWriter::table_entry(bool of_reals, uint32_t depth) {
  std::vector<ConstantTable> fitting;
  for (const ConstantTable& t : tables_)
    if (is_real(t.number) == of_reals) fitting.push_back(t);
  if (fitting.empty()) return "";
  const ConstantTable& t = random_.pick_from(fitting);
  const std::string e = integer(depth - 1);
  if (t.size == 256 && random_.chance(50)) return fmt::format("{}[(uchar)({})]", t.name, e);
  const uint32_t last = t.size - 1;
  switch (random_.below(6)) {
    case 0:
      return fmt::format("{}[min((uint)({}), {}u)]", t.name, e, last);
    case 1:
      return fmt::format("{0}[({{ int t_ = {1}; t_ < 0 ? 0 : t_ > {2} ? {2} : t_; }})]", t.name, e, last);
    case 2:
      return fmt::format("{}[(uint)({}) % {}u]", t.name, e, t.size);
    case 3:
      return fmt::format("{}[(({}) & 1) + {}]", t.name, e, random_.below(last));
    default:
      if (t.size & last) return fmt::format("{}[({}) & {}]", t.name, e, t.size == 100 ? 63 : 1);
      return fmt::format("{}[({}) & {}]", t.name, e, last);
  }
}

/// `t > 9 ? 9 : t` and the like: what compilers recognise as minimum, maximum, clamp or absolute value.
std::string ExpressionWriter::limited(uint32_t depth) {
  const Number n = random_.pick({Number::Int, Number::Int, Number::Uint, Number::Short, Number::Ushort,
                                 Number::Char, Number::Uchar, Number::Long, Number::Ulong});
  std::string low = random_.pick<const char*>({"0", "3", "-7", "20", "-128", "1000"});
  std::string high = random_.pick<const char*>({"9", "255", "127", "3", "65535", "-1", "32767"});
  if (random_.chance(25)) high = integer(depth - 1);
  return limits(spelling(n), integer(depth - 1), low, high);
}

/// Rotations and bitwise choices, as hashes and ciphers have them.
std::string ExpressionWriter::mixed_bits(uint32_t depth) {
  const Number n = random_.pick({Number::Uint, Number::Uint, Number::Ulong, Number::Ushort, Number::Uchar});
  const uint32_t bits = 8 * bytes_of(n);
  const std::string x = integer(depth - 1), y = integer(depth - 1);
  if (random_.chance(40)) {
    static constexpr const char* forms[] = {
        "(x_ & y_) ^ (~x_ & z_)", "(x_ & y_) | (x_ & z_) | (y_ & z_)", "x_ ^ y_ ^ z_", "~(x_ | y_) & z_",
        "(x_ | ~y_) ^ (z_ & x_)",
    };
    return from_last("({{ {} x_ = {}, y_ = {}, z_ = {}; {}; }})", LATER(spelling(n)), LATER(x), LATER(y),
                     LATER(integer(depth - 1)), LATER(random_.pick_from(forms)));
  }
  const uint32_t by = random_.between(1, bits - 1);
  std::string turned;
  switch (random_.below(4)) {
    case 0:
      turned = fmt::format("x_ << {} | x_ >> {}", by, bits - by);
      break;
    case 1:
      turned = fmt::format("x_ << {} ^ x_ >> {}", 8 * (by / 8), (bits - 8 * (by / 8)) & (bits - 1));
      break;
    case 2:
      turned = fmt::format("x_ << (n_ & {0}) | x_ >> (-n_ & {0})", bits - 1);
      break;
    default:
      turned = fmt::format("x_ >> (n_ & {0}) | x_ << ({1} - n_ & {0})", bits - 1, bits);
      break;
  }
  return fmt::format("({{ {} x_ = {}; uint n_ = {}; {}; }})", spelling(n), x, y, turned);
}

std::string ExpressionWriter::limited_real(uint32_t depth) {
  std::string low = random_.pick<const char*>({"0.0f", "-0.0f", "-1.5f", "20.25"});
  std::string high = random_.pick<const char*>({"1.0f", "255.0f", "-0.0f", "0.0f", "99.5"});
  if (random_.chance(25)) high = real(depth - 1);
  return limits(random_.pick<const char*>({"float", "float", "double"}), real(depth - 1), low, high);
}

std::string ExpressionWriter::limits(std::string_view type, const std::string& e, const std::string& low,
                                     const std::string& high) {
  static constexpr const char* forms[] = {
      "t_ > u_ ? u_ : t_",
      "t_ < u_ ? t_ : u_",
      "t_ >= u_ ? t_ : u_",
      "u_ <= t_ ? u_ : t_",
      "!(t_ < u_) ? u_ : t_",
      "t_ > l_ ? t_ : l_",
      "l_ > t_ ? l_ : t_",
      "t_ < l_ ? l_ : t_ > u_ ? u_ : t_",
      "t_ > u_ ? u_ : t_ < l_ ? l_ : t_",
      "t_ < 0 ? -t_ : t_",
      "t_ > 0 ? t_ : -t_",
      "t_ == u_ ? l_ : t_",
  };
  return fmt::format("({{ {0} t_ = {1}, l_ = {2}, u_ = {3}; {4}; }})", type, e, low, high,
                     random_.pick_from(forms));
}

void StatementWriter::limit() {
  const SourcePlace p = place(true, 0);
  if (p.number == Number::Bool) return assign();
  const std::string limit = random_.pick<const char*>({"0", "9", "255", "-7", "100"});
  const char* than = random_.pick({">", "<", ">=", "<="});
  switch (random_.below(3)) {
    case 0:
      return line(fmt::format("if ({0} {1} {2}) {0} = {2};", p.text, than, limit));
    case 1:
      return line(fmt::format("{0} = {0} {1} {2} ? {2} : {0};", p.text, than, limit));
    default:
      return line(fmt::format("if ({0} < 3) {0} = 3; else if ({0} {1} {2}) {0} = {2};", p.text, than, limit));
  }
}

void StatementWriter::declare_image_places() {
  const ImageIdioms& b = images_;
  if (!b.buffers) return;
  line("const int items = (int)(get_global_size(0) * get_global_size(1));");
  line(fmt::format("const int at = gid * {};", b.written_stride));
  line(fmt::format("const int from = {} * {};",
                   random_.pick<const char*>({"gid", "gid", "gid", "(items - 1 - gid)", "((gid ^ 1) % items)",
                                              "(gid * 7 % items)"}),
                   b.read_stride));
  const bool is_volatile = random_.chance(10);
  if (is_volatile) line(fmt::format("global volatile {}* own = pix + at;", spelling(b.written)));
  auto add = [&](std::string name, Number n, bool writable) {
    scope_.push_back({.name = std::move(name), .type = {.number = n}, .writable = writable, .shared = true});
  };
  for (uint32_t c : shuffled(random_, b.written_stride)) {
    add(is_volatile ? fmt::format("own[{}]", c) : fmt::format("pix[gid * {} + {}]", b.written_stride, c),
        b.written, true);
    if (random_.chance(50)) break;
  }
  for (uint32_t c : shuffled(random_, b.read_stride)) {
    add(fmt::format("src[from + {}]", c), b.read, false);
    if (random_.chance(50)) break;
  }
  if (b.rows > 1)
    add(fmt::format("pix[at + {} + (k0 & {}) * items * {}]", random_.below(b.written_stride), b.rows - 1,
                    b.written_stride),
        b.written, true);
  if (b.spare) add(fmt::format("src[from + {}]", random_.below(9)), b.read, false);
  // Other elements over the same bytes.
  const uint32_t bytes = bytes_of(b.written) * b.written_stride;
  const Number n = small_number(random_);
  if (n != b.written && bytes % bytes_of(n) == 0)
    add(from_last("((global {}*)pix)[gid * {} + {}]", LATER(spelling(n)), LATER(bytes / bytes_of(n)),
                  LATER(random_.below(bytes / bytes_of(n)))),
        n, true);
}

// A condition or a loop over the rows of the buffers around interleaved accesses.
std::string StatementWriter::open_interleaved() {
  switch (random_.below(7)) {
    case 0:
      open(fmt::format("if ({})", condition(1)));
      return "";
    case 1:
      open(fmt::format("if (gid < {})", random_.between(1, 70)));
      return "";
    case 2:
      open(fmt::format("if (gid + {} < items)", random_.below(40)));
      return "";
    case 3:
      open(fmt::format("for (int r_ = 0; r_ < {}; ++r_)", images_.rows));
      return " + r_ * items * ";
    default:
      open("");
      return "";
  }
}

// Some of a work-item's elements are loaded, and some are stored, with other accesses between them.
void StatementWriter::interleaved() {
  const ImageIdioms& b = images_;
  inside_image_ = true;
  const size_t size = scope_.size();
  const std::string row = open_interleaved();
  closed_.emplace_back();
  const ElementRun source{"src", "from", b.read, b.read_stride, true},
      pixels{"pix", "at", b.written, b.written_stride, true};
  const ElementRun strip{"strip", strip_, b.written, b.written_stride, false};
  auto element = [&](const ElementRun& r, uint32_t c) {
    const std::string of_row = row.empty() || !r.has_rows ? "" : fmt::format("{}{}", row, r.stride);
    return fmt::format("{}[{} + {}{}]", r.name, r.first, c, of_row);
  };
  const bool near = !strip_.empty() && random_.chance(40);
  const ElementRun from = near && (!own_strip_ || random_.chance(50)) ? strip
                          : random_.chance(65)                        ? source
                                                                      : pixels;
  const ElementRun to = near && own_strip_ && random_.chance(70) ? strip : pixels;
  const Number loaded =
      random_.chance(60) ? from.number : random_.pick({Number::Int, Number::Uint, Number::Float});
  const uint32_t keep = random_.pick<uint32_t>({100, 100, 60});
  for (uint32_t c : shuffled(random_, from.stride)) {
    if (!random_.chance(keep)) continue;
    SourceVariable v{.name = fmt::format("v{}", names_++), .type = {.number = loaded}};
    line(fmt::format("{} = {};", declarator(v), element(from, c)));
    scope_.push_back(std::move(v));
  }
  if (random_.chance(30)) statement(0);
  const uint32_t most = random_.pick<uint32_t>({100, 100, 60});
  const bool between = random_.chance(30);
  for (uint32_t c : shuffled(random_, to.stride)) {
    if (!random_.chance(most)) continue;
    store_element(element(to, c), size);
    if (between && random_.chance(40)) statement(0);
  }
  end_closed();
  scope_.resize(size);
  close();
  inside_image_ = false;
}

// `first`: of the variables that were just loaded.
void StatementWriter::store_element(const std::string& to, size_t first) {
  const char* op = random_.pick({"=", "=", "=", "+=", "^="});
  if (scope_.size() == first || random_.chance(25)) return line(fmt::format("{} {} {};", to, op, integer(2)));
  const auto count = static_cast<uint32_t>(scope_.size() - first);
  const SourceVariable& v = scope_[first + random_.below(count)];
  const std::string e = is_real(v.type.number) ? fmt::format("REAL({})", v.name) : v.name;
  switch (random_.below(4)) {
    case 0:
      return line(fmt::format("{} {} {};", to, op, e));
    case 1:
      return line(fmt::format("{} {} {};", to, op, limits("int", e, "0", "99")));
    case 2:
      return line(from_last("{} {} {} {} {};", LATER(to), LATER(op), LATER(e),
                            LATER(random_.pick<const char*>({"^", "+", "-", "*"})),
                            LATER(random_.between(1, 300))));
    default:
      return line(fmt::format("{} {} ({} + {}) >> 1;", to, op, e, integer(1)));
  }
}

// An array that is indexed by what all work-items agree on, except for some accesses.
void StatementWriter::byte_array() {
  const Number n =
      random_.pick({Number::Uchar, Number::Uchar, Number::Char, Number::Short, Number::Ushort, Number::Uint});
  SourceVariable array{.name = fmt::format("v{}", names_++), .type = {.number = n}};
  const uint32_t count = random_.pick<uint32_t>({4, 8, 16, 32});
  array.dims = {count};
  const size_t size = scope_.size();
  inside_image_ = true;
  open("");
  closed_.emplace_back();
  line(declarator(array) + ";");
  scope_.push_back({.name = "i_", .writable = false});
  line(fmt::format("for (int i_ = 0; i_ < {}; ++i_) {}[i_] = {};", count, array.name, number(n, 2)));
  const std::string same = fmt::format("{}[(d1 + {}) & {}]", array.name, random_.below(9), count - 1);
  open(fmt::format("for (int i_ = 0; i_ < {}; ++i_)", random_.between(2, 9)));
  const std::string moving =
      from_last("{}[(i_ * {} + {}) & {}]", LATER(array.name), LATER(random_.between(1, 5)),
                LATER(random_.below(9)), LATER(count - 1));
  for (const std::string& name : {same, moving})
    scope_.push_back({.name = name, .type = {.number = n}, .shared = true});
  for (uint32_t k = random_.between(1, 3); k-- > 0;)
    line(from_last("{} {} {};", LATER(random_.chance(70) ? moving : same),
                   LATER(random_.pick<const char*>({"=", "+=", "^="})), LATER(integer(2))));
  if (random_.chance(50)) accumulate();
  close();
  scope_.resize(size);
  line(fmt::format("acc = acc * 5 + {};", same));
  scope_.push_back(array);
  if (random_.chance(40)) statement(0);
  end_closed();
  for (uint32_t k = 0; k < 2; ++k) line(fmt::format("acc = acc * 3 + {}[{}];", array.name, index(count, 2)));
  scope_.resize(size);
  close();
  inside_image_ = false;
}

// Elements of every work-item in local memory, and, where work-items share it, a histogram.
void StatementWriter::declare_local_images(bool is_shared) {
  const ImageIdioms& b = images_;
  if (!b.buffers) return;
  line(fmt::format("local {} strip[{}];", spelling(b.written), group_ * b.written_stride));
  line(fmt::format("for (int i_ = 0; i_ < {0}; ++i_) strip[lid * {0} + i_] = gid * 5 + i_;",
                   b.written_stride));
  strip_ = fmt::format("lid * {}", b.written_stride);
  if (!is_shared) return;
  bins_ = random_.pick<uint32_t>({16, 64, 256});
  line(fmt::format("local uint bins[{}];", bins_));
  line(fmt::format("for (int i_ = lid; i_ < {}; i_ += lsz) bins[i_] = i_;", bins_));
}

void StatementWriter::count() {
  const ImageIdioms& b = images_;
  const std::string mask = fmt::format("& {}", bins_ - 1);
  switch (random_.below(4)) {
    case 0:
      return line(fmt::format("for (int i_ = lid; i_ < items * {}; i_ += lsz) atomic_inc(&bins[src[i_] {}]);",
                              b.read_stride, mask));
    case 1:
      return line(fmt::format("atomic_inc(&bins[src[from + {}] {}]);", random_.below(b.read_stride), mask));
    case 2:
      return line(
          from_last("atomic_add(&bins[({}) {}], {});", LATER(integer(2)), LATER(mask), LATER(integer(1))));
    default:
      return line(fmt::format("for (int i_ = 0; i_ < {}; ++i_) atomic_inc(&bins[(src[from + i_] >> {}) {}]);",
                              b.read_stride, random_.below(5), mask));
  }
}

bool StatementWriter::image_statement() {
  if (!images_.used || inside_image_) return false;
  if (bins_ && random_.chance(20)) return count(), true;
  if (!plain_ && random_.chance(20)) return byte_array(), true;
  if (random_.chance(30)) return limit(), true;
  if (!in_kernel_ || !images_.buffers) return false;
  return interleaved(), true;
}

}  // namespace kc::fuzz
