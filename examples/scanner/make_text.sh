#!/usr/bin/env bash
# 1024 lines of exactly 64 bytes for the scanner, the same at every call. Some lines have errors.
awk 'BEGIN {
  seed = 12345
  n = split("alpha beta_2 x y1 \"text\" \"a\\n\\\"b\" 42 3.14 0 007 ; , long_name_here alpha b2 cc d \"e f\" 9 8.5 , ; z_z gamma delta 1999 \"\" # \"open ? 1.2.3", token, " ")
  for (line = 0; line < 1024; line++) {
    text = ""
    while (length(text) < 64) {
      seed = (seed * 1103515245 + 12345) % 2147483648
      text = text token[1 + int(seed / 65536) % n] " "
    }
    printf "%s", substr(text, 1, 64)
  }
}'
