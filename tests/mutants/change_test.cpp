// SPDX-License-Identifier: Apache-2.0
// How a source with mutants comes about, without the part that reads C++: sites to text, text to sites, the
// choice among them, and what the switches do.
#include <array>
#include <catch2/catch.hpp>

#include "tests/mutants/sample.h"
#include "tests/mutants/switch.h"

namespace {

using namespace kc::mutants;

Span where(const std::string& source, const std::string& part) {
  const size_t at = source.find(part);
  REQUIRE(at != std::string::npos);
  return {static_cast<unsigned>(at), static_cast<unsigned>(at + part.size())};
}

Site site(Kind kind, Span span, std::vector<Span> parts, std::string change) {
  return {.kind = kind,
          .span = span,
          .parts = std::move(parts),
          .change = std::move(change),
          .line = 1,
          .function = "f"};
}

}  // namespace

TEST_CASE("each kind of mutant is an expression behind a switch") {
  const std::string s = "if (a < b && c) continue; g(x, y); return true;";
  auto one = [&](Site x) { return mutated(s, {{std::move(x), 7}}); };
  CHECK(one(site(Kind::Relation, where(s, "a < b"), {where(s, "a"), where(s, "b")}, "lt_le")) ==
        "if (::kc::mutants::lt_le(7, a, b) && c) continue; g(x, y); return true;");
  CHECK(one(site(Kind::Logic, where(s, "a < b && c"), {where(s, "a < b"), where(s, "c")}, "all_left")) ==
        "if (::kc::mutants::all_left(7, static_cast<bool>(a < b), [&] { return static_cast<bool>(c); })) "
        "continue; "
        "g(x, y); return true;");
  CHECK(one(site(Kind::Dropped, where(s, "continue;"), {}, "jump")) ==
        "if (a < b && c) { if (!::kc::mutants::on(7)) continue; } g(x, y); return true;");
  CHECK(
      one(site(Kind::Dropped, where(s, "g(x, y)"), {}, "expression")) ==
      "if (a < b && c) continue; (::kc::mutants::on(7) ? void() : static_cast<void>(g(x, y))); return true;");
  CHECK(one(site(Kind::Exchanged, where(s, "x, y"), {where(s, "x"), where(s, "y")}, "exchanged")) ==
        "if (a < b && c) continue; g((::kc::mutants::on(7) ? y : x), (::kc::mutants::on(7) ? x : y)); return "
        "true;");
  CHECK(one(site(Kind::Truth, where(s, "true"), {}, "negated")) ==
        "if (a < b && c) continue; g(x, y); return ::kc::mutants::negated(7, true);");
}

TEST_CASE("mutants lie one in another") {
  const std::string s = "f(a + 1, b);";
  const Site sum = site(Kind::Arithmetic, where(s, "a + 1"), {where(s, "a"), where(s, "1")}, "add_sub");
  const Site one = site(Kind::Constant, where(s, "1"), {}, "next");
  const Site call = site(Kind::Dropped, where(s, "f(a + 1, b)"), {}, "expression");
  CHECK(mutated(s, {{one, 1}, {sum, 2}, {call, 3}}) ==
        "(::kc::mutants::on(3) ? void() : static_cast<void>(f(::kc::mutants::add_sub(2, a, "
        "::kc::mutants::next(1, 1)), "
        "b)));");
}

TEST_CASE("sites are written and read") {
  const std::string s = "a < b";
  const std::vector<Site> sites{
      site(Kind::Relation, where(s, "a < b"), {where(s, "a"), where(s, "b")}, "lt_ge"),
      site(Kind::Condition, where(s, "a"), {}, "negated")};
  const std::string text = to_text(sites);
  std::vector<Site> again;
  REQUIRE(from_text(text, s.size(), again));
  CHECK(to_text(again) == text);
  CHECK(again.size() == 2);
  for (const char* damaged :
       {"relation 1 f lt_ge 0 5 0 1", "relation 1 f lt_ge 0 6 0 1 4 5", "relation 1 f", "what 1 f x 0 1",
        "condition 1 f negated 3 3", "relation 1 f lt_ge 0 5 0 1 4 6"}) {
    INFO(damaged);
    std::vector<Site> none;
    CHECK_FALSE(from_text(damaged, s.size(), none));
  }
}

TEST_CASE("the choice follows the seed, and a file's share its lines") {
  auto sources = [] {
    std::vector<Source> all;
    for (unsigned lines : {100u, 300u, 10u, 50u}) {
      Source s{.file = std::to_string(lines), .text = std::string(lines, '\n'), .sites = {}, .chosen = {}};
      // The last one has nothing to change.
      for (unsigned k = 0; k < lines && lines != 50; ++k)
        s.sites.push_back(site(k % 2 ? Kind::Constant : Kind::Condition, {k, k + 1}, {}, "next"));
      all.push_back(std::move(s));
    }
    return all;
  };
  auto chosen = [&](uint64_t seed) {
    auto all = sources();
    choose(all, 43, seed);
    return all;
  };
  const auto all = chosen(1);
  std::vector<size_t> counts;
  std::string numbers, places;
  for (const Source& s : all) {
    counts.push_back(s.chosen.size());
    for (const Chosen& c : s.chosen)
      numbers += std::to_string(c.id) + " ", places += std::to_string(c.site.span.begin) + " ";
  }
  CHECK(counts == std::vector<size_t>{11, 30, 2, 0});
  CHECK(numbers.starts_with("1 2 3 "));
  CHECK(numbers.ends_with("42 43 "));
  auto places_of = [&](uint64_t seed) {
    std::string text;
    for (const Source& s : chosen(seed))
      for (const Chosen& c : s.chosen) text += std::to_string(c.site.span.begin) + " ";
    return text;
  };
  CHECK(places_of(1) == places);
  CHECK(places_of(2) != places);
}

TEST_CASE("without an active mutant everything has its value, and differences are noted") {
  REQUIRE(active == 0);
  int calls = 0;
  auto yes = [&] { return ++calls > 0; };
  CHECK_FALSE(lt_le(1, 4, 4));
  CHECK(lt_le(2, 3, 4));
  CHECK(seen[1] == (Reached | Differs));
  CHECK(seen[2] == Reached);
  CHECK_FALSE(all_any(3, false, yes));
  CHECK_FALSE(all_right(4, false, yes));
  CHECK(any_right(5, true, yes));
  CHECK(calls == 0);
  CHECK(all_left(6, true, yes));
  CHECK(seen[6] == Reached);
  CHECK(any_left(7, false, yes));
  CHECK(seen[7] == (Reached | Differs));
  CHECK(next(8, 3u) == 3);
  CHECK(negated(9, true));
  CHECK(seen[10] == 0);
}
