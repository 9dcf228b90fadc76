// SPDX-License-Identifier: Apache-2.0
#include "driver/engines/gcn_object.h"

#include <fmt/format.h>

#include "ir/parameters.h"
#include "sim/gcn/kernarg.h"

namespace kc {
namespace {

// A pointer, and what is known of what it points to.
std::expected<Type, std::string> pointer_type(const GcnArg& arg, ParamInfo& param) {
  const bool local = arg.kind == "dynamic_shared_pointer";
  if (!local && arg.kind != "global_buffer")
    return std::unexpected(
        fmt::format("argument '{}' is of kind '{}', which is not supported", param.name, arg.kind));
  std::string_view pointee = arg.type_name;
  if (pointee.ends_with('*')) pointee.remove_suffix(1);
  if (auto scalar = scalar_type(pointee))
    param.pointee = scalar->elem, param.is_unsigned = scalar->is_unsigned;
  return local ? kPtrLocal : kPtrGlobal;
}

std::expected<std::unique_ptr<Function>, std::string> signature(const GcnKernel& kernel) {
  auto f = std::make_unique<Function>();
  f->name = kernel.name;
  f->reqd_local = kernel.reqd_local;
  BlockId entry = f->add_block("entry");
  for (const GcnArg& arg : kernel.args) {
    if (is_hidden(arg)) continue;
    ParamInfo param{.name = arg.name.empty() ? fmt::format("arg{}", f->params.size()) : arg.name};
    if (is_role_type_name(arg.type_name)) {
      const auto hidden = parse_role_type_name(arg.type_name);
      // Formats stand in the source only. Traps are noted, without a word on where and of what type.
      if (!hidden || hidden->role == ParamRole::Printf)
        return std::unexpected(
            fmt::format("it needs '{}', which only kernelc can give: run its source", arg.name));
      param = *hidden;
    }
    if (arg.kind != "by_value") {
      auto type = pointer_type(arg, param);
      if (!type) return std::unexpected(type.error());
      f->params.push_back(std::move(param));
      f->add_param(entry, *type);
      continue;
    }
    const std::vector<GcnPart> parts = parts_of(arg);
    if (parts.empty())
      return std::unexpected(fmt::format(
          "argument '{}' of {} bytes is passed by value, which is not supported", param.name, arg.size));
    for (const GcnPart& part : parts) {
      ParamInfo one = param;
      one.is_unsigned = part.is_unsigned;
      if (parts.size() > 1)
        one.name = part_name(param.name, part.offset), one.pointee_size = static_cast<uint32_t>(arg.size);
      f->params.push_back(std::move(one));
      f->add_param(entry, part.type);
    }
  }
  Builder b(*f);
  b.block = entry;
  b.ret();
  return f;
}

}  // namespace

bool is_object_file(std::string_view bytes) {
  return bytes.starts_with(
      "\x7f"
      "ELF");
}

std::expected<Session, DriverError> open_object_session(const Options& o, std::string_view bytes) {
  auto object = load_code_object(bytes);
  if (!object)
    return failed(object.error().absent ? ExitAbsent
                  : object.error().io   ? ExitIo
                                        : ExitSource,
                  fmt::format("'{}': {}", o.file, object.error().message));
  Session s;
  for (const GcnKernel& k : object->kernels) {
    if (!o.kernel.empty() && k.name != o.kernel) continue;
    auto f = signature(k);
    if (!f) return failed(ExitSource, fmt::format("kernel '{}': {}", k.name, f.error()));
    s.module.functions.push_back(std::move(*f));
  }
  s.program.object = std::make_shared<const GcnObject>(std::move(*object));
  if (auto ok = choose_launch(s, o); !ok) return std::unexpected(ok.error());
  s.program.source = s.kernel;
  return s;
}

}  // namespace kc
