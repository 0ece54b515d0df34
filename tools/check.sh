#!/bin/sh
# The slow gates: the C++ tests under sanitizers, fuzzing of every reader, whether each file compiles by itself, and whether
# g++'s and clang's builds give the same values, times and traces, and random programs beside float64. Builds what a part needs, and says how long each step took.
# How long the parts take stands in ARCHITECTURE.md.
#   tools/check.sh [asan[:FOLDERS]] [tsan[:FOLDERS]] [fuzz[:TARGETS]] [alone[:FOLDER]] [determinism] [differential]
#                     no part: all of them; asan:isa,graph runs two folders' tests
#   FUZZ_SECONDS=60   how long each fuzz target runs
#   DIFFERENTIAL_SECONDS=600, DIFFERENTIAL_SEED=1   how long random programs are judged, and which
set -u
cd "$(dirname "$0")/.." || exit 1
seconds=${FUZZ_SECONDS:-60}
jobs=$(nproc)
status=0
started=$(date +%s)

# What most of the others stand on comes first.
folders=isa,graph,compiler,engines,base,numerics,machine,events,transport,trace,state,economics,checkers,memory,fabric,plan,system,report
folders=$folders,planner,serving,runtime,session,pjrt
# What threads share: memory, grids of cores, queues of chips, programs that are compiled side by side (all three by
# base/thread_pool.h), the plugin's events. The other folders start no threads, or only through these.
threaded=base,events,transport,state,engines,system,session,pjrt
# They time the same programs again for each figure of the machine: minutes without sanitizers, and no new memory accesses.
unsanitized='^Effects\.'
targets=machine,model,text,artifact,program,trace,execution_trace,message,pjrt,prices,compile

sanitized() { # preset, folders
  tools/step "configure-$1" cmake --preset "$1" || return 1
  failed=0
  for folder in $(echo "$2" | tr , ' '); do
    tools/step "build-$1-$folder" cmake --build --preset "$1" --target "test_$folder" &&
      tools/step "tests-$1-$folder" ctest --test-dir "build/$1" -j "$jobs" --no-tests=error --output-on-failure \
        -L "^$folder\$" -E "$unsanitized" ||
      failed=1
  done
  return "$failed"
}

fuzzed() { # targets
  tools/step system-packages-check tools/system_packages.sh tools/apt-packages-check.txt || return 1
  tools/step configure-fuzz cmake --preset fuzz || return 1
  failed=0
  for name in $(echo "$1" | tr , ' '); do
    tools/step "build-fuzz-$name" cmake --build --preset fuzz --target "fuzz_$name" || { failed=1 && continue; }
    mkdir -p "build/fuzz/found/$name"
    tools/step "fuzz-$name-${seconds}s" "build/fuzz/tests/fuzz/fuzz_$name" -max_total_time="$seconds" -timeout=25 \
      -rss_limit_mb=4096 -artifact_prefix="build/fuzz/found/$name/" "build/fuzz/found/$name" "tests/fuzz/corpus/$name" ||
      failed=1
  done
  return "$failed"
}

alone() { # folder
  tools/step configure-dev cmake --preset dev || return 1
  tools/step "alone-$(echo "${1:-src}" | tr / -)" python3 tools/compile_alone.py build/dev --under "src/$1"
}

determinism() {
  tools/step system-packages-check tools/system_packages.sh tools/apt-packages-check.txt || return 1
  for preset in release clang; do
    tools/step "configure-$preset" cmake --preset "$preset" || return 1
    tools/step "build-$preset-core" cmake --build --preset "$preset" --target trainyard_python || return 1
  done
  PYTHONPATH=$PWD/build/release/python .venv/bin/python tools/determinism
}

differential() {
  tools/step configure-release cmake --preset release &&
    tools/step build-release-core cmake --build --preset release --target trainyard_python || return 1
  PYTHONPATH=$PWD/build/release/python tools/step differential .venv/bin/python tools/differential \
    --seed "${DIFFERENTIAL_SEED:-1}" --seconds "${DIFFERENTIAL_SECONDS:-600}"
}

all='asan tsan fuzz alone determinism differential'
for part in ${*:-$all}; do
  chosen=$(echo "$part:" | cut -d : -f 2)
  case "$part" in
    asan | asan:*) sanitized asan "${chosen:-$folders}" || status=1 ;;
    tsan | tsan:*) sanitized tsan "${chosen:-$threaded}" || status=1 ;;
    fuzz | fuzz:*) fuzzed "${chosen:-$targets}" || status=1 ;;
    alone | alone:*) alone "$chosen" || status=1 ;;
    determinism) determinism || status=1 ;;
    differential) differential || status=1 ;;
    *) echo "tools/check.sh: no part is called $part" >&2; exit 2 ;;
  esac
done
echo "check: ${*:-$all} took $((($(date +%s) - started + 59) / 60)) minutes" >&2
exit "$status"
