; About what a compiler writes that knows nothing of the launch: groups of any size, a global offset, and
; addresses of 64 bits for each access.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
	.text
	.globl blend
	.p2align 8
	.type blend,@function
blend:
	s_load_dwordx4 s[16:19], s[6:7], 0      ; x, y
	s_load_dwordx2 s[20:21], s[6:7], 16     ; out
	s_load_dword s22, s[6:7], 24            ; a
	s_load_dword s23, s[4:5], 4             ; the size of the group, from the dispatch packet
	s_load_dword s24, s[6:7], 32            ; the global offset
	s_waitcnt lgkmcnt(0)
	s_and_b32 s23, s23, 0xffff
	s_mul_i32 s23, s8, s23
	s_add_u32 s23, s23, s24
	v_add_u32 v3, s23, v0                   ; the global id
	v_mad_i64_i32 v[4:5], s[26:27], v3, 4, s[16:17]
	global_load_dword v4, v[4:5], off
	v_mad_i64_i32 v[5:6], s[26:27], v3, 4, s[18:19]
	global_load_dword v5, v[5:6], off
	v_mad_i64_i32 v[6:7], s[26:27], v3, 4, s[20:21]
	s_waitcnt vmcnt(0)
	v_mul_lo_u32 v3, s22, v4
	v_add_u32 v3, v3, v5
	global_store_dword v[6:7], v3, off
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
