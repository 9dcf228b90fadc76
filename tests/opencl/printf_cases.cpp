// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdlib>
#include <string_view>

#include "tests/opencl/cases.h"

namespace kc::test {
namespace {

// A line for each form of a conversion, for each number.
OpenclCase scalars(const std::string& name, const std::vector<std::string>& forms,
                   const std::vector<std::string>& numbers) {
  std::string body;
  for (const std::string& form : forms)
    for (const std::string& number : numbers)
      body += fmt::format("  printf(\"{0} [{0}]\\n\", {1}, {1});\n", form, number);
  return {name,
          "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
          "constant double reals[] = {0.0, -0.0, 1.0, -2.5, 1e10f, 123456.75, 1e-7f, INFINITY, "
          "-INFINITY, 0.1f, 1e30f};\n"
          "kernel void k(global int* out) {\n" +
              body + "}\n",
          {"--global", "1", "--arg", "out=i32[1]"}};
}

const std::vector<std::string> kFlags{"", "-", "+", " ", "0", "-+", "+0", " 0", "- "};
const std::vector<std::string> kSizes{"", "1", "12", ".0", ".3", "12.5", "3.7"};

std::vector<std::string> forms(const std::string& modifier, const std::string& conversions,
                               bool unsigned_ones) {
  std::vector<std::string> all;
  for (char c : conversions)
    for (const std::string& flags : kFlags)
      for (const std::string& size : kSizes) {
        // Undefined in C: a sign flag for an unsigned value, 0 beside a precision or beside '-'.
        if (unsigned_ones && flags.find_first_of("+ ") != std::string::npos) continue;
        all.push_back("%" + flags + size + modifier + c);
      }
  for (char c : conversions)
    if (c == 'x' || c == 'X' || c == 'o')
      all.push_back(fmt::format("%#{}{}", modifier, c)), all.push_back(fmt::format("%#10{}{}", modifier, c));
  return all;
}

// `wide`: vectors of more than 256 bits, which PoCL 3.1 prints wrongly on machines without registers for
// them.
OpenclCase vectors(bool wide) {
  constexpr std::pair<const char*, const char*> widths[] = {
      {"2", "s01"}, {"3", "s012"}, {"4", "s0123"}, {"8", "s01234567"}, {"16", "s0123456789abcdef"}};
  // By number of components: the format, and the vectors of sixteen whose first components it prints.
  constexpr std::pair<const char*, const char*> rows[] = {
      {"%v{0}hhd %v{0}hhi", "bytes.{1}, bytes.{1}"},
      {"%v{0}hhx %-5v{0}hhu|", "as_uchar16(bytes).{1}, as_uchar16(bytes).{1}"},
      {"%v{0}hd %+6v{0}hi %v{0}hu", "shorts.{1}, shorts.{1}, as_ushort16(shorts).{1}"},
      {"%v{0}hld %08v{0}hlx %v{0}hlo", "ints.{1}, as_uint16(ints).{1}, as_uint16(ints).{1}"},
      {"%v{0}ld %v{0}lX", "longs.{1}, as_ulong16(longs).{1}"},
      {"%v{0}hlf %.2v{0}hle %v{0}hlg %10.1v{0}hlf", "floats.{1}, floats.{1}, floats.{1}, floats.{1}"},
      {"%v{0}lf %.3v{0}lE", "doubles.{1}, doubles.{1}"},
  };
  std::string body;
  for (const auto& [width, part] : widths)
    for (const auto& [format, arguments] : rows) {
      const bool of_64_bits = std::string_view(format).find("}l") != std::string_view::npos;
      const bool of_32_bits = std::string_view(format).find("}hl") != std::string_view::npos;
      const int bits = std::atoi(width) * (of_64_bits ? 64 : of_32_bits ? 32 : 16);
      if ((bits > 256) != wide) continue;
      body += fmt::format("  printf(\"{}\\n\", {});\n", fmt::format(fmt::runtime(format), width),
                          fmt::format(fmt::runtime(arguments), width, part));
    }
  return {wide ? "wide vectors printed" : "vectors printed",
          "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
          "kernel void k(global const int* in) {\n"
          "  char16 bytes = convert_char16(vload16(0, in));\n  short16 shorts = convert_short16(vload16(1, "
          "in));\n"
          "  int16 ints = vload16(2, in);\n  long16 longs = convert_long16(ints) * 5000000011L;\n"
          "  float16 floats = convert_float16(ints) / 1024.0f;\n  double16 doubles = convert_double16(ints) "
          "* 0.125;\n" +
              body + "}\n",
          {"--global", "1", "--arg", "in=i32[48]:rand(3,-70000,70000)"},
          wide};
}

OpenclCase texts() {
  return {"texts printed",
          R"(constant char name[] = "constant memory";
kernel void k(global int* out) {
  printf("plain\n");
  printf("%s|%20s|%-20s|%.3s|%s\n", "text", "right", "left", "cut short", name);
  printf("%c%c%c|%3c|%-3c|\n", 'a', 66, '\\', 'x', 'y');
  printf("%% %5d%%\n", 7);
  printf("tab\tquote\"back\\slash\n" "second %s\n", "literal" " joined");
  int n = printf("%d\n", 1);
  out[0] = n;
})",
          {"--global", "1", "--arg", "out=i32[1]"}};
}

}  // namespace

std::vector<OpenclCase> printf_cases() {
  const std::vector<std::string> ints{"0", "42", "-42", "2147483647", "(-2147483647 - 1)"},
      uints{"0u", "42u", "4294967295u"}, longs{"0L", "-5000000000L", "9223372036854775807L"},
      ulongs{"0UL", "18446744073709551615UL"};
  // Numbers that are exact as floats: some implementations print doubles as floats.
  std::vector<std::string> reals;
  for (int i = 0; i < 11; ++i) reals.push_back(fmt::format("reals[{}]", i));

  return {scalars("int", forms("", "di", false), ints),
          scalars("uint", forms("", "uxXo", true), uints),
          scalars("char", forms("hh", "di", false), {"(char)-7", "(char)100"}),
          scalars("uchar", forms("hh", "ux", true), {"(uchar)200"}),
          scalars("short", forms("h", "d", false), {"(short)-30000", "(short)5"}),
          scalars("ushort", forms("h", "uo", true), {"(ushort)60000"}),
          scalars("long", forms("l", "d", false), longs),
          scalars("ulong", forms("l", "uxo", true), ulongs),
          scalars("f", forms("", "fF", false), reals),
          scalars("e", forms("", "eE", false), reals),
          scalars("g", forms("", "gG", false), reals),
          scalars("a", {"%a", "%A", "%.3a", "%20a"}, {"reals[2]", "reals[3]", "reals[9]", "reals[10]"}),
          vectors(false),
          vectors(true),
          texts()};
}

}  // namespace kc::test
