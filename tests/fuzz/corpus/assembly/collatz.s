; steps: gfx900, 64 lanes in linear order, groups of any shape
	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
	.amdhsa_code_object_version 4
	.text
	.globl steps
	.p2align 8
	.type steps,@function
steps:
.Lsteps_0:
	s_load_dwordx4 s[16:19], s[6:7], 0
	s_load_dword s21, s[4:5], 4                     ; line 2
	s_load_dword s20, s[6:7], 16
	s_waitcnt lgkmcnt(0)
	s_and_b32 s21, s21, 0xffff
	s_mul_i32 s21, s8, s21
	s_add_u32 s20, s21, s20
	v_add_u32 v3, s20, v0
	v_mad_i64_i32 v[4:5], s[16:17], v3, 4, s[16:17]
	global_load_dword v4, v[4:5], off
	s_mov_b64 s[16:17], exec
	s_mov_b32 s20, 0                                ; line 4
	v_mov_b32 v5, 0
	s_mov_b64 s[22:23], s[16:17]
	s_waitcnt vmcnt(0)
	s_branch .Lsteps_1
.Lsteps_2:  ; body
	s_mov_b64 exec, vcc                             ; the lanes in 'body'; line 4
	v_and_b32 v6, 1, v4                             ; line 5
	v_cmp_eq_u32 s[24:25], v6, 0
	v_mul_lo_u32 v6, v4, 3
	v_lshrrev_b32 v4, 1, v4
	v_add_u32 v6, 1, v6
	v_cndmask_b32 v4, v6, v4, s[24:25]
	s_add_u32 s20, s20, 1                           ; line 6
.Lsteps_1:  ; while
	v_mov_b32 v5, s20
	v_cmp_ne_u32 vcc, v4, 1                         ; line 4
	s_cbranch_vccnz .Lsteps_2
.Lsteps_3:  ; endwhile
	s_mov_b64 exec, s[16:17]                        ; the lanes in 'endwhile'; line 6
	v_mad_i64_i32 v[3:4], s[16:17], v3, 4, s[18:19] ; line 8
	global_store_dword v[3:4], v5, off
	s_endpgm                                        ; line 9
.Lend_steps:
	.size steps, .Lend_steps-steps

	.rodata
	.p2align 6
	.amdhsa_kernel steps
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
		.amdhsa_next_free_vgpr 7
		.amdhsa_next_free_sgpr 26
	.end_amdhsa_kernel

	.amdgpu_metadata
---
amdhsa.version: [1, 1]
amdhsa.target: amdgcn-amd-amdhsa--gfx900
amdhsa.kernels:
  - .name: !str steps
    .symbol: !str steps.kd
    .kernarg_segment_size: 40
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 26
    .vgpr_count: 7
    .max_flat_workgroup_size: 1024
    .args:
      - {.name: !str in, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global, .type_name: 'uint*'}
      - {.name: !str out, .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global, .type_name: 'uint*'}
      - {.offset: 16, .size: 8, .value_kind: hidden_global_offset_x}
      - {.offset: 24, .size: 8, .value_kind: hidden_global_offset_y}
      - {.offset: 32, .size: 8, .value_kind: hidden_global_offset_z}
...
	.end_amdgpu_metadata
