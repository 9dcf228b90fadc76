// SPDX-License-Identifier: Apache-2.0
// What every kernel here includes: how the runtime hands it its launch, and sizes of groups that it chooses.
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
