// SPDX-License-Identifier: Apache-2.0
// Readers that need no compiler.
#include <string>

#include "ir/json/json.h"
#include "sim/gcn/object.h"
#include "sim/warp/trace.h"
#include "tests/fuzz/fuzz.h"

namespace {

// What a trace may be asked to draw.
constexpr int kMostEvents = 10'000;

bool well_formed(const kc::Module& module) {
  bool all = true;
  for (const auto& f : module.functions) {
    const auto errors = kc::verify(*f);
    if (errors.empty()) continue;
    all = false;
    require(!kc::render(*f, errors).empty(), "no message");
  }
  return all;
}

// IR of any dialect: what is well formed prints as itself.
void run_text(std::string_view input) {
  const auto module = kc::parse_module(input);
  if (!module)
    require(!module.error().render("input", std::string(input)).empty(), "no message");
  else if (well_formed(*module))
    require_round_trip(kc::print(*module));
}

// What is well formed is the same in both forms.
void run_json(std::string_view input) {
  const auto module = kc::read_json(input);
  if (!module) {
    require(!kc::render_json_error(module.error(), "input").empty(), "no message");
    return;
  }
  for (size_t k = 0; k < module->functions.size(); ++k) {
    const kc::Function& f = *module->functions[k];
    if (const auto errors = kc::verify(f); !errors.empty())
      require(!kc::render_json_errors(f, k, errors, "input", input).empty(), "no message");
  }
  if (!well_formed(*module)) return;
  const std::string printed = kc::print(*module);
  require_round_trip(printed);
  const auto again = kc::read_json(kc::write_json(*module));
  require(again.has_value(), "what was written as JSON cannot be read");
  require(kc::print(*again) == printed, "another function after JSON");
}

void run_trace(std::string_view input) {
  auto reader = kc::TraceReader::open(input);
  if (!reader) return require(!reader.error().empty(), "no message");
  require(!kc::render_head(reader->header()).empty(), "no head");
  kc::TraceEvent event;
  for (int n = 0; n < kMostEvents; ++n) {
    const auto more = reader->next(event);
    if (!more) return require(!more.error().empty(), "no message");
    if (!*more) return;
    require(event.block < reader->header().blocks.size(), "an event of no block");
    require(!kc::render(reader->header(), event).empty(), "no line");
  }
}

void run_object(std::string_view input) {
  const auto elf = kc::read_elf(input);
  if (!elf) return require(!elf.error().empty(), "no message");
  require(elf->model && elf->kernels.size() == elf->entry_pc.size(), "half an object");
}

void run_assembly(std::string_view input) {
  const auto object = kc::load_assembly(input);
  if (!object) return require(!object.error().empty(), "no message");
  for (const kc::GcnKernel& k : object->kernels)
    require(k.entry <= object->code.size(), "a kernel that begins nowhere");  // the emulator refuses the end
  for (const kc::GcnInst& i : object->code)
    require(i.target == UINT32_MAX || i.target <= object->code.size(), "a branch to nowhere");
}

constexpr Entry kReaders[] = {{"text", run_text},
                              {"json", run_json},
                              {"trace", run_trace},
                              {"object", run_object},
                              {"assembly", run_assembly}};

}  // namespace

std::span<const Entry> reader_entries() { return kReaders; }
