# SPDX-License-Identifier: Apache-2.0
# For tests of the command, which set kernelc: how it is run and what is expected of it.
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
