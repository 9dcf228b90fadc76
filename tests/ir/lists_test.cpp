// SPDX-License-Identifier: Apache-2.0
// The containers of the IR against those of the standard library, and uniqueness of constants.
#include <catch2/catch.hpp>
#include <random>
#include <string>

#include "ir/function.h"
#include "ir/owned_list.h"
#include "ir/stable_list.h"
#include "ir/value_list.h"

using namespace kc;

namespace {

using List = ShortList<uint32_t, 4>;

std::vector<uint32_t> items(const List& list) { return {list.begin(), list.end()}; }

// Applies one random operation to both.
void step(std::mt19937& random, List& list, std::vector<uint32_t>& same) {
  auto below = [&](size_t n) { return n ? random() % n : 0; };
  const uint32_t item = static_cast<uint32_t>(random());
  const size_t first = below(same.size() + 1), last = first + below(same.size() - first + 1);
  const auto at = [](size_t i) { return static_cast<ptrdiff_t>(i); };
  switch (random() % 9) {
    case 0:
    case 1:
      list.push_back(item), same.push_back(item);
      break;
    case 2:
      list.insert(list.begin() + first, item), same.insert(same.begin() + at(first), item);
      break;
    case 3: {  // some of its own items
      const std::vector<uint32_t> some(same.begin() + at(first), same.begin() + at(last));
      const size_t where = below(same.size() + 1);
      list.insert(list.begin() + where, list.begin() + first, list.begin() + last);
      same.insert(same.begin() + at(where), some.begin(), some.end());
      break;
    }
    case 4:
      list.erase(list.begin() + first, list.begin() + last);
      same.erase(same.begin() + at(first), same.begin() + at(last));
      break;
    case 5:
      if (first == same.size()) break;
      list.erase(list.begin() + first), same.erase(same.begin() + at(first));
      break;
    case 6:
      list.resize(below(12), item), same.resize(list.size(), item);
      break;
    case 7:
      list.assign(list.begin() + first, list.begin() + last);
      same = std::vector<uint32_t>(same.begin() + at(first), same.begin() + at(last));
      break;
    case 8:
      if (random() % 8 == 0) list.clear(), same.clear();
      break;
  }
}

}  // namespace

TEST_CASE("short lists do as vectors do, within themselves and beyond") {
  std::mt19937 random(1);
  size_t longest = 0;
  for (int run = 0; run < 200; ++run) {
    List list;
    std::vector<uint32_t> same;
    for (int i = 0; i < 60 && same.size() < 40; ++i) {
      step(random, list, same);
      REQUIRE(items(list) == same);
      longest = std::max(longest, same.size());
      if (i % 7 == 0) {  // through copies and moves, onto short and long ones
        List copy = list, other(random() % 9, 7u);
        other = copy;
        REQUIRE(items(other) == same);
        List moved = std::move(copy);
        CHECK(copy.empty());  // NOLINT: the state of a moved-from list is part of its contract
        copy.push_back(3);
        CHECK(items(copy) == std::vector<uint32_t>{3});
        std::swap(copy, moved);
        REQUIRE(items(copy) == same);
        List& itself = other;
        other = itself;
        REQUIRE(other == list);
      }
    }
  }
  CHECK(longest > 20);
}

TEST_CASE("stable lists keep what refers to their items") {
  StableList<std::vector<int>> list;
  std::vector<const std::vector<int>*> places;
  for (int i = 0; i < 1000; ++i) {
    std::vector<int>& item = list.add();
    item = {i, i + 1};
    places.push_back(&item);
  }
  StableList<std::vector<int>> copy = list;
  StableList<std::vector<int>> moved = std::move(list);
  REQUIRE(moved.size() == 1000);
  for (size_t i = 0; i < 1000; ++i) {
    CHECK(&moved[i] == places[i]);
    CHECK(&copy[i] != places[i]);
    CHECK(copy[i] == *places[i]);
    copy[i].clear();
    CHECK(moved[i] == std::vector<int>{static_cast<int>(i), static_cast<int>(i) + 1});
  }
  for (size_t n : {900, 128, 0}) {
    moved.truncate(n);
    CHECK(moved.size() == n);
    if (n > 0) CHECK(&moved[n - 1] == places[n - 1]);
    CHECK(moved.add().empty());
  }
}

TEST_CASE("equal constants are one value") {
  Function f;
  std::vector<std::pair<Type, uint64_t>> numbers;
  for (uint64_t i = 0; i < 3000; ++i) {
    numbers.emplace_back(kI64, i << 44);
    numbers.emplace_back(kI64, i | uint64_t{1} << 63);
    numbers.emplace_back(kI32, i);
    numbers.emplace_back(kF64, std::bit_cast<uint64_t>(static_cast<double>(i)));
  }
  std::vector<ValueId> values;
  for (auto [type, bits] : numbers) values.push_back(f.constant(type, bits));
  for (size_t i = 0; i < numbers.size(); ++i) {
    CHECK(f.constant(numbers[i].first, numbers[i].second) == values[i]);
    CHECK(f.type(values[i]) == numbers[i].first);
    CHECK(f.value(values[i]).bits == numbers[i].second);
  }
  std::ranges::sort(values, {}, &ValueId::index);
  CHECK(std::ranges::adjacent_find(values) == values.end());
}

TEST_CASE("owned lists do as vectors do") {
  std::mt19937 random(2);
  for (int run = 0; run < 200; ++run) {
    OwnedList<std::string> list;
    std::vector<std::string> same;
    for (int i = 0; i < 40; ++i) {
      const std::string item(random() % 40, static_cast<char>('a' + random() % 26));
      const size_t at = same.empty() ? 0 : random() % same.size();
      switch (random() % 6) {
        case 0:
        case 1:
          list.push_back(item), same.push_back(item);
          break;
        case 2:
          if (same.empty()) break;
          list.push_back(list[at]), same.push_back(std::string(same[at]));
          break;
        case 3:
          if (same.empty()) break;
          list.erase(list.begin() + at), same.erase(same.begin() + static_cast<ptrdiff_t>(at));
          break;
        case 4:
          if (same.empty()) break;
          list.pop_back(), same.pop_back();
          break;
        default:
          list.resize(random() % 8), same.resize(list.size());
          break;
      }
      REQUIRE(std::ranges::equal(list, same));
      if (i % 7 != 0) continue;
      OwnedList<std::string> copy = list, other{"of", "another"};
      other = copy;
      CHECK(std::ranges::equal(other, same));
      OwnedList<std::string> moved = std::move(copy);
      CHECK(copy.empty());  // NOLINT: the state of a moved-from list is part of its contract
      CHECK(std::ranges::equal(moved, same));
    }
    list.clear();
    CHECK(list.empty());
  }
}
