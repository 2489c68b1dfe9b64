#!/usr/bin/env bash
# The whole test command: installs what requirements.txt and tests/requirements.txt name into a virtual environment (kept
# between runs, one per content of both), then style, types and tests. VITRINE_VENV names the environment to use instead.
# `quick` leaves out the browser's tests and those marked slow; other arguments go to pytest as they are.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
hash=$( { cat requirements.txt tests/requirements.txt; "$python" --version; uname -m; } | sha256sum | cut -c1-16)
venv=${VITRINE_VENV:-${XDG_CACHE_HOME:-$HOME/.cache}/vitrine/venv-$hash}
if [ ! -f "$venv/.complete" ]; then
    rm -rf "$venv"
    "$python" -m venv "$venv"
    "$venv/bin/python" -m pip install --quiet -r requirements.txt
    "$venv/bin/python" -m pip install --quiet --no-deps -r tests/requirements.txt
    touch "$venv/.complete"
fi
export PYTHONUNBUFFERED=1
unset PYTHONDONTWRITEBYTECODE  # or every process that a test starts compiles everything anew
"$venv/bin/ruff" check .
"$venv/bin/ruff" format --check .
# Two processes, whole files to each, as fixtures are dear; one numeric thread each, or they would wait for one another.
two=(-n 2 --dist loadfile --no-loadscope-reorder)
units=("${two[@]}" --ignore=tests/e2e)
if [ "${1:-}" = quick ]; then
    shift
    "$venv/bin/mypy"
    OMP_NUM_THREADS=1 exec "$venv/bin/python" -m pytest "${units[@]}" -m "not slow" "$@"
fi
if [ $# -gt 0 ]; then
    exec "$venv/bin/python" -m pytest "$@"
fi
# The browser's tests come after the others: beside them, what they start can take longer than they wait.
status=0
# Types are looked at beside the first tests, which leave a core free now and then.
types=$(mktemp)
"$venv/bin/mypy" >"$types" 2>&1 &
OMP_NUM_THREADS=1 "$venv/bin/python" -m pytest "${units[@]}" || status=$?
wait $! || status=$?
cat "$types" && rm "$types"
OMP_NUM_THREADS=1 "$venv/bin/python" -m pytest "${two[@]}" tests/e2e || status=$?
exit $status
