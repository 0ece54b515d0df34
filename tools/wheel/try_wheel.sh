#!/bin/sh
# Uses Trainyard as installed in the virtual environment $1, away from the sources: import, values, time, errors.
set -eu
environment=$1
example=$(cd "$(dirname "$0")/../.." && pwd)/examples/first.py
away=$(mktemp -d)
trap 'rm -rf "$away"' EXIT
cp "$example" "$away/first.py"
cd "$away"
unset PYTHONPATH
"$environment/bin/python" -m pip --disable-pip-version-check check
"$environment/bin/trainyard" --version
"$environment/bin/python" -c 'import nki, trainyard; assert trainyard.__file__.startswith("'"$environment"'"), trainyard'
"$environment/bin/trainyard" run first.py | grep -q 'checks passed\|largest error'
"$environment/bin/trainyard" time --json first.py >time.json 2>/dev/null
"$environment/bin/python" - <<'EOF'
import json
(kernel,) = json.load(open("time.json"))["kernels"]
assert kernel["kernel"] == "half_exp" and kernel["time_ns"] > 1000, kernel
EOF
"$environment/bin/trainyard" machine explain trn3 scalar.startup >/dev/null
"$environment/bin/trainyard" fit llama3-8b --on trn3-gen2 >/dev/null || [ $? = 4 ]
