#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# installed_test.sh KERNELC CMAKE BUILD SOURCE: the course as it is installed: which files students and teachers get,
# links, and labs that were copied out of it.
. "$4/tests/cli/expect.sh"
cmake=$2 build=$3
command -v python3 >/dev/null || { echo 'SKIPPED: the submissions need python3'; exit 77; }
real=$(python3 -c 'import sys; print(sys.executable)') && PATH=$(dirname "$real"):$PATH
component() {  # NAME PREFIX
  "$cmake" --install "$build" --component "$1" --prefix "$work/$2" >install.txt 2>&1 || fail "install $1: $(<install.txt)"
}
component course student
component teacher teacher
data=$work/student/share/kernelc

# Which files: all of the course, and each in one of the two.
list() { (cd "$1" && find . "${@:2}" -type f ! -path '*/__pycache__/*' | sort); }
list "$source/course" ! -path './teacher/*' ! -path './learn/*' ! -name marks.py ! -name 'Dockerfile*' >want.txt
list "$data/course" >got.txt
cmp -s want.txt got.txt || fail "what students get: $(diff want.txt got.txt)"
(cd "$source/course" && list . \( -path './teacher/*' -o -name marks.py \)) >want.txt
list "$work/teacher/share/kernelc/course" >got.txt
cmp -s want.txt got.txt || fail "what teachers get: $(diff want.txt got.txt)"
[[ $(wc -l <want.txt) -ge 100 ]] || fail 'the teacher has few files'
# Nothing of the teacher's under another name either.
sums() { find "$1" -type f -exec sha256sum {} + | cut -d' ' -f1 | sort -u; }
comm -12 <(sums "$source/course/teacher") <(sums "$work/student") >both.txt
[[ ! -s both.txt ]] || fail "students get files of the teacher: $(<both.txt)"
[[ $(readlink "$data/course/learn") == ../learn ]] || fail 'the exercises are not linked'

# Links of the pages, with the documents.
component documents student
component command student
if [[ -d $work/student/share/doc/kernelc-doc ]]; then
  for name in README.md docs examples packaging web; do
    [[ -e $work/student/share/doc/kernelc-doc/$name ]] || fail "the documents lack $name"
    ln -sfn ../doc/kernelc-doc/$name "$data/$name"
  done
  python3 - "$data/course" <<'PYTHON' || fail 'a link of the installed course leads nowhere'
import pathlib, re, sys
links, broken = 0, []
for page in pathlib.Path(sys.argv[1]).rglob("*.md"):
    if page.name == "deck.md":  # the text of the slides; its paths begin at the root, as make.py reads it
        continue
    for target in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8")):
        if re.match(r"[a-z]+:", target):
            continue
        links += 1
        if not (page.parent / target).exists():
            broken.append(f"{page}: {target}")
print("\n".join(broken))
assert links >= 40, links
sys.exit(bool(broken))
PYTHON
fi

# A lab that was copied out of it: the same result as in its place, for each starter and wherever the copy lies.
kernelc=$work/student/bin/kernelc
mkdir -p home/python home/labs && echo 'nothing = 1' >home/python/other.py
copies=0
for lab in "$data"/course/labs/*/; do
  name=$(basename "$lab")
  cp -r "$lab" home/labs/mine
  for starter in "$lab"*.py "$lab"*.js "$lab"answers.txt "$lab"starter.*; do
    [[ -e $starter ]] || continue
    [[ $starter == *.js ]] && ! command -v node >/dev/null && continue
    file=$(basename "$starter")
    "$kernelc" grade "$source/course/labs/$name/lab.toml" "$source/course/labs/$name/$file" >want.txt 2>&1
    want=$?
    (cd home/labs/mine && "$kernelc" grade lab.toml "$file") >got.txt 2>&1
    got=$?
    # Where programs and modules lie that the copy lacks is the only difference.
    sed -i -E 's,kernelc [^ ]*/programs/,kernelc programs/,; s,(PYTHONPATH|NODE_PATH)=[^ ]*,\1=,' want.txt got.txt
    [[ $got -eq $want ]] && cmp -s want.txt got.txt || fail "a copy of $name, $file: $(diff want.txt got.txt | head -5)"
    copies=$((copies + 1))
  done
  rm -r home/labs/mine
done
[[ $copies -ge 12 ]] || fail "only $copies starters in copies"
# Hidden tests need the teacher's seed.
cp -r "$data/course/labs/02-dominators" lab
expect 6 '^total +0/80$' grade lab/lab.toml lab/dominators.py
grep -q hidden out.txt && fail 'there is a hidden test without a seed'
teacher=$work/teacher/share/kernelc/course
expect 0 '^total +100/100$' grade lab/lab.toml "$teacher/teacher/02-dominators/solution.py" --hidden "$teacher/teacher/seed.txt"
"$kernelc" grade lab/lab.toml lab/dominators.py --json >one.json
"$teacher/marks.py" one.json | grep -q '^dominators.py,Lab 2: dominators,0,80' || fail "marks.py: $("$teacher/marks.py" one.json)"

# The museum.
(cd "$data" && "$kernelc" check course/museum/02-names.cl --global 16 --arg data=i32[16]:iota \
  --routes passes --passes=mem2reg,instcombine,exec:course/museum/02-names.py) >out.txt 2>&1 || fail "an exhibit: $(<out.txt)"

# What is missing is said.
sed 's,labs/02-dominators,labs/none,' lab/lab.toml >lab/other.toml
expect 3 "other.toml: there is no folder 'lab/../../python', which 'python_path' names, and no course" grade lab/other.toml lab/dominators.py
sed '/^course/d' lab/lab.toml >lab/plain.toml
expect 3 "plain.toml: there is no folder 'lab/../../python', which 'python_path' names\$" grade lab/plain.toml lab/dominators.py
printf '#!/bin/sh\necho "{}"\n' >lab/answer && chmod +x lab/answer
expect 3 "cannot read 'lab/../06-structurize/programs/knot.cl'" grade lab/plain.toml lab/answer

[[ $failures -eq 0 ]] && echo "installed: $copies starters in copies of labs get what they get in place"
exit $((failures != 0))
