// SPDX-License-Identifier: Apache-2.0
#include "fuzz/random_groups.h"

#include <fmt/format.h>

#include <bit>
#include <utility>

#include "fuzz/from_last.h"

namespace kc::fuzz {
namespace {

// Of all arrays together; some devices have no more than 32 KiB.
constexpr uint32_t kMostBytesOfArray = 6144;

}  // namespace

uint32_t GroupWriter::most_bytes(const SourceType& type) const {
  if (type.record < 0) return bytes_of(type.number) * (type.lanes == 3 ? 4 : type.lanes);
  uint32_t sum = 0;
  for (const SourceVariable& m : records_[static_cast<size_t>(type.record)].members) {
    uint32_t bytes = most_bytes(m.type) + 7;  // padding
    for (uint32_t d : m.dims) bytes *= d;
    sum += bytes;
  }
  return sum;
}

SourceType GroupWriter::element() {
  SourceType type{.number = random_.pick({Number::Char, Number::Uchar, Number::Short, Number::Ushort,
                                          Number::Int, Number::Int, Number::Uint, Number::Long, Number::Ulong,
                                          Number::Float, Number::Double})};
  const SourceType whole = random_.chance(40) ? any_type(50) : type;
  if (whole.record < 0 && whole.lanes == 1) return type;
  return most_bytes(whole) * sizes_.group() <= kMostBytesOfArray ? whole : type;
}

void GroupWriter::choose_arrays() {
  group_ = sizes_.group();
  for (uint32_t k = 0, n = random_.between(1, 3); k < n; ++k)
    arrays_.push_back({.name = fmt::format("tile{}", k), .type = element()});
  takes_turns_ = random_.chance(35);
  wide_atomics_ = random_.chance(15);
  turns_ = random_.pick({Number::Char, Number::Ushort, Number::Int, Number::Long, Number::Float});
  turning_function();
}

// Several calls of it are expanded, so one barrier of the source is several.
void GroupWriter::turning_function() {
  turned_ = random_.chance(30) ? scalar_array() : nullptr;
  if (!turned_) return;
  const std::string_view type = spelling(turned_->type.number);
  open(fmt::format("{0} turn(local {0}* all, {0} own, int lid, int lsz)", type));
  line("all[lid] = own;");
  barrier();
  line(fmt::format("const {} theirs = all[(lid + {}) % lsz];", type, random_.between(1, 40)));
  barrier();
  line("return theirs;");
  close();
}

void GroupWriter::declare_arrays() {
  const uint32_t group = sizes_.group();
  line("const int lx = (int)get_local_id(0), ly = (int)get_local_id(1);");
  line("const int lid = (int)(ly * get_local_size(0) + lx);");
  line(random_.chance(40) ? fmt::format("const int lsz = {};", group)
                          : "const int lsz = (int)(get_local_size(1) * get_local_size(0));");
  line("const int grp = (int)(get_group_id(1) * get_num_groups(0) + get_group_id(0));");
  line("const int n0 = n;  // statements change n");
  for (const char* name : {"lx", "lid", "grp", "n0"}) scope_.push_back({.name = name, .writable = false});
  line(from_last("const bool e0 = lid < {}, e1 = lx % {} == {};", LATER(random_.below(group + 1)),
                 LATER(random_.between(1, 5)), LATER(random_.below(2))));
  for (const char* name : {"e0", "e1"}) conditions_.emplace_back(name);
  // As many elements as work-items, or more.
  const uint32_t elements = random_.chance(60) ? group : (group + 63) / 64 * 64;
  const uint32_t calls = std::exchange(calls_, 0);
  // Other places need variables that are not declared yet.
  std::vector<SourceVariable> all{{.name = "gid", .writable = false}, {.name = "lid", .writable = false}};
  scope_.swap(all);
  for (const SharedArray& a : arrays_) {
    line(fmt::format("local {} {}[{}];", name_of(a.type), a.name, elements));
    if (a.type.record >= 0)
      line(fmt::format("{}[lid] = {};", a.name, record(a.type.record, 1)));
    else
      line(fmt::format("{}[lid] = ({})(({})(gid * {} - 7));", a.name, name_of(a.type),
                       spelling(a.type.number), random_.between(1, 99)));
  }
  calls_ = calls;
  scope_.swap(all);
  if (takes_turns_) {
    line(fmt::format("local {} turns[2][{}];", spelling(turns_), elements));
    line(fmt::format("turns[0][lid] = turns[1][lid] = ({})(lid * 5 - gid);", spelling(turns_)));
  }
  declare_local_images(true);
  local_atomics_ = !wide_atomics_;
  if (wide_atomics_) bins_ = 0;
  line("local int cells[16], words[4];");
  line("for (int i_ = lid; i_ < 16; i_ += lsz) cells[i_] = i_ * 37 - 300;");
  line("if (lid == 0) words[0] = words[1] = words[2] = words[3] = n;");
  barrier();
}

void GroupWriter::barrier() {
  const char* name = random_.chance(10) ? "work_group_barrier" : "barrier";
  line(fmt::format("{}(CLK_LOCAL_MEM_FENCE{});", name, random_.chance(15) ? " | CLK_GLOBAL_MEM_FENCE" : ""));
  if (waits_) --waits_;
}

const SharedArray* GroupWriter::scalar_array() {
  std::vector<const SharedArray*> found;
  for (const SharedArray& a : arrays_)
    if (a.type.record < 0 && a.type.lanes == 1 && a.type.number != Number::Bool) found.push_back(&a);
  return found.empty() ? nullptr : random_.pick_from(found);
}

std::string GroupWriter::owned() {
  const uint32_t group = sizes_.group();
  switch (random_.below(10)) {
    case 0:
      return "lsz - 1 - lid";
    case 1:
      return fmt::format("(lid + {}) % lsz", random_.between(1, 40));
    case 2:
      if (group % 2 == 0) return "lid ^ 1";
      break;
    case 3:
      if (std::has_single_bit(group))
        return fmt::format("lid * {} & {}", random_.pick({3, 5, 17}), group - 1);
      break;
    case 4:
    case 5:
      if (sizes_.y > 1) return fmt::format("lx * {} + ly", sizes_.y);
      break;
    default:
      break;
  }
  return "lid";
}

std::string GroupWriter::another() {
  const uint32_t group = sizes_.group(), by = random_.below(9);
  switch (random_.below(9)) {
    case 0:
      return fmt::format("(lid * {} + k0) % lsz", by);
    case 1:
      return fmt::format("(uint)acc % {}u", group);
    case 2:
      return fmt::format("min(lid + {}, lsz - 1)", by);
    case 3:
      return fmt::format("lid > {0} ? lid - {0} : 0", by);
    case 4:
      return fmt::format("ly * {} + (lx + {}) % {}", sizes_.x, by, sizes_.x);
    case 5:
      return fmt::format("{}", random_.below(group));
    case 6:
      return fmt::format("(uint)in[(lid + {}) & 63] % {}u", by, group);
    case 7:
      return "lsz - 1 - lid";
    default:
      return fmt::format("(lid + {}) % lsz", by);
  }
}

std::string GroupWriter::agreed() {
  static constexpr const char* always[] = {"u0", "u1", "!u0 && u1", "grp & 1", "n0 > 20 || grp == 0"};
  return !agreed_.empty() && random_.chance(50) ? random_.pick_from(agreed_) : random_.pick_from(always);
}

// At most 3.
std::string GroupWriter::bound() {
  static constexpr const char* always[] = {"2",           "3",        "1 + u0",
                                           "2 * u1 + u0", "(n0 & 3)", "(grp + n0) % 3 + 1"};
  return !bounds_.empty() && random_.chance(40) ? random_.pick_from(bounds_) : random_.pick_from(always);
}

void GroupWriter::exchanges(uint32_t statements) {
  stays_ = true;
  waits_ = random_.between(6, 16);
  if (random_.chance(15)) line(fmt::format("if (grp == {}) return;", random_.between(1, 3)));
  interval(statements / 2 + 1);
  do sequence(2, statements);
  while (waits_ > 8);
  observe_arrays();
}

void GroupWriter::sequence(uint32_t depth, uint32_t statements) {
  const size_t size = scope_.size(), conditions = agreed_.size(), bounds = bounds_.size();
  if (depth < 2 && random_.chance(40)) {
    const uint32_t calls = std::exchange(calls_, 0);  // they may throw
    declare();
    calls_ = calls;
  }
  for (uint32_t i = 0, n = random_.between(1, depth + 1); i < n; ++i) uniform(depth, statements);
  scope_.resize(size), agreed_.resize(conditions), bounds_.resize(bounds);
}

void GroupWriter::uniform(uint32_t depth, uint32_t statements) {
  if (random_.chance(6)) end_some();
  switch (random_.below(depth && waits_ ? 18 : 9)) {
    case 0:
      return reduce_tree();
    case 1:
      return scan();
    case 2:
      return agree();
    case 3:
      if (takes_turns_) return take_turns(statements);
      break;
    case 4:
      if (turned_) return call_turn();
      break;
    case 9:
    case 10:
    case 11:
    case 12:
      return rounds(depth, statements);
    case 13:
      return again(depth, statements);
    case 14:
    case 15:
      return arms(depth, statements);
    case 16:
      return cases(depth, statements);
    default:
      break;
  }
  for (uint32_t i = random_.between(1, 3); i > 0; --i) interval(statements / 2 + 1);
}

void GroupWriter::rounds(uint32_t depth, uint32_t statements) {
  const std::string r = fmt::format("r{}", names_++), most = bound();
  const uint32_t form = random_.below(5);
  if (form == 2) line(fmt::format("int {} = 0;", r));
  switch (form) {
    case 1:
      open(fmt::format("for (int {0} = {1}; {0}-- > 0;)", r, most));
      break;
    case 2:
      open("do");
      break;
    case 3:
      open(fmt::format("for (int {0} = 0;; ++{0})", r));
      break;
    default:
      open(fmt::format("for (int {0} = 0; {0} < {1}; ++{0})", r, most));
  }
  const size_t size = scope_.size(), conditions = agreed_.size(), bounds = bounds_.size();
  scope_.push_back({.name = r, .writable = false});
  agreed_.push_back(fmt::format("({} & 1) == {}", r, random_.below(2)));
  bounds_.push_back(fmt::format("{} + 1", r));
  sequence(depth - 1, statements);
  if (random_.chance(30)) {
    // All work-items leave, after a barrier. A turn of the loop is left out once.
    const std::string when = random_.chance(50) ? "" : fmt::format(" && ({})", agreed());
    line(from_last("if ({} == {}{}) {};", LATER(r), LATER(random_.below(3)), LATER(when),
                   LATER(random_.pick<const char*>({"break", "continue"}))));
    sequence(depth - 1, statements);
  }
  scope_.resize(size), agreed_.resize(conditions), bounds_.resize(bounds);
  if (form == 3) line(fmt::format("if ({} >= {}) break;", r, most));
  close(form == 2 ? fmt::format(" while (++{} < {});", r, most) : "");
}

// A loop that is a jump.
void GroupWriter::again(uint32_t depth, uint32_t statements) {
  const std::string r = fmt::format("r{}", names_++);
  line(fmt::format("int {} = 0;", r));
  line(fmt::format("{}again:;", r));
  open("");
  sequence(depth - 1, statements);
  close();
  line(fmt::format("if (++{0} < {1}) goto {0}again;", r, bound()));
}

void GroupWriter::arms(uint32_t depth, uint32_t statements) {
  open(fmt::format("if ({})", agreed()));
  sequence(depth - 1, statements);
  if (random_.chance(50)) {
    --indent_;
    line("} else {");
    ++indent_;
    sequence(depth - 1, statements);
  }
  close();
}

void GroupWriter::cases(uint32_t depth, uint32_t statements) {
  open(fmt::format("switch ({})", bound()));
  for (uint32_t k = 0, n = random_.between(1, 2); k <= n; ++k) {
    line(k == n ? "default:;" : fmt::format("case {}:;", k + 1));
    open("");
    sequence(depth - 1, statements);
    close();
    if (random_.chance(60)) line("break;");
  }
  close();
}

// Some work-items end. Barriers do not wait for them. No barrier orders the accesses of a work-item since its
// last barrier with those of others, so it ends directly after one.
void GroupWriter::end_some() {
  std::string c = condition(2);
  if (random_.chance(70)) c = fmt::format("lid % {} == 1 && {}", random_.between(2, 9), c);
  line(!throws_ || random_.chance(50) ? fmt::format("if ({}) return;", c)
                                      : fmt::format("if ({}) throw {};", c, thrown()));
}

void GroupWriter::interval(uint32_t statements) {
  std::vector<SourceVariable> places;
  for (SharedArray& a : arrays_) {
    const bool reads = random_.chance(a.exchanged ? 75 : 25);
    a.exchanged = !reads;
    const Number n = a.type.number;
    const bool counts =
        a.type.record < 0 && a.type.lanes == 1 && !is_real(n) && bytes_of(n) == (wide_atomics_ ? 8 : 4);
    if (!reads && counts && random_.chance(25)) {
      counters_.push_back({.name = a.name, .number = n, .size = group_, .operation = random_.below(6)});
      continue;
    }
    for (uint32_t k = reads ? 3 : 1; k > 0; --k)
      places.push_back({.name = fmt::format("{}[{}]", a.name, reads ? another() : owned()),
                        .type = a.type,
                        .writable = !reads,
                        .shared = true});
  }
  if (!strip_.empty()) {
    own_strip_ = !own_strip_ || random_.chance(25);
    strip_ = fmt::format("{} * {}", own_strip_ ? "lid" : fmt::format("(lid + {}) % lsz", random_.below(9)),
                         images_.written_stride);
    places.push_back(strip_element(own_strip_));
  }
  segment(statements, places);
  counters_.clear();
  barrier();
}

void StatementWriter::count_shared() {
  const SharedCounters& c = random_.pick_from(counters_);
  static constexpr const char* operations[] = {"", "min", "max", "or", "and", "xor"};
  const char* name =
      c.operation ? operations[c.operation] : random_.pick<const char*>({"add", "add", "sub", "inc", "dec"});
  const std::string operand = c.operation || name[0] == 'a' || name[0] == 's' ? ", " + integer(2) : "";
  const std::string at = random_.chance(30) ? "lid" : fmt::format("(uint)({}) % {}u", integer(2), c.size);
  line(fmt::format("{}_{}(&{}[{}]{});", bytes_of(c.number) == 8 ? "atom" : "atomic", name, c.name, at,
                   operand));
}

SourceVariable GroupWriter::strip_element(bool own) {
  return {.name = fmt::format("strip[{} + {}]", strip_, random_.below(images_.written_stride)),
          .type = {.number = images_.written},
          .writable = own,
          .shared = true};
}

// Neither jumps nor exceptions leave it.
void GroupWriter::segment(uint32_t statements, const std::vector<SourceVariable>& places) {
  const size_t wall = std::exchange(wall_, closed_.size()), size = scope_.size();
  scope_.insert(scope_.end(), places.begin(), places.end());
  const bool braces = throws_ || random_.chance(30);
  if (braces) open(throws_ ? "try" : random_.pick<const char*>({"if (e0)", "if (e1)", "if (lid < n)", ""}));
  closed_.emplace_back();
  // Loops of earlier segments have used it up.
  if (random_.chance(60)) line(fmt::format("fuel = {};", random_.between(2, group_ > 64 ? 4 : 8)));
  StatementWriter::top_level(statements);
  end_closed();
  scope_.resize(size);
  if (throws_) {
    close(" catch (...) {"), ++indent_;
    line("mine[14] ^= 7;");
  }
  if (braces) close();
  wall_ = wall;
}

// Half of the elements, then half of these and so on.
void GroupWriter::reduce_tree() {
  const SharedArray* a = scalar_array();
  if (!a) return interval(2);
  const char* op = is_real(a->type.number) ? "+=" : random_.pick({"+=", "^=", "*=", "|="});
  if (random_.chance(60)) {
    open(fmt::format("for (int m_ = {}; m_ > 0; m_ >>= 1)", std::bit_ceil(group_) / 2));
    line(fmt::format("if (lid < m_ && lid + m_ < lsz) {0}[lid] {1} {0}[lid + m_];", a->name, op));
  } else {
    open("for (int m_ = lsz; m_ > 1; m_ = (m_ + 1) / 2)");
    line(fmt::format("if (lid < m_ / 2) {0}[lid] {1} {0}[m_ - 1 - lid];", a->name, op));
  }
  barrier();
  close();
  line(fmt::format("acc = acc * 5 + {};", observed({.text = a->name + "[0]", .number = a->type.number})));
  barrier();
}

// The sums of all elements up to each; a value is kept across a barrier.
void GroupWriter::scan() {
  const SharedArray* a = scalar_array();
  if (!a) return interval(2);
  open("for (int m_ = 1; m_ < lsz; m_ <<= 1)");
  line(fmt::format("const {0} before_ = lid >= m_ ? {1}[lid - m_] : ({0})0;", spelling(a->type.number),
                   a->name));
  barrier();
  line(fmt::format("{}[lid] += before_;", a->name));
  barrier();
  close();
}

// What is written in one round is read in the next.
void GroupWriter::take_turns(uint32_t statements) {
  const std::string r = fmt::format("r{}", names_++);
  open(fmt::format("for (int {0} = 0; {0} < {1}; ++{0})", r, bound()));
  const size_t size = scope_.size();
  scope_.push_back({.name = r, .writable = false});
  auto place = [&](const char* row, const std::string& at, bool writable) {
    return SourceVariable{.name = fmt::format("turns[{} & 1][{}]", fmt::format(fmt::runtime(row), r), at),
                          .type = {.number = turns_},
                          .writable = writable,
                          .shared = true};
  };
  std::vector<SourceVariable> places{place("({} + 1)", owned(), true)};
  for (int k = 0; k < 3; ++k) places.push_back(place("{}", another(), false));
  segment(statements / 2 + 1, places);
  scope_.resize(size);
  barrier();
  close();
}

// All read a word that one work-item wrote, or that several changed.
void GroupWriter::agree() {
  const std::string word = fmt::format("words[{}]", random_.below(4)), w = fmt::format("w{}", names_++);
  const uint32_t calls = std::exchange(calls_, 0);  // they may throw
  if (wide_atomics_ || random_.chance(50)) {
    line(from_last("if (lid == {}) {} = {};", LATER(random_.below(group_)), LATER(word), LATER(integer(2))));
  } else {
    line(fmt::format("if (lid == 0) {} = {};", word, random_.below(3)));
    barrier();
    const std::string change = fmt::format(
        fmt::runtime(
            random_.pick<const char*>({"atomic_inc(&{})", "atomic_or(&{}, 1)", "atomic_max(&{}, lid)"})),
        word);
    line(fmt::format("if ({}) {};", condition(2), change));
  }
  calls_ = calls;
  barrier();
  line(fmt::format("const int {} = {};", w, word));
  barrier();
  scope_.push_back({.name = w, .writable = false});
  agreed_.push_back(fmt::format(fmt::runtime(random_.pick<const char*>({"{} > 0", "{} & 1", "!{}"})), w));
  bounds_.push_back(fmt::format("({} & 3)", w));
}

void GroupWriter::call_turn() {
  const uint32_t calls = std::exchange(calls_, 0);
  const std::string call =
      fmt::format("turn({}, {}, lid, lsz)", turned_->name, number(turned_->type.number, 2));
  calls_ = calls;
  line(fmt::format("acc = acc * 3 + {};", observed({.text = call, .number = turned_->type.number})));
}

void GroupWriter::observe(const SourceVariable& v) {
  std::vector<SourceVariable> only{v};
  scope_.swap(only);
  for (uint32_t i = 0, n = v.type.record < 0 && v.type.lanes == 1 && v.dims.empty() ? 1 : 3; i < n; ++i)
    line(fmt::format("acc = acc * 31 + {};", observed(place(false, 0))));
  scope_.swap(only);
}

void GroupWriter::observe_arrays() {
  for (const SharedArray& a : arrays_)
    for (const std::string& index : {std::string("lid"), another()})
      observe({.name = fmt::format("{}[{}]", a.name, index), .type = a.type, .shared = true});
  if (takes_turns_)
    for (int row = 0; row < 2; ++row)
      observe({.name = fmt::format("turns[{}][lid]", row), .type = {.number = turns_}, .shared = true});
  line(fmt::format("mine[13] += cells[(lid + {}) & 15];", random_.below(16)));
  if (bins_) line(fmt::format("mine[12] += bins[(lid * 3 + n0) & {}];", bins_ - 1));
}

}  // namespace kc::fuzz
