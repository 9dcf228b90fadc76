#!/usr/bin/env bash
# Runs built tests of Khronos' conformance suite for OpenCL (OpenCL-CTS) on this driver, and prints a table.
#   opencl/cts.sh CTS_BUILD [--vendors DIR] [--peer DIR] [--limit SECONDS] [--out DIR] [--full] [TEST[:SUBTEST]]...
# Each sub-test is a process of its own, with a time limit, so a crash or a hang costs one sub-test. TEST is
# test_basic and so on; without names all tests that CTS_BUILD has run. --vendors: the folder of .icd files of the
# driver; --peer: that of another, for a second group of columns. --full: without it the tests run in their short
# form ("wimpy"). --out: a folder for the logs and a line for each sub-test.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
usage() { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
[ $# -ge 1 ] && [ -d "$1" ] || usage
build=$(cd "$1" && pwd); shift
vendors=$root/build/release/opencl-vendors peer= limit=120 out= short=(CL_WIMPY_MODE=1) names=()
while [ $# -gt 0 ]; do
  case $1 in
    --vendors | --peer | --limit | --out) [ $# -ge 2 ] || usage ;;&
    --vendors) vendors=$2; shift ;;
    --peer) peer=$2; shift ;;
    --limit) limit=$2; shift ;;
    --out) mkdir -p "$2"; out=$(cd "$2" && pwd); shift ;;
    --full) short=() ;;
    -*) usage ;;
    *) names+=("$1") ;;
  esac
  shift
done
drivers=("$vendors" ${peer:+"$peer"})
for d in "${drivers[@]}"; do
  compgen -G "$d/*.icd" >/dev/null || { echo "no .icd file in $d" >&2; exit 1; }
done
[ -n "$out" ] || out=$(mktemp -d)
if [ ${#names[@]} = 0 ]; then
  mapfile -t names < <(find "$build/test_conformance" -type f -perm -100 -name 'test_*' -printf '%f\n' | sort)
fi
[ ${#names[@]} -gt 0 ] || { echo "no built tests below $build/test_conformance" >&2; exit 1; }

# One sub-test; prints its result.
run_one() {  # icd folder, log, program, sub-test
  local json=$2.json status=0
  rm -f "$json"
  (cd "$(dirname "$3")" && ulimit -c 0 &&
   exec env OCL_ICD_VENDORS="$1" "${short[@]}" CL_CONFORMANCE_RESULTS_FILENAME="$json" \
     timeout -k 5 "$limit" "$3" ${4:+"$4"} </dev/null >"$2" 2>&1) || status=$?
  if [ $status = 124 ] || [ $status = 137 ]; then echo timeout
  elif [ $status -ge 128 ]; then echo crash
  elif grep -q 'Unable to parse function name' "$2"; then echo fail  # it would pass without a test
  elif grep -q '": "fail"' "$json" 2>/dev/null; then echo fail
  elif grep -q '": "pass"' "$json" 2>/dev/null; then echo pass
  elif grep -q '": "skip"' "$json" 2>/dev/null; then echo skip
  else echo fail
  fi
  rm -f "$json"
}

failed=() total=(0 0 0 0 0 0 0 0 0 0) row=
# All sub-tests of one test on one driver; appends to `row`.
run_test() {  # which driver, test, sub-test or nothing, program
  local icd=${drivers[$1]} logs=$out/$1 begin n=(0 0 0 0 0) subs=("$3") sub result i
  begin=$(date +%s)
  # What test_conversions takes as names are conversions; its one sub-test runs all of them.
  if [ -z "$3" ] && [ "$2" != test_conversions ]; then
    mapfile -t subs < <(cd "$(dirname "$4")" && OCL_ICD_VENDORS=$icd "$4" --list 2>/dev/null | sed -n 's/^\t//p')
    [ ${#subs[@]} -gt 0 ] || { n[1]=1; failed+=("$2 (lists no sub-tests) on $icd"); }
  fi
  for sub in "${subs[@]}"; do
    # The shell would tell of processes that were killed.
    result=$(run_one "$icd" "$logs/$2.$sub.log" "$4" "$sub" 2>/dev/null)
    printf '%s %s %s\n' "$2" "$sub" "$result" >>"$logs/results.txt"
    case $result in
      pass) i=0 ;;
      fail | crash) i=1 ;;
      timeout) i=2 ;;
      skip) i=3 ;;
    esac
    n[i]=$((n[i] + 1))
    case $i in 1 | 2) failed+=("$2${sub:+:$sub} ($result) on $icd") ;; esac
  done
  n[4]=$(($(date +%s) - begin))
  for i in 0 1 2 3 4; do total[5 * $1 + i]=$((total[5 * $1 + i] + n[i])); row+=" ${n[i]} |"; done
}

head='| test |' line='|---|'
for d in "${!drivers[@]}"; do
  rm -rf "${out:?}/$d"
  mkdir "$out/$d"
  echo "Driver $d: ${drivers[$d]}"
  head+=' passed | failed | no end | skipped | s |' line+='---|---|---|---|---|'
done
printf '\n%s\n%s\n' "$head" "$line"
for name in "${names[@]}"; do
  test=${name%%:*} only=
  [ "$name" = "$test" ] || only=${name#*:}
  program=$(find "$build/test_conformance" -type f -perm -100 -name "$test" -print -quit)
  if [ -z "$program" ]; then failed+=("$test (not built)"); continue; fi
  row=
  for d in "${!drivers[@]}"; do run_test "$d" "$test" "$only" "$program"; done
  echo "| $test |$row"
done
row=
for ((i = 0; i < 5 * ${#drivers[@]}; ++i)); do row+=" ${total[i]} |"; done
printf '| all |%s\n\n' "$row"
for f in "${failed[@]}"; do echo "- $f"; done
echo "Logs: $out"
