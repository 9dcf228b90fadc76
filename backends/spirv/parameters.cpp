// SPDX-License-Identifier: Apache-2.0
#include "backends/spirv/parameters.h"

#include <fmt/format.h>

namespace kc::spirv {

void lay_out_parameters(const Function& f, VulkanImage& image) {
  uint32_t offset = 0;
  const auto& params = f.block(f.entry()).params;
  for (size_t i = 0; i < params.size(); ++i) {
    const Elem e = f.type(params[i]).elem;
    const uint32_t size = Type{e}.bytes();
    offset = (offset + size - 1) & ~(size - 1);
    ImageParam param;
    param.name = i < f.params.size() ? f.params[i].name : fmt::format("p{}", i);
    param.kind = e == Elem::PtrLocal              ? ImageParamKind::Local
                 : f.type(params[i]).is_pointer() ? ImageParamKind::Pointer
                                                  : ImageParamKind::Scalar;
    param.size = size;
    param.offset = offset;
    offset += size;
    image.params.push_back(std::move(param));
  }
  image.params_size = (offset + 7) & ~7u;
}

}  // namespace kc::spirv
