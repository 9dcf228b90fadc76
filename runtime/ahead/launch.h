/* Launches kernels that kernelc compiled ahead of time. One thread runs what it is given; to use several,
 * call with `parts` and another `part` in each. C99 and C++11, x86-64, GCC or Clang. */
#ifndef KERNELC_LAUNCH_1
#define KERNELC_LAUNCH_1

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  KERNELC_OK = 0,
  KERNELC_BAD_RANGE = 2, /* a local size that does not divide its global size, or not the one required */
  KERNELC_NO_MEMORY = 3,
  KERNELC_NO_CPU = 4, /* this processor lacks the instructions */
  KERNELC_TRAPPED = 5 /* some work-items ended by a trap; what all others wrote is there */
};

/* Sizes in work-items. A zero is 1 in `global`, and in `local` what the kernel requires, or the largest
 * divisor of global[0] up to 64 and 1 elsewhere. With `parts` above 1 only part number `part` (from 0) is
 * run. */
typedef struct kernelc_range {
  unsigned dims;
  uint64_t global[3], local[3], offset[3];
  uint64_t part, parts;
} kernelc_range;

/* The trap of the lowest global id, and how many work-items trapped; zeros when none did. `value` holds the
 * bits of what was thrown. */
typedef struct kernelc_trap {
  const char *kind, *type;
  unsigned line, column;
  uint64_t value, global_id[3], count;
} kernelc_trap;

/* What one wave is told; compiled code knows this layout. */
typedef struct kernelc_wave {
  const uint64_t* args;
  uint64_t global_id[3], local_id[3], group_id[3];
  uint64_t global_size[3], local_size[3], num_groups[3], global_offset[3];
  uint64_t dims, mask;
  uint8_t *local_memory, *private_memory, *frame;
  uint64_t resume, arrived, site;
} kernelc_wave;

typedef struct kernelc_code {
  void (*entry)(kernelc_wave*); /* null: not compiled for these instructions */
  uint32_t width, frame_bytes;  /* lanes of a wave; bytes that it keeps at a barrier */
} kernelc_code;

typedef struct kernelc_site {
  const char *kind, *type;
  unsigned line, column;
} kernelc_site;

typedef struct kernelc_kernel {
  kernelc_code avx2, avx512;
  uint32_t private_bytes; /* of one work-item */
  int uses_groups, has_barriers;
  uint64_t required_local[3]; /* zeros: any */
  const kernelc_site* sites;
} kernelc_kernel;

/* One for each work-item of a kernel that can trap. */
typedef struct kernelc_slot {
  uint32_t site_plus_one, padding;
  uint64_t value;
} kernelc_slot;

static inline const kernelc_code* kernelc_choose(const kernelc_kernel* k) {
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi") ||
      !__builtin_cpu_supports("bmi2"))
    return NULL;
  if (k->avx512.entry && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return &k->avx512;
  return k->avx2.entry ? &k->avx2 : NULL;
}

static inline int kernelc_complete(const kernelc_kernel* k, kernelc_range* r) {
  int d;
  if (r->dims < 1 || r->dims > 3) return 0;
  for (d = 0; d < 3; ++d) {
    int given = r->local[d] != 0;
    if (d >= (int)r->dims || r->global[d] == 0) r->global[d] = d < (int)r->dims ? 0 : 1;
    if (!given) r->local[d] = k->required_local[0] ? k->required_local[d] : 1;
    if (!given && d == 0 && !k->required_local[0])
      for (r->local[0] = r->global[0] < 64 ? r->global[0] + !r->global[0] : 64; r->global[0] % r->local[0];)
        --r->local[0];
    if (r->global[d] % r->local[d]) return 0;
    if (k->required_local[0] && r->local[d] != k->required_local[d]) return 0;
  }
  return 1;
}

typedef struct kernelc_run {
  const kernelc_kernel* kernel;
  const kernelc_code* code;
  kernelc_range range;
  kernelc_wave wave;   /* what all waves share */
  kernelc_wave* waves; /* of a group with barriers, and what each of them missed */
  uint64_t* missed;
  size_t count;
  int trapped;
  kernelc_trap trap;
} kernelc_run;

/* The waves of one row of work-items along x. None crosses a multiple of 2^31, where ids of 32 bits change
 * their sign. */
static inline void kernelc_row(kernelc_run* run, kernelc_wave* w, uint64_t local_x, uint64_t count) {
  uint64_t x = 0;
  while (x < count) {
    uint64_t n = count - x < run->code->width ? count - x : run->code->width;
    uint64_t edge = ((uint64_t)1 << 31) - (w->global_id[0] & 0x7fffffff);
    if (n > edge) n = edge;
    w->local_id[0] = local_x + x;
    w->mask = n == 64 ? ~(uint64_t)0 : ((uint64_t)1 << n) - 1;
    if (run->waves)
      run->waves[run->count++] = *w;
    else
      run->code->entry(w);
    w->global_id[0] += n;
    x += n;
  }
}

/* Counts work-items that trapped; the report is that of the lowest id. */
static inline void kernelc_add_trap(kernelc_run* run, uint64_t site, uint64_t value, const uint64_t id[3],
                                    uint64_t count) {
  const uint64_t* old = run->trap.global_id;
  int lower = id[2] != old[2] ? id[2] < old[2] : id[1] != old[1] ? id[1] < old[1] : id[0] < old[0];
  count += run->trap.count;
  if (!run->trapped || lower) {
    const kernelc_site* s = &run->kernel->sites[site];
    kernelc_trap t = {s->kind, s->type, s->line, s->column, value, {id[0], id[1], id[2]}, 0};
    run->trap = t;
  }
  run->trap.count = count;
  run->trapped = 1;
}

static inline void kernelc_barrier_trap(kernelc_run* run, const kernelc_wave* w, uint64_t lanes) {
  uint64_t id[3] = {w->global_id[0] + (uint64_t)__builtin_ctzll(lanes), w->global_id[1], w->global_id[2]};
  kernelc_add_trap(run, w->site, 0, id, (uint64_t)__builtin_popcountll(lanes));
}

/* Whether the waves of a group that have not ended stand together at one barrier, with none of the work-items
 * that were elsewhere at an earlier one. */
static inline int kernelc_meet(kernelc_run* run) {
  uint64_t place = 0, late = 0;
  size_t i;
  int same = 1;
  for (i = 0; i < run->count; ++i) {
    const kernelc_wave* w = &run->waves[i];
    if (!w->resume) continue;
    if (!place) place = w->resume;
    same &= w->resume == place;
    late |= w->arrived & run->missed[i];
  }
  for (i = 0; i < run->count; ++i) {
    const kernelc_wave* w = &run->waves[i];
    if (!w->resume) continue;
    if (same && !late)
      run->missed[i] |= w->mask & ~w->arrived;
    else if (!late || (w->arrived & run->missed[i]))
      kernelc_barrier_trap(run, w, late ? w->arrived & run->missed[i] : w->arrived);
  }
  return same && !late;
}

static inline void kernelc_group(kernelc_run* run, uint64_t number) {
  kernelc_wave* w = &run->wave;
  const kernelc_range* r = &run->range;
  uint64_t y, z;
  size_t i, left;
  w->group_id[0] = number % w->num_groups[0];
  w->group_id[1] = number / w->num_groups[0] % w->num_groups[1];
  w->group_id[2] = number / w->num_groups[0] / w->num_groups[1];
  run->count = 0;
  for (z = 0; z < r->local[2]; ++z)
    for (y = 0; y < r->local[1]; ++y) {
      w->local_id[1] = y;
      w->local_id[2] = z;
      w->global_id[0] = r->offset[0] + w->group_id[0] * r->local[0];
      w->global_id[1] = r->offset[1] + w->group_id[1] * r->local[1] + y;
      w->global_id[2] = r->offset[2] + w->group_id[2] * r->local[2] + z;
      kernelc_row(run, w, 0, r->local[0]);
    }
  if (!run->waves) return;
  memset(run->missed, 0, run->count * sizeof *run->missed);
  for (left = 0, i = 0; i < run->count; ++i) {
    kernelc_wave* one = &run->waves[i];
    one->private_memory += (size_t)run->kernel->private_bytes * run->code->width * i;
    one->frame += (size_t)run->code->frame_bytes * i;
    one->resume = 0;
    run->code->entry(one);
    left += one->resume != 0;
  }
  while (left && kernelc_meet(run))
    for (left = 0, i = 0; i < run->count; ++i) {
      if (run->waves[i].resume) run->code->entry(&run->waves[i]);
      left += run->waves[i].resume != 0;
    }
}

static inline uint8_t* kernelc_aligned(void* memory) {
  return (uint8_t*)(((uintptr_t)memory + 63) & ~(uintptr_t)63);
}

/* One part of the work: groups, or rows where groups cannot be seen. */
static inline int kernelc_execute(kernelc_run* run, uint64_t local_bytes) {
  const kernelc_range* r = &run->range;
  int by_group = run->kernel->uses_groups || run->kernel->has_barriers || local_bytes;
  uint64_t* groups = run->wave.num_groups;
  uint64_t tasks = by_group ? groups[0] * groups[1] * groups[2] : r->global[1] * r->global[2];
  uint64_t pieces = by_group ? 1 : (r->global[0] + 4095) / 4096;
  uint64_t parts = r->parts > 1 ? r->parts : 1, all = tasks * pieces, from, to, i;
  size_t waves = 1;
  int status = KERNELC_OK;
  void *local = NULL, *own = NULL, *frames = NULL;
  if (run->kernel->has_barriers)
    waves = (size_t)((r->local[0] / run->code->width + 2) * r->local[1] * r->local[2]);
  local = malloc(local_bytes + 128);
  own = malloc((size_t)run->kernel->private_bytes * run->code->width * waves + 128);
  frames = malloc(run->code->frame_bytes * waves + 128);
  if (run->kernel->has_barriers) {
    run->waves = (kernelc_wave*)malloc(waves * sizeof *run->waves);
    run->missed = (uint64_t*)malloc(waves * sizeof *run->missed);
  }
  if (!local || !own || !frames || (run->kernel->has_barriers && (!run->waves || !run->missed))) {
    status = KERNELC_NO_MEMORY;
  } else {
    run->wave.local_memory = kernelc_aligned(local);
    run->wave.private_memory = kernelc_aligned(own);
    run->wave.frame = kernelc_aligned(frames);
    from = all / parts * r->part + (r->part < all % parts ? r->part : all % parts);
    to = from + all / parts + (r->part < all % parts);
    for (i = from; i < to; ++i) {
      uint64_t row = i / pieces, x = i % pieces * 4096;
      if (by_group) {
        kernelc_group(run, i);
        continue;
      }
      run->wave.global_id[0] = r->offset[0] + x;
      run->wave.global_id[1] = r->offset[1] + row % r->global[1];
      run->wave.global_id[2] = r->offset[2] + row / r->global[1];
      kernelc_row(run, &run->wave, x, r->global[0] - x < 4096 ? r->global[0] - x : 4096);
    }
  }
  free(local);
  free(own);
  free(frames);
  free(run->waves);
  free(run->missed);
  return status;
}

static inline void kernelc_find_trap(kernelc_run* run, const kernelc_slot* slots, uint64_t items) {
  const kernelc_range* r = &run->range;
  uint64_t i;
  for (i = 0; i < items; ++i) {
    const kernelc_slot* s = &slots[i];
    uint64_t id[3] = {i % r->global[0] + r->offset[0], i / r->global[0] % r->global[1] + r->offset[1],
                      i / r->global[0] / r->global[1] + r->offset[2]};
    if (s->site_plus_one) kernelc_add_trap(run, s->site_plus_one - 1, s->value, id, 1);
  }
}

/* `args` has a slot of 8 bytes for each parameter; `trap_slot` is the number of the one for trap slots, or
 * -1. `local_bytes` is the memory of a group. */
static inline int kernelc_launch(const kernelc_kernel* kernel, const kernelc_range* range, uint64_t* args,
                                 int trap_slot, uint64_t local_bytes, kernelc_trap* trap) {
  kernelc_run run;
  kernelc_slot* slots = NULL;
  uint64_t items;
  int d, status;
  memset(&run, 0, sizeof run);
  if (trap) *trap = run.trap;
  run.kernel = kernel;
  run.range = *range;
  run.code = kernelc_choose(kernel);
  if (!run.code) return KERNELC_NO_CPU;
  if (!kernelc_complete(kernel, &run.range)) return KERNELC_BAD_RANGE;
  items = run.range.global[0] * run.range.global[1] * run.range.global[2];
  if (items == 0) return KERNELC_OK;
  if (trap_slot >= 0) {
    slots = (kernelc_slot*)calloc(items, sizeof *slots);
    if (!slots) return KERNELC_NO_MEMORY;
    args[trap_slot] = (uint64_t)(uintptr_t)slots;
  }
  run.wave.args = args;
  run.wave.dims = run.range.dims;
  for (d = 0; d < 3; ++d) {
    run.wave.global_size[d] = run.range.global[d];
    run.wave.local_size[d] = run.range.local[d];
    run.wave.num_groups[d] = run.range.global[d] / run.range.local[d];
    run.wave.global_offset[d] = run.range.offset[d];
  }
  status = kernelc_execute(&run, local_bytes);
  if (slots) kernelc_find_trap(&run, slots, items);
  free(slots);
  if (status == KERNELC_OK && run.trapped) {
    if (trap) *trap = run.trap;
    status = KERNELC_TRAPPED;
  }
  return status;
}

#ifdef __cplusplus
}
#endif
#endif
