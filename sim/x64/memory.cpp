// SPDX-License-Identifier: Apache-2.0
// Gathers, scatters and the masked moves of AVX2 in the x86-64 emulator. Inactive lanes access nothing; a
// gather or scatter clears its mask.
#include "sim/x64/machine.h"

namespace kc::x64sim {
namespace {

// dst_bits is the element size, src_bits the index size.
unsigned gathered_lanes(const Inst& in, const Operand& data, const Operand& address) {
  unsigned elements = data.reg.bytes * 8u / in.row->dst_bits,
           indices = address.index.bytes * 8u / in.row->src_bits;
  return elements < indices ? elements : indices;
}

uint64_t element_address(const Inst& in, const Operand& o, uint64_t base, const Vec& index, unsigned lane) {
  auto i = static_cast<uint64_t>(sign_extend(index.get(in.row->src_bits, lane), in.row->src_bits));
  return base + i * o.scale;
}

// The mask is a vector of signs (operand 2), or a mask register.
void exec_gather(Machine& m, const Inst& in) {
  const Operand &d = in.operands[0], &a = in.operands[1];
  bool masks = in.count == 2;
  if (masks && !in.mask) return m.fail("a gather needs a mask register other than k0");
  if (a.index.file != File::Vec) return m.fail("a gather needs a vector of indices");
  if (d.reg.index == a.index.index) return m.fail("destination and index of a gather must differ");
  if (!masks && (d.reg.index == in.operands[2].reg.index || a.index.index == in.operands[2].reg.index))
    return m.fail("destination, index and mask of a gather must differ");
  unsigned bits = in.row->dst_bits, lanes = gathered_lanes(in, d, a);
  Vec r = m.vec(d.reg), index = m.vec(a.index), signs;
  if (!masks) signs = m.vec(in.operands[2].reg);
  uint64_t on = masks ? m.active(in, lanes) : 0, base = m.address(a);
  for (unsigned i = 0; !masks && i < lanes; ++i) on |= (signs.get(bits, i) >> (bits - 1) & 1) << i;
  for (unsigned i = 0; i < lanes && !m.failed(); ++i)
    if (on >> i & 1) r.set(bits, i, m.load_element(element_address(in, a, base, index, i), bits / 8));
  if (m.failed()) return;
  m.write_vec(d.reg.index, lanes * bits / 8, r);
  if (masks)
    m.write_k(in.mask, 0);
  else
    m.write_vec(in.operands[2].reg.index, in.operands[2].reg.bytes, Vec());
}

void exec_scatter(Machine& m, const Inst& in) {
  const Operand &a = in.operands[0], &s = in.operands[1];
  if (!in.mask) return m.fail("a scatter needs a mask register other than k0");
  if (a.index.file != File::Vec) return m.fail("a scatter needs a vector of indices");
  unsigned bits = in.row->dst_bits, lanes = gathered_lanes(in, s, a);
  Vec data = m.vec(s.reg), index = m.vec(a.index);
  uint64_t on = m.active(in, lanes), base = m.address(a);
  for (unsigned i = 0; i < lanes && !m.failed(); ++i)
    if (on >> i & 1) m.store(element_address(in, a, base, index, i), bits / 8, data.bytes + i * bits / 8);
  if (!m.failed()) m.write_k(in.mask, 0);
}

// vmaskmov: signs of operand 1 select elements; elements not loaded become zero.
void exec_mask_move(Machine& m, const Inst& in) {
  bool is_store = in.operands[0].is_mem();
  const Operand &memory = in.operands[is_store ? 0 : 2], &reg = in.operands[is_store ? 2 : 0];
  if (!memory.is_mem()) return m.fail("a masked move needs memory");
  unsigned bits = in.row->dst_bits, lanes = memory.bytes * 8u / bits;
  Vec signs = m.vec(in.operands[1].reg), v = is_store ? m.vec(reg.reg) : Vec();
  uint64_t base = m.address(memory);
  for (unsigned i = 0; i < lanes && !m.failed(); ++i) {
    if (!(signs.get(bits, i) >> (bits - 1))) continue;
    uint64_t at = base + i * bits / 8;
    if (is_store)
      m.store(at, bits / 8, v.bytes + i * bits / 8);
    else
      v.set(bits, i, m.load(at, bits / 8));
  }
  if (!is_store && !m.failed()) m.write_vec(reg.reg.index, reg.reg.bytes, v);
}

// Bytes under a mask. Without one, a load: the compiler uses it where some of them may lie outside the
// buffer.
void exec_move_bytes(Machine& m, const Inst& in) {
  const Operand &d = in.operands[0], &a = in.operands[1];
  if (in.mask) return exec_lanes(m, in);
  if (!a.is_mem()) return m.fail("only loads are known without a mask");
  Vec v;
  m.load_window(m.address(a), a.bytes, v.bytes);
  if (!m.failed()) m.write_vec(d.reg.index, d.reg.bytes, v);
}

uint64_t same_element(const uint64_t* s, unsigned) { return s[0]; }

#define GATHER(name, bits, index_bits) \
  Row { name, "v m v?", X64Class::Gather, exec_gather, bits, index_bits }
#define SCATTER(name, bits, index_bits) \
  Row { name, "m v", X64Class::Scatter, exec_scatter, bits, index_bits }
#define MASKED(name, bits) \
  Row { name, "vm v vm", X64Class::Vector, exec_mask_move, bits, bits }

constexpr Row kMemoryRows[] = {
    GATHER("vpgatherdd", 32, 32),
    GATHER("vpgatherdq", 64, 32),
    GATHER("vpgatherqd", 32, 64),
    GATHER("vpgatherqq", 64, 64),
    GATHER("vgatherdps", 32, 32),
    GATHER("vgatherdpd", 64, 32),
    GATHER("vgatherqps", 32, 64),
    GATHER("vgatherqpd", 64, 64),
    SCATTER("vpscatterdd", 32, 32),
    SCATTER("vpscatterdq", 64, 32),
    SCATTER("vpscatterqd", 32, 64),
    SCATTER("vpscatterqq", 64, 64),
    SCATTER("vscatterdps", 32, 32),
    SCATTER("vscatterdpd", 64, 32),
    SCATTER("vscatterqps", 32, 64),
    SCATTER("vscatterqpd", 64, 64),
    MASKED("vmaskmovps", 32),
    MASKED("vmaskmovpd", 64),
    MASKED("vpmaskmovd", 32),
    MASKED("vpmaskmovq", 64),
    Row{"vmovdqu8", "vm vm", X64Class::Vector, exec_move_bytes, 8, 8, same_element},
};
#undef GATHER
#undef SCATTER
#undef MASKED

}  // namespace

std::span<const Row> memory_rows() { return kMemoryRows; }

}  // namespace kc::x64sim
