// SPDX-License-Identifier: Apache-2.0
// Functions that several files use. Names end in the type of the function; f(x) of float calls f_f32.

// NaN is returned unchanged.
float clamp_f32(float x, float low, float high) {
    x = x < low ? low : x;
    return high < x ? high : x;
}

// x >= 0 with the sign of y.
float with_sign_of_f32(float x, float y) { return as_float(as_int(x) | (as_int(y) & 0x80000000u)); }

double clamp_f64(double x, double low, double high) {
    x = x < low ? low : x;
    return high < x ? high : x;
}
double with_sign_of_f64(double x, double y) { return as_double(as_long(x) | (as_long(y) & 0x8000000000000000)); }
