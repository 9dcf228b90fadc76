#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slides_test.sh KERNELC ROOT: the slides can be made, show what the compiler says, and load nothing.
. "$2/tests/cli/expect.sh"
command -v python3 >/dev/null && command -v pandoc >/dev/null && command -v dot >/dev/null || {
  echo 'SKIPPED: no python3, pandoc or dot'
  exit 77
}
make=$source/course/slides/make.py
"$make" --kernelc "$kernelc" --out slides.html >out.txt 2>&1 || fail "make.py: $(<out.txt)"
grep -qE '^3[0-9] slides: slides.html$' out.txt || fail "make.py says: $(<out.txt)"
python3 - slides.html <<'PYTHON' || fail 'the page: see above'
import html, re, sys
page = open(sys.argv[1], encoding="utf-8").read()
text = re.sub(" +", " ", html.unescape(re.sub(r"<[^>]*>", "", page)))
for shown in (" 5 .#.##### 6/8", "branch is divergent: depends on get_global_id", "reconverge proved",
              "out[4] is 0, expected 4", "tf-stack 82 0.840"):
    assert shown in text, shown
assert len(re.findall("<svg|data:image/svg", page)) >= 2 and "data:image/png" in page
assert not re.search(r"""(?:src|href)=["']?https?:|@import|url\(["']?https?:""", page)
assert "```" not in text and "$body$" not in text
PYTHON
mkdir bare
PATH=$work/bare "$(python3 -c 'import sys; print(sys.executable)')" "$make" --kernelc "$kernelc" --out x.html >out.txt 2>&1
[[ $? -eq 4 ]] && grep -q 'pandoc is absent: the package pandoc' out.txt || fail "without pandoc: $(<out.txt)"
"$make" --kernelc "$work/none/kernelc" --out x.html >out.txt 2>&1 && fail 'make.py goes on without kernelc'
grep -q 'make.py: error: ' out.txt || fail "without kernelc: $(<out.txt)"
[[ $failures -eq 0 ]] && echo 'the slides are made'
exit $((failures != 0))
