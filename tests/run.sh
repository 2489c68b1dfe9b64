#!/usr/bin/env bash
# The whole test command: installs what requirements.txt names into a virtual environment (kept between runs, one per
# content of requirements.txt), then style, types and tests. VITRINE_VENV names the environment to use instead.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
hash=$( { cat requirements.txt; "$python" --version; uname -m; } | sha256sum | cut -c1-16)
venv=${VITRINE_VENV:-${XDG_CACHE_HOME:-$HOME/.cache}/vitrine/venv-$hash}
if [ ! -f "$venv/.complete" ]; then
    rm -rf "$venv"
    "$python" -m venv "$venv"
    "$venv/bin/python" -m pip install --quiet -r requirements.txt
    touch "$venv/.complete"
fi
export PYTHONUNBUFFERED=1
"$venv/bin/ruff" check .
"$venv/bin/ruff" format --check .
"$venv/bin/mypy"
if [ $# -gt 0 ]; then
    exec "$venv/bin/python" -m pytest "$@"
fi
# Two processes, whole files to each, as fixtures are dear; one numeric thread each, or they would wait for one another.
# The browser's tests come alone: a page that has to share its cores misses what it should see in passing.
status=0
OMP_NUM_THREADS=1 "$venv/bin/python" -m pytest -n 2 --dist loadfile --ignore=tests/e2e || status=$?
"$venv/bin/python" -m pytest tests/e2e || status=$?
exit $status
