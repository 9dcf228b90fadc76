// SPDX-License-Identifier: Apache-2.0
// Code objects for each gfx9 machine: their descriptors and metadata, acceptance by AMD's own library, and
// several kernels in a file.
#include <dlfcn.h>

#include <cstring>

#include "backends/gcn/isa/models.h"
#include "ir/launch.h"
#include "ir/process.h"
#include "tests/gcn/against_interpreter.h"

using namespace kc;
using namespace kc::test;

namespace {

// A kernel that reads ids in three dimensions and a 64-bit element.
std::unique_ptr<Function> kernel(const std::string& name) {
  WaveKernel k(3, name);
  ValueId v = k.load(0, Elem::I64);
  for (int64_t d = 0; d < 3; ++d)
    v = k.b.make(Op::add, kI64.lanes(), {v, k.b.make(Op::local_id, kI64.lanes(), {}, {d})});
  k.store(v, 0, kItems);
  k.b.ret();
  return std::move(k.f);
}

// Empty when the tools are missing.
std::string object_of(std::span<const GcnCode> kernels, const GcnTarget& target) {
  auto bytes = assemble_gcn(gcn_file(kernels, target), target);
  if (!bytes && bytes.error().absent) return {};
  INFO((bytes ? std::string() : bytes.error().message));
  REQUIRE(bytes.has_value());
  return *bytes;
}

uint32_t word_at(const ElfKernels& elf, uint64_t offset) {
  uint32_t word = 0;
  std::memcpy(&word, elf.image.data() + offset, 4);
  return word;
}

// AMD's library for code objects, as its header declares it.
struct Comgr {
  struct Handle {
    uint64_t handle = 0;
  };
  int (*create)(int kind, Handle*) = nullptr;
  int (*set)(Handle, size_t, const char*) = nullptr;
  int (*isa)(Handle, size_t*, char*) = nullptr;
  int (*metadata)(Handle, Handle*) = nullptr;
  int (*release)(Handle) = nullptr;
  int (*destroy)(Handle) = nullptr;

  bool open() {
    void* library = dlopen("libamd_comgr.so.2", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library) return false;
    auto find = [&](auto& f, const char* name) {
      f = reinterpret_cast<std::remove_reference_t<decltype(f)>>(dlsym(library, name));
      return f != nullptr;
    };
    return find(create, "amd_comgr_create_data") && find(set, "amd_comgr_set_data") &&
           find(isa, "amd_comgr_get_data_isa_name") && find(metadata, "amd_comgr_get_data_metadata") &&
           find(release, "amd_comgr_release_data") && find(destroy, "amd_comgr_destroy_metadata");
  }
};

}  // namespace

TEST_CASE("descriptors for each machine") {
  for (const gcn::MachineModel& model : gcn::kModels) {
    const GcnTarget target{.cpu = std::string(model.cpu), .group_items = 64};
    auto f = kernel("first"), g = kernel("second");
    std::vector<GcnCode> kernels;
    for (const Function* each : {f.get(), g.get()}) kernels.push_back(std::move(*compile_gcn(*each, target)));
    std::string bytes = object_of(kernels, target);
    if (bytes.empty()) {
      WARN("skipped: LLVM's tools are not installed");
      return;
    }
    INFO(model.cpu);
    auto elf = read_elf(bytes);
    CHECK(elf.has_value() == model.emulated);
    if (!model.emulated) continue;
    CHECK(elf->model == &model);
    REQUIRE(elf->kernels.size() == 2);
    for (const GcnKernel& k : elf->kernels) {
      CHECK(k.properties == 0b1011);      // scratch descriptor, dispatch packet, arguments
      CHECK((k.rsrc2 >> 7 & 7) == 7);     // group ids in three dimensions
      CHECK((k.rsrc2 >> 11 & 3) == 2);    // work-item ids likewise
      CHECK((k.rsrc1 >> 16 & 15) == 15);  // denormals are kept
      CHECK((k.rsrc1 >> 23 & 1) == 0);    // no IEEE mode
      CHECK(k.kernarg_bytes == 48);
      REQUIRE(k.args.size() == 6);
      CHECK(k.args[0].name == "p0");
      CHECK(k.args[5].kind == "hidden_global_offset_z");
      uint32_t vgprs = kernels[0].resources.vgprs, granule = model.even_tuples ? 8 : 4;
      CHECK(k.vgprs == (vgprs + granule - 1) / granule * granule);
    }
    // The descriptor field at 44 is for gfx90a: the start of the matrix registers, in units of four.
    size_t descriptor = 0;
    for (size_t at = 0; at + 64 <= elf->image.size(); at += 64)
      if (word_at(*elf, at + 8) == 48 && word_at(*elf, at + 48) == elf->kernels[0].rsrc1) descriptor = at;
    uint32_t matrices = word_at(*elf, descriptor + 44) & 63;
    CHECK(matrices == (model.even_tuples ? (kernels[0].resources.vgprs + 3) / 4 - 1 : 0));
  }
}

TEST_CASE("AMD's library reads the objects") {
  Comgr comgr;
  if (!comgr.open()) {
    WARN("skipped: libamd_comgr is not installed");
    return;
  }
  for (const gcn::MachineModel& model : gcn::kModels) {
    if (!model.emulated) continue;  // the library does not know it either
    const GcnTarget target{.cpu = std::string(model.cpu)};
    auto f = kernel("k");
    GcnCode code = std::move(*compile_gcn(*f, target));
    std::string bytes = object_of({&code, 1}, target);
    if (bytes.empty()) return;
    INFO(model.cpu);
    constexpr int kExecutable = 8;
    Comgr::Handle data, metadata;
    REQUIRE(comgr.create(kExecutable, &data) == 0);
    REQUIRE(comgr.set(data, bytes.size(), bytes.data()) == 0);
    char name[256] = {};
    size_t size = sizeof name;
    CHECK(comgr.isa(data, &size, name) == 0);
    CHECK(std::string(name) == "amdgcn-amd-amdhsa--" + target.cpu);
    CHECK(comgr.metadata(data, &metadata) == 0);
    comgr.destroy(metadata), comgr.release(data);
  }
}

TEST_CASE("ids of work-items and tuples on each machine") {
  auto f = kernel("k");
  LaunchSpec launch{.dims = 3, .global = {12, 6, 2}, .local = {6, 3, 2}};
  for (const gcn::MachineModel& model : gcn::kModels) {
    INFO(model.cpu);
    auto code = compile_gcn(*f, {.cpu = std::string(model.cpu)});
    REQUIRE(code.has_value());
    CHECK((code->assembly.find("v_bfe_u32") != std::string::npos) == model.packed_ids);
    if (!model.emulated) continue;
    Buffers want = buffers_for(1), got = want;
    std::vector<MemoryRange> memory, ranges;
    auto bits = addresses(want, memory), own = addresses(got, ranges);
    REQUIRE(run_waves(*f, launch, bits, {.memory = memory, .packed = true}).message == "");
    REQUIRE(run_assembly(*f, code->assembly, launch, own, ranges).message == "");
    CHECK(want == got);
  }
  CHECK(load_assembly(compile_gcn(*f, {.cpu = "gfx942"})->assembly)
            .error()
            .ends_with(".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\""));
  CHECK(compile_gcn(*f, {.cpu = "gfx1100"}).error().message == "no code is made for 'gfx1100'");
}

// gfx942 has no emulator: LLVM's tools check the contents of the object, and the text its waits.
TEST_CASE("gfx942") {
  const GcnTarget target{.cpu = "gfx942", .group_items = 64};
  WaveKernel k(3);
  k.f->add_object({.name = "x", .type = kPtrPrivate, .size = 8192, .align = 16, .init = {}});
  ValueId id = k.b.make(Op::local_id, kI32.lanes(), {}, {0});
  ValueId base = k.f->constant(kPtrPrivate, kFirstOffset);
  ValueId at = k.b.make(Op::ptr_add, kPtrPrivate.lanes(), {base, id}, {4, 0});
  ValueId far = k.f->constant(kPtrPrivate, 8000);
  ValueId x = k.load(0, Elem::F32), y = k.load(1, Elem::F32);
  for (ValueId p : {at, far}) k.b.emit(Op::lane_store, {k.mask, p, x}, {}, {0});
  ValueId less = k.b.make(Op::flt, kI1.lanes(), {x, y});
  ValueId sum = k.b.make(Op::select, kF32.lanes(), {less, x, k.b.make(Op::fsqrt, kF32.lanes(), {y})});
  for (ValueId p : {at, far})
    sum = k.b.make(Op::fadd, kF32.lanes(), {sum, k.b.make(Op::lane_load, kF32.lanes(), {k.mask, p}, {0})});
  k.store(sum, 0, kItems);
  k.b.ret();
  auto code = compile_gcn(*k.f, target);
  REQUIRE(code.has_value());
  INFO(code->assembly);
  auto has = [&](std::string_view what) { return code->assembly.find(what) != std::string::npos; };
  CHECK(has("scratch_store_dword v"));
  CHECK(has("scratch_load_dword v"));
  CHECK(has(", off offset:16"));  // at the lane's offset
  CHECK(has("s_mov_b32 s14, 0x1000"));
  CHECK(has("off, s14 offset:3904"));
  CHECK(!has("buffer_"));
  CHECK(has("s_load_dwordx8 s[16:23], s[2:3], 0"));
  CHECK(has("s_nop 1"));  // from the comparison to the selection
  std::string bytes = object_of({&*code, 1}, target);
  if (bytes.empty()) return;
  TempDir dir;
  REQUIRE(write_file(dir.file("k.co"), bytes));
  auto read = run_tool({"llvm-readelf-19", "--file-header", "--notes", dir.file("k.co")});
  if (!read) return;
  for (const char* what : {", gfx942,", ".private_segment_fixed_size: 8208", ".symbol:         k.kd",
                           "amdgcn-amd-amdhsa--gfx942"})
    CHECK(read->out.find(what) != std::string::npos);
  auto listed = run_tool({"llvm-objdump-19", "-D", "-j", ".rodata", dir.file("k.co")});
  REQUIRE(listed.has_value());
  for (const char* what : {".amdhsa_enable_private_segment 1", ".amdhsa_user_sgpr_dispatch_ptr 1",
                           ".amdhsa_user_sgpr_kernarg_segment_ptr 1", ".amdhsa_system_vgpr_workitem_id 2",
                           ".amdhsa_private_segment_fixed_size 8208", ".amdhsa_ieee_mode 0"})
    CHECK(listed->out.find(what) != std::string::npos);
}
