// SPDX-License-Identifier: Apache-2.0
// The rows of wave IR that are not elementwise: masks, blends, memory, ids, control flow. Each at every type
// and shape, against the wave interpreter; rows that the table rejects must be reported.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <set>

#include "tests/gcn/against_interpreter.h"
#include "tests/gcn/cases.h"

using namespace kc;
using namespace kc::test;

namespace {

using Rows = std::set<Op>;

void data_rows(Rows& rows) {
  rows.insert({Op::blend, Op::splat, Op::first_lane, Op::mask_cond});
  for (Elem e : elems_of(Data)) {
    INFO(to_string(Type{e}));
    Type type{e};
    WaveKernel k(3);
    ValueId x = k.load(0, e), y = k.load(1, e), u = k.load_uniform(1, e), odd = odd_lanes(k);
    ValueId c = k.f->constant(type.lanes(), e == Elem::I1 ? 1 : 0x55 + (e == Elem::F64));
    size_t row = 0;
    for (ValueId m : {odd, k.mask})
      for (ValueId other : {y, c}) {
        k.store(k.b.make(Op::blend, type.lanes(), {m, x, other}), row++, kItems);
        k.store(k.b.make(Op::blend, type.lanes(), {m, other, x}), row++, kItems);
      }
    for (ValueId m : {odd, k.mask}) k.store(k.b.make(Op::first_lane, type, {m, x}), row++, kItems);
    k.store(k.b.make(Op::first_lane, type, {odd, c}), row++, kItems);
    for (ValueId v : {u, k.f->constant(type, 1)})
      k.store(k.b.make(Op::splat, type.lanes(), {v}), row++, kItems);
    k.b.ret();
    check_against_interpreter(*k.f, kLine, buffers_for(row));
  }
}

void mask_rows(Rows& rows) {
  rows.insert({Op::mask_and, Op::mask_or, Op::mask_andnot, Op::mask_cond, Op::mask_if, Op::any});
  WaveKernel k(3);
  ValueId odd = odd_lanes(k);
  ValueId low =
      k.b.make(Op::mask_cond, kMask,
               {k.mask, k.b.make(Op::slt, kI1.lanes(), {k.load(0, Elem::I8), k.f->constant(kI8, 10)})});
  ValueId yes = k.b.make(Op::slt, kI1, {k.load_uniform(1, Elem::I32), k.b.i32(0)});
  ValueId none = k.f->constant(kMask, 0);
  std::vector<ValueId> masks;
  for (Op op : {Op::mask_and, Op::mask_or, Op::mask_andnot})
    for (auto [a, b] : {std::pair{odd, low}, {low, odd}, {odd, none}, {none, odd}, {low, low}})
      masks.push_back(k.b.make(op, kMask, {a, b}));
  masks.push_back(k.b.make(Op::mask_if, kMask, {odd, yes}));
  masks.push_back(k.b.make(Op::mask_if, kMask, {odd, k.f->constant(kI1, 1)}));
  masks.push_back(k.b.make(Op::mask_cond, kMask, {odd, k.f->constant(kI1.lanes(), 1)}));
  masks.push_back(k.b.make(Op::select, kMask, {yes, odd, low}));
  masks.push_back(k.b.make(Op::select, kMask, {yes, odd, none}));
  size_t row = 0;
  for (ValueId m : masks) {
    k.store_under(m, k.b.i32(7), row++, kItems);
    k.store(k.b.make(Op::any, kI1, {m}), row++, kItems);
  }
  k.b.ret();
  check_against_interpreter(*k.f, kLine, buffers_for(row));
}

// Lane numbers that are active, inactive, and out of range.
void exchange_rows(Rows& rows) {
  rows.insert({Op::lane_shuffle, Op::mask_bits});
  for (Elem e : elems_of(info(Op::lane_shuffle).T)) {
    INFO(to_string(Type{e}));
    Type type{e};
    WaveKernel k(3);
    ValueId x = k.load(0, e), any = k.load(1, Elem::I32), odd = odd_lanes(k);
    ValueId near = k.b.make(Op::and_, kI32.lanes(), {any, k.b.i32(0x4f)});
    ValueId next = k.b.make(Op::add, kI32.lanes(), {k.b.make(Op::lane_id, kI32.lanes(), {}), k.b.i32(1)});
    size_t row = 0;
    for (ValueId index : {any, near, next})
      for (ValueId v : {x, k.f->constant(type.lanes(), 0x55)})
        for (ValueId m : {odd, k.mask})
          k.store_under(m, k.b.make(Op::lane_shuffle, type.lanes(), {m, v, index}), row++, kItems);
    for (ValueId m : {odd, k.mask, k.f->constant(kMask, 0)})
      k.store(k.b.make(Op::mask_bits, kI64, {m}), row++, kItems);
    k.b.ret();
    check_against_interpreter(*k.f, kLine, buffers_for(row));
  }
}

// Of global and constant memory.
void memory_rows(Rows& rows) {
  rows.insert(
      {Op::lane_load, Op::lane_store, Op::uniform_load, Op::lane_volatile_load, Op::lane_volatile_store});
  for (Elem space : elems_of(MemPtr))
    for (Elem e : elems_of(Stored)) {
      INFO(to_string(Type{space}) << " " << to_string(Type{e}));
      Type pointer{space}, type{e};
      for (Op op : {Op::lane_load, Op::lane_store, Op::uniform_load, Op::lane_volatile_load,
                    Op::lane_volatile_store}) {
        const bool is_volatile = op == Op::lane_volatile_load || op == Op::lane_volatile_store;
        if (is_volatile && space == Elem::PtrConstant) continue;
        WaveKernel k(3);
        ValueId odd = odd_lanes(k);
        ValueId base = k.b.make(Op::bitcast, pointer, {k.pointers[0]}),
                out = k.b.make(Op::bitcast, pointer, {k.pointers[2]});
        int64_t bytes = type.bytes();
        ValueId from = k.b.make(Op::ptr_add, pointer.lanes(), {base, k.id}, {bytes, 0});
        ValueId to = k.b.make(Op::ptr_add, pointer.lanes(), {out, k.id}, {bytes, 0});
        if (op == Op::lane_load || op == Op::lane_volatile_load) {
          for (size_t row = 0; row < 2; ++row) {
            ValueId m = row ? k.mask : odd;
            k.store_under(m, k.b.make(op, type.lanes(), {m, from}, {0}), row, kItems);
          }
          // A uniform address, loaded by every lane.
          ValueId same = k.b.make(Op::splat, pointer.lanes(), {base});
          k.store(k.b.make(op, type.lanes(), {k.mask, same}, {0}), 2, kItems);
        } else if (op == Op::lane_store || op == Op::lane_volatile_store) {
          k.b.emit(op, {odd, to, k.load(1, e)}, {}, {0});
          ValueId at = k.b.make(Op::ptr_add, pointer.lanes(), {to, k.b.i64(1)},
                                {bytes * static_cast<int64_t>(kItems), 0});
          k.b.emit(op, {k.mask, at, k.f->constant(type.lanes(), 0x3c)}, {}, {0});
        } else {
          for (size_t row = 0; row < 2; ++row) {
            ValueId at = k.b.make(Op::ptr_add, pointer, {base, k.b.i64(3)}, {bytes, row ? bytes : 0});
            k.store(k.b.make(op, type, {at}, {0}), row, kItems);
          }
        }
        k.b.ret();
        check_against_interpreter(*k.f, kLine, buffers_for(3));
      }
    }
}

void pointer_rows(Rows& rows) {
  rows.insert(Op::ptr_add);
  for (Elem space : elems_of(AnyPtr))
    for (Elem index : {Elem::I32, Elem::I64})
      for (bool far : {false, true}) {
        INFO(to_string(Type{space}) << " " << to_string(Type{index}) << " " << far);
        WaveKernel k(3);
        Type type{space};
        Elem number = type.bits() == 64 ? Elem::I64 : Elem::I32;
        auto cast = [&](ValueId v) {
          Type t = k.f->type(v);
          return k.b.make(Op::bitcast, t.lane ? type.lanes() : type, {v});
        };
        size_t row = 0;
        for (ValueId base : {cast(k.load(0, number)), cast(k.load_uniform(0, number))})
          for (ValueId i : {k.load(1, index), k.load_uniform(1, index), k.f->constant(Type{index}, 3),
                            k.f->constant(Type{index}, index == Elem::I32 ? 0xfffffff0 : ~uint64_t{15})})
            for (int64_t scale : {int64_t{1}, int64_t{4}, int64_t{12}, int64_t{-8}}) {
              bool lane = k.f->type(base).lane || k.f->type(i).lane;
              ValueId p = k.b.make(Op::ptr_add, lane ? type.lanes() : type, {base, i},
                                   {scale, far ? int64_t{0x123456789} : -8});
              k.store(p, row++, kItems);
            }
        k.b.ret();
        check_against_interpreter(*k.f, kLine, buffers_for(row));
      }
}

void position_rows(Rows& rows) {
  for (Op op : {Op::global_id, Op::local_id, Op::group_id, Op::global_size, Op::local_size, Op::num_groups,
                Op::global_offset, Op::work_dim, Op::lane_id}) {
    rows.insert(op);
    for (bool wide : {false, true})
      for (bool lane : {false, true}) {
        bool any_shape = info(op).has(AnyShape);
        if ((op == Op::lane_id && (wide || !lane)) || (lane && !any_shape && op != Op::lane_id)) continue;
        INFO(name_of(op) << " wide " << wide << " lane " << lane);
        WaveKernel k(1);
        // One number for each work-item of three dimensions.
        auto position = [&](Op o, int64_t dim) {
          return k.b.make(o, info(o).has(LaneSource) ? kI64.lanes() : kI64, {}, {dim});
        };
        ValueId linear;
        for (int64_t dim : {2, 1, 0}) {
          ValueId own = k.b.make(Op::sub, kI64.lanes(),
                                 {position(Op::global_id, dim), position(Op::global_offset, dim)});
          if (linear.valid())
            own = k.b.make(Op::add, kI64.lanes(),
                           {own, k.b.make(Op::mul, kI64.lanes(), {linear, position(Op::global_size, dim)})});
          linear = own;
        }
        k.id = linear;
        size_t row = 0;
        Type type = wide ? kI64 : kI32;
        LaunchSpec launch{.dims = 3, .global = {12, 6, 4}, .local = {6, 3, 2}, .offset = {5, 1000, 7}};
        size_t items = launch.items();
        // A uniform id requires that it is equal in all lanes.
        if (any_shape && !lane) launch.global = {12, 2, 2}, launch.local = {12, 1, 1};
        for (int64_t dim = 0; dim < (op == Op::lane_id || op == Op::work_dim ? 1 : 3); ++dim) {
          if (any_shape && !lane && dim == 0) continue;
          ValueId v = info(op).attr_count() ? k.b.make(op, lane ? type.lanes() : type, {}, {dim})
                                            : k.b.make(op, lane ? type.lanes() : type, {});
          k.store(v, row++, items);
        }
        k.b.ret();
        check_against_interpreter(*k.f, launch, {Bytes(items * 8 * row, 0xee)});
      }
  }
}

void control_rows(Rows& rows) {
  rows.insert({Op::br, Op::br_if, Op::switch_, Op::ret});
  for (Elem e : elems_of(info(Op::switch_).T)) {
    INFO(to_string(Type{e}));
    WaveKernel k(3);
    Type type{e};
    uint64_t top = uint64_t{1} << (type.bits() - 1);
    // Of the group: 0, 1, the lowest number, and another one.
    ValueId group = k.b.make(Op::group_id, kI32, {}, {0}), v = k.f->constant(type, top);
    for (uint64_t n : {uint64_t{1}, uint64_t{0}, uint64_t{0x77}}) {
      ValueId is = k.b.make(Op::eq, kI1, {group, k.b.i32(static_cast<int32_t>(n & 7))});
      v = k.b.make(Op::select, type, {is, k.f->constant(type, n), v});
    }
    BlockId start = k.b.block, end = k.f->add_block("end");
    ValueId result = k.f->add_param(end, kI32.lanes());
    std::vector<BlockId> blocks;
    for (int32_t n = 0; n < 4; ++n) {
      blocks.push_back(k.b.block = k.f->add_block());
      k.f->block(k.b.block).mask = k.mask;
      k.b.br(end, {k.b.make(Op::splat, kI32.lanes(), {k.b.i32(n)})});
    }
    k.b.block = start;
    InstId s =
        k.b.emit(Op::switch_, {v, k.f->constant(type, 0), k.f->constant(type, 1), k.f->constant(type, top)});
    for (BlockId b : blocks) k.f->inst(s).targets.push_back({b, {}});
    k.b.block = end;
    k.f->block(end).mask = k.mask;
    k.store(result, 0, kItems);
    BlockId yes = k.f->add_block(), no = k.f->add_block();
    k.f->block(yes).mask = k.f->block(no).mask = k.mask;
    k.b.br_if(k.b.make(Op::eq, kI1, {group, k.b.i32(1)}), {yes, {}}, {no, {}});
    k.b.block = yes;
    k.store(k.b.i32(9), 1, kItems);
    k.b.ret();
    k.b.block = no;
    k.b.ret();
    check_against_interpreter(*k.f, kLine, buffers_for(2));
  }
}

// Rows that earlier passes expand.
void refused_rows(Rows& rows) {
  rows.insert({Op::var_get, Op::var_set, Op::object_address});
  for (Elem space : elems_of(OwnPtr)) {
    WaveKernel k(1);
    k.b.make(Op::object_address, Type{space}, {},
             {k.f->add_object({.name = "x", .type = Type{space}, .size = 4, .init = {1, 2, 3, 4}}).index});
    k.b.ret();
    CHECK(check_gcn(*k.f).size() == 1);
  }
  WaveKernel k(1);
  VarId var = k.f->add_var("x", kI32);
  k.b.set(var, k.b.i32(1));
  k.store(k.b.get(var), 0, kItems);
  k.b.ret();
  CHECK(check_gcn(*k.f).size() == 2);
  for (Op op : {Op::var_get, Op::var_set}) CHECK(!gcn::unsupported(op, Elem::Void).empty());
}

}  // namespace

TEST_CASE("every row of wave IR that is not elementwise is lowered or refused") {
  // Those of memory_test.cpp.
  Rows rows{Op::lane_barrier, Op::fence};
  data_rows(rows);
  mask_rows(rows);
  exchange_rows(rows);
  memory_rows(rows);
  pointer_rows(rows);
  position_rows(rows);
  control_rows(rows);
  refused_rows(rows);
  for (unsigned n = 0; n < kOpCount; ++n) {
    Op op = static_cast<Op>(n);
    if (!(info(op).dialects & InWave) || info(op).eval) continue;
    INFO(name_of(op));
    const bool once =
        op == Op::uniform_store || op == Op::uniform_volatile_load || op == Op::uniform_volatile_store;
    if (op == Op::full_waves || op == Op::next_wave || op == Op::move_wave)
      CHECK(gcn::unsupported(op, Elem::Void) == "a row of waves");
    else if (once)
      CHECK(gcn::unsupported(op, Elem::PtrGlobal) == "an access of the wave that is none of its lanes");
    else
      CHECK(rows.count(op) == 1);
  }
}
