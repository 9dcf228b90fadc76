// SPDX-License-Identifier: Apache-2.0
#include "frontend/source/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "frontend/source/nearest_name.h"

namespace kc::front {

Diagnostic& Diagnostic::note(SourceRange where, std::string text) {
  Diagnostic& n = notes.emplace_back();
  n.severity = Severity::Note;
  n.caret = where.begin;
  n.range = where;
  n.message = std::move(text);
  return *this;
}

Diagnostic& Diagnostic::underline(SourceRange where) {
  others.push_back(where);
  return *this;
}

Diagnostic& Diagnostic::fix(SourceRange where, std::string replacement) {
  fixits.push_back({where, std::move(replacement)});
  return *this;
}

void Diagnostics::apply_warning_options(const std::vector<std::string>& options) {
  for (const std::string& option : options) {
    if (options_.apply(option)) continue;
    std::string_view name = option, prefix;
    for (std::string_view p : {"error=", "no-error=", "no-"})
      if (prefix.empty() && name.starts_with(p)) prefix = p;
    name.remove_prefix(prefix.size());
    std::string_view near = nearest_name(name, warning_option_names());
    std::string meant = near.empty() ? "" : fmt::format("; did you mean '-W{}{}'?", prefix, near);
    warning(Warning::UnknownWarningOption, NoRange,
            fmt::format("unknown warning option '-W{}'{}", option, meant));
  }
}

Diagnostic& Diagnostics::add(Severity severity, Position caret, SourceRange range, std::string message) {
  Diagnostic& d = list_.emplace_back();
  d.severity = severity;
  d.caret = caret;
  d.range = range;
  d.message = std::move(message);
  return d;
}

Diagnostic& Diagnostics::error_at(Position caret, SourceRange range, std::string message) {
  saturated_ = saturated_ || (error_limit_ > 0 && errors_ >= error_limit_);
  if (saturated_) return discarded_ = Diagnostic{};
  ++errors_;
  ++hard_errors_;
  return add(Severity::Error, caret, range, std::move(message));
}

Diagnostic& Diagnostics::error_once(std::string key, SourceRange range, std::string message) {
  auto [known, fresh] = keys_.try_emplace(std::move(key), nullptr);
  if (fresh) known->second = &error(range, std::move(message));
  return !fresh && sources_.in_macro(range.begin) ? discarded_ = Diagnostic{} : *known->second;
}

Diagnostic& Diagnostics::warning_at(Warning flag, Position caret, SourceRange range, std::string message) {
  if (!options_.shown(flag)) return discarded_ = Diagnostic{};
  bool is_error = options_.is_error(flag);
  if (is_error) saturated_ = saturated_ || (error_limit_ > 0 && errors_ >= error_limit_);
  if ((is_error && saturated_) || (!is_error && warnings_++ >= MaxWarnings)) return discarded_ = Diagnostic{};
  errors_ += is_error;
  Diagnostic& d = add(is_error ? Severity::Error : Severity::Warning, caret, range, std::move(message));
  d.flag = flag;
  return d;
}

Diagnostic& Diagnostics::remark(std::string pass, Position at, std::string message) {
  Diagnostic& d = add(Severity::Remark, at, {at, at}, std::move(message));
  d.pass = std::move(pass);
  return d;
}

std::vector<Position> Diagnostics::error_places() const {
  std::vector<Position> places;
  for (const Diagnostic& d : list_)
    for (Position at = d.severity == Severity::Error ? d.caret : NoPosition; at != NoPosition;
         at = sources_.included_at(at))
      places.push_back(sources_.in_file(at));
  return places;
}

std::vector<const Diagnostic*> Diagnostics::in_order() const {
  std::vector<std::pair<std::vector<Position>, const Diagnostic*>> keyed;
  for (const Diagnostic& d : list_) keyed.emplace_back(sources_.reading_order(d.caret), &d);
  std::stable_sort(keyed.begin(), keyed.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<const Diagnostic*> order;
  for (const auto& [key, d] : keyed) order.push_back(d);
  return order;
}

std::vector<const Diagnostic*> Diagnostics::with_notes(const Diagnostic& d,
                                                       std::deque<Diagnostic>& made) const {
  std::vector<const Diagnostic*> all{&d};
  if (d.caret != NoPosition) {
    std::vector<Sources::MacroStep> steps = sources_.macro_steps(d.caret, d.range);
    size_t skipped = steps.size() > MaxMacroNotes ? steps.size() - MaxMacroNotes : 0;
    for (size_t i = 0; i < steps.size(); ++i) {
      if (skipped && i == MaxMacroNotes / 2) i += skipped;
      std::string more =
          skipped && i == MaxMacroNotes / 2 + skipped ? fmt::format(" ({} more before)", skipped) : "";
      Diagnostic& n = made.emplace_back();
      n.severity = Severity::Note;
      n.caret = steps[i].caret;
      n.range = steps[i].range;
      n.message = fmt::format("expanded from macro '{}'{}", steps[i].macro, more);
      all.push_back(&n);
    }
  }
  for (const Diagnostic& n : d.notes)
    for (const Diagnostic* inner : with_notes(n, made)) all.push_back(inner);
  return all;
}

std::vector<FixIt> Diagnostics::usable_fixits(const Diagnostic& d) const {
  for (const FixIt& f : d.fixits)
    if (f.range.begin == NoPosition || sources_.in_macro(f.range.begin) || sources_.in_macro(f.range.end))
      return {};
  return d.fixits;
}

std::string Diagnostics::flag_text(const Diagnostic& d) const {
  if (!d.pass.empty()) return fmt::format("-Rpass={}", d.pass);
  if (d.flag == Warning::Count_) return {};
  return fmt::format("{}-W{}", d.severity == Severity::Error ? "-Werror," : "", row(d.flag).name);
}

}  // namespace kc::front
