// SPDX-License-Identifier: Apache-2.0
#include "driver/gcn_object.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/gcn_kernarg.h"

namespace kc {
namespace {

auto failed(int status, std::string message) {
  return std::unexpected(DriverError{status, std::move(message)});
}

// OpenCL's names of scalar types; structures and vectors are read as bytes.
struct TypeName {
  std::string_view name;
  Elem elem;
  bool is_unsigned;
};
constexpr TypeName kTypeNames[] = {{"char", Elem::I8, false},   {"uchar", Elem::I8, true},
                                   {"short", Elem::I16, false}, {"ushort", Elem::I16, true},
                                   {"int", Elem::I32, false},   {"uint", Elem::I32, true},
                                   {"long", Elem::I64, false},  {"ulong", Elem::I64, true},
                                   {"float", Elem::F32, false}, {"double", Elem::F64, false}};

const TypeName* find_type(std::string_view name) {
  const auto* at = std::ranges::find(kTypeNames, name, &TypeName::name);
  return at == std::end(kTypeNames) ? nullptr : at;
}

std::expected<Type, std::string> scalar_type(const GcnArg& arg, ParamInfo& param) {
  if (const TypeName* known = find_type(arg.type_name); known && Type{known->elem}.bytes() == arg.size) {
    param.is_unsigned = known->is_unsigned;
    return Type{known->elem};
  }
  param.is_unsigned = true;
  for (Elem e : {Elem::I8, Elem::I16, Elem::I32, Elem::I64})
    if (Type{e}.bytes() == arg.size) return Type{e};
  return std::unexpected(fmt::format("argument '{}' of {} bytes is passed by value, which is not supported",
                                     param.name, arg.size));
}

std::expected<Type, std::string> type_of(const GcnArg& arg, ParamInfo& param) {
  bool local = arg.kind == "dynamic_shared_pointer";
  if (arg.kind == "by_value") return scalar_type(arg, param);
  if (!local && arg.kind != "global_buffer")
    return std::unexpected(
        fmt::format("argument '{}' is of kind '{}', which is not supported", param.name, arg.kind));
  std::string_view pointee = arg.type_name;
  if (pointee.ends_with('*')) pointee.remove_suffix(1);
  if (const TypeName* known = find_type(pointee))
    param.pointee = known->elem, param.is_unsigned = known->is_unsigned;
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
    param.hidden = arg.type_name.starts_with("kernelc.");
    // Tables and formats stand in the source only. Traps are noted, without a word on where and of what type.
    if (arg.type_name == "kernelc.constants" || arg.type_name == "kernelc.printf")
      return std::unexpected(
          fmt::format("it needs '{}', which only kernelc can give: run its source", arg.name));
    auto type = type_of(arg, param);
    if (!type) return std::unexpected(type.error());
    f->params.push_back(std::move(param));
    f->add_param(entry, *type);
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
    return failed(object.error().starts_with("component absent") ? ExitAbsent : ExitSource,
                  fmt::format("'{}': {}", o.file, object.error()));
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
