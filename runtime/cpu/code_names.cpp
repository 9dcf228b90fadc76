// SPDX-License-Identifier: Apache-2.0
#include "runtime/cpu/code_names.h"

#include <elf.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string_view>

// The interface that gdb's manual describes under "JIT Compilation Interface": gdb has a breakpoint in the
// function and reads the descriptor there.
extern "C" {
struct jit_code_entry {
  jit_code_entry *next_entry, *prev_entry;
  const void* symfile_addr;
  uint64_t symfile_size;
};
struct jit_descriptor {
  uint32_t version, action_flag;
  jit_code_entry *relevant_entry, *first_entry;
};
[[gnu::weak]] jit_descriptor __jit_debug_descriptor = {1, 0, nullptr, nullptr};
[[gnu::weak, gnu::noinline]] void __jit_debug_register_code() { asm volatile(""); }
}

namespace kc {
namespace {

enum : uint32_t { Register = 1, Unregister = 2 };
std::mutex g_names_mutex;

// A file with the sections .text, which lies at the code, and what names it.
std::vector<uint8_t> elf_with_symbol(const void* code, uint64_t bytes, const std::string& name) {
  constexpr std::string_view kNames("\0.text\0.symtab\0.strtab\0", 24);
  const std::string strings = std::string(1, '\0') + name + '\0' + std::string(kNames);
  const auto names = static_cast<uint32_t>(strings.size() - kNames.size());
  std::array<Elf64_Sym, 2> symbols{};
  symbols[1] = {.st_name = 1,
                .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
                .st_shndx = 1,
                .st_value = 0,  // in its section
                .st_size = bytes};
  std::array<Elf64_Shdr, 4> sections{};
  const uint64_t at_symbols = sizeof(Elf64_Ehdr) + sizeof sections, at_strings = at_symbols + sizeof symbols;
  sections[1] = {.sh_name = names + 1,
                 .sh_type = SHT_NOBITS,
                 .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
                 .sh_addr = reinterpret_cast<uint64_t>(code),
                 .sh_size = bytes,
                 .sh_addralign = 16};
  sections[2] = {.sh_name = names + 7,
                 .sh_type = SHT_SYMTAB,
                 .sh_offset = at_symbols,
                 .sh_size = sizeof symbols,
                 .sh_link = 3,
                 .sh_info = 1,
                 .sh_addralign = 8,
                 .sh_entsize = sizeof(Elf64_Sym)};
  sections[3] = {.sh_name = names + 15,
                 .sh_type = SHT_STRTAB,
                 .sh_offset = at_strings,
                 .sh_size = strings.size(),
                 .sh_addralign = 1};
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_REL;
  header.e_machine = EM_X86_64;
  header.e_version = EV_CURRENT;
  header.e_shoff = sizeof header;
  header.e_ehsize = sizeof header;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = sections.size();
  header.e_shstrndx = 3;
  std::vector<uint8_t> file;
  auto put = [&](const void* data, size_t size) {
    const auto* from = static_cast<const uint8_t*>(data);
    file.insert(file.end(), from, from + size);
  };
  put(&header, sizeof header);
  put(sections.data(), sizeof sections);
  put(symbols.data(), sizeof symbols);
  put(strings.data(), strings.size());
  return file;
}

void add_to_perf_map(const void* code, uint64_t bytes, const std::string& name) {
  if (!std::getenv("KERNELC_PERF_MAP")) return;
  if (std::FILE* map = std::fopen(fmt::format("/tmp/perf-{}.map", ::getpid()).c_str(), "a")) {
    fmt::print(map, "{:x} {:x} {}\n", reinterpret_cast<uint64_t>(code), bytes, name);
    std::fclose(map);
  }
}

}  // namespace

struct CodeName::Entry : jit_code_entry {};

CodeName::CodeName(const void* code, uint64_t bytes, const std::string& name)
    : object_(elf_with_symbol(code, bytes, name)), entry_(std::make_unique<Entry>()) {
  std::lock_guard lock(g_names_mutex);
  jit_descriptor& d = __jit_debug_descriptor;
  static_cast<jit_code_entry&>(*entry_) = {d.first_entry, nullptr, object_.data(), object_.size()};
  if (d.first_entry) d.first_entry->prev_entry = entry_.get();
  d.first_entry = d.relevant_entry = entry_.get();
  d.action_flag = Register;
  __jit_debug_register_code();
  add_to_perf_map(code, bytes, name);
}

CodeName::~CodeName() {
  std::lock_guard lock(g_names_mutex);
  jit_descriptor& d = __jit_debug_descriptor;
  (entry_->prev_entry ? entry_->prev_entry->next_entry : d.first_entry) = entry_->next_entry;
  if (entry_->next_entry) entry_->next_entry->prev_entry = entry_->prev_entry;
  d.relevant_entry = entry_.get();
  d.action_flag = Unregister;
  __jit_debug_register_code();
}

}  // namespace kc
