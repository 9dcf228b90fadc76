// SPDX-License-Identifier: Apache-2.0
#include "runtime/vulkan/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "runtime/vulkan/context.h"

namespace kc {

namespace {

// Kernels address memory directly, and drivers on CPUs share the memory of this process.
constexpr uint64_t kMarginBefore = 4096, kMarginAfter = 65536;
constexpr std::byte kUntouched{0xd5};

}  // namespace

struct VulkanBuffer::Impl {
  std::shared_ptr<VulkanContext> context;
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  std::byte* data = nullptr;
  uint64_t size = 0, address = 0;

  explicit Impl(std::shared_ptr<VulkanContext> c) : context(std::move(c)) {}
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() {
    if (data) context->api.UnmapMemory(context->device, memory);
    if (buffer) context->api.DestroyBuffer(context->device, buffer, nullptr);
    if (memory) context->api.FreeMemory(context->device, memory, nullptr);
  }
};

struct VulkanKernel::Impl {
  std::shared_ptr<VulkanContext> context;
  VulkanImage image;
  VkShaderModule module = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkPipeline pipeline = VK_NULL_HANDLE;

  explicit Impl(std::shared_ptr<VulkanContext> c) : context(std::move(c)) {}
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() {
    if (pipeline) context->api.DestroyPipeline(context->device, pipeline, nullptr);
    if (layout) context->api.DestroyPipelineLayout(context->device, layout, nullptr);
    if (module) context->api.DestroyShaderModule(context->device, module, nullptr);
  }
};

VulkanBuffer::VulkanBuffer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
VulkanBuffer::VulkanBuffer(VulkanBuffer&&) noexcept = default;
VulkanBuffer& VulkanBuffer::operator=(VulkanBuffer&&) noexcept = default;
VulkanBuffer::~VulkanBuffer() = default;
uint64_t VulkanBuffer::address() const { return impl_->address; }
std::span<std::byte> VulkanBuffer::bytes() const { return {impl_->data, static_cast<size_t>(impl_->size)}; }

std::optional<int64_t> VulkanBuffer::overrun() const {
  auto changed = [&](int64_t from, uint64_t size) -> std::optional<int64_t> {
    const std::byte* at = impl_->data + from;
    // Equal to the first byte, and each to the one before.
    if (at[0] == kUntouched && std::memcmp(at, at + 1, size - 1) == 0) return std::nullopt;
    return from + (std::find_if(at, at + size, [](std::byte b) { return b != kUntouched; }) - at);
  };
  const auto end = static_cast<int64_t>(impl_->size);
  if (auto after = changed(end, kMarginAfter)) return after;
  return changed(-static_cast<int64_t>(kMarginBefore), kMarginBefore);
}

VulkanKernel::VulkanKernel(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
VulkanKernel::VulkanKernel(VulkanKernel&&) noexcept = default;
VulkanKernel& VulkanKernel::operator=(VulkanKernel&&) noexcept = default;
VulkanKernel::~VulkanKernel() = default;
const VulkanImage& VulkanKernel::image() const { return impl_->image; }

VulkanDevice::VulkanDevice(std::shared_ptr<VulkanContext> context) : context_(std::move(context)) {}
VulkanDevice::VulkanDevice(VulkanDevice&&) noexcept = default;
VulkanDevice& VulkanDevice::operator=(VulkanDevice&&) noexcept = default;
VulkanDevice::~VulkanDevice() = default;
const VulkanDeviceInfo& VulkanDevice::info() const { return context_->info; }

std::string VulkanDeviceInfo::version_string() const {
  return fmt::format("{}.{}.{}", VK_API_VERSION_MAJOR(api_version), VK_API_VERSION_MINOR(api_version),
                     VK_API_VERSION_PATCH(api_version));
}

DeviceResult<VulkanDevice> VulkanDevice::open(const VulkanOptions& options) {
  auto context = create_vulkan_context(options);
  if (!context) return std::unexpected(context.error());
  VulkanDevice device(*context);
  if (auto r = probe_arithmetic(device, (*context)->info); !r) return std::unexpected(r.error());
  if (auto r = probe_loops(device, (*context)->info); !r) return std::unexpected(r.error());
  if (auto r = probe_compares(device, (*context)->info); !r) return std::unexpected(r.error());
  if (auto r = probe_lanes(device, (*context)->info); !r) return std::unexpected(r.error());
  return device;
}

namespace {

// Selects host-visible memory, preferably cached, because the host reads results back.
uint32_t pick_memory_type(const VkPhysicalDeviceMemoryProperties& memory, uint32_t allowed) {
  const VkMemoryPropertyFlags needed =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  const VkMemoryPropertyFlags choices[] = {
      needed | VK_MEMORY_PROPERTY_HOST_CACHED_BIT | VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
      needed | VK_MEMORY_PROPERTY_HOST_CACHED_BIT, needed};
  for (VkMemoryPropertyFlags wanted : choices)
    for (uint32_t i = 0; i < memory.memoryTypeCount; ++i)
      if ((allowed >> i & 1) && (memory.memoryTypes[i].propertyFlags & wanted) == wanted) return i;
  return UINT32_MAX;
}

uint64_t largest_heap(const VkPhysicalDeviceMemoryProperties& memory) {
  uint64_t size = 0;
  for (uint32_t i = 0; i < memory.memoryHeapCount; ++i) size = std::max(size, memory.memoryHeaps[i].size);
  return size;
}

}  // namespace

DeviceResult<VulkanBuffer> VulkanDevice::create_buffer(uint64_t size) {
  auto& api = context_->api;
  VkDevice device = context_->device;
  constexpr uint64_t margins = kMarginBefore + kMarginAfter + 16;
  const uint64_t most = std::min<uint64_t>(largest_heap(context_->memory), INT64_MAX);
  if (most < margins || size > most - margins)  // Vulkan forbids the request
    return std::unexpected(
        DeviceError{DeviceError::OutOfMemory,
                    fmt::format("{} has no memory for a buffer of {} bytes", context_->info.name, size)});
  auto impl = std::make_unique<VulkanBuffer::Impl>(context_);
  impl->size = size;
  VkBufferCreateInfo create{};
  create.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  create.size = kMarginBefore + ((size + 15) & ~uint64_t{15}) + kMarginAfter;
  create.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
  auto done = context_->check(api.CreateBuffer(device, &create, nullptr, &impl->buffer), "vkCreateBuffer");
  if (!done) return std::unexpected(done.error());

  VkMemoryRequirements requirements{};
  api.GetBufferMemoryRequirements(device, impl->buffer, &requirements);
  VkMemoryAllocateFlagsInfo flags{};
  flags.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO;
  flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  VkMemoryAllocateInfo allocate{};
  allocate.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  allocate.pNext = &flags;
  allocate.allocationSize = requirements.size;
  allocate.memoryTypeIndex = pick_memory_type(context_->memory, requirements.memoryTypeBits);
  if (allocate.memoryTypeIndex == UINT32_MAX)
    return device_failed(context_->info.name + " has no memory that host and device share");
  done = context_->check(api.AllocateMemory(device, &allocate, nullptr, &impl->memory),
                         fmt::format("vkAllocateMemory of {} bytes", create.size).c_str());
  if (!done) return std::unexpected(done.error());
  done = context_->check(api.BindBufferMemory(device, impl->buffer, impl->memory, 0), "vkBindBufferMemory");
  if (!done) return std::unexpected(done.error());
  void* data = nullptr;
  done = context_->check(api.MapMemory(device, impl->memory, 0, VK_WHOLE_SIZE, 0, &data), "vkMapMemory");
  if (!done) return std::unexpected(done.error());
  impl->data = static_cast<std::byte*>(data) + kMarginBefore;
  std::memset(data, static_cast<int>(kUntouched), kMarginBefore);
  std::memset(impl->data, 0, size);
  std::memset(impl->data + size, static_cast<int>(kUntouched), create.size - kMarginBefore - size);
  VkBufferDeviceAddressInfo address{};
  address.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO;
  address.buffer = impl->buffer;
  impl->address = api.GetBufferDeviceAddress(device, &address) + kMarginBefore;
  return VulkanBuffer(std::move(impl));
}

namespace {

std::string image_misfit(const VulkanImage& image, std::span<const uint32_t> local_lengths,
                         const VulkanDeviceInfo& info) {
  if (image.needs_int8 && !info.int8) return "8-bit integers";
  if (image.needs_int16 && !info.int16) return "16-bit integers";
  if (image.needs_float64 && !info.float64) return "64-bit floats";
  if (image.needs_int64_atomics && !info.int64_atomics) return "64-bit atomics";
  if (image.needs_local_int64_atomics && !info.local_int64_atomics) return "64-bit atomics on local memory";
  if (image.needs_memory_model && !info.memory_model) return "the Vulkan memory model";
  if (image.needs_sub_groups && (info.lane_order == VulkanLaneOrder::None || !info.work_items_meet))
    return "sub-groups whose work-items meet where the source says";
  uint64_t invocations = 1;
  for (size_t i = 0; i < 3; ++i) {
    invocations *= image.local_size[i];
    if (image.local_size[i] == 0 || image.local_size[i] > info.max_group_size[i])
      return fmt::format("a local size of {} in dimension {}", image.local_size[i], i);
  }
  if (invocations > info.max_group_invocations) return fmt::format("groups of {} work-items", invocations);
  uint64_t local_bytes = image.local_bytes;
  for (size_t i = 0; i < local_lengths.size(); ++i)
    local_bytes += uint64_t{local_lengths[i]} * image.local_lengths[i].unit;
  if (local_bytes > info.max_shared_memory) return fmt::format("{} bytes of local memory", local_bytes);
  return {};
}

// The values of the image's specialisation constants, with their ids.
struct Specialisation {
  std::vector<uint32_t> values;
  std::vector<VkSpecializationMapEntry> entries;
  VkSpecializationInfo info{};

  Specialisation(const VulkanImage& image, std::span<const uint32_t> local_lengths) {
    if (image.sized_at_load)
      for (uint32_t d = 0; d < 3; ++d) add(d, image.local_size[d]);
    for (size_t i = 0; i < local_lengths.size(); ++i) add(image.local_lengths[i].constant, local_lengths[i]);
    info.mapEntryCount = static_cast<uint32_t>(entries.size());
    info.pMapEntries = entries.data();
    info.dataSize = values.size() * sizeof(uint32_t);
    info.pData = values.data();
  }
  Specialisation(const Specialisation&) = delete;
  Specialisation& operator=(const Specialisation&) = delete;

 private:
  void add(uint32_t constant, uint32_t value) {
    entries.push_back({constant, static_cast<uint32_t>(values.size() * sizeof(uint32_t)), sizeof(uint32_t)});
    values.push_back(value);
  }
};

}  // namespace

DeviceResult<VulkanKernel> VulkanDevice::load(const VulkanImage& image,
                                              std::span<const uint32_t> local_lengths) {
  auto& api = context_->api;
  VkDevice device = context_->device;
  if (local_lengths.size() > image.local_lengths.size())
    return device_failed(
        fmt::format("kernel {} has no local array number {}", image.kernel, image.local_lengths.size()));
  if (auto misfit = image_misfit(image, local_lengths, context_->info); !misfit.empty())
    return device_absent(
        fmt::format("kernel {}: {} does not offer {}", image.kernel, context_->info.name, misfit));
  auto impl = std::make_unique<VulkanKernel::Impl>(context_);
  impl->image = image;
  VkShaderModuleCreateInfo module{};
  module.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  module.codeSize = image.words.size() * sizeof(uint32_t);
  module.pCode = image.words.data();
  auto done = context_->check(api.CreateShaderModule(device, &module, nullptr, &impl->module),
                              "vkCreateShaderModule");
  if (!done) return std::unexpected(done.error());
  VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(VulkanPush)};
  VkPipelineLayoutCreateInfo layout{};
  layout.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  layout.pushConstantRangeCount = 1;
  layout.pPushConstantRanges = &range;
  done = context_->check(api.CreatePipelineLayout(device, &layout, nullptr, &impl->layout),
                         "vkCreatePipelineLayout");
  if (!done) return std::unexpected(done.error());
  VkComputePipelineCreateInfo pipeline{};
  pipeline.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  pipeline.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  pipeline.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  pipeline.stage.module = impl->module;
  pipeline.stage.pName = impl->image.entry_point.c_str();
  const Specialisation special(image, local_lengths);
  pipeline.stage.pSpecializationInfo = &special.info;
  pipeline.layout = impl->layout;
  done = context_->check(
      api.CreateComputePipelines(device, context_->cache, 1, &pipeline, nullptr, &impl->pipeline),
      "vkCreateComputePipelines");
  if (!done) return std::unexpected(done.error());
  return VulkanKernel(std::move(impl));
}

namespace {

// A grid beyond the device's limit takes several dispatches of one command buffer.
void record_dispatches(const VulkanContext& context, VkPipelineLayout layout, uint64_t block,
                       const std::array<uint32_t, 3>& groups) {
  const auto& limit = context.info.max_group_count;
  VulkanPush push;
  push.block = block;
  auto& base = push.group_base;
  for (base[2] = 0; base[2] < groups[2]; base[2] += std::min(limit[2], groups[2] - base[2]))
    for (base[1] = 0; base[1] < groups[1]; base[1] += std::min(limit[1], groups[1] - base[1]))
      for (base[0] = 0; base[0] < groups[0]; base[0] += std::min(limit[0], groups[0] - base[0])) {
        context.api.CmdPushConstants(context.commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(push),
                                     &push);
        context.api.CmdDispatch(context.commands, std::min(limit[0], groups[0] - base[0]),
                                std::min(limit[1], groups[1] - base[1]),
                                std::min(limit[2], groups[2] - base[2]));
      }
}

void record_barrier(const VulkanContext& context, bool before) {
  VkMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  const VkAccessFlags host = VK_ACCESS_HOST_READ_BIT | VK_ACCESS_HOST_WRITE_BIT;
  const VkAccessFlags shader = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
  barrier.srcAccessMask = before ? host : shader;
  barrier.dstAccessMask = before ? shader : host;
  context.api.CmdPipelineBarrier(context.commands,
                                 before ? VK_PIPELINE_STAGE_HOST_BIT : VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                 before ? VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT : VK_PIPELINE_STAGE_HOST_BIT,
                                 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

void record_time(const VulkanContext& context, bool start) {
  if (!context.times) return;
  if (start) context.api.CmdResetQueryPool(context.commands, context.times, 0, 2);
  context.api.CmdWriteTimestamp(
      context.commands, start ? VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT : VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT,
      context.times, start ? 0 : 1);
}

DeviceResult<double> time_between(VulkanContext& context) {
  uint64_t times[2] = {};
  auto done = context.check(
      context.api.GetQueryPoolResults(context.device, context.times, 0, 2, sizeof times, times,
                                      sizeof times[0], VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
      "vkGetQueryPoolResults");
  if (!done) return std::unexpected(done.error());
  const uint64_t mask = ~uint64_t{0} >> (64 - std::min(context.time_bits, 64u));
  return static_cast<double>((times[1] - times[0]) & mask) * context.nanoseconds * 1e-6;
}

DeviceResult<double> submit_and_wait(VulkanContext& context) {
  auto& api = context.api;
  VkSubmitInfo submit{};
  submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &context.commands;
  auto start = std::chrono::steady_clock::now();
  auto done = context.check(api.QueueSubmit(context.queue, 1, &submit, context.fence), "vkQueueSubmit");
  if (!done) return std::unexpected(done.error());
  done = context.check(api.WaitForFences(context.device, 1, &context.fence, VK_TRUE, UINT64_MAX),
                       "vkWaitForFences");
  auto end = std::chrono::steady_clock::now();
  if (!done) return std::unexpected(done.error());
  done = context.check(api.ResetFences(context.device, 1, &context.fence), "vkResetFences");
  if (!done) return std::unexpected(done.error());
  if (context.times) return time_between(context);
  return std::chrono::duration<double, std::milli>(end - start).count();
}

}  // namespace

DeviceResult<double> VulkanDevice::launch(const VulkanKernel& kernel, const VulkanLaunch& launch) {
  auto& api = context_->api;
  const auto& image = kernel.image();
  if (launch.params.size() != image.params_size)
    return device_failed(fmt::format("kernel {} takes {} bytes of parameters, not {}", image.kernel,
                                     image.params_size, launch.params.size()));
  std::array<uint32_t, 3> groups{};
  for (size_t i = 0; i < 3; ++i) {
    uint64_t count = launch.global[i] / image.local_size[i];
    if (launch.global[i] % image.local_size[i] != 0 || count > INT32_MAX)
      return device_failed(fmt::format("kernel {}: a global size of {} with a local size of {}", image.kernel,
                                       launch.global[i], image.local_size[i]));
    if (count == 0) return 0.0;
    groups[i] = static_cast<uint32_t>(count);
  }
  auto block = create_buffer(sizeof(VulkanBlock) + launch.params.size());
  if (!block) return std::unexpected(block.error());
  VulkanBlock header;
  header.global_offset = launch.offset;
  header.global_size = launch.global;
  header.work_dim = launch.dims;
  std::memcpy(block->bytes().data(), &header, sizeof(header));
  if (!launch.params.empty())
    std::memcpy(block->bytes().data() + sizeof(header), launch.params.data(), launch.params.size());

  auto done =
      context_->check(api.ResetCommandPool(context_->device, context_->pool, 0), "vkResetCommandPool");
  if (!done) return std::unexpected(done.error());
  VkCommandBufferBeginInfo begin{};
  begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  done = context_->check(api.BeginCommandBuffer(context_->commands, &begin), "vkBeginCommandBuffer");
  if (!done) return std::unexpected(done.error());
  record_barrier(*context_, true);
  api.CmdBindPipeline(context_->commands, VK_PIPELINE_BIND_POINT_COMPUTE, kernel.impl_->pipeline);
  record_time(*context_, true);
  record_dispatches(*context_, kernel.impl_->layout, block->address(), groups);
  record_time(*context_, false);
  record_barrier(*context_, false);
  done = context_->check(api.EndCommandBuffer(context_->commands), "vkEndCommandBuffer");
  if (!done) return std::unexpected(done.error());
  auto time = submit_and_wait(*context_);
  if (!time) return time;
  std::memcpy(&header, block->bytes().data(), sizeof(header));
  if (header.cut)
    return std::unexpected(DeviceError{
        DeviceError::CutOff, fmt::format("kernel {}: {} stopped a loop after a fixed number of iterations",
                                         image.kernel, context_->info.name)});
  return time;
}

}  // namespace kc
