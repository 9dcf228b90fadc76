// SPDX-License-Identifier: Apache-2.0
#include "driver/reflect.h"

#include <nlohmann/json.hpp>

#include "host/traps.h"
#include "ir/launch.h"
#include "ir/parameters.h"
#include "ir/text.h"

namespace kc {
namespace {

using Json = nlohmann::ordered_json;

// A vector or structure: the numbers in it.
Json reflect_parts(const Function& f, const SourceParameter& whole) {
  Json parts = Json::array();
  for (size_t i = whole.first; i < whole.first + whole.count; ++i)
    parts.push_back({{"offset", part_offset(f.params[i])},
                     {"type", to_string(f.type(f.block(f.entry()).params[i]))},
                     {"unsigned", f.params[i].is_unsigned}});
  return {{"name", whole.name}, {"type", "parts"}, {"size", whole.size}, {"parts", parts}};
}

Json reflect_parameters(const Function& f) {
  Json params = Json::array();
  const auto& values = f.block(f.entry()).params;
  for (const SourceParameter& whole : source_parameters(f)) {
    const ParamInfo& p = f.params[whole.first];
    if (whole.has_parts()) {
      params.push_back(reflect_parts(f, whole));
      continue;
    }
    Type type = f.type(values[whole.first]);
    Json one{{"name", p.name}, {"type", to_string(type)}, {"size", type.bytes()}};
    if (type.is_pointer())
      one["element"] = p.pointee_size ? "struct"
                       : p.is_half    ? "f16"
                                      : to_string(Type{p.pointee}),
      one["element_size"] = p.pointee_size ? p.pointee_size : Type{p.pointee}.bytes(),
      one["const"] = p.is_const, one["restrict"] = p.is_restrict;
    one["unsigned"] = p.is_unsigned;
    params.push_back(std::move(one));
  }
  return params;
}

}  // namespace

Json reflect(const Function& f, const Resources* resources) {
  Json kernel{{"name", f.name}, {"params", reflect_parameters(f)}};
  if (f.reqd_local[0]) kernel["reqd_work_group_size"] = required_groups(f);
  if (f.reqd_sub_group) kernel["reqd_sub_group_size"] = f.reqd_sub_group;
  uint64_t local = 0;
  for (const MemoryObject& o : f.objects)
    if (o.type == kPtrLocal) local += o.size;
  kernel["local_bytes"] = local;
  Json sites = Json::array();
  for (const TrapSite& t : f.traps) {
    Json site{{"kind", trap_name(t.kind)}, {"type", t.type}, {"line", t.loc.line}};
    if (t.loc.file) site["file"] = file_of(f, t.loc, "");
    sites.push_back(std::move(site));
  }
  kernel["traps"] = sites;
  if (resources) {
    Json& counts = kernel["resources"] = Json::object();
    for (const auto& [name, count] : *resources) counts[name] = count;
  }
  return kernel;
}

}  // namespace kc
