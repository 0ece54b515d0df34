#!/bin/sh
# The slow gates: the C++ tests under sanitizers, and fuzzing of every reader. Says how long each part took.
#   tools/check.sh [asan] [tsan] [fuzz]      no name: all of them
#   FUZZ_SECONDS=60                          how long each fuzz target runs
set -u
cd "$(dirname "$0")/.." || exit 1
parts=${*:-asan tsan fuzz}
seconds=${FUZZ_SECONDS:-60}
jobs=$(nproc)
status=0

# What threads share: grids of cores, the runtime's queue, recordings. The other tests run on one thread.
threaded='engines|runtime|session|state|system'

sanitized() { # preset, labels
  tools/step "configure-$1" cmake --preset "$1" || return 1
  tools/step "build-$1" cmake --build --preset "$1" || return 1
  tools/step "tests-$1" ctest --test-dir "build/$1" -j "$jobs" --no-tests=error --output-on-failure -L "$2"
}

fuzzed() {
  tools/step system-packages-check tools/system_packages.sh tools/apt-packages-check.txt || return 1
  tools/step configure-fuzz cmake --preset fuzz || return 1
  tools/step build-fuzz cmake --build --preset fuzz || return 1
  failed=0
  for target in build/fuzz/tests/fuzz/fuzz_*; do
    [ -x "$target" ] && [ -f "$target" ] || continue
    name=$(basename "$target")
    mkdir -p "build/fuzz/found/$name"
    tools/step "$name-${seconds}s" "$target" -max_total_time="$seconds" -timeout=25 -rss_limit_mb=4096 \
      -artifact_prefix="build/fuzz/found/$name/" "build/fuzz/found/$name" "tests/fuzz/corpus/${name#fuzz_}" || failed=1
  done
  return "$failed"
}

for part in $parts; do
  case "$part" in
    asan) sanitized asan '.*' || status=1 ;;
    tsan) sanitized tsan "$threaded" || status=1 ;;
    fuzz) fuzzed || status=1 ;;
    *) echo "tools/check.sh: no part is called $part" >&2; exit 2 ;;
  esac
done
exit "$status"
