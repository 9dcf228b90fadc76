export void spmv_csr(uniform int num_rows, uniform const int ptr[], uniform const int indices[],
                     uniform const float data[], uniform const float x[], uniform float y[], uniform int nx,
                     uniform int ny, uniform int nz) {
    foreach (row = 0 ... num_rows) {
        float dot = 0;
        for (int jj = ptr[row]; jj < ptr[row + 1]; jj++) dot += data[jj] * x[indices[jj]];
        y[row] = dot;
    }
}

// Long rows by all lanes together.
export void spmv_csr_expert(uniform int num_rows, uniform const int ptr[], uniform const int indices[],
                            uniform const float data[], uniform const float x[], uniform float y[], uniform int nx,
                            uniform int ny, uniform int nz) {
    for (uniform int row = 0; row < num_rows; row++) {
        const uniform int from = ptr[row];
        const uniform int to = ptr[row + 1];
        if (to - from < programCount) {
            uniform float dot = 0;
            for (uniform int jj = from; jj < to; jj++) dot += data[jj] * x[indices[jj]];
            y[row] = dot;
        } else {
            float dot = 0;
            foreach (jj = from ... to) dot += data[jj] * x[indices[jj]];
            y[row] = reduce_add(dot);
        }
    }
}
