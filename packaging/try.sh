#!/usr/bin/env bash
# try.sh BUILD [ROOT]: installs the packages of a build into a clean root of Debian, runs a kernel, a program with
# the library, and clinfo there, and removes the driver again. ROOT: a root that debootstrap has made; it is copied.
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

root=$work/root
if [ "$(id -u)" = 0 ] && { [ -n "$base" ] || command -v debootstrap >/dev/null; }; then
  if [ -n "$base" ]; then cp -a "$base" "$root"
  else debootstrap --variant=minbase bookworm "$root" >"$work/debootstrap.txt" || fail "debootstrap"
  fi
  cp "$here/../examples/queens/queens.cl" "$here/../examples/opencl/saxpy.c" "$root/tmp"
  cp "$packages"/*.deb "$root/tmp"
  cp /etc/resolv.conf "$root/etc"
  inside() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive chroot "$root" "$@"; }
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
  echo "unpacked and run; dependencies and scripts of the packages are not tried"
fi
