#!/usr/bin/env bash
# Installs the Debian packages that are missing. Does nothing, and needs no privileges, when all are there.
set -euo pipefail
cd "$(dirname "$0")"

missing=()
optional=()
while read -r first second command _; do
  [[ -z "$first" || "$first" == \#* ]] && continue
  package=$first
  [[ "$first" == optional ]] && package=$second
  [[ "$first" == optional && -n "$command" ]] && command -v "$command" >/dev/null && continue
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' && continue
  if [[ "$first" == optional ]]; then optional+=("$package"); else missing+=("$package"); fi
done <packages.txt
[[ ${#missing[@]} -eq 0 && ${#optional[@]} -eq 0 ]] && exit 0

if ! command -v apt-get >/dev/null; then
  echo "install.sh: these packages are missing and this is not a Debian system: ${missing[*]}" >&2
  [[ ${#missing[@]} -eq 0 ]] && exit 0
  exit 4
fi
as_root=()
if [[ $EUID -ne 0 ]]; then
  if ! command -v sudo >/dev/null; then
    echo "install.sh: run this as root: apt-get install ${missing[*]} ${optional[*]}" >&2
    [[ ${#missing[@]} -eq 0 ]] && exit 0
    exit 4
  fi
  as_root=(sudo)
fi
echo "Installing: ${missing[*]} ${optional[*]}"
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq
if [[ ${#missing[@]} -gt 0 ]]; then
  "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi
for package in "${optional[@]}"; do
  "${as_root[@]}" apt-get install -y -qq --no-install-recommends "$package" >/dev/null ||
    echo "install.sh: optional package $package could not be installed; what needs it is skipped" >&2
done
