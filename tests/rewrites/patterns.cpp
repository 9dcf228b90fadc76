// SPDX-License-Identifier: Apache-2.0
#include "tests/rewrites/patterns.h"

#include <fmt/format.h>

#include "tests/rewrites/enumerate.h"

namespace kc::rewrites {
namespace {

// By the rules that they are for.
constexpr std::string_view kPatterns[] = {
    // select_undef
    "(select x undef ?)",
    "(select x ? undef)",
    "(add (select x undef y) undef)",
    // compare_range
    "(and (slt x #) (slt # x))",
    "(and (sle x #) (slt # x))",
    "(and (ult x #) (ult # x))",
    "(and (ule # x) (ult x #))",
    "(or (slt x #) (slt # x))",
    "(or (sle # x) (slt x #))",
    "(or (ule x #) (ult # x))",
    "(or (ult x #) (ule # x))",
    "(and (slt x #) (ult # x))",
    // flags_together, compare_flags, compare_flag, negated_flag, sign_of_flag
    "(and (zext x) (zext y))",
    "(and (sext x) (sext y))",
    "(or (zext x) (zext y))",
    "(or (sext x) (sext y))",
    "(xor (zext x) (zext y))",
    "(xor (sext x) (sext y))",
    "(eq (zext x) (zext y))",
    "(eq (sext x) (sext y))",
    "(ne (zext x) (zext y))",
    "(ne (sext x) (sext y))",
    "(slt (sext x) 0)",
    "(sle 0 (sext x))",
    "(sub 0 (zext x))",
    "(sub 0 (sext x))",
    // shift_count_masked
    "(shl x (and y #))",
    "(lshr x (and y #))",
    "(ashr x (and y #))",
    // reassociate, compare_shifted, left_zero_gives_zero
    "(add (add x 3) 5)",
    "(mul (mul x 3) 5)",
    "(eq (add x 3) 9)",
    "(ne (xor x 3) 9)",
    "(eq (xor x 3) 9)",
    "(ne (add x 3) 9)",
    "(shl 0 x)",
    "(lshr 0 x)",
    "(ashr 0 x)",
    // floats
    "(fadd x #)",
    "(fmul x #)",
    "(fdiv x #)",
    "(ffma x # y)",
    "(ffma # x y)",
    "(fneg (fneg x))",
    "(fabs (fneg x))",
    "(fabs (fabs x))",
    "(fsub x #)",
    "(fsub # x)",
    "(fadd x (fneg y))",
    "(fadd (fneg x) y)",
    "(fsub x (fneg y))",
    // compare_chosen
    "(eq (select x c d) c)",
    "(ne (select x # #) #)",
    // divisible, and division by powers of two
    "(eq (urem x #) 0)",
    "(eq (srem x #) 0)",
    "(ne (urem x #) 0)",
    "(ne (srem x #) 0)",
    "(sdiv (sext x) #)",
    // select_extreme, select_clamped, select_again, select_negated, select_chained
    "(select (slt x y) x y)",
    "(select (sle x y) y x)",
    "(select (ult x y) x y)",
    "(select (ule x y) y x)",
    "(select (slt c x) c (smax x #))",
    "(select (sle c x) c (smax x #))",
    "(select (slt x c) c (smin x #))",
    "(select (sle x c) c (smin # x))",
    "(select (ult c x) c (umax x #))",
    "(select (ule x c) c (umin x #))",
    "(select x (select x y ?) ?)",
    "(select x ? (select x y ?))",
    "(select (xor x 1) y ?)",
    "(select x (select y # 0) 0)",
    "(select x 1 (select y 1 #))",
    // trunc_launch_id, id_of_group
    "(trunc (global_id 0))",
    "(trunc (local_id 1))",
    "(trunc (group_id 2))",
    "(trunc (global_size 0))",
    "(trunc (local_size 1))",
    "(trunc (num_groups 2))",
    "(trunc (global_offset 0))",
    "(trunc (work_dim))",
    "(add (mul (group_id 0) (local_size 0)) (local_id 0))",
    "(add (local_id 1) (mul (local_size 1) (group_id 1)))",
    "(add (mul (group_id 0) (local_size 0)) (local_id 1))",
    "(add (mul (group_id 0) (local_size 1)) (local_id 0))",
    "(add (trunc (mul (group_id 0) (local_size 0))) (trunc (local_id 0)))",
    "(add (mul (trunc (group_id 0)) (trunc (local_size 0))) (trunc (local_id 0)))",
    "(add (zext (mul (trunc (group_id 0)) (trunc (local_size 0)))) (local_id 0))",
    // ranges of launch values
    "(slt (local_id 0) #)",
    "(ult # (local_size 0))",
    "(sdiv (global_id 0) #)",
    "(srem (local_id 0) #)",
    "(ashr (global_size 0) #)",
    "(umin (local_id 0) #)",
    "(sext (trunc (global_id 0)))",
    "(zext (trunc (local_id 0)))",
    // extended_back
    "(zext (trunc (and x #)))",
    "(zext (trunc (lshr x #)))",
    "(zext (trunc (zext x)))",
    "(sext (trunc (sext x)))",
    "(sext (trunc (ashr x #)))",
    "(sext (trunc (and x #)))",
    // unsigned_form, equals_operand
    "(sdiv (lshr x #) (and y #))",
    "(srem (zext x) (and y #))",
    "(ashr (and x #) y)",
    "(and (and x #) #)",
    "(or (or x #) #)",
    "(urem (and x #) (or y #))",
    "(smin (and x #) (or y #))",
    "(umax (lshr x #) (and y #))",
    // narrow: what is cut, compared, indexed or converted
    "(trunc (shl (zext x) #))",
    "(trunc (lshr (zext x) #))",
    "(trunc (lshr (sext x) #))",
    "(trunc (ashr (sext x) #))",
    "(trunc (ashr (zext x) #))",
    "(trunc (select x (zext y) (sext z)))",
    "(trunc (mul (add (zext x) #) (sext y)))",
    "(eq (add (zext x) #) (zext y))",
    "(slt (sext x) (sext y))",
    "(sle (sext x) (sext y))",
    "(ult (zext x) (zext y))",
    "(ule (zext x) (zext y))",
    "(ule (sext x) (sext y))",
    "(udiv x (shl 1 y))",
    "(urem x (shl 1 y))",
    "(sdiv (lshr x 1) (shl 1 y))",
    "(srem (lshr x 1) (shl 1 y))",
    "(udiv (zext x) 7)",
    "(urem (zext x) 7)",
    "(sdiv (sext x) 7)",
    "(srem (sext x) 7)",
    "(ult (umin (zext x) (zext y)) #)",
    "(slt (smax (sext x) #) (sext y))",
    "(slt (and (zext x) #) (sext y))",
    "(ptr_add y (sdiv (sext x) #))",
    "(ptr_add y (smin (sext x) #))",
    "(ptr_add y (add (zext x) #))",
    "(sitofp (ashr (sext x) #))",
    "(uitofp (lshr (zext x) #))",
    "(sitofp (mul (sext x) #))",
    "(mul (zext x) (and y #))",
    // narrow_small: at least three operations that meet
    "(eq (and (add (zext x) (zext y)) #) (zext y))",
    "(ne (and (add (zext x) (zext y)) #) (zext y))",
    "(ult (and (add (zext x) (zext y)) #) (zext y))",
    "(ule (umin (umax (zext x) (zext y)) #) (zext y))",
    "(slt (smin (smax (sext x) (sext y)) #) (sext y))",
    "(sle (smin (smax (sext x) (sext y)) #) (sext y))",
    // reassociate: y and z are uniform
    "(ptr_add (ptr_add y x) z)",
    "(ptr_add y (add x z))",
    "(ptr_add x (sext y))",  // ptr_extended_index
    "(ptr_add y (add (add x z) #))",
    // div_rem_pairs
    "(add (sdiv x y) (srem x y))",
    "(sub (urem x y) (udiv x y))",
    "(xor (sdiv x c) (srem x c))",
    "(add (udiv c x) (urem c x))",
    "(sub (srem x y) (udiv x y))",
};

std::vector<std::string> all_patterns() {
  std::vector<std::string> all(std::begin(kPatterns), std::end(kPatterns));
  std::vector<std::string_view> done;
  for (const TypedOp& typed : typed_ops()) {
    const std::string_view name = name_of(typed.op);
    if (!done.empty() && done.back() == name) continue;
    done.push_back(name);
    const char* operands = typed.operands.size() == 1 ? "x" : typed.operands.size() == 2 ? "x y" : "x y z";
    // value_numbering: the same operation twice
    for (const char* user : {"and", "umin", "fadd", "eq"})
      all.push_back(fmt::format("({0} ({1} {2}) ({1} {2}))", user, name, operands));
    if (typed.operands.size() == 2) all.push_back(fmt::format("({0} x x)", name));
    if (info(typed.op).has(Commutes)) all.push_back(fmt::format("({} (select z x y) x)", name));  // canonical
    if (typed.operands.size() != 2 || typed.operands[0] != typed.result) continue;
    all.push_back(fmt::format("({0} ({0} x #) #)", name));
    // narrow, and reassociate
    for (const char* extension : {"zext", "sext"}) {
      all.push_back(fmt::format("(trunc ({0} ({1} x) ({1} y)))", name, extension));
      all.push_back(fmt::format("(trunc ({0} ({1} x) #))", name, extension));
      all.push_back(fmt::format("({0} ({1} x) ({1} y))", name, extension));
    }
    all.push_back(fmt::format("({0} ({0} x y) z)", name));
    all.push_back(fmt::format("({0} y ({0} z x))", name));
  }
  return all;
}

}  // namespace

const std::vector<std::string>& patterns() {
  static const std::vector<std::string> all = all_patterns();
  return all;
}

}  // namespace kc::rewrites
