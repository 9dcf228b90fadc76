; exceptions: gfx900, 64 lanes in linear order, groups of any shape
	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
	.amdhsa_code_object_version 4
	.text
	.globl exceptions
	.p2align 8
	.type exceptions,@function
exceptions:
.Lexceptions_0:
	s_load_dwordx4 s[16:19], s[6:7], 0
	s_load_dword s20, s[6:7], 16
	s_load_dwordx2 s[22:23], s[6:7], 24
	s_load_dword s21, s[4:5], 4                     ; line 21
	s_load_dword s24, s[6:7], 32
	s_waitcnt lgkmcnt(0)
	s_and_b32 s25, s21, 0xffff
	s_mul_i32 s25, s8, s25
	s_add_u32 s24, s25, s24
	v_add_u32 v3, s24, v0
	v_mad_i64_i32 v[4:5], s[16:17], v3, 4, s[16:17] ; line 23
	global_load_dword v4, v[4:5], off
	s_mov_b32 s16, 0x49742400                       ; line 7
	s_mov_b64 s[24:25], exec
	v_mad_i64_i32 v[5:6], s[18:19], v3, 4, s[18:19] ; line 23
	s_waitcnt vmcnt(0)                              ; line 5
	v_cmp_lt_f32 s[18:19], v4, 0
	s_andn2_b64 s[26:27], s[24:25], s[18:19]
	v_mov_b32 v3, 0
	s_mov_b64 s[28:29], 0
	v_mov_b32 v7, 1
	s_cbranch_scc0 .Lexceptions_8
.Lexceptions_1:  ; endif
	s_mov_b64 exec, s[26:27]                        ; the lanes in 'endif'; line 5
	v_cmp_lt_f32 s[16:17], s16, v4                  ; line 7
	s_andn2_b64 s[28:29], s[26:27], s[16:17]
	s_cmp_lg_u64 s[16:17], 0
	s_cbranch_scc0 .Lexceptions_3
.Lexceptions_2:  ; then
	s_mov_b64 exec, s[16:17]                        ; the lanes in 'then'; line 7
	s_load_dwordx2 s[30:31], s[4:5], 8              ; line 8
	s_load_dwordx4 s[36:39], s[6:7], 40
	s_load_dword s32, s[4:5], 16
	s_load_dwordx2 s[34:35], s[6:7], 32
	s_waitcnt lgkmcnt(0)
	s_and_b32 s16, s30, 0xffff
	s_mul_i32 s40, s10, s16
	s_mul_hi_u32 s41, s10, s16
	s_add_u32 s16, s40, s38
	s_addc_u32 s17, s41, s39
	v_mov_b32 v7, v2
	v_mov_b32 v8, 0
	v_add_co_u32 v9, vcc, s16, v7
	v_mov_b32 v10, s17
	v_addc_co_u32 v10, vcc, v10, v8, vcc
	v_mov_b32 v7, s38
	v_mov_b32 v8, s39
	v_sub_co_u32 v11, vcc, v9, v7
	v_subb_co_u32 v12, vcc, v10, v8, vcc
	s_lshr_b32 s16, s21, 16
	s_mul_i32 s38, s9, s16
	s_mul_hi_u32 s39, s9, s16
	s_add_u32 s16, s38, s36
	s_addc_u32 s17, s39, s37
	v_mov_b32 v7, v1
	v_mov_b32 v8, 0
	v_add_co_u32 v9, vcc, s16, v7
	v_mov_b32 v10, s17
	v_addc_co_u32 v10, vcc, v10, v8, vcc
	v_mov_b32 v7, s36
	v_mov_b32 v8, s37
	v_sub_co_u32 v13, vcc, v9, v7
	v_subb_co_u32 v14, vcc, v10, v8, vcc
	s_mov_b32 s16, s32
	s_mov_b32 s17, 0
	v_mov_b32 v7, s32
	v_mov_b32 v8, s17
	v_mov_b32 v9, v7
	v_mul_lo_u32 v10, v11, v9
	v_mul_hi_u32 v15, v11, v9
	v_mul_lo_u32 v3, v11, v8
	v_mul_lo_u32 v7, v12, v9
	v_add3_u32 v3, v15, v3, v7
	v_mov_b32 v7, v10
	v_mov_b32 v8, v3
	v_add_co_u32 v9, vcc, v7, v13
	v_addc_co_u32 v10, vcc, v8, v14, vcc
	s_and_b32 s16, s21, 0xffff
	s_mul_i32 s32, s8, s16
	s_mul_hi_u32 s33, s8, s16
	s_add_u32 s16, s32, s34
	s_addc_u32 s17, s33, s35
	v_mov_b32 v7, v0
	v_mov_b32 v8, 0
	v_add_co_u32 v11, vcc, s16, v7
	v_mov_b32 v12, s17
	v_addc_co_u32 v12, vcc, v12, v8, vcc
	v_mov_b32 v7, s34
	v_mov_b32 v8, s35
	v_sub_co_u32 v13, vcc, v11, v7
	v_subb_co_u32 v14, vcc, v12, v8, vcc
	s_mov_b32 s16, s31
	s_mov_b32 s17, 0
	v_mov_b32 v7, s31
	v_mov_b32 v8, s17
	v_mov_b32 v11, v7
	v_mul_lo_u32 v12, v9, v11
	v_mul_hi_u32 v15, v9, v11
	v_mul_lo_u32 v3, v9, v8
	v_mul_lo_u32 v7, v10, v11
	v_add3_u32 v3, v15, v3, v7
	v_add_co_u32 v9, vcc, v12, v13
	v_addc_co_u32 v10, vcc, v3, v14, vcc
	v_lshlrev_b64 v[7:8], 4, v[9:10]
	v_add_co_u32 v9, vcc, s22, v7
	v_mov_b32 v10, s23
	v_addc_co_u32 v10, vcc, v10, v8, vcc
	v_mov_b32 v7, 0x40200000
	v_mov_b32 v8, 0
	global_store_dwordx2 v[9:10], v[7:8], off offset:8
	v_mov_b32 v3, 1
	global_store_dword v[9:10], v3, off
	s_mov_b64 exec, s[26:27]                        ; the lanes in 'flow'
.Lexceptions_3:  ; flow
	v_mov_b32 v3, 0
	s_mov_b64 s[16:17], 0
	s_mov_b64 s[12:13], exec                        ; all lanes: values move between registers
	s_mov_b64 exec, -1
	v_mov_b32 v7, 1
	s_mov_b64 exec, s[12:13]
	s_cmp_lg_u64 s[28:29], 0
	s_cbranch_scc0 .Lexceptions_16
.Lexceptions_4:  ; endif
	s_mov_b64 exec, s[28:29]                        ; the lanes in 'endif'
	v_cmp_lt_f32 s[16:17], 1.0, v4                  ; line 9
	v_cndmask_b32 v3, 0x3f800000, v4, s[16:17]
	s_mov_b32 s16, 0                                ; line 10
	s_mov_b64 s[22:23], 0
	s_branch .Lexceptions_5
.Lexceptions_6:  ; endif
	s_mov_b64 exec, s[28:29]                        ; the lanes in 'endif'; line 12
	s_cmp_eq_i32 s20, s16                           ; line 14
	s_cbranch_scc1 .Lexceptions_13
.Lexceptions_7:  ; step
	s_add_u32 s16, s16, 1                           ; line 10
	v_mov_b32 v3, v7
.Lexceptions_5:  ; for
	v_div_scale_f32 v8, vcc, v3, v3, v4             ; line 11
	v_div_scale_f32 v9, vcc, v4, v3, v4
	v_rcp_f32 v7, v8
	v_fma_f32 v11, -v8, v7, 1.0
	v_fma_f32 v7, v11, v7, v7
	v_mul_f32 v10, v9, v7
	v_fma_f32 v11, -v8, v10, v9
	v_fma_f32 v10, v11, v7, v10
	v_fma_f32 v11, -v8, v10, v9
	v_div_fmas_f32 v7, v11, v7, v10
	v_div_fixup_f32 v7, v7, v3, v4
	v_add_f32 v7, v7, v3
	v_mul_f32 v7, 0.5, v7
	v_cmp_le_f32 s[26:27], v3, v7                   ; line 12
	s_andn2_b64 s[28:29], s[28:29], s[26:27]
	s_or_b64 s[22:23], s[26:27], s[22:23]
	s_mov_b64 s[12:13], exec                        ; all lanes: values move between registers
	s_mov_b64 exec, -1
	v_mov_b32 v8, 1
	s_mov_b64 exec, s[12:13]
	s_cmp_lg_u64 s[28:29], 0
	s_cbranch_scc1 .Lexceptions_6
	s_branch .Lexceptions_17
.Lexceptions_16:  ; edge
	s_mov_b64 s[28:29], s[16:17]
	s_branch .Lexceptions_8
.Lexceptions_17:  ; edge
	s_mov_b64 s[28:29], s[22:23]
	s_mov_b64 s[12:13], exec                        ; all lanes: values move between registers
	s_mov_b64 exec, -1
	v_mov_b32 v7, v8
	s_mov_b64 exec, s[12:13]                        ; line 12
.Lexceptions_8:  ; flow
	s_mov_b64 exec, s[24:25]                        ; the lanes in 'flow'; line 10
	s_and_b64 s[16:17], s[24:25], s[18:19]
.Lexceptions_9:  ; catch
	s_mov_b64 exec, s[16:17]                        ; the lanes in 'catch'
	v_sub_u32 v4, 0, v7                             ; line 25
	v_cvt_f32_i32 v4, v4
	global_store_dword v[5:6], v4, off
.Lexceptions_10:  ; flow
	s_mov_b64 exec, s[24:25]                        ; the lanes in 'flow'; line 25
	s_and_b64 s[16:17], s[24:25], s[28:29]
.Lexceptions_11:  ; return
	s_mov_b64 exec, s[16:17]                        ; the lanes in 'return'
	global_store_dword v[5:6], v3, off              ; line 23
.Lexceptions_12:  ; flow
	s_mov_b64 exec, s[24:25]                        ; the lanes in 'flow'; line 23
	s_endpgm
.Lexceptions_13:  ; edge
	s_or_b64 s[18:19], s[18:19], s[28:29]           ; line 14
	v_mov_b32 v4, 2
	s_mov_b64 s[12:13], exec                        ; all lanes: values move between registers
	s_mov_b64 exec, -1
	v_mov_b32 v7, 1
	s_mov_b64 exec, s[12:13]
	v_mov_b32 v7, v4
	s_mov_b64 s[28:29], s[22:23]
	s_branch .Lexceptions_8
.Lend_exceptions:
	.size exceptions, .Lend_exceptions-exceptions

	.rodata
	.p2align 6
	.amdhsa_kernel exceptions
		.amdhsa_user_sgpr_private_segment_buffer 1
		.amdhsa_user_sgpr_dispatch_ptr 1
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 1
		.amdhsa_system_sgpr_workgroup_id_z 1
		.amdhsa_system_sgpr_private_segment_wavefront_offset 0
		.amdhsa_system_vgpr_workitem_id 2
		.amdhsa_kernarg_size 56
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_ieee_mode 0
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 42
	.end_amdhsa_kernel

	.amdgpu_metadata
---
amdhsa.version: [1, 1]
amdhsa.target: amdgcn-amd-amdhsa--gfx900
amdhsa.kernels:
  - .name: !str exceptions
    .symbol: !str exceptions.kd
    .kernarg_segment_size: 56
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 42
    .vgpr_count: 16
    .max_flat_workgroup_size: 1024
    .args:
      - {.name: !str in, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global, .type_name: 'float*'}
      - {.name: !str out, .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global, .type_name: 'float*'}
      - {.name: !str limit, .offset: 16, .size: 4, .value_kind: by_value, .type_name: 'int'}
      - {.name: !str traps, .offset: 24, .size: 8, .value_kind: global_buffer, .address_space: global, .type_name: 'kernelc.traps'}
      - {.offset: 32, .size: 8, .value_kind: hidden_global_offset_x}
      - {.offset: 40, .size: 8, .value_kind: hidden_global_offset_y}
      - {.offset: 48, .size: 8, .value_kind: hidden_global_offset_z}
...
	.end_amdgpu_metadata
