; knots: gfx906, 64 lanes in linear order, groups of any shape
	.amdgcn_target "amdgcn-amd-amdhsa--gfx906"
	.amdhsa_code_object_version 4
	.text
	.globl knots
	.p2align 8
	.type knots,@function
knots:
.Lknots_0:
	s_load_dwordx4 s[16:19], s[6:7], 0
	s_load_dword s21, s[4:5], 4                     ; line 3
	s_load_dword s20, s[6:7], 16
	s_waitcnt lgkmcnt(0)
	s_and_b32 s21, s21, 0xffff
	s_mul_i32 s21, s8, s21
	s_add_u32 s20, s21, s20
	v_add_u32 v3, s20, v0
	v_mad_i64_i32 v[4:5], s[16:17], v3, 4, s[16:17]
	global_load_dword v4, v[4:5], off
	s_mov_b32 s16, 0x7d0                            ; line 13
	s_mov_b64 s[20:21], exec
	s_waitcnt vmcnt(0)                              ; line 4
	v_and_b32 v5, 1, v4
	v_cmp_eq_u32 s[22:23], v5, 0
	s_andn2_b64 s[24:25], s[20:21], s[22:23]
	v_mov_b32 v5, 0
	s_mov_b64 s[26:27], s[24:25]
.Lknots_1:  ; even
	s_mov_b64 exec, s[22:23]                        ; the lanes in 'even'; line 4
	v_ashrrev_i32 v6, 31, v4                        ; line 6
	v_lshrrev_b32 v6, 31, v6
	v_add_u32 v6, v6, v4
	v_ashrrev_i32 v4, 1, v6
	v_add_u32 v5, 1, v5                             ; line 7
	v_cmp_le_i32 s[28:29], v4, 1                    ; line 8
	s_andn2_b64 s[22:23], s[22:23], s[28:29]
	s_or_b64 s[24:25], s[28:29], s[24:25]
.Lknots_2:  ; endif
	s_mov_b64 exec, s[22:23]                        ; the lanes in 'endif'; line 8
	v_and_b32 v6, 1, v4                             ; line 9
	v_cmp_ne_u32 s[28:29], v6, 0
	s_or_b64 s[26:27], s[28:29], s[26:27]
.Lknots_3:  ; flow
	s_or_b64 s[24:25], s[22:23], s[24:25]
	s_mov_b64 exec, s[24:25]
	s_and_b64 s[26:27], s[24:25], s[26:27]
	s_andn2_b64 s[22:23], s[22:23], s[26:27]
.Lknots_4:  ; odd
	s_mov_b64 exec, s[26:27]                        ; the lanes in 'odd'
	v_mul_lo_u32 v6, v4, 3                          ; line 11
	v_add_u32 v4, 1, v6
	v_add_u32 v5, 0x64, v5                          ; line 12
	v_cmp_lt_i32 s[26:27], v4, s16                  ; line 13
	s_or_b64 s[22:23], s[22:23], s[26:27]
.Lknots_5:  ; flow
	s_mov_b64 exec, s[24:25]                        ; the lanes in 'flow'; line 13
	s_mov_b64 s[24:25], 0
	s_cmp_lg_u64 s[22:23], 0
	s_cbranch_scc0 .Lknots_6
.Lknots_7:  ; edge
	s_mov_b64 s[26:27], s[24:25]
	s_branch .Lknots_1
.Lknots_6:  ; done
	s_mov_b64 exec, s[20:21]                        ; the lanes in 'done'
	v_mad_i64_i32 v[3:4], s[16:17], v3, 4, s[18:19] ; line 15
	global_store_dword v[3:4], v5, off
	s_endpgm                                        ; line 16
.Lend_knots:
	.size knots, .Lend_knots-knots

	.rodata
	.p2align 6
	.amdhsa_kernel knots
		.amdhsa_user_sgpr_private_segment_buffer 1
		.amdhsa_user_sgpr_dispatch_ptr 1
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 1
		.amdhsa_system_sgpr_workgroup_id_z 1
		.amdhsa_system_sgpr_private_segment_wavefront_offset 0
		.amdhsa_system_vgpr_workitem_id 2
		.amdhsa_kernarg_size 40
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_ieee_mode 0
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 30
	.end_amdhsa_kernel

	.amdgpu_metadata
---
amdhsa.version: [1, 1]
amdhsa.target: amdgcn-amd-amdhsa--gfx906
amdhsa.kernels:
  - .name: !str knots
    .symbol: !str knots.kd
    .kernarg_segment_size: 40
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 30
    .vgpr_count: 8
    .max_flat_workgroup_size: 1024
    .args:
      - {.name: !str in, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global, .type_name: 'int*'}
      - {.name: !str out, .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global, .type_name: 'int*'}
      - {.offset: 16, .size: 8, .value_kind: hidden_global_offset_x}
      - {.offset: 24, .size: 8, .value_kind: hidden_global_offset_y}
      - {.offset: 32, .size: 8, .value_kind: hidden_global_offset_z}
...
	.end_amdgpu_metadata
