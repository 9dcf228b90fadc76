// SPDX-License-Identifier: Apache-2.0
#include "host/cpu_kept.h"

#include <nlohmann/json.hpp>

#include "ir/text.h"

namespace kc {
namespace {

using Json = nlohmann::json;

// The members by name, in one place for both directions: `io(name, member)`.
void members(auto&& io, auto& t) requires
    std::same_as<std::remove_const_t<std::remove_reference_t<decltype(t)>>, CpuTraits> {
  io("width", t.width), io("fixed_width", t.fixed_width), io("sees_groups", t.sees_groups);
  io("groups_known", t.groups_known), io("sub_groups", t.sub_groups), io("has_barriers", t.has_barriers);
  io("tiles", t.tiles), io("rows_along", t.rows_along), io("least_row", t.least_row);
  io("tells_overlap", t.tells_overlap), io("shows_lanes", t.shows_lanes), io("near", t.near);
  io("melds", t.melds), io("alone", t.alone), io("across_lines", t.across_lines), io("streamed", t.streamed);
  io("loop_lanes", t.loop_lanes), io("loops_first", t.loops_first), io("same_for_lanes", t.same_for_lanes);
}

void members(auto&& io, auto& p) requires
    std::same_as<std::remove_const_t<std::remove_reference_t<decltype(p)>>, ImageParam> {
  io("name", p.name), io("kind", p.kind), io("size", p.size), io("offset", p.offset);
}

void members(auto&& io, auto& i) requires
    std::same_as<std::remove_const_t<std::remove_reference_t<decltype(i)>>, CpuImage> {
  io("kernel", i.kernel), io("width", i.width), io("needs_avx512", i.needs_avx512);
  io("uses_groups", i.uses_groups), io("has_barriers", i.has_barriers), io("takes_rows", i.takes_rows);
  io("groups_meet", i.groups_meet), io("whole_groups", i.whole_groups), io("packed", i.packed);
  io("frame_bytes", i.frame_bytes);
}

template <typename T>
Json written(const T& from) {
  Json to = Json::object();
  members([&](const char* name, const auto& member) { to[name] = member; }, from);
  return to;
}

template <typename T>
T read(const Json& from) {
  T to;
  members([&](const char* name, auto& member) { from.at(name).get_to(member); }, to);
  return to;
}

std::vector<std::byte> packed(const Json& json) {
  std::vector<std::byte> bytes;
  for (uint8_t b : Json::to_cbor(json)) bytes.push_back(std::byte{b});
  return bytes;
}

// `make` reads what it is given; that the bytes have another form is no error.
template <typename Make>
auto unpacked(std::span<const std::byte> bytes, Make&& make) -> decltype(make(Json())) {
  const auto* data = reinterpret_cast<const uint8_t*>(bytes.data());
  try {
    return make(Json::from_cbor(data, data + bytes.size()));
  } catch (const Json::exception&) {
    return {};
  }
}

}  // namespace

std::vector<std::byte> to_bytes(const CpuTraits& traits) {
  Json json = written(traits);
  for (const CpuTraits& t : traits.transposed) json["transposed"] = written(t);
  return packed(json);
}

std::optional<CpuTraits> cpu_traits_of(std::span<const std::byte> bytes) {
  return unpacked(bytes, [](const Json& json) {
    auto traits = read<CpuTraits>(json);
    if (json.contains("transposed")) traits.transposed = {read<CpuTraits>(json.at("transposed"))};
    return traits.rows_along < 3 ? std::optional(traits) : std::nullopt;
  });
}

std::vector<std::byte> to_bytes(const CpuCode& code) {
  const CpuImage& image = code.machine.image;
  Json params = Json::array();
  for (const ImageParam& p : image.params) params.push_back(written(p));
  return packed({{"signature", print(*signature_of(*code.wave))},
                 {"image", written(image)},
                 {"params", std::move(params)},
                 {"code", Json::binary(image.code)},
                 {"code_bytes", code.machine.code_bytes},
                 {"tile", code.tile},
                 {"rows_along", code.rows_along},
                 {"private_bytes", code.private_bytes},
                 {"compile_nanoseconds", code.compile_nanoseconds}});
}

std::optional<CpuCode> cpu_code_of(std::span<const std::byte> bytes) {
  return unpacked(bytes, [](const Json& json) -> std::optional<CpuCode> {
    auto module = parse_module(json.at("signature").get_ref<const std::string&>());
    if (!module || module->functions.size() != 1) return {};
    CpuCode code{.wave = std::move(module->functions.front())};
    code.machine.image = read<CpuImage>(json.at("image"));
    for (const Json& p : json.at("params")) code.machine.image.params.push_back(read<ImageParam>(p));
    code.machine.image.code = json.at("code").get_binary();
    json.at("code_bytes").get_to(code.machine.code_bytes);
    json.at("tile").get_to(code.tile);
    json.at("rows_along").get_to(code.rows_along);
    json.at("private_bytes").get_to(code.private_bytes);
    json.at("compile_nanoseconds").get_to(code.compile_nanoseconds);
    if (code.rows_along > 2) return {};
    code.machine.private_bytes = code.private_bytes;
    code.machine.frame_bytes = code.machine.image.frame_bytes;
    return code;
  });
}

}  // namespace kc
