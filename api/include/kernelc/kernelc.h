// SPDX-License-Identifier: Apache-2.0
/* kernelc as a library: compiles kernels at run time and launches them in this process. C99 and later; for
 * C++ there is kernelc.hpp on top.
 *
 * - Functions that can fail give a kc_status, and an error object where the last argument asks for one. No
 *   function prints, ends the process or throws, and there is no state besides the objects.
 * - Programs and kernels do not change once they are made: several threads may use one at the same time,
 *   launch it for example. Freeing is for when all others are done with it. A kernel outlives its program.
 * - Structures that may grow begin with their size; the kc_..._init functions fill them with defaults.
 * - All functions for freeing take NULL. */
#ifndef KERNELC_KERNELC_H
#define KERNELC_KERNELC_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The numbers are those of the command's exit statuses where it has the same case. */
typedef enum kc_status {
  KC_OK = 0,
  KC_SOURCE_ERROR = 1,   /* errors in the source, or a kernel that the target does not support */
  KC_USAGE_ERROR = 2,    /* arguments, sizes or names that do not fit */
  KC_FILE_ERROR = 3,     /* a file could not be read */
  KC_ABSENT = 4,         /* this machine lacks what the target needs, or its device failed or was lost */
  KC_TRAPPED = 5,        /* work-items ended by a trap; the others ran to their end */
  KC_STOPPED = 7,        /* the interpreter, the emulator or a device's driver stopped the launch */
  KC_OUT_OF_MEMORY = 8,  /* of this process or of the device */
  KC_INTERNAL_ERROR = 70 /* a bug of kernelc */
} kc_status;

typedef struct kc_error kc_error;
typedef struct kc_program kc_program;
typedef struct kc_kernel kc_kernel;

/* "0.1.0" */
const char* kc_version(void);

/* --- structures and null pointers
 * A structure whose struct_size is not set is KC_USAGE_ERROR, and so is NULL for a handle or a structure in
 * the functions that return kc_status, where nothing else is said. */

/* --- errors
 * Where a function takes a kc_error**, it may be NULL. Otherwise *error is the error or NULL, and the caller
 * frees it; after KC_OUT_OF_MEMORY it may be NULL, too. */

kc_status kc_error_status(const kc_error* error);
/* What is wrong and where. Errors in a source are whole diagnostics, each with its place and line. */
const char* kc_error_message(const kc_error* error);
void kc_error_free(kc_error* error);

/* --- programs */

/* What to compile. Pointers need to live only as long as the call. */
typedef struct kc_source {
  size_t struct_size;
  const char* text;           /* NULL: read the file */
  size_t length;              /* of the text; SIZE_MAX: up to its zero byte */
  const char* file;           /* its path, or how diagnostics name the text */
  const char* const* defines; /* NAME, NAME=VALUE or NAME(PARAMETERS)=VALUE */
  size_t define_count;
  const char* const* include_dirs;
  size_t include_dir_count;
  const char* const* warnings; /* as options -W without the "-W": "no-unused", "error" */
  size_t warning_count;
  int no_warnings;
  int no_contraction; /* never fuse a * b + c */
  int color;          /* in diagnostics */
} kc_source;

static inline void kc_source_init(kc_source* source) {
  memset(source, 0, sizeof *source);
  source->struct_size = sizeof *source;
  source->length = SIZE_MAX;
}

/* Kernel language, or IR in the text form. */
kc_status kc_program_load(const kc_source* source, kc_program** program, kc_error** error);
void kc_program_free(kc_program* program);
/* Warnings, rendered; "" without any, and for NULL. */
const char* kc_program_diagnostics(const kc_program* program);
/* 0 for NULL. */
size_t kc_program_kernel_count(const kc_program* program);
/* In the order of the source; NULL after the last, and for NULL. */
const char* kc_program_kernel_name(const kc_program* program, size_t index);

/* --- kernels */

/* Takes what the work-items of a launch printed, in the order of their ids, and how many messages had no
 * room. Called once by each launch that printed, from its thread, when all work-items have ended. */
typedef void (*kc_print)(void* user, const char* text, size_t size, uint64_t lost);

typedef struct kc_kernel_options {
  size_t struct_size;
  const char* name; /* NULL: the program's only kernel */
  /* What runs the kernel:
   * - NULL or "cpu": the best of this processor; "avx2", "avx512";
   * - "gfx900", "gfx906", "gfx90a": code for these GPUs of AMD, executed by an emulator on one thread;
   * - "hip": the first AMD device of the HIP library of the machine, or of the one that the environment
   *   variable KERNELC_HIP_LIBRARY names. Runs llvm-mc-19 and ld.lld-19 as processes. No global offset;
   * - "vulkan": the Vulkan device that KERNELC_VULKAN_DEVICE names by a part of its name, or the first
   *   suitable one. KERNELC_VULKAN_CACHE=DIR says where compiled code is kept between processes, by default
   *   in the user's cache folder; "off": nowhere;
   * - "interp": the reference interpreter.
   * KC_ABSENT if the processor or the device is not there. "hip" and "vulkan" open their device once for all
   * kernels of the process and close it with the last one; launches on one device follow one another. */
  const char* target;
  uint32_t width; /* lanes of a wave on CPUs: 1, 8, 16, 32 or 64; 0: as suits the kernel */
  int no_optimisation;
  int check_bounds;   /* an access outside buffers and arrays is a trap */
  uint64_t max_steps; /* interp, gfx9: instructions until a launch is stopped; 0: very many */
  kc_print print;     /* of a kernel that calls printf; NULL: to the standard output */
  void* print_user;
  uint64_t printf_bytes; /* room for what a launch prints; 0: 1 MiB */
} kc_kernel_options;

static inline void kc_kernel_options_init(kc_kernel_options* options) {
  memset(options, 0, sizeof *options);
  options->struct_size = sizeof *options;
}

/* Machine code is made at the first launch that needs it, once for each kind of launch: see kc_prepare. For
 * GPUs it is made for one local size. */
kc_status kc_kernel_create(const kc_program* program, const kc_kernel_options* options, kc_kernel** kernel,
                           kc_error** error);
void kc_kernel_free(kc_kernel* kernel);

typedef struct kc_kernel_info {
  size_t struct_size; /* set by the caller */
  const char* name;
  const char* target; /* "avx512" for what "cpu" came to, for example */
  size_t parameter_count;
  uint32_t required_local[3]; /* by reqd_work_group_size; zeros without it */
  int can_trap, has_barriers;
  uint64_t local_bytes;   /* that a group needs besides its local arguments */
  uint64_t private_bytes; /* that a work-item needs in memory */
} kc_kernel_info;
kc_status kc_kernel_describe(const kc_kernel* kernel, kc_kernel_info* info);

typedef enum kc_type {
  KC_UNTYPED = 0, /* of a pointer: void, or a structure */
  KC_BOOL = 1,
  KC_CHAR = 2,
  KC_UCHAR = 3,
  KC_SHORT = 4,
  KC_USHORT = 5,
  KC_INT = 6,
  KC_UINT = 7,
  KC_LONG = 8,
  KC_ULONG = 9,
  KC_FLOAT = 10,
  KC_DOUBLE = 11
} kc_type;

typedef enum kc_parameter_kind {
  KC_PARAMETER_SCALAR = 0,
  KC_PARAMETER_BUFFER = 1, /* a pointer to global or constant memory */
  KC_PARAMETER_LOCAL = 2,  /* a pointer to memory of the work-group */
  KC_PARAMETER_BYTES = 3   /* a vector or structure, by value: KC_UNTYPED, of element_size bytes */
} kc_parameter_kind;

typedef struct kc_parameter {
  size_t struct_size; /* set by the caller */
  const char* name;
  kc_parameter_kind kind;
  kc_type type;        /* of the scalar, or of what the pointer points to */
  size_t element_size; /* bytes of that; 0 for void* */
  int is_const, is_restrict, is_constant_memory;
} kc_parameter;
/* KC_USAGE_ERROR when there is no parameter of that number. */
kc_status kc_kernel_parameter(const kc_kernel* kernel, size_t index, kc_parameter* parameter);

/* --- launches */

/* Sizes in work-items. Those beyond `dims` do not count. A zero in local[0] is what the kernel requires, or a
 * default. Local sizes divide global sizes; ids stay below 2^31. */
typedef struct kc_range {
  size_t struct_size;
  uint32_t dims;
  uint32_t threads; /* at most, on CPUs; 0: all cores */
  uint64_t global[3], local[3], offset[3];
} kc_range;

static inline kc_range kc_range_3d(uint64_t x, uint64_t y, uint64_t z) {
  kc_range range;
  memset(&range, 0, sizeof range);
  range.struct_size = sizeof range;
  range.dims = 3;
  range.global[0] = x;
  range.global[1] = y;
  range.global[2] = z;
  return range;
}
static inline kc_range kc_range_2d(uint64_t x, uint64_t y) {
  kc_range range = kc_range_3d(x, y, 1);
  range.dims = 2;
  return range;
}
static inline kc_range kc_range_1d(uint64_t x) {
  kc_range range = kc_range_3d(x, 1, 1);
  range.dims = 1;
  return range;
}

/* One argument; made by the functions below. This layout stays. */
typedef struct kc_argument {
  uint32_t kind; /* of kc_argument_kind */
  uint32_t type; /* of kc_type */
  union {
    const void* data;
    uint64_t bits;
  } value;
  uint64_t size; /* bytes of a buffer or of local memory */
} kc_argument;

typedef enum kc_argument_kind {
  KC_ARGUMENT_SCALAR = 0,
  KC_ARGUMENT_BUFFER = 1,
  KC_ARGUMENT_CONST_BUFFER = 2, /* for pointers to const only */
  KC_ARGUMENT_LOCAL = 3,
  KC_ARGUMENT_BYTES = 4
} kc_argument_kind;

static inline kc_argument kc_argument_of(uint32_t kind, kc_type type, const void* data, uint64_t bits,
                                         uint64_t size) {
  kc_argument argument;
  argument.kind = kind;
  argument.type = (uint32_t)type;
  argument.value.bits = bits;
  if (data) argument.value.data = data;
  argument.size = size;
  return argument;
}
/* The caller's memory, aligned for its elements. The kernel must stay inside. CPUs, the emulator and the
 * interpreter work in place. "hip" and "vulkan" work on a copy: a launch that succeeds or traps copies all of
 * each buffer back, except constant ones, so no other thread may write to the buffers meanwhile. Buffers may
 * overlap. Pointers that are stored in buffers have no meaning on a device. */
static inline kc_argument kc_buffer(void* data, size_t bytes) {
  return kc_argument_of(KC_ARGUMENT_BUFFER, KC_UNTYPED, data, 0, bytes);
}
static inline kc_argument kc_const_buffer(const void* data, size_t bytes) {
  return kc_argument_of(KC_ARGUMENT_CONST_BUFFER, KC_UNTYPED, data, 0, bytes);
}
/* So much memory for each work-group. */
static inline kc_argument kc_local(size_t bytes) {
  return kc_argument_of(KC_ARGUMENT_LOCAL, KC_UNTYPED, NULL, 0, bytes);
}
/* A vector or structure, by value: as many bytes as the parameter has, in the kernel's layout, which is C's;
 * vectors are aligned to their size, and three components take the place of four. Read before the launch
 * returns. */
static inline kc_argument kc_bytes(const void* data, size_t bytes) {
  return kc_argument_of(KC_ARGUMENT_BYTES, KC_UNTYPED, data, 0, bytes);
}
/* Scalars are converted to the type of the parameter, an integer only to one that holds its value. */
static inline kc_argument kc_long(int64_t value) {
  return kc_argument_of(KC_ARGUMENT_SCALAR, KC_LONG, NULL, (uint64_t)value, 8);
}
static inline kc_argument kc_ulong(uint64_t value) {
  return kc_argument_of(KC_ARGUMENT_SCALAR, KC_ULONG, NULL, value, 8);
}
static inline kc_argument kc_int(int32_t value) { return kc_long(value); }
static inline kc_argument kc_uint(uint32_t value) { return kc_ulong(value); }
static inline kc_argument kc_double(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return kc_argument_of(KC_ARGUMENT_SCALAR, KC_DOUBLE, NULL, bits, 8);
}
static inline kc_argument kc_float(float value) { return kc_double(value); }

/* What is said about a launch in which work-items trapped: about the one of the lowest global id. */
typedef struct kc_trap {
  size_t struct_size; /* set by the caller */
  const char* kind;   /* "uncaught throw", "assert", "divergent barrier" or "out of bounds" */
  const char* type;   /* of what was thrown, or the condition, or the access; lives as long as the kernel */
  uint32_t line, column; /* in the source; 0 when not known */
  uint64_t value;        /* the bits of what was thrown */
  uint64_t global_id[3];
  uint64_t count; /* work-items that trapped */
  /* Of the line, if that is of an included file or one that #line names; else NULL. Lives as long as the
   * kernel. */
  const char* file;
} kc_trap;

static inline void kc_trap_init(kc_trap* trap) {
  memset(trap, 0, sizeof *trap);
  trap->struct_size = sizeof *trap;
}

/* Runs the kernel and returns when all work-items have ended. One argument for each parameter, in their
 * order; when they do not fit, nothing has run. `trap` may be NULL; it is written with KC_TRAPPED only.
 * On CPUs, launches like earlier ones take no memory from the heap, unless they trap. */
kc_status kc_launch(const kc_kernel* kernel, const kc_range* range, const kc_argument* arguments,
                    size_t count, kc_trap* trap, kc_error** error);

/* Compiles for launches of this range with buffers below 2 GiB now, so that the first one need not. */
kc_status kc_prepare(const kc_kernel* kernel, const kc_range* range, kc_error** error);

/* "kernel 'k': uncaught throw of int 7 at line 12 by work-item (3, 0, 0); 5 work-items trapped", cut to fit
 * and ended by zero. Gives the length of the whole text, as snprintf does; "" and 0 if the kernel or the trap
 * is NULL. `text` may be NULL. */
size_t kc_trap_text(const kc_kernel* kernel, const kc_trap* trap, char* text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
