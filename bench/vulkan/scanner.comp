// SPDX-License-Identifier: Apache-2.0
// examples/scanner/scanner.cl without goto: a loop around a switch on the state, as GLSL wants it.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "launch.glsl"

layout(buffer_reference, scalar) readonly buffer Text { uint8_t at[]; };
layout(buffer_reference, scalar) writeonly buffer Counts { int at[]; };
layout(buffer_reference, scalar) readonly buffer Params {
    uint64_t launch[8];
    Text text;
    int stride;
    Counts counts;
};
layout(push_constant, scalar) uniform Push { Params params; };

const int Between = 0, Word = 1, Digits = 2, Fraction = 3, String = 4, Escape = 5, Bad = 6, Done = 7;

bool is_digit(int c) { return c >= 48 && c <= 57; }
bool is_letter(int c) { return (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || c == 95; }
bool is_space(int c) { return c == 32 || c == 44 || c == 59; }
int behind_token(int c) { return c == 35 ? Done : is_space(c) ? Between : Bad; }

void main() {
    Params p = params;
    const int line = int(gl_GlobalInvocationID.x), stride = p.stride;
    Text text = p.text;
    int at = line * stride, left = stride;
    int words = 0, numbers = 0, strings = 0, error = -1;
    int state = Between;
    while (state < Bad) {
        if (left == 0) {
            if (state == Word) words++;
            if (state == Digits || state == Fraction) numbers++;
            state = state >= String ? Bad : Done;
            break;
        }
        const int c = int(text.at[at++]);
        left--;
        switch (state) {
        case Between:
            state = is_space(c) ? Between : c == 34 ? String : is_digit(c) ? Digits : is_letter(c) ? Word : c == 35 ? Done : Bad;
            break;
        case Word:
            if (is_letter(c) || is_digit(c)) break;
            words++;
            state = c == 34 ? String : behind_token(c);
            break;
        case Digits:
            if (is_digit(c)) break;
            if (c == 46) {
                state = Fraction;
                break;
            }
            numbers++;
            state = behind_token(c);
            break;
        case Fraction:
            if (is_digit(c)) break;
            numbers++;
            state = behind_token(c);
            break;
        case String:
            if (c == 92) {
                state = Escape;
            } else if (c == 34) {
                strings++;
                state = Between;
            }
            break;
        case Escape:
            state = c == 110 || c == 116 || c == 34 || c == 92 ? String : Bad;
            break;
        }
    }
    if (state == Bad) error = stride - left - 1;
    p.counts.at[4 * line] = words;
    p.counts.at[4 * line + 1] = numbers;
    p.counts.at[4 * line + 2] = strings;
    p.counts.at[4 * line + 3] = error;
}
