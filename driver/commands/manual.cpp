// SPDX-License-Identifier: Apache-2.0
// The manual page, in the language of man(7).
#include <fmt/format.h>

#include <algorithm>

#include "driver/commands/command_info.h"

namespace kc {
namespace {

// Text in which nothing is a request or an escape.
std::string plain(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n'))
      out += std::string("\\&") + c;
    else
      out += c;
  }
  return out;
}

std::string item(std::string_view term, std::string_view text) {
  return fmt::format(".TP\n.B {}\n{}\n", plain(term), plain(text));
}

// An option that several commands have is one entry.
struct Entry {
  OptionInfo option;
  std::vector<std::string> commands;
};

std::vector<Entry> merged(const std::vector<CommandInfo>& table) {
  std::vector<Entry> entries;
  for (const CommandInfo& c : table)
    for (const OptionInfo& o : c.options) {
      auto at = entries.end();
      bool same = false;
      for (auto e = entries.begin(); e != entries.end() && !same; ++e) {
        if (e->option.names != o.names || e->option.group != o.group) continue;
        same = e->option.choices == o.choices;
        at = e + (same ? 0 : 1);  // others of this name stand side by side
      }
      if (!same) at = entries.insert(at, {o, {}});
      at->commands.push_back(c.name);
    }
  return entries;
}

// The commands that read a kernel; what all of them have needs no names behind it.
std::vector<std::string> readers(const std::vector<CommandInfo>& table) {
  std::vector<std::string> names;
  for (const CommandInfo& c : table)
    if (!c.operands.empty() && c.operands.front().takes_path()) names.push_back(c.name);
  return names;
}

std::string option_sections(const std::vector<CommandInfo>& table) {
  std::vector<Entry> entries = merged(table);
  std::vector<std::string> all = readers(table);
  std::vector<OptionInfo> options;
  for (const Entry& e : entries) options.push_back(e.option);
  std::string text = fmt::format(
      ".SH OPTIONS\nBehind an option stand the commands that take it, unless these are {}.\n@FILE stands for "
      "the "
      "arguments in a file.\n",
      fmt::join(all, ", "));
  for (const std::string& group : groups_of(options)) {
    text += fmt::format(".SS {}\n", plain(group));
    for (const Entry& e : entries) {
      if (e.option.group != group) continue;
      std::string who = e.commands == all ? "" : fmt::format(" [{}]", fmt::join(e.commands, ", "));
      text += item(e.option.usage(), e.option.about() + who);
    }
  }
  return text;
}

constexpr std::string_view kArguments =
    R"(A kernel's arguments are given by name, in any order, or in the order of its parameters. A scalar is a C literal.
A vector or structure is the numbers in it, as
.BR (1,2,3,4) ,
or
.BR @FILE ,
its bytes. A buffer is
.BR TYPE[N] ,
which is zeroed, or with a filler
.BR :iota ,
.BR :fill(v) ,
.BR :rand(seed) " or"
.BR :rand(seed,lo,hi) ;
.B @FILE
or
.BR TYPE[N]@FILE ,
the bytes of a file; or
.BR &OTHER ,
the buffer of another parameter. A local pointer is
.B TYPE[N]
or a number of bytes. TYPE is one of i8, u8, i16, u16, i32, u32, i64, u64, f16, f32, f64.
)";

constexpr std::string_view kStatuses[][2] = {
    {"0", "done"},
    {"1", "errors in the source, or a kernel that the target does not support"},
    {"2", "wrong use of the command"},
    {"3", "a file could not be read or written, or the standard output could not"},
    {"4", "a device or component is absent, or it gave out: it has no memory left, or is lost"},
    {"5", "work-items trapped, or an interpreter stopped the run"},
    {"6", "check or fuzz found a difference"},
    {"70", "an error in kernelc itself"},
};

constexpr std::string_view kExamples[][2] = {
    {"kernelc k.cl --target=avx2 -S", "assembly of a kernel"},
    {"kernelc k.cl --target=cpu -o k.o --header k.h", "an object for C programs"},
    {"kernelc run k.cl --global 1024 --arg 'out=f32[1024]' --print 'out[0:8]'", "one launch, eight results"},
    {"kernelc check k.cl --global 1024 --arg 'out=f32[1024]'", "every engine against the interpreter"},
    {"kernelc completion bash > ~/.local/share/bash-completion/completions/kernelc", "completion"},
};

}  // namespace

std::string manual_page() {
  std::vector<CommandInfo> table = command_table();
  std::string text =
      ".\\\" Made by kernelc man.\n.TH KERNELC 1 \"\" \"kernelc " KC_VERSION
      "\" \"User Commands\"\n.SH NAME\nkernelc \\- compile and run data\\-parallel kernels\n.SH SYNOPSIS\n";
  for (const CommandInfo& c : table) {
    std::string usage = &c == &table.front() ? "kernelc [compile] [options] FILE" : c.usage();
    text += fmt::format("{}.B {}\n", &c == &table.front() ? "" : ".br\n", plain(usage));
  }
  text +=
      ".SH DESCRIPTION\nkernelc compiles kernels in the core of OpenCL C, with free goto and with exceptions "
      "of each "
      "work\\-item, for CPUs, AMD GPUs and Vulkan devices, and runs them. FILE is kernel source (.cl), the "
      "text form "
      "of any of its stages (.kir), or \\- for standard input. Results go to standard output or to \\-o, "
      "diagnostics "
      "to standard error.\n.SH COMMANDS\n";
  for (const CommandInfo& c : table) text += item(c.name, c.summary);
  text += option_sections(table);
  text += ".SH ARGUMENTS OF KERNELS\n";
  text += kArguments;
  text += ".SH EXIT STATUS\n";
  for (const auto& [status, meaning] : kStatuses) text += item(status, meaning);
  text += ".SH ENVIRONMENT\n" + item("NO_COLOR", "when set, diagnostics have no colours unless asked for");
  text += item("KERNELC_VULKAN_DEVICE", "a part of the name of the Vulkan device to use");
  text += item("KERNELC_VULKAN_VALIDATION",
               "when set to 1, Vulkan\\(aqs validation layer watches, if it is installed");
  text += item("KERNELC_VULKAN_CACHE",
               "the folder that keeps what Vulkan\\(aqs driver compiled, or off; without it "
               "$XDG_CACHE_HOME/kernelc or ~/.cache/kernelc");
  text += ".SH EXAMPLES\n";
  for (const auto& [command, meaning] : kExamples) text += item(command, meaning);
  return text;
}

}  // namespace kc
