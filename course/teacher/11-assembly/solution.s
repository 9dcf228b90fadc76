	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
	.text
	.globl blend
	.p2align 8
	.type blend,@function
blend:
	s_load_dwordx8 s[16:23], s[6:7], 0      ; x, y, out, a: all arguments lie side by side
	v_lshl_add_u32 v1, s8, 6, v0            ; the global id
	v_lshlrev_b32 v1, 2, v1                 ; in bytes, which fit in 32 bits
	s_waitcnt lgkmcnt(0)
	global_load_dword v2, v1, s[16:17]
	global_load_dword v3, v1, s[18:19]
	s_waitcnt vmcnt(0)
	v_mul_lo_u32 v2, s22, v2
	v_add_u32 v2, v2, v3
	global_store_dword v1, v2, s[20:21]
	s_endpgm

	.rodata
	.p2align 6
	.amdhsa_kernel blend
		.amdhsa_user_sgpr_private_segment_buffer 1
		.amdhsa_user_sgpr_dispatch_ptr 1
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_kernarg_size 56
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 32
	.end_amdhsa_kernel
