#!/usr/bin/env bash
# try.sh BUILD [ROOT]: installs the packages of a build into a clean root of Debian, runs a kernel and clinfo there,
# removes the driver again, and grades as students and teachers do. ROOT: a root that debootstrap has made; it is copied.
# Without the right to make a root, the packages are unpacked into a folder and run from there, which tries neither
# their dependencies nor their scripts.
set -euo pipefail
[ $# -ge 1 ] && [ -d "$1/packages" ] || { sed -n '2,5s/^# //p' "$0" >&2; exit 2; }
packages=$(cd "$1/packages" && pwd) base=${2:-}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "try.sh: $*" >&2; exit 1; }
run=(run /tmp/queens.cl --global 128 --local 64 --arg "solutions=i32[2]" --arg n=9 --print solutions)
right=$'298\n54'

if command -v lintian >/dev/null; then
  lintian --fail-on error "$packages"/*.deb >"$work/lintian.txt" 2>&1 || { cat "$work/lintian.txt"; fail "lintian"; }
  echo "lintian: no errors, $(grep -c '^W' "$work/lintian.txt" || true) warnings"
else
  echo "SKIPPED: no lintian"
fi

# graded WHAT STATUS TEXT COMMAND...: how kernelc grade must end, and what it must say.
graded() {
  local what=$1 status=$2 text=$3 got=0
  shift 3
  "$@" >"$work/graded.txt" 2>&1 || got=$?
  [ "$got" = "$status" ] && grep -q "$text" "$work/graded.txt" || { cat "$work/graded.txt"; fail "$what: status $got"; }
}

root=$work/root
if [ "$(id -u)" = 0 ] && { [ -n "$base" ] || command -v debootstrap >/dev/null; }; then
  if [ -n "$base" ]; then cp -a "$base" "$root"
  else debootstrap --variant=minbase bookworm "$root" >"$work/debootstrap.txt" || fail "debootstrap"
  fi
  cp "$here/../examples/queens/queens.cl" "$here/../examples/opencl/saxpy.c" "$root/tmp"
  cp "$packages"/*.deb "$root/tmp"
  cp /etc/resolv.conf "$root/etc"
  # In a name space of its own, which /proc of the root leaves with: the command finds its files by /proc/self/exe.
  inside() {
    unshare --mount sh -c 'mount -t proc proc "$0/proc" && exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin \
      DEBIAN_FRONTEND=noninteractive chroot "$0" "$@"' "$root" "$@"
  }
  inside sh -c 'apt-get update -qq && apt-get install -y -qq --no-install-recommends clinfo /tmp/kernelc_*.deb \
    /tmp/kernelc-opencl-icd_*.deb /tmp/libkernelc*.deb /tmp/kernelc-doc_*.deb' >"$work/apt.txt" 2>&1 ||
    { tail -20 "$work/apt.txt"; fail "apt-get install"; }
  [ "$(inside kernelc "${run[@]}")" = "$right" ] || fail "kernelc run"
  inside clinfo --list | grep -q 'Device #0: kernelc CPU' || fail "clinfo does not list the driver"
  [ -e "$root/usr/lib/libkernelc.so.0.1" ] || fail "the library is not there"
  inside apt-get remove -y -qq kernelc-opencl-icd >"$work/apt.txt" 2>&1 || fail "apt-get remove"
  inside clinfo --list 2>&1 | grep -q kernelc && fail "the driver is still registered"
  [ ! -e "$root/etc/OpenCL/vendors/kernelc.icd" ] || fail "the file that registers is still there"
  echo "installed into a clean root, run, and removed"

  # A student has the course alone, and a user's rights.
  inside sh -c 'apt-get install -y -qq --no-install-recommends python3 /tmp/kernelc-course_*.deb' >"$work/apt.txt" 2>&1 ||
    { tail -20 "$work/apt.txt"; fail "apt-get install kernelc-course"; }
  inside useradd --create-home ada
  inside cp -r /usr/share/kernelc/course/labs/02-dominators /home/ada/lab
  inside chown -R ada /home/ada/lab
  student() { inside setpriv --reuid=ada --regid=ada --clear-groups env HOME=/home/ada sh -c "cd /home/ada/lab && $1"; }
  graded "a starter" 6 '0/80' student "kernelc grade lab.toml dominators.py"
  find "$root/usr/share/kernelc" | grep -E 'teacher|marks|seed|solution|wrong-' && fail "a student has what is the teacher's"
  inside sh -c 'apt-get install -y -qq --no-install-recommends /tmp/kernelc-course-teacher_*.deb' >"$work/apt.txt" 2>&1 ||
    { tail -20 "$work/apt.txt"; fail "apt-get install kernelc-course-teacher"; }
  teacher=/usr/share/kernelc/course/teacher
  graded "a solution" 0 '100/100' student "kernelc grade lab.toml $teacher/02-dominators/solution.py --hidden $teacher/seed.txt"
  inside apt-get remove -y -qq kernelc-course >"$work/apt.txt" 2>&1 || fail "apt-get remove kernelc-course"
  [ ! -e "$root/usr/share/kernelc/course" ] || { find "$root/usr/share/kernelc/course"; fail "the course is still there"; }
  graded "a copy without the course" 3 'no course is installed' student "kernelc grade lab.toml dominators.py"
  echo "the course: installed, graded, and removed"
else
  mkdir "$root"
  for package in "$packages"/*.deb; do dpkg-deb -x "$package" "$root"; done
  cp "$here/../examples/queens/queens.cl" "$work"
  run[1]=$work/queens.cl
  [ "$("$root/usr/bin/kernelc" "${run[@]}")" = "$right" ] || fail "kernelc run"
  mkdir "$work/vendors"
  echo "$root/usr/lib/kernelc/libkernelc_opencl.so" >"$work/vendors/kernelc.icd"
  if command -v clinfo >/dev/null; then
    OCL_ICD_VENDORS=$work/vendors clinfo --list | grep -q 'Device #0: kernelc CPU' || fail "clinfo"
  else
    echo "SKIPPED: no clinfo"
  fi
  course=$root/usr/share/kernelc/course
  cp -r "$course/labs/02-dominators" "$work/lab"
  graded "a starter" 6 '0/80' "$root/usr/bin/kernelc" grade "$work/lab/lab.toml" "$work/lab/dominators.py"
  graded "a solution" 0 '100/100' "$root/usr/bin/kernelc" grade "$work/lab/lab.toml" \
    "$course/teacher/02-dominators/solution.py" --hidden "$course/teacher/seed.txt"
  echo "unpacked and run; dependencies and scripts of the packages are not tried"
fi
