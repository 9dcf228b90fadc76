	v_cmp_lt_f32 s[16:17], off, v4
