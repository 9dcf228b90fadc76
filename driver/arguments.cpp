// SPDX-License-Identifier: Apache-2.0
#include "driver/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "driver/argument_values.h"
#include "frontend/source/nearest_name.h"
#include "ir/parameters.h"

namespace kc {
namespace {

int find_param(std::span<const SourceParameter> params, std::string_view name) {
  for (size_t i = 0; i < params.size(); ++i)
    if (params[i].name == name) return static_cast<int>(i);
  return -1;
}

// (NUMBER,...) in the order of the parts, or @FILE with the bytes of the whole.
std::expected<void, DriverError> parse_parts(const Function& kernel, const SourceParameter& param,
                                             std::string_view spec, std::vector<ArgumentValue>& values) {
  const auto& types = kernel.block(kernel.entry()).params;
  std::optional<std::string> bytes;
  if (spec.starts_with("@")) {
    auto text = read_input(std::string(spec.substr(1)));
    if (!text) return std::unexpected(text.error());
    if (text->size() != param.size)
      return std::unexpected(
          DriverError{ExitIo, fmt::format("argument '{}': '{}' has {} bytes, expected {}", param.name,
                                          spec.substr(1), text->size(), param.size)});
    bytes = std::move(*text);
  } else if (!spec.starts_with("(") || !spec.ends_with(")")) {
    return usage_error(fmt::format(
        "argument '{}': a vector or structure needs (NUMBER,...) or @FILE, got '{}'", param.name, spec));
  } else {
    spec = spec.substr(1, spec.size() - 2);
  }
  if (const auto given = static_cast<size_t>(std::ranges::count(spec, ',')) + 1;
      !bytes && given != param.count)
    return usage_error(fmt::format("argument '{}' has {} numbers, not {}", param.name, param.count, given));
  for (size_t i = 0; i < param.count; ++i) {
    const ParamInfo& part = kernel.params[param.first + i];
    Type type = kernel.type(types[param.first + i]);
    ArgumentValue value;
    if (bytes) {
      std::memcpy(&value.bits, bytes->data() + part_offset(part), type.bytes());
    } else {
      std::string_view number = spec.substr(0, spec.find(','));
      const bool last = number.size() == spec.size();
      while (number.starts_with(' ')) number.remove_prefix(1);
      auto bits = parse_scalar(number, {type.elem, part.is_unsigned});
      if (!bits) return usage_error(fmt::format("argument '{}': {}", param.name, bits.error()));
      value.bits = *bits;
      spec.remove_prefix(last ? spec.size() : spec.find(',') + 1);
    }
    values.push_back(value);
  }
  return {};
}

}  // namespace

std::optional<ElementType> parse_element_type(std::string_view text) {
  struct Row {
    std::string_view name;
    Elem elem;
  };
  static constexpr Row rows[] = {{"8", Elem::I8}, {"16", Elem::I16}, {"32", Elem::I32}, {"64", Elem::I64}};
  if (text == "f32") return ElementType{Elem::F32, false};
  if (text == "f64") return ElementType{Elem::F64, false};
  if (text == "f16") return ElementType{Elem::I16, false, true};
  if (text.empty() || (text[0] != 'i' && text[0] != 'u')) return std::nullopt;
  for (const Row& r : rows)
    if (r.name == text.substr(1)) return ElementType{r.elem, text[0] == 'u'};
  return std::nullopt;
}

namespace {

// What --arg could say of the parameter.
std::string example(const Function& kernel, const SourceParameter& whole) {
  const ParamInfo& p = kernel.params[whole.first];
  const Type type = kernel.type(kernel.block(kernel.entry()).params[whole.first]);
  if (whole.has_parts()) return fmt::format("{}=(NUMBER,...)", whole.name);
  if (!type.is_pointer()) return fmt::format("{}={}", whole.name, type.is_float() ? "1.5" : "1");
  const ElementType element = p.pointee == Elem::Void ? ElementType{Elem::I8, true}
                                                      : ElementType{p.pointee, p.is_unsigned, p.is_half};
  return fmt::format("{}={}[N]", whole.name, short_name(element));
}

void report_missing(const Function& kernel, std::span<const SourceParameter> missing, Problems& problems) {
  if (missing.empty()) return;
  std::string names, examples;
  for (size_t i = 0; i < missing.size(); ++i) {
    names += fmt::format("{}'{}'", i == 0 ? "" : i + 1 == missing.size() ? " and " : ", ", missing[i].name);
    examples += fmt::format(" --arg \"{}\"", example(kernel, missing[i]));
  }
  const bool one = missing.size() == 1;
  problems.add(fmt::format("parameter{} {} of kernel '{}' {} no --arg; write{}", one ? "" : "s", names,
                           kernel.name, one ? "has" : "have", examples));
}

// What each parameter is given, by name or in order.
std::vector<std::optional<std::string>> match_arguments(const Function& kernel,
                                                        std::span<const SourceParameter> params,
                                                        const std::vector<std::string>& specs,
                                                        Problems& problems) {
  std::vector<std::optional<std::string>> given(params.size());
  std::vector<std::string_view> names;
  for (const SourceParameter& p : params) names.push_back(p.name);
  size_t next = 0;
  bool misnamed = false;
  for (const std::string& spec : specs) {
    const size_t eq = spec.find('=');
    const std::string_view name = std::string_view(spec).substr(0, eq);
    int named = eq == std::string::npos ? -1 : find_param(params, name);
    if (eq != std::string::npos && named < 0) {
      misnamed = true;
      problems.add(fmt::format("kernel '{}' has no parameter '{}' (it has: {}){}", kernel.name, name,
                               fmt::join(names, ", "),
                               front::did_you_mean(front::nearest_name(name, names))));
      continue;
    }
    size_t i = static_cast<size_t>(named);
    if (named < 0) {
      while (next < given.size() && given[next]) ++next;
      if (next >= given.size()) {
        problems.add(fmt::format("kernel '{}' has no parameter for '--arg {}'", kernel.name, spec));
        continue;
      }
      i = next;
    }
    if (given[i]) problems.add(fmt::format("parameter '{}' is given twice", params[i].name));
    given[i] = named < 0 ? spec : spec.substr(eq + 1);
  }
  std::vector<SourceParameter> missing;
  for (size_t i = 0; i < params.size(); ++i)
    if (!given[i]) missing.push_back(params[i]);
  // A parameter whose name was misspelt is not missing as well.
  if (!misnamed || missing.size() > 1) report_missing(kernel, missing, problems);
  return given;
}

// Turns what the parameters are given into values.
class ArgumentParser {
 public:
  ArgumentParser(const Function& kernel, std::span<const BufferArg* const> given)
      : kernel_(kernel), wholes_(source_parameters(kernel)), given_(given) {}

  std::expected<KernelArguments, DriverError> parse(const std::vector<std::string>& specs) {
    auto matched = match_arguments(kernel_, wholes_, specs, problems_);
    for (size_t i = 0; i < wholes_.size(); ++i) {
      if (!matched[i]) continue;
      if (auto ok = one(wholes_[i], *matched[i]); !ok) problems_.add(ok.error());
    }
    if (!problems_.error()) share_buffers();
    if (problems_.error()) return std::unexpected(*problems_.error());
    return std::move(args_);
  }

 private:
  std::expected<void, DriverError> one(const SourceParameter& whole, const std::string& spec) {
    if (whole.has_parts()) return parse_parts(kernel_, whole, spec, args_.values);
    const ParamInfo& p = kernel_.params[whole.first];
    const Type type = kernel_.type(kernel_.block(kernel_.entry()).params[whole.first]);
    ArgumentValue value;
    std::expected<void, DriverError> done;
    if (!type.is_pointer()) {
      auto bits = spec.starts_with('#') ? std::unexpected(std::string("it needs a number, not a buffer"))
                                        : parse_scalar(spec, {type.elem, p.is_unsigned});
      if (!bits) return usage_error(fmt::format("argument '{}': {}", p.name, bits.error()));
      value.bits = *bits;
    } else if (type == kPtrLocal) {
      done = local(p, spec, value);
    } else if (spec.starts_with('&')) {
      shared_.emplace_back(whole.first, spec.substr(1));
    } else if (spec.starts_with('#') && !given_.empty()) {
      value.buffer = std::stoi(spec.substr(1));
      done = check_buffer(p, *given_[static_cast<size_t>(value.buffer)]);
    } else {
      auto buffer = make_buffer(p, spec);
      if (!buffer) return std::unexpected(buffer.error());
      value.buffer = static_cast<int>(args_.buffers.size());
      args_.buffers.push_back(std::move(*buffer));
    }
    args_.values.push_back(value);
    return done;
  }

  std::expected<void, DriverError> local(const ParamInfo& p, const std::string& spec, ArgumentValue& value) {
    auto bytes = local_size(p, spec);
    if (!bytes) return std::unexpected(bytes.error());
    local_bytes_ += *bytes;
    if (local_bytes_ > kMaxLocalBytes)
      return usage_error(
          fmt::format("argument '{}': more than {} MiB of local memory", p.name, kMaxLocalBytes >> 20));
    value.bits = *bytes;
    value.is_local = true;
    return {};
  }

  // &NAME
  void share_buffers() {
    for (auto& [i, name] : shared_) {
      const int other = find_param(wholes_, name);
      const int buffer = other < 0 ? -1 : args_.values[wholes_[static_cast<size_t>(other)].first].buffer;
      if (buffer < 0)
        problems_.add(fmt::format("argument '{}': '&{}' names no parameter that is given a buffer of its own",
                                  kernel_.params[i].name, name));
      args_.values[i].buffer = buffer;
    }
  }

  const Function& kernel_;
  std::vector<SourceParameter> wholes_;
  std::span<const BufferArg* const> given_;
  KernelArguments args_;
  Problems problems_;
  uint64_t local_bytes_ = 0;
  std::vector<std::pair<size_t, std::string>> shared_;
};

}  // namespace

std::expected<KernelArguments, DriverError> parse_arguments(const Function& kernel,
                                                            const std::vector<std::string>& specs,
                                                            std::span<const BufferArg* const> given) {
  return ArgumentParser(kernel, given).parse(specs);
}

uint64_t load_element(const BufferArg& buffer, ElementType type, size_t index) {
  uint64_t bits = 0;
  std::memcpy(&bits, buffer.bytes.data() + index * type.bytes(), type.bytes());
  return bits;
}

}  // namespace kc
