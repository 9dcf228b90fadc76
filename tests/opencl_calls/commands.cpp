// SPDX-License-Identifier: Apache-2.0
// Commands, on the driver and on the model.
#include <algorithm>
#include <cstring>

#include "tests/opencl_calls/world.h"

namespace calls {
namespace {

constexpr cl_mem_flags kHostReadsNot = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS;
constexpr cl_mem_flags kHostWritesNot = CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;

cl_int result_of(bool fails) { return fails ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS; }

/// A part of a buffer, perhaps empty.
struct Part {
  size_t offset, size;
};
Part part_of(const Buffer& b, Dice& dice) {
  const size_t offset = dice(b.size + 1);
  return {offset, dice(b.size - offset + 1)};
}

/// A box of three dimensions that fits `size` bytes.
struct Shape {
  size_t region[3], row, slice;
};
struct Placed {
  size_t origin[3];
  size_t at(const Shape& s, size_t y, size_t z) const {
    return (origin[2] + z) * s.slice + (origin[1] + y) * s.row + origin[0];
  }
};
Shape shape_within(size_t size, Dice& dice) {
  Shape s{};
  s.region[0] = 1 + dice(std::min<size_t>(size, 24));
  s.row = s.region[0] + (dice.one_in(2) ? dice(8) : 0);
  s.region[1] = s.region[2] = 1;
  auto fits = [&] { return (s.region[2] - 1) * s.slice + (s.region[1] - 1) * s.row + s.region[0] <= size; };
  s.region[1] = 1 + dice(4);
  s.slice = s.row * (s.region[1] + dice(2));
  s.region[2] = 1 + dice(3);
  if (!fits()) s.region[2] = 1;
  if (!fits()) s.region[1] = 1;
  return s;
}
Placed place(const Shape& s, size_t size, Dice& dice) {
  Placed p{{dice(6), dice(2), dice(2)}};
  if (p.at(s, s.region[1] - 1, s.region[2] - 1) + s.region[0] > size) p = {};
  return p;
}

}  // namespace

void World::read(Dice& dice) {
  auto b = any_buffer(dice, kHostReadsNot);
  if (!b) return;
  Queue& q = any_queue(dice);
  const Part part = part_of(*b, dice);
  Wait w = wait_for(q, {b.get()}, dice);
  auto got = std::make_unique<Bytes>(part.size + 1, uint8_t{0xee});
  Bytes expected = *got;
  if (!w.fails) std::copy_n(b->at(part.offset), part.size, expected.begin());
  const bool waits = dice.one_in(3);
  cl_event event = nullptr;
  auto call = [&] {
    return clEnqueueReadBuffer(q.handle, b->handle, waits, part.offset, part.size, got->data(), w.count(),
                               w.events(), &event);
  };
  expect(waits ? blocking(w.blockers, dice, call) : call(), waits ? result_of(w.fails) : CL_SUCCESS,
         "clEnqueueReadBuffer");
  if (waits) require(*got == expected, "a blocking read gives other bytes than the model");
  EventRef e = done(q, w, event, CL_COMMAND_READ_BUFFER, w.fails, {b.get()});
  reads_.push_back({e, std::move(got), std::move(expected)});
}

void World::write(Dice& dice) {
  auto b = any_buffer(dice, kHostWritesNot);
  if (!b) return;
  Queue& q = any_queue(dice);
  const Part part = part_of(*b, dice);
  Wait w = wait_for(q, {b.get()}, dice);
  sources_.push_back(random_bytes(part.size + 1, dice));
  const Bytes& from = sources_.back();
  const bool waits = dice.one_in(3);
  cl_event event = nullptr;
  auto call = [&] {
    return clEnqueueWriteBuffer(q.handle, b->handle, waits, part.offset, part.size, from.data(), w.count(),
                                w.events(), &event);
  };
  expect(waits ? blocking(w.blockers, dice, call) : call(), waits ? result_of(w.fails) : CL_SUCCESS,
         "clEnqueueWriteBuffer");
  if (!w.fails) std::copy_n(from.begin(), part.size, b->at(part.offset));
  done(q, w, event, CL_COMMAND_WRITE_BUFFER, w.fails, {b.get()});
}

void World::rect(Dice& dice) {
  const bool reads = dice.one_in(2), waits = dice.one_in(3);
  auto b = any_buffer(dice, reads ? kHostReadsNot : kHostWritesNot);
  if (!b) return;
  Queue& q = any_queue(dice);
  const Shape of = shape_within(b->size, dice);
  const Placed at = place(of, b->size, dice);
  Shape host = of;
  host.row += dice(5);
  host.slice = host.row * (of.region[1] + dice(2));
  const Placed host_at{{dice(4), dice(2), dice(2)}};
  const size_t size = host_at.at(host, of.region[1], of.region[2]) + of.region[0];
  Wait w = wait_for(q, {b.get()}, dice);
  auto bytes = std::make_unique<Bytes>(random_bytes(size, dice));
  Bytes expected = *bytes;
  for (size_t z = 0; z < of.region[2] && !w.fails; ++z)
    for (size_t y = 0; y < of.region[1]; ++y) {
      uint8_t *in_buffer = b->at(at.at(of, y, z)), *in_host = expected.data() + host_at.at(host, y, z);
      std::memcpy(reads ? in_host : in_buffer, reads ? in_buffer : in_host, of.region[0]);
    }
  cl_event event = nullptr;
  auto call = [&] {
    return (reads ? clEnqueueReadBufferRect(q.handle, b->handle, waits, at.origin, host_at.origin, of.region,
                                            of.row, of.slice, host.row, host.slice, bytes->data(), w.count(),
                                            w.events(), &event)
                  : clEnqueueWriteBufferRect(q.handle, b->handle, waits, at.origin, host_at.origin, of.region,
                                             of.row, of.slice, host.row, host.slice, bytes->data(), w.count(),
                                             w.events(), &event));
  };
  expect(waits ? blocking(w.blockers, dice, call) : call(), waits ? result_of(w.fails) : CL_SUCCESS,
         "a rectangle of the host");
  EventRef e = done(q, w, event, reads ? CL_COMMAND_READ_BUFFER_RECT : CL_COMMAND_WRITE_BUFFER_RECT, w.fails,
                    {b.get()});
  reads_.push_back({e, std::move(bytes), std::move(expected)});
}

void World::copy(Dice& dice) {
  auto from = any_buffer(dice), to = any_buffer(dice);
  if (!from || !to) return;
  Queue& q = any_queue(dice);
  const Part part = part_of(*from, dice);
  if (part.size > to->size) return;
  const size_t target = dice(to->size - part.size + 1);
  const size_t a = from->offset + part.offset, b = to->offset + target;
  const bool meets = from->memory == to->memory && part.size && a < b + part.size && b < a + part.size;
  Wait w = wait_for(q, {from.get(), to.get()}, dice);
  cl_event event = nullptr;
  expect(clEnqueueCopyBuffer(q.handle, from->handle, to->handle, part.offset, target, part.size, w.count(),
                             w.events(), &event),
         meets ? CL_MEM_COPY_OVERLAP : CL_SUCCESS, "clEnqueueCopyBuffer");
  if (meets) return;
  if (!w.fails) std::copy_n(from->at(part.offset), part.size, to->at(target));
  done(q, w, event, CL_COMMAND_COPY_BUFFER, w.fails, {from.get(), to.get()});
}

void World::copy_rect(Dice& dice) {
  auto from = any_buffer(dice), to = any_buffer(dice);
  if (!from || !to) return;
  Queue& q = any_queue(dice);
  const Shape of = shape_within(std::min(from->size, to->size), dice);
  const Placed a = place(of, from->size, dice), b = place(of, to->size, dice);
  Bytes touched(from->memory->bytes.size());
  bool meets = false;
  if (from->memory == to->memory)
    for (int pass = 0; pass < 2; ++pass)
      for (size_t z = 0; z < of.region[2]; ++z)
        for (size_t y = 0; y < of.region[1]; ++y)
          for (size_t x = 0; x < of.region[0]; ++x) {
            uint8_t& t = touched[(pass ? to->offset + b.at(of, y, z) : from->offset + a.at(of, y, z)) + x];
            meets |= pass && t;
            if (!pass) t = 1;
          }
  Wait w = wait_for(q, {from.get(), to.get()}, dice);
  cl_event event = nullptr;
  const cl_int result =
      clEnqueueCopyBufferRect(q.handle, from->handle, to->handle, a.origin, b.origin, of.region, of.row,
                              of.slice, of.row, of.slice, w.count(), w.events(), &event);
  // The specification's test of overlaps may find one where no byte is shared, in parts of one buffer.
  if (from->memory == to->memory && result == CL_MEM_COPY_OVERLAP) return;
  expect(result, meets ? CL_MEM_COPY_OVERLAP : CL_SUCCESS, "clEnqueueCopyBufferRect");
  for (size_t z = 0; z < of.region[2] && !w.fails; ++z)
    for (size_t y = 0; y < of.region[1]; ++y)
      std::memcpy(to->at(b.at(of, y, z)), from->at(a.at(of, y, z)), of.region[0]);
  done(q, w, event, CL_COMMAND_COPY_BUFFER_RECT, w.fails, {from.get(), to.get()});
}

void World::fill(Dice& dice) {
  auto b = any_buffer(dice);
  if (!b) return;
  Queue& q = any_queue(dice);
  const size_t length = size_t{1} << dice(8);
  const Part part = part_of(*b, dice);
  const size_t offset = part.offset / length * length, size = part.size / length * length;
  Wait w = wait_for(q, {b.get()}, dice);
  Bytes pattern = random_bytes(length, dice);
  cl_event event = nullptr;
  expect(clEnqueueFillBuffer(q.handle, b->handle, pattern.data(), length, offset, size, w.count(), w.events(),
                             &event),
         CL_SUCCESS, "clEnqueueFillBuffer");
  for (size_t i = 0; i < size && !w.fails; ++i) *b->at(offset + i) = pattern[i % length];
  std::ranges::fill(pattern, uint8_t{0});  // the driver has its own copy
  done(q, w, event, CL_COMMAND_FILL_BUFFER, w.fails, {b.get()});
}

void World::map(Dice& dice) {
  const bool writes = dice.one_in(2);
  auto b = any_buffer(dice, writes ? kHostReadsNot | kHostWritesNot : kHostReadsNot);
  if (!b) return;
  Queue& q = any_queue(dice);
  Part part = part_of(*b, dice);
  if (!part.size) part = {0, b->size};
  Wait w = wait_for(q, {b.get()}, dice);
  const bool waits = dice.one_in(2);
  cl_event event = nullptr;
  cl_int e = 1;
  void* mapped = nullptr;
  const cl_map_flags flags = writes ? CL_MAP_READ | CL_MAP_WRITE : CL_MAP_READ;
  auto call = [&] {
    mapped = clEnqueueMapBuffer(q.handle, b->handle, waits, flags, part.offset, part.size, w.count(),
                                w.events(), &event, &e);
    return e;
  };
  expect(waits ? blocking(w.blockers, dice, call) : call(), waits ? result_of(w.fails) : CL_SUCCESS,
         "clEnqueueMapBuffer");
  require((mapped != nullptr) == (e == CL_SUCCESS), "a map without an address, or an error with one");
  EventRef map = done(q, w, event, CL_COMMAND_MAP_BUFFER, w.fails, {b.get()});
  if (!mapped) return;
  ++b->maps;
  cl_event handle = map->handle;
  expect(blocking(map->blockers, dice, [&] { return clWaitForEvents(1, &handle); }), result_of(w.fails),
         "clWaitForEvents for a map");
  auto* bytes = static_cast<uint8_t*>(mapped);
  const bool writes_now = writes && !w.fails;
  if (!w.fails) require(std::equal(bytes, bytes + part.size, b->at(part.offset)), "a map shows other bytes");
  regions_.push_back({b, bytes, writes_now});
  if (!writes_now) return;
  ++b->memory->writers;
  const Bytes fresh = random_bytes(part.size, dice);
  std::ranges::copy(fresh, bytes);
  std::ranges::copy(fresh, b->at(part.offset));
}

void World::unmap(Dice& dice) {
  if (regions_.empty()) return;
  const size_t i = dice(regions_.size());
  const Region r = regions_[i];
  Queue& q = any_queue(dice);
  Wait w = wait_for(q, {r.buffer.get()}, dice);
  cl_event event = nullptr;
  expect(clEnqueueUnmapMemObject(q.handle, r.buffer->handle, r.mapped, w.count(), w.events(), &event),
         CL_SUCCESS, "clEnqueueUnmapMemObject");
  EventRef e = done(q, w, event, CL_COMMAND_UNMAP_MEM_OBJECT, w.fails, {r.buffer.get()});
  if (w.fails) {  // the region stays, and may be unmapped again
    cl_event handle = e->handle;
    expect(blocking(e->blockers, dice, [&] { return clWaitForEvents(1, &handle); }), result_of(true),
           "clWaitForEvents for an unmap");
    return;
  }
  regions_.erase(regions_.begin() + static_cast<long>(i));
  --r.buffer->maps;
  if (r.writes) --r.buffer->memory->writers;
}

void World::launch(Dice& dice) {
  Kernel* k = any_kernel(dice);
  auto b = any_buffer(dice), other = any_buffer(dice);
  if (!k || !b || b->size < 4) return;
  Queue& q = any_queue(dice);
  const size_t ints = b->size / 4;
  size_t global[2] = {1 + dice(std::min<size_t>(ints, 200)), 1}, local[2] = {0, 1}, offset[2] = {};
  cl_uint dims = 1;
  offset[0] = dice(ints - global[0] + 1);
  int n = static_cast<int>(dice(1000));
  const struct {
    int a;
    short b;
  } pair{static_cast<int>(dice(100)), static_cast<short>(dice(100))};
  const int v[2] = {static_cast<int>(dice(9)), static_cast<int>(dice(9))};
  std::vector<unsigned> result(ints);
  std::memcpy(result.data(), b->at(0), ints * 4);
  auto argument = [&](cl_uint i, size_t size, const void* value) {
    expect(clSetKernelArg(k->handle, i, size, value), CL_SUCCESS, "clSetKernelArg");
  };
  argument(0, sizeof b->handle, &b->handle);
  bool traps = false;
  Bytes bytes(b->at(0), b->at(0) + b->size);
  Buffer* second = b.get();
  switch (k->kind) {
    case KernelKind::Add:
      argument(1, sizeof n, &n);
      for (size_t i = 0; i < global[0]; ++i) result[offset[0] + i] += static_cast<unsigned>(n);
      break;
    case KernelKind::Mirror:
      local[0] = 1 + dice(32);
      global[0] = local[0] * (1 + dice(4));
      offset[0] = 0;
      if (global[0] > b->size) return;
      argument(1, local[0] + dice(64), nullptr);
      for (size_t g = 0; g < global[0]; g += local[0])
        std::reverse(bytes.begin() + static_cast<long>(g), bytes.begin() + static_cast<long>(g + local[0]));
      break;
    case KernelKind::Sum: {
      if (!other || other->size < 4 || other->memory == b->memory) return;
      second = other.get();
      global[0] = std::min(global[0], other->size / 4);
      offset[0] = 0;
      argument(1, sizeof other->handle, &other->handle);
      argument(2, sizeof pair, &pair);
      argument(3, sizeof v, v);
      for (size_t i = 0; i < global[0]; ++i) {
        int from;
        std::memcpy(&from, other->at(i * 4), 4);
        result[i] = static_cast<unsigned>(from) * static_cast<unsigned>(pair.a) +
                    static_cast<unsigned>(pair.b + v[0] - v[1]);
      }
      break;
    }
    case KernelKind::Speak:
      break;
    case KernelKind::Trap:
      traps = true;
      break;
    case KernelKind::Groups:
      dims = 2;
      offset[0] = 0;
      local[0] = 4, local[1] = 2;
      global[0] = 4 * (1 + dice(4)), global[1] = 2 * (1 + dice(3));
      if (global[0] * global[1] > ints) return;
      for (size_t y = 0; y < global[1]; ++y)
        for (size_t x = 0; x < global[0]; ++x)
          result[y * global[0] + x] = static_cast<unsigned>(x / 4 * 16 + y % 2);
      break;
  }
  Wait w = wait_for(q, {b.get(), second}, dice);
  cl_event event = nullptr;
  expect(clEnqueueNDRangeKernel(q.handle, k->handle, dims, offset, global, local[0] ? local : nullptr,
                                w.count(), w.events(), &event),
         CL_SUCCESS, "clEnqueueNDRangeKernel");
  const bool fails = w.fails || traps;
  if (!fails) {
    if (k->kind == KernelKind::Mirror)
      std::ranges::copy(bytes, b->at(0));
    else
      std::memcpy(b->at(0), result.data(), ints * 4);
  }
  EventRef e = done(q, w, event, CL_COMMAND_NDRANGE_KERNEL, fails, {b.get(), second});
}

void World::native(Dice& dice) {
  auto b = any_buffer(dice);
  if (!b) return;
  Queue& q = any_queue(dice);
  struct Arguments {
    uint8_t* at;
    size_t size;
    std::atomic<int>* calls;
  } arguments{nullptr, b->size, &native_calls_};
  auto function = [](void* a) {
    auto* of = static_cast<Arguments*>(a);
    for (size_t i = 0; i < of->size; ++i) of->at[i] ^= 0x5a;
    ++*of->calls;
  };
  const void* places[] = {&arguments.at};
  Wait w = wait_for(q, {b.get()}, dice);
  cl_event event = nullptr;
  expect(clEnqueueNativeKernel(q.handle, function, &arguments, sizeof arguments, 1, &b->handle, places,
                               w.count(), w.events(), &event),
         CL_SUCCESS, "clEnqueueNativeKernel");
  native_made_ += !w.fails;
  for (size_t i = 0; i < b->size && !w.fails; ++i) *b->at(i) ^= 0x5a;
  done(q, w, event, CL_COMMAND_NATIVE_KERNEL, w.fails, {b.get()});
}

// Markers, barriers and migrations, some of them without events.
void World::order(Dice& dice) {
  Queue& q = any_queue(dice);
  cl_event event = nullptr;
  Wait w = wait_for(q, {}, dice);
  switch (dice(5)) {
    case 0:
      expect(clEnqueueMarkerWithWaitList(q.handle, w.count(), w.events(), &event), CL_SUCCESS, "a marker");
      done(q, w, event, CL_COMMAND_MARKER, w.fails, {});
      break;
    case 1:
      expect(clEnqueueBarrierWithWaitList(q.handle, w.count(), w.events(), &event), CL_SUCCESS, "a barrier");
      done(q, w, event, CL_COMMAND_BARRIER, w.fails, {});
      break;
    case 2:
      expect(clEnqueueBarrier(q.handle), CL_SUCCESS, "clEnqueueBarrier");
      break;
    case 3:
      expect(clFlush(q.handle), CL_SUCCESS, "clFlush");
      break;
    default:
      if (auto b = any_buffer(dice)) {
        expect(clEnqueueMigrateMemObjects(q.handle, 1, &b->handle, CL_MIGRATE_MEM_OBJECT_HOST, w.count(),
                                          w.events(), &event),
               CL_SUCCESS, "clEnqueueMigrateMemObjects");
        done(q, w, event, CL_COMMAND_MIGRATE_MEM_OBJECTS, w.fails, {});
      }
  }
}

void World::finish(Dice& dice) {
  Queue& q = any_queue(dice);
  expect(blocking(q.blockers, dice, [&] { return clFinish(q.handle); }), CL_SUCCESS, "clFinish");
  compare_reads(false);
}

void World::wait(Dice& dice) {
  if (events_.empty()) return;
  std::vector<cl_event> list;
  std::vector<EventRef> keep, blockers;
  bool fails = false;
  do {
    EventRef e = events_[dice(events_.size())];
    list.push_back(e->handle);
    fails |= e->fails;
    if (e->type == CL_COMMAND_USER) blockers.push_back(e);
    blockers.insert(blockers.end(), e->blockers.begin(), e->blockers.end());
    keep.push_back(e);
  } while (dice.one_in(2));
  std::erase_if(blockers, [](const EventRef& e) { return e->is_set.load(); });
  expect(blocking(blockers, dice,
                  [&] { return clWaitForEvents(static_cast<cl_uint>(list.size()), list.data()); }),
         result_of(fails), "clWaitForEvents");
  compare_reads(false);
}

}  // namespace calls
