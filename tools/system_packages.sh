#!/bin/sh
# Installs the Debian packages of tools/apt-packages.txt, or of another list, that are missing. Does nothing, and needs no rights, when all
# are there; else it needs root or sudo, and says so in one clear error.
set -eu
cd "$(dirname "$0")/.."
if ! command -v dpkg-query >/dev/null; then
  echo "Trainyard is set up on Debian bookworm or a system that has apt; found neither." >&2
  exit 1
fi
missing=""
for package in $(grep -v "^#" "${1:-tools/apt-packages.txt}"); do
  # shellcheck disable=SC2016  # the $ belongs to dpkg-query
  dpkg-query -W -f='${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -eq 0 ]; then
  as_root="env DEBIAN_FRONTEND=noninteractive"
elif command -v sudo >/dev/null; then
  as_root="sudo env DEBIAN_FRONTEND=noninteractive"
else
  echo "These Debian packages are missing, and installing them needs root or sudo. As root, run:" >&2
  echo "  apt-get update && apt-get install --no-install-recommends$missing" >&2
  exit 1
fi
echo "installing:$missing"
# shellcheck disable=SC2086  # word splitting is wanted
$as_root apt-get -o Acquire::Retries=3 -q update
# shellcheck disable=SC2086
$as_root apt-get -o Acquire::Retries=3 -o Dpkg::Use-Pty=0 -q -y --no-install-recommends install $missing
