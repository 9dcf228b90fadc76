# SPDX-License-Identifier: Apache-2.0
# For tests of the command, TEST KERNELC [...] SOURCE: a folder of their own, how it is run, what is expected of it.
set -u
kernelc=$1
source=${!#}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# expect STATUS PATTERN ARGS...: the status, and a line of stdout or stderr that matches.
expect() {
  local status=$1 pattern=$2
  shift 2
  "$kernelc" "$@" >out.txt 2>err.txt </dev/null
  local got=$?
  if [[ $got -ne $status ]] || ! { [[ -z $pattern ]] || cat out.txt err.txt | grep -qE -- "$pattern"; }; then
    fail "kernelc $*: status $got, expected $status; output should match: $pattern"
    head -5 out.txt err.txt
  fi
}
