// SPDX-License-Identifier: Apache-2.0
#include "backends/x64/object.h"

#include <elf.h>
#include <fmt/format.h>
#include <libelf.h>

#include <cstdio>
#include <cstring>
#include <memory>
#include <string_view>

namespace kc {
namespace {

constexpr size_t kAlign = 64;

// Names of sections, zero-terminated.
constexpr std::string_view kNames("\0.text\0.rodata\0.note.GNU-stack\0.strtab\0.symtab\0.shstrtab\0", 57);

// Sections of an object under construction. The caller keeps their contents alive.
class Object {
 public:
  explicit Object(int file)
      : elf_((elf_version(EV_CURRENT), elf_begin(file, ELF_C_WRITE, nullptr)), &elf_end) {
    if (!elf_) return;
    header_ = elf64_newehdr(elf_.get());
    if (!header_) return;
    header_->e_ident[EI_DATA] = ELFDATA2LSB;
    header_->e_machine = EM_X86_64;
    header_->e_type = ET_REL;
    header_->e_version = EV_CURRENT;
  }

  /// Returns the new section's number, or 0.
  uint16_t section(std::string_view name, uint32_t type, uint64_t flags, std::string& bytes, size_t align,
                   Elf_Type kind = ELF_T_BYTE) {
    Elf_Scn* s = header_ ? elf_newscn(elf_.get()) : nullptr;
    Elf_Data* data = s ? elf_newdata(s) : nullptr;
    Elf64_Shdr* h = data ? elf64_getshdr(s) : nullptr;
    if (!h) return 0;
    data->d_buf = bytes.data();
    data->d_size = bytes.size();
    data->d_align = align;
    data->d_type = kind;
    data->d_version = EV_CURRENT;
    h->sh_name = static_cast<uint32_t>(kNames.find(name));
    h->sh_type = type;
    h->sh_flags = flags;
    last_ = h;
    return static_cast<uint16_t>(elf_ndxscn(s));
  }
  /// Header of the last section added.
  Elf64_Shdr& last() { return *last_; }
  bool finish(uint16_t names_section) {
    header_->e_shstrndx = names_section;
    return elf_update(elf_.get(), ELF_C_WRITE) >= 0;
  }
  bool ok() const { return header_ != nullptr; }

 private:
  std::unique_ptr<Elf, int (*)(Elf*)> elf_;
  Elf64_Ehdr* header_ = nullptr;
  Elf64_Shdr* last_ = nullptr;
};

std::string contents(std::FILE* file) {
  if (std::fseek(file, 0, SEEK_END) != 0) return {};
  long size = std::ftell(file);
  std::string bytes(size > 0 ? static_cast<size_t>(size) : 0, '\0');
  std::rewind(file);
  if (std::fread(bytes.data(), 1, bytes.size(), file) != bytes.size()) bytes.clear();
  return bytes;
}

bool build(int file, std::span<const ObjectPart> parts) {
  Object object(file);
  if (!object.ok()) return false;
  std::string section_bytes[2], symbols(sizeof(Elf64_Sym), '\0'), symbol_names(1, '\0'), empty;
  std::string names(kNames);
  // Code is section 1, read-only data 2.
  for (const ObjectPart& p : parts) {
    std::string& to = section_bytes[p.is_code ? 0 : 1];
    to.resize((to.size() + kAlign - 1) / kAlign * kAlign, p.is_code ? '\xcc' : '\0');
    Elf64_Sym s{};
    s.st_name = static_cast<uint32_t>(symbol_names.size());
    symbol_names.append(p.symbol).push_back('\0');
    s.st_info = ELF64_ST_INFO(STB_GLOBAL, p.is_code ? STT_FUNC : STT_OBJECT);
    s.st_other = STV_HIDDEN;
    s.st_shndx = p.is_code ? 1 : 2;
    s.st_value = to.size();
    s.st_size = p.bytes.size();
    symbols.append(reinterpret_cast<const char*>(&s), sizeof s);
    to.append(p.bytes.begin(), p.bytes.end());
  }
  if (object.section(".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, section_bytes[0], kAlign) != 1 ||
      object.section(".rodata", SHT_PROGBITS, SHF_ALLOC, section_bytes[1], kAlign) != 2)
    return false;
  // Without this section linkers make the stack executable.
  if (!object.section(".note.GNU-stack", SHT_PROGBITS, 0, empty, 1)) return false;
  uint16_t strings = object.section(".strtab", SHT_STRTAB, 0, symbol_names, 1);
  if (!object.section(".symtab", SHT_SYMTAB, 0, symbols, 8, ELF_T_SYM)) return false;
  object.last().sh_link = strings;
  object.last().sh_info = 1;  // the first global symbol
  object.last().sh_entsize = sizeof(Elf64_Sym);
  uint16_t own = object.section(".shstrtab", SHT_STRTAB, 0, names, 1);
  return strings && own && object.finish(own);
}

}  // namespace

std::expected<std::string, std::string> write_object(std::span<const ObjectPart> parts) {
  // libelf writes files only.
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), &std::fclose);
  if (!file) return std::unexpected("cannot make a temporary file");
  std::string bytes = build(fileno(file.get()), parts) ? contents(file.get()) : std::string();
  if (bytes.empty()) return std::unexpected(fmt::format("libelf: {}", elf_errmsg(-1)));
  return bytes;
}

}  // namespace kc
