// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "frontend/features.h"
#include "frontend/preprocess/preprocessor.h"

namespace kc {

std::span<const std::string_view> optional_features() {
  static constexpr std::string_view all[] = {
      "__opencl_c_int64",
      "__opencl_c_fp64",
      "__opencl_c_atomic_order_acq_rel",
      "__opencl_c_atomic_order_seq_cst",
      "__opencl_c_atomic_scope_device",
      "__opencl_c_work_group_collective_functions",
      "__opencl_c_integer_dot_product_input_4x8bit",
      "__opencl_c_integer_dot_product_input_4x8bit_packed",
  };
  return all;
}

std::optional<int> language_version(std::string_view name) {
  static constexpr std::pair<std::string_view, int> all[] = {
      {"CL1.0", 100}, {"CL1.1", 110}, {"CL1.2", 120}, {"CL3.0", 300}};
  for (const auto& [known, version] : all)
    if (name == known) return version;
  return std::nullopt;
}

}  // namespace kc

namespace kc::front {

// The macros of OpenCL C, and kernelc's own.
std::string predefined_macros(const FrontendOptions& options) {
  std::string text = fmt::format("#define __OPENCL_VERSION__ {}\n#define __OPENCL_C_VERSION__ {}\n",
                                 options.device_version, options.language_version);
  for (std::string_view feature : optional_features())
    if (options.language_version >= 300 || feature.starts_with("__opencl_c_integer_dot"))
      text += fmt::format("#define {} 1\n", feature);
  return text +
         R"(#define __kernelc__ 1
#define CL_VERSION_1_0 100
#define CL_VERSION_1_1 110
#define CL_VERSION_1_2 120
#define __ENDIAN_LITTLE__ 1
#define cl_khr_byte_addressable_store 1
#define cl_khr_fp64 1
#define cl_khr_global_int32_base_atomics 1
#define cl_khr_global_int32_extended_atomics 1
#define cl_khr_int64_base_atomics 1
#define cl_khr_int64_extended_atomics 1
#define cl_khr_integer_dot_product 1
#define cl_khr_local_int32_base_atomics 1
#define cl_khr_local_int32_extended_atomics 1
#define __STDC__ 1
#define __STDC_HOSTED__ 1
#define __STDC_VERSION__ 199901
#define __DATE__ "Jan  1 1970"
#define __TIME__ "00:00:00"
#define CL_VERSION_2_0 200
#define CL_VERSION_3_0 300
#define __CHAR_BIT__ 8
#define __SCHAR_MAX__ 127
#define __SHRT_MAX__ 32767
#define __INT_MAX__ 2147483647
#define __LONG_MAX__ 0x7fffffffffffffffL
#define __LONG_LONG_MAX__ 0x7fffffffffffffffL
#define __SIZEOF_SHORT__ 2
#define __SIZEOF_INT__ 4
#define __SIZEOF_LONG__ 8
#define __SIZEOF_LONG_LONG__ 8
#define __SIZEOF_FLOAT__ 4
#define __SIZEOF_DOUBLE__ 8
#define __SIZEOF_POINTER__ 8
#define __SIZEOF_SIZE_T__ 8
#define __FLT_MAX__ 0x1.fffffep127f
#define __FLT_MIN__ 0x1.0p-126f
#define __FLT_EPSILON__ 0x1.0p-23f
#define __FLT_MANT_DIG__ 24
#define __DBL_MAX__ 0x1.fffffffffffffp1023
#define __DBL_MIN__ 0x1.0p-1022
#define __DBL_EPSILON__ 0x1.0p-52
#define __DBL_MANT_DIG__ 53
#define NULL 0
#define __kernel_exec(x, type) __kernel __attribute__((work_group_size_hint(x, 1, 1), vec_type_hint(type)))
#define kernel_exec(x, type) __kernel_exec(x, type)
#define CLK_LOCAL_MEM_FENCE 1
#define CLK_GLOBAL_MEM_FENCE 2
#define CLK_IMAGE_MEM_FENCE 4
#define memory_order_relaxed 0
#define memory_order_acquire 2
#define memory_order_release 3
#define memory_order_acq_rel 4
#define memory_order_seq_cst 5
#define memory_scope_work_item 0
#define memory_scope_work_group 1
#define memory_scope_device 2
#define memory_scope_all_svm_devices 3
#define memory_scope_all_devices 3
#define memory_scope_sub_group 4
#define ATOMIC_VAR_INIT(value) (value)
#define ATOMIC_FLAG_INIT 0
#define true 1
#define false 0
#define CHAR_BIT 8
#define SCHAR_MAX 127
#define SCHAR_MIN (-127-1)
#define CHAR_MAX 127
#define CHAR_MIN (-127-1)
#define UCHAR_MAX 255
#define SHRT_MAX 32767
#define SHRT_MIN (-32767-1)
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-2147483647-1)
#define UINT_MAX 0xffffffffU
#define LONG_MAX 0x7fffffffffffffffL
#define LONG_MIN (-0x7fffffffffffffffL-1)
#define ULONG_MAX 0xffffffffffffffffUL
#define FLT_DIG 6
#define FLT_MANT_DIG 24
#define FLT_MAX_EXP 128
#define FLT_MIN_EXP (-125)
#define FLT_MAX_10_EXP 38
#define FLT_MIN_10_EXP (-37)
#define FLT_RADIX 2
#define FLT_MAX 0x1.fffffep127f
#define FLT_MIN 0x1.0p-126f
#define FLT_EPSILON 0x1.0p-23f
#define MAXFLOAT 0x1.fffffep127f
#define HALF_DIG 3
#define HALF_MANT_DIG 11
#define HALF_MAX_10_EXP 4
#define HALF_MAX_EXP 16
#define HALF_MIN_10_EXP (-4)
#define HALF_MIN_EXP (-13)
#define HALF_RADIX 2
#define DBL_RADIX 2
#define DBL_DIG 15
#define DBL_MANT_DIG 53
#define DBL_MAX_EXP 1024
#define DBL_MIN_EXP (-1021)
#define DBL_MAX_10_EXP 308
#define DBL_MIN_10_EXP (-307)
#define FP_ILOGB0 (-2147483647-1)
#define FP_ILOGBNAN 2147483647
#define DBL_MAX 0x1.fffffffffffffp1023
#define DBL_MIN 0x1.0p-1022
#define DBL_EPSILON 0x1.0p-52
#define INFINITY (1.0f/0.0f)
#define HUGE_VALF (1.0f/0.0f)
#define HUGE_VAL (1.0/0.0)
#define NAN (0.0f/0.0f)
#define M_E 0x1.5bf0a8b145769p+1
#define M_LOG2E 0x1.71547652b82fep+0
#define M_LOG10E 0x1.bcb7b1526e50ep-2
#define M_LN2 0x1.62e42fefa39efp-1
#define M_LN10 0x1.26bb1bbb55516p+1
#define M_PI 0x1.921fb54442d18p+1
#define M_PI_2 0x1.921fb54442d18p+0
#define M_PI_4 0x1.921fb54442d18p-1
#define M_1_PI 0x1.45f306dc9c883p-2
#define M_2_PI 0x1.45f306dc9c883p-1
#define M_2_SQRTPI 0x1.20dd750429b6dp+0
#define M_SQRT2 0x1.6a09e667f3bcdp+0
#define M_SQRT1_2 0x1.6a09e667f3bcdp-1
#define M_E_F 0x1.5bf0a8p+1f
#define M_PI_F 0x1.921fb6p+1f
#define M_PI_2_F 0x1.921fb6p+0f
#define M_PI_4_F 0x1.921fb6p-1f
#define M_1_PI_F 0x1.45f306p-2f
#define M_2_PI_F 0x1.45f306p-1f
#define M_SQRT2_F 0x1.6a09e6p+0f
#define M_LN2_F 0x1.62e43p-1f
#define M_LN10_F 0x1.26bb1cp+1f
#define M_LOG2E_F 0x1.715476p+0f
#define M_LOG10E_F 0x1.bcb7b2p-2f
#define M_2_SQRTPI_F 0x1.20dd76p+0f
#define M_SQRT1_2_F 0x1.6a09e6p-1f
)"
         // Functions of GCC and clang, with those of this language; `__kernelc_NAME` is the function NAME.
         R"(#define __builtin_expect(value, likely) ((long)(value))
#define __builtin_assume(condition) ((void)0)
#define __builtin_unreachable() ((void)0)
#define __builtin_trap() __kernelc_assert(0)
#define __builtin_prefetch(...) ((void)0)
#define __builtin_abs(x) ((int)__kernelc_abs((int)(x)))
#define __builtin_labs(x) ((long)__kernelc_abs((long)(x)))
#define __builtin_llabs(x) __builtin_labs(x)
#define __builtin_rotateleft8(x, n) __kernelc_rotate((uchar)(x), (uchar)(n))
#define __builtin_rotateleft16(x, n) __kernelc_rotate((ushort)(x), (ushort)(n))
#define __builtin_rotateleft32(x, n) __kernelc_rotate((uint)(x), (uint)(n))
#define __builtin_rotateleft64(x, n) __kernelc_rotate((ulong)(x), (ulong)(n))
#define __builtin_rotateright8(x, n) __builtin_rotateleft8(x, -(n))
#define __builtin_rotateright16(x, n) __builtin_rotateleft16(x, -(n))
#define __builtin_rotateright32(x, n) __builtin_rotateleft32(x, -(n))
#define __builtin_rotateright64(x, n) __builtin_rotateleft64(x, -(n))
#define __builtin_popcount(x) ((int)__kernelc_popcount((uint)(x)))
#define __builtin_popcountl(x) ((int)__kernelc_popcount((ulong)(x)))
#define __builtin_popcountll(x) __builtin_popcountl(x)
#define __builtin_parity(x) (__builtin_popcount(x) & 1)
#define __builtin_parityl(x) (__builtin_popcountl(x) & 1)
#define __builtin_parityll(x) __builtin_parityl(x)
#define __builtin_clz(x) ((int)__kernelc_clz((uint)(x)))
#define __builtin_clzl(x) ((int)__kernelc_clz((ulong)(x)))
#define __builtin_clzll(x) __builtin_clzl(x)
#define __builtin_ctz(x) ((int)__kernelc_ctz((uint)(x)))
#define __builtin_ctzl(x) ((int)__kernelc_ctz((ulong)(x)))
#define __builtin_ctzll(x) __builtin_ctzl(x)
#define __builtin_ffs(x) ((__builtin_ctz(x) + 1) % 33)
#define __builtin_ffsl(x) ((__builtin_ctzl(x) + 1) % 65)
#define __builtin_ffsll(x) __builtin_ffsl(x)
#define __builtin_bswap16(x) __kernelc_as_ushort(__kernelc_as_uchar2((ushort)(x)).yx)
#define __builtin_bswap32(x) __kernelc_as_uint(__kernelc_as_uchar4((uint)(x)).wzyx)
#define __builtin_bswap64(x) __kernelc_as_ulong(__kernelc_as_uchar8((ulong)(x)).s76543210)
#define __builtin_inff() (1.0f/0.0f)
#define __builtin_inf() (1.0/0.0)
#define __builtin_huge_valf() (1.0f/0.0f)
#define __builtin_huge_val() (1.0/0.0)
#define __builtin_nanf(text) (0.0f/0.0f)
#define __builtin_nan(text) (0.0/0.0)
#define __builtin_constant_p(x) 0
#define __builtin_offsetof(type, member) ((size_t)&((type*)0)->member)
#define __extension__
#define as_size_t(x) as_ulong(x)
#define as_ptrdiff_t(x) as_long(x)
#define __builtin_choose_expr(condition, a, b) ((condition) ? (a) : (b))
)";
}

}  // namespace kc::front
