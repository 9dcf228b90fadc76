// SPDX-License-Identifier: Apache-2.0
// Commands that move the bytes of buffers.
#include <algorithm>

#include "opencl/graph.h"

using namespace kc::cl;

namespace {

using Size = const size_t*;

cl_int check(cl_command_queue q, std::initializer_list<cl_mem> buffers) {
  if (!is(q)) return CL_INVALID_COMMAND_QUEUE;
  for (cl_mem m : buffers) {
    if (!is(m)) return CL_INVALID_MEM_OBJECT;
    if (m->context.get() != q->context.get()) return CL_INVALID_CONTEXT;
  }
  return CL_SUCCESS;
}
bool outside(cl_mem m, size_t offset, size_t size) { return offset > m->size || size > m->size - offset; }
bool host_refused(cl_mem m, cl_mem_flags only_other) {
  return m->flags & (CL_MEM_HOST_NO_ACCESS | only_other);
}

/// Writes `pattern` again and again; `size` is not 0 and a multiple of its length. Copies of a few bytes
/// would take five times as long as blocks do.
void fill(char* to, size_t size, const std::string& pattern) {
  constexpr size_t kBlock = 4096;  // stays in the cache; a multiple of every length
  std::memcpy(to, pattern.data(), pattern.size());
  for (size_t done = pattern.size(), next; done < size; done += next) {
    next = std::min({done, kBlock, size - done});
    std::memcpy(to + done, to, next);
  }
}

/// A box in linear memory: its first byte, and the bytes from row to row and from slice to slice.
struct Box {
  size_t first, row, slice, end;  // `end`: after its last byte
};

/// Pitches of 0 are completed. Nothing if they do not fit the region, or the box ends beyond all memory.
std::optional<Box> box(Size origin, Size region, size_t row, size_t slice) {
  bool wraps = false;
  auto times = [&](size_t a, size_t b) {
    size_t product;
    wraps |= __builtin_mul_overflow(a, b, &product);
    return product;
  };
  auto plus = [&](size_t a, size_t b) {
    size_t sum;
    wraps |= __builtin_add_overflow(a, b, &sum);
    return sum;
  };
  Box b{0, row ? row : region[0], 0, 0};
  const size_t rows = times(b.row, region[1]);
  b.slice = slice ? slice : rows;
  if (b.row < region[0] || b.slice < rows || b.slice % b.row) return {};
  b.first = plus(plus(times(origin[2], b.slice), times(origin[1], b.row)), origin[0]);
  b.end = plus(plus(times(region[2] - 1, b.slice), times(region[1] - 1, b.row)), plus(b.first, region[0]));
  if (wraps) return {};
  return b;
}

void copy_box(char* to, const Box& t, const char* from, const Box& f, const std::array<size_t, 3>& region) {
  for (size_t z = 0; z < region[2]; ++z)
    for (size_t y = 0; y < region[1]; ++y)
      std::memmove(to + t.first + z * t.slice + y * t.row, from + f.first + z * f.slice + y * f.row,
                   region[0]);
}

/// Whether pieces of `size` bytes that recur every `pitch` bytes, from `a` and from `b` on, share bytes.
bool pieces_meet(size_t a, size_t b, size_t size, size_t pitch) {
  const size_t apart = a > b ? (a - b) % pitch : (pitch - (b - a) % pitch) % pitch;
  return apart < size || apart > pitch - size;
}

/// Whether two boxes for one region in the same memory share bytes. For boxes with different pitches it is
/// enough that their ranges do.
bool boxes_meet(const Box& a, const Box& b, Size region) {
  if (a.end <= b.first || b.end <= a.first) return false;
  if (a.row != b.row || a.slice != b.slice) return true;
  const size_t slice_bytes = (region[1] - 1) * a.row + region[0];
  return pieces_meet(a.first, b.first, region[0], a.row) &&
         pieces_meet(a.first, b.first, slice_bytes, a.slice);
}

cl_int check_rect(Size origin, Size other, Size region) {
  if (!origin || !other || !region || !region[0] || !region[1] || !region[2]) return CL_INVALID_VALUE;
  return CL_SUCCESS;
}

cl_int rect_with_host(cl_command_queue q, cl_mem m, bool write, cl_bool blocking, Size origin,
                      Size host_origin, Size region, size_t row, size_t slice, size_t host_row,
                      size_t host_slice, char* host, WaitList list, cl_event* event) {
  if (cl_int bad = check(q, {m})) return bad;
  if (cl_int bad = check_rect(origin, host_origin, region)) return bad;
  const std::optional<Box> of = box(origin, region, row, slice),
                           hosts = box(host_origin, region, host_row, host_slice);
  if (!host || !of || !hosts || of->end > m->size) return CL_INVALID_VALUE;
  if (host_refused(m, write ? CL_MEM_HOST_READ_ONLY : CL_MEM_HOST_WRITE_ONLY)) return CL_INVALID_OPERATION;
  const std::array<size_t, 3> size{region[0], region[1], region[2]};
  return enqueue(
      q, write ? CL_COMMAND_WRITE_BUFFER_RECT : CL_COMMAND_READ_BUFFER_RECT, list, event,
      [=, keep = Ref(m)]() -> cl_int {
        write ? copy_box(m->data, *of, host, *hosts, size) : copy_box(host, *hosts, m->data, *of, size);
        return CL_COMPLETE;
      },
      blocking);
}

// With the buffer locked.
auto find_region(_cl_mem& m, const void* at, bool is_ending) {
  return std::ranges::find_if(
      m.mapped, [=](const _cl_mem::Region& r) { return r.at == at && r.is_ending == is_ending; });
}

/// The end of a mapped region. Without a call of `end` the region stays as it was: the command was refused,
/// or what it waited for has failed.
class Ending {
 public:
  Ending(cl_mem m, const void* at) : m_(m), at_(at) {}
  Ending(Ending&&) = default;
  ~Ending() {
    if (!m_) return;
    std::lock_guard lock(m_->mutex);
    find_region(*m_.get(), at_, true)->is_ending = false;
  }
  void end() {
    const Ref<_cl_mem> m = std::exchange(m_, {});
    std::lock_guard lock(m->mutex);
    m->mapped.erase(find_region(*m.get(), at_, true));
  }

 private:
  Ref<_cl_mem> m_;
  const void* at_;
};

}  // namespace

extern "C" {

cl_int clEnqueueReadBuffer(cl_command_queue q, cl_mem m, cl_bool blocking, size_t offset, size_t size,
                           void* to, cl_uint count, const cl_event* list, cl_event* event) {
  if (cl_int bad = check(q, {m})) return bad;
  if (!to || outside(m, offset, size)) return CL_INVALID_VALUE;
  if (host_refused(m, CL_MEM_HOST_WRITE_ONLY)) return CL_INVALID_OPERATION;
  return enqueue(
      q, CL_COMMAND_READ_BUFFER, {count, list}, event,
      [=, keep = Ref(m)]() -> cl_int { return std::memmove(to, m->data + offset, size), CL_COMPLETE; },
      blocking);
}
cl_int clEnqueueWriteBuffer(cl_command_queue q, cl_mem m, cl_bool blocking, size_t offset, size_t size,
                            const void* from, cl_uint count, const cl_event* list, cl_event* event) {
  if (cl_int bad = check(q, {m})) return bad;
  if (!from || outside(m, offset, size)) return CL_INVALID_VALUE;
  if (host_refused(m, CL_MEM_HOST_READ_ONLY)) return CL_INVALID_OPERATION;
  return enqueue(
      q, CL_COMMAND_WRITE_BUFFER, {count, list}, event,
      [=, keep = Ref(m)]() -> cl_int { return std::memmove(m->data + offset, from, size), CL_COMPLETE; },
      blocking);
}

cl_int clEnqueueReadBufferRect(cl_command_queue q, cl_mem m, cl_bool blocking, Size origin, Size host_origin,
                               Size region, size_t row, size_t slice, size_t host_row, size_t host_slice,
                               void* to, cl_uint count, const cl_event* list, cl_event* event) {
  return rect_with_host(q, m, false, blocking, origin, host_origin, region, row, slice, host_row, host_slice,
                        static_cast<char*>(to), {count, list}, event);
}
cl_int clEnqueueWriteBufferRect(cl_command_queue q, cl_mem m, cl_bool blocking, Size origin, Size host_origin,
                                Size region, size_t row, size_t slice, size_t host_row, size_t host_slice,
                                const void* from, cl_uint count, const cl_event* list, cl_event* event) {
  return rect_with_host(q, m, true, blocking, origin, host_origin, region, row, slice, host_row, host_slice,
                        const_cast<char*>(static_cast<const char*>(from)), {count, list}, event);
}

cl_int clEnqueueCopyBuffer(cl_command_queue q, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset,
                           size_t size, cl_uint count, const cl_event* list, cl_event* event) {
  if (cl_int bad = check(q, {from, to})) return bad;
  if (outside(from, from_offset, size) || outside(to, to_offset, size)) return CL_INVALID_VALUE;
  const char *source = from->data + from_offset, *target = to->data + to_offset;
  if (source < target + size && target < source + size && size) return CL_MEM_COPY_OVERLAP;
  return enqueue(q, CL_COMMAND_COPY_BUFFER, {count, list}, event,
                 [=, a = Ref(from), b = Ref(to)]() -> cl_int {
                   std::memcpy(b->data + to_offset, a->data + from_offset, size);
                   return CL_COMPLETE;
                 });
}

cl_int clEnqueueCopyBufferRect(cl_command_queue q, cl_mem from, cl_mem to, Size from_origin, Size to_origin,
                               Size region, size_t from_row, size_t from_slice, size_t to_row,
                               size_t to_slice, cl_uint count, const cl_event* list, cl_event* event) {
  if (cl_int bad = check(q, {from, to})) return bad;
  if (cl_int bad = check_rect(from_origin, to_origin, region)) return bad;
  const std::optional<Box> f = box(from_origin, region, from_row, from_slice),
                           t = box(to_origin, region, to_row, to_slice);
  if (!f || !t || f->end > from->size || t->end > to->size) return CL_INVALID_VALUE;
  if (from == to && (f->row != t->row || f->slice != t->slice)) return CL_INVALID_VALUE;
  // Parts of one buffer share its memory.
  auto whole = [](cl_mem m) { return m->parent ? m->parent.get() : m; };
  auto in_whole = [](Box b, cl_mem m) {
    b.first += m->offset, b.end += m->offset;
    return b;
  };
  if (whole(from) == whole(to) && boxes_meet(in_whole(*f, from), in_whole(*t, to), region))
    return CL_MEM_COPY_OVERLAP;
  const std::array<size_t, 3> size{region[0], region[1], region[2]};
  return enqueue(q, CL_COMMAND_COPY_BUFFER_RECT, {count, list}, event,
                 [=, a = Ref(from), b = Ref(to)]() -> cl_int {
                   return copy_box(b->data, *t, a->data, *f, size), CL_COMPLETE;
                 });
}

cl_int clEnqueueFillBuffer(cl_command_queue q, cl_mem m, const void* pattern, size_t length, size_t offset,
                           size_t size, cl_uint count, const cl_event* list, cl_event* event) {
  if (cl_int bad = check(q, {m})) return bad;
  const bool power = length && length <= 128 && !(length & (length - 1));
  if (!pattern || !power || offset % length || size % length || outside(m, offset, size))
    return CL_INVALID_VALUE;
  return guard([&] {
    std::string bytes(static_cast<const char*>(pattern), length);
    return enqueue(q, CL_COMMAND_FILL_BUFFER, {count, list}, event,
                   [=, keep = Ref(m), bytes = std::move(bytes)]() -> cl_int {
                     if (size) fill(m->data + offset, size, bytes);
                     return CL_COMPLETE;
                   });
  });
}

void* clEnqueueMapBuffer(cl_command_queue q, cl_mem m, cl_bool blocking, cl_map_flags flags, size_t offset,
                         size_t size, cl_uint count, const cl_event* list, cl_event* event, cl_int* error) {
  return make(error, [&](cl_int& code) -> void* {
    constexpr cl_map_flags writes = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
    if ((code = check(q, {m}))) return nullptr;
    const bool wrong = (flags & ~(CL_MAP_READ | writes)) ||
                       ((flags & CL_MAP_WRITE_INVALIDATE_REGION) && (flags & (CL_MAP_READ | CL_MAP_WRITE)));
    if (wrong || !size || outside(m, offset, size)) return code = CL_INVALID_VALUE, nullptr;
    if (((flags & CL_MAP_READ) && host_refused(m, CL_MEM_HOST_WRITE_ONLY)) ||
        ((flags & writes) && host_refused(m, CL_MEM_HOST_READ_ONLY)))
      return code = CL_INVALID_OPERATION, nullptr;
    char* const at = m->data + offset;
    {
      std::lock_guard lock(m->mutex);
      m->mapped.push_back({at, false});
    }
    code = enqueue(
        q, CL_COMMAND_MAP_BUFFER, {count, list}, event, [keep = Ref(m)]() -> cl_int { return CL_COMPLETE; },
        blocking);
    if (!code) return at;
    std::lock_guard lock(m->mutex);
    m->mapped.erase(find_region(*m, at, false));
    return nullptr;
  });
}
cl_int clEnqueueUnmapMemObject(cl_command_queue q, cl_mem m, void* mapped, cl_uint count,
                               const cl_event* list, cl_event* event) {
  if (cl_int bad = check(q, {m})) return bad;
  return guard([&]() -> cl_int {
    {
      std::lock_guard lock(m->mutex);
      const auto found = find_region(*m, mapped, false);
      if (found == m->mapped.end()) return CL_INVALID_VALUE;
      found->is_ending = true;
    }
    return enqueue(q, CL_COMMAND_UNMAP_MEM_OBJECT, {count, list}, event,
                   [ending = Ending(m, mapped)]() mutable -> cl_int { return ending.end(), CL_COMPLETE; });
  });
}

cl_int clEnqueueMigrateMemObjects(cl_command_queue q, cl_uint n, const cl_mem* objects,
                                  cl_mem_migration_flags flags, cl_uint count, const cl_event* list,
                                  cl_event* event) {
  if (!is(q)) return CL_INVALID_COMMAND_QUEUE;
  constexpr cl_mem_migration_flags known =
      CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
  if (!n || !objects || (flags & ~known)) return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < n; ++i)
    if (cl_int bad = check(q, {objects[i]})) return bad;
  return enqueue(q, CL_COMMAND_MIGRATE_MEM_OBJECTS, {count, list}, event, {});
}

}  // extern "C"
