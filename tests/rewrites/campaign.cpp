// SPDX-License-Identifier: Apache-2.0
#include "tests/rewrites/campaign.h"

#include "fuzz/random.h"
#include "tests/rewrites/patterns.h"

namespace kc::rewrites {
namespace {

constexpr uint64_t kChoicesOfVariants = 8;
constexpr uint64_t kFewChoices = 20;  // as many as a type has constants that matter: all are taken
constexpr uint64_t kFullTypings = 2;  // of a pattern: with all choices, if they are few
constexpr int kTries = 8;             // to draw a choice that repeats no other
constexpr size_t kMostTerms = 4'000'000;

class Examiner {
 public:
  explicit Examiner(Judge& judge) : judge_(judge), random_(7) {}

  void draw(const Skeleton& s, uint64_t choices) {
    for (uint64_t k = 0; k < choices; ++k)
      for (int n = 0; n < kTries; ++n)
        if (examine(s, random_.bits() % s.size())) break;
  }
  void take_all_if_few(const Skeleton& s) {
    if (s.size() > kFewChoices) return draw(s, 1);
    for (uint64_t k = 0; k < s.size(); ++k) examine(s, k);
  }
  void take_every(const Skeleton& s, uint64_t index, uint64_t slices) {
    for (uint64_t k = (index + slices - passed_ % slices) % slices; k < s.size(); k += slices) examine(s, k);
    passed_ += s.size();
  }

 private:
  bool examine(const Skeleton& s, uint64_t choice) {
    const auto expression = s.expression(terms_, choice);
    if (!expression) return false;
    judge_.examine(terms_, *expression);
    if (terms_.size() > kMostTerms) terms_ = Terms(), judge_.forget();
    return true;
  }

  Judge& judge_;
  Terms terms_;
  fuzz::Random random_;
  uint64_t passed_ = 0;  // choices of the skeletons so far
};

}  // namespace

void examine_some(Judge& judge, uint64_t step) {
  judge.forget();
  Examiner examiner(judge);
  uint64_t n = 0;
  for_each_single([&](const Skeleton& s) { examiner.draw(s, 1); });
  for_each_pair([&](const Skeleton& s) {
    if (n++ % step == 0) examiner.draw(s, 1);
  });
  for (const std::string& pattern : patterns()) {
    uint64_t typing = 0;
    for_each_typing(pattern, [&](const Skeleton& s) {
      if (typing++ < kFullTypings)
        examiner.take_all_if_few(s);
      else
        examiner.draw(s, 1);
    });
  }
}

void examine_slice(Judge& judge, uint64_t index, uint64_t slices) {
  judge.forget();
  Examiner examiner(judge);
  auto take = [&](const Skeleton& s) { examiner.take_every(s, index, slices); };
  for_each_single(take);
  for_each_pair(take);
  uint64_t n = 0;
  for (const std::string& pattern : patterns()) {
    for_each_typing(pattern, take);
    for (const auto& variants : {near_misses(pattern), users_of_pattern(pattern)})
      for (const std::string& variant : variants)
        if (n++ % slices == index)
          for_each_typing(variant, [&](const Skeleton& s) { examiner.draw(s, kChoicesOfVariants); });
  }
}

}  // namespace kc::rewrites
