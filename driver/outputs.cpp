// SPDX-License-Identifier: Apache-2.0
// What happens to buffers after a launch: raw bytes, elements as text, pictures.
#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <csetjmp>

#include "driver/arguments.h"
#include "frontend/source/nearest_name.h"

namespace kc {
namespace {

std::expected<const BufferArg*, DriverError> find_buffer(const Function& kernel, const KernelArguments& args,
                                                         std::string_view name) {
  for (size_t i = 0; i < args.values.size(); ++i)
    if (kernel.params[i].name == name) {
      if (args.values[i].buffer < 0) return usage_error(fmt::format("'{}' is not a buffer", name));
      return &args.buffers[static_cast<size_t>(args.values[i].buffer)];
    }
  std::vector<std::string_view> buffers;
  for (size_t i = 0; i < args.values.size(); ++i)
    if (args.values[i].buffer >= 0) buffers.push_back(kernel.params[i].name);
  return usage_error(fmt::format("kernel '{}' has no parameter '{}' (buffers: {}){}", kernel.name, name,
                                 fmt::join(buffers, ", "),
                                 front::did_you_mean(front::nearest_name(name, buffers))));
}

struct PrintSpec {
  const BufferArg* buffer = nullptr;
  size_t begin = 0, end = 0;
};
std::expected<PrintSpec, DriverError> parse_print(const Function& kernel, const KernelArguments& args,
                                                  std::string_view spec) {
  size_t open = spec.find('[');
  auto buffer = find_buffer(kernel, args, spec.substr(0, open));
  if (!buffer) return std::unexpected(buffer.error());
  size_t count = (*buffer)->bytes.size() / (*buffer)->type.bytes();
  PrintSpec p{*buffer, 0, count};
  if (open == std::string_view::npos) return p;
  auto bad = [&] {
    return usage_error(fmt::format("'--print {}': expected NAME[a:b] within 0:{}", spec, count));
  };
  std::string_view range = spec.substr(open + 1);
  if (!range.ends_with("]")) return bad();
  range.remove_suffix(1);
  size_t colon = range.find(':');
  auto number = [&](std::string_view text, size_t& out) {
    if (text.empty()) return true;
    auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), out);
    return ec == std::errc{} && end == text.data() + text.size();
  };
  if (!number(range.substr(0, colon), p.begin)) return bad();
  if (colon == std::string_view::npos)
    p.end = p.begin + 1;
  else if (!number(range.substr(colon + 1), p.end))
    return bad();
  if (p.begin > p.end || p.end > count) return bad();
  return p;
}

struct ImageSpec {
  const BufferArg* buffer = nullptr;
  std::string file, map = "grey";
  size_t width = 0, height = 0;
};
std::expected<ImageSpec, DriverError> parse_image(const Function& kernel, const KernelArguments& args,
                                                  std::string_view spec) {
  auto bad = [&] {
    return usage_error(fmt::format("'--image {}': expected NAME=FILE.png:WxH[:grey|heat]", spec));
  };
  size_t eq = spec.find('=');
  if (eq == std::string_view::npos) return bad();
  auto buffer = find_buffer(kernel, args, spec.substr(0, eq));
  if (!buffer) return std::unexpected(buffer.error());
  ImageSpec image{.buffer = *buffer};
  std::string_view rest = spec.substr(eq + 1);
  size_t colon = rest.find(':');
  if (colon == std::string_view::npos) return bad();
  image.file = rest.substr(0, colon);
  if (!image.file.ends_with(".png")) return bad();  // pictures of other formats are not made
  rest = rest.substr(colon + 1);
  if (size_t map = rest.find(':'); map != std::string_view::npos)
    image.map = rest.substr(map + 1), rest = rest.substr(0, map);
  if (image.map != "grey" && image.map != "heat") return bad();
  size_t x = rest.find('x');
  if (x == std::string_view::npos) return bad();
  auto number = [](std::string_view text, size_t& out) {
    auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), out);
    return ec == std::errc{} && end == text.data() + text.size() && out > 0 && out <= 65535;
  };
  if (!number(rest.substr(0, x), image.width) || !number(rest.substr(x + 1), image.height)) return bad();
  size_t count = image.buffer->bytes.size() / image.buffer->type.bytes();
  if (image.width * image.height > count)
    return usage_error(fmt::format("'--image {}': the buffer has {} elements", spec, count));
  return image;
}

double as_number(const BufferArg& b, size_t i) {
  uint64_t bits = load_element(b, i);
  if (b.type.is_float()) return float_value(b.type, bits);
  unsigned width = Type{b.type.elem}.bits();
  if (b.type.is_unsigned) return static_cast<double>(bits);
  return static_cast<double>(static_cast<int64_t>(bits << (64 - width)) >> (64 - width));
}

// Black, indigo, orange, white: dark to light, readable for the colour-blind and in print.
void heat(double v, uint8_t* rgb) {
  static constexpr double stops[4][3] = {{0, 0, 4}, {80, 18, 123}, {249, 142, 9}, {252, 255, 164}};
  double x = std::clamp(v, 0.0, 1.0) * 3;
  auto k = std::min<size_t>(static_cast<size_t>(x), 2);
  for (size_t c = 0; c < 3; ++c)
    rgb[c] = static_cast<uint8_t>(
        std::lround(stops[k][c] + (stops[k + 1][c] - stops[k][c]) * (x - static_cast<double>(k))));
}

std::expected<std::string, DriverError> encode_png(const std::vector<uint8_t>& rgb, size_t width,
                                                   size_t height) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width);
  image.height = static_cast<png_uint_32>(height);
  image.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = 0;
  std::string bytes;
  if (png_image_write_to_memory(&image, nullptr, &size, 0, rgb.data(), 0, nullptr)) {
    bytes.resize(size);
    if (png_image_write_to_memory(&image, bytes.data(), &size, 0, rgb.data(), 0, nullptr)) return bytes;
  }
  return std::unexpected(DriverError{ExitIo, fmt::format("cannot encode the picture: {}", image.message)});
}

}  // namespace

std::expected<void, DriverError> dump_buffer(const Function& kernel, const KernelArguments& args,
                                             const std::string& spec) {
  size_t eq = spec.find('=');
  if (eq == std::string::npos) return usage_error(fmt::format("'--dump {}': expected NAME=FILE", spec));
  auto buffer = find_buffer(kernel, args, std::string_view(spec).substr(0, eq));
  if (!buffer) return std::unexpected(buffer.error());
  return write_output(spec.substr(eq + 1),
                      {reinterpret_cast<const char*>((*buffer)->bytes.data()), (*buffer)->bytes.size()});
}

std::expected<std::vector<std::string>, DriverError> print_buffer(const Function& kernel,
                                                                  const KernelArguments& args,
                                                                  const std::string& spec) {
  auto p = parse_print(kernel, args, spec);
  if (!p) return std::unexpected(p.error());
  std::vector<std::string> lines;
  for (size_t i = p->begin; i < p->end; ++i)
    lines.push_back(format_element(p->buffer->type, load_element(*p->buffer, i)));
  return lines;
}

std::expected<void, DriverError> write_image(const Function& kernel, const KernelArguments& args,
                                             const std::string& spec) {
  auto image = parse_image(kernel, args, spec);
  if (!image) return std::unexpected(image.error());
  size_t n = image->width * image->height;
  double lo = 0, hi = 0;
  for (size_t i = 0; i < n; ++i) {
    double v = as_number(*image->buffer, i);
    if (!std::isfinite(v)) continue;
    lo = std::min(lo, v), hi = std::max(hi, v);
  }
  double scale = hi > lo ? 1 / (hi - lo) : 0;
  std::vector<uint8_t> rgb(n * 3);
  for (size_t i = 0; i < n; ++i) {
    double v = as_number(*image->buffer, i);
    v = std::isfinite(v) ? (v - lo) * scale : 0;
    if (image->map == "heat")
      heat(v, &rgb[i * 3]);
    else
      std::fill_n(&rgb[i * 3], 3, static_cast<uint8_t>(std::lround(v * 255)));
  }
  auto bytes = encode_png(rgb, image->width, image->height);
  if (!bytes) return std::unexpected(bytes.error());
  return write_output(image->file, *bytes);
}

std::expected<void, DriverError> check_outputs(const Function& kernel, const KernelArguments& args,
                                               const Options& o) {
  for (const std::string& spec : o.dumps) {
    size_t eq = spec.find('=');
    if (eq == std::string::npos || eq + 1 == spec.size())
      return usage_error(fmt::format("'--dump {}': expected NAME=FILE", spec));
    if (auto b = find_buffer(kernel, args, std::string_view(spec).substr(0, eq)); !b)
      return std::unexpected(b.error());
  }
  for (const std::string& spec : o.prints)
    if (auto p = parse_print(kernel, args, spec); !p) return std::unexpected(p.error());
  for (const std::string& spec : o.images)
    if (auto p = parse_image(kernel, args, spec); !p) return std::unexpected(p.error());
  return {};
}

}  // namespace kc
