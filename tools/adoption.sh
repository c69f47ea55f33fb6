#!/usr/bin/env bash
# A throw-away repository with two authors: a baseline, a third of the files in three patches, new NumPy that is stopped by pre-commit.
# Prints a transcript: make adoption. Needs pre-commit (PRE_COMMIT) and network for the environment of the hook.
set -u
ROOT=$(cd "$(dirname "$0")/.." && pwd)
PRE_COMMIT=${PRE_COMMIT:-pre-commit}
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
export PRE_COMMIT_HOME=${PRE_COMMIT_HOME:-$WORK/pre-commit} NP2TORCH_CACHE_DIR=$WORK/answers GIT_CONFIG_GLOBAL=/dev/null PYTHONPATH=$ROOT/src:$ROOT/cli
unset GITHUB_STEP_SUMMARY
PYTHON=${PYTHON:-$ROOT/.venv/bin/python}
np2torch() { "$PYTHON" -m np2torch "$@"; }
say() { echo; echo "\$ $*"; "$@"; local rc=$?; [ $rc -ne 0 ] && echo "[exit $rc]"; return 0; }
as() { local name=$1; shift; git -c "user.name=$name" -c "user.email=$name@example.org" "$@"; }
commit() { echo; echo "\$ git commit -m '$2'   # $1"; git add -A; PYTHONPATH='' as "$1" commit -qm "$2" 2>&1; local rc=$?; [ $rc -ne 0 ] && echo "[exit $rc]"; return 0; }
allowed() { say "$PYTHON" -c 'import json; print(sum(e["count"] for f in json.load(open("np2torch-baseline.json"))["files"].values() for e in f), "uses of NumPy are allowed")'; }

# The hook comes from a repository: this one, as it is now.
git clone -q "$ROOT" "$WORK/np2torch"
mkdir "$WORK/repository" && cd "$WORK/repository" || exit 1
git init -q -b main .
mkdir -p src/lab tests
echo > src/lab/__init__.py
number=0
module() { number=$((number + 1)); printf 'import numpy as np\n\n\ndef %s(%s):\n    %s\n' "$1" "$2" "${3//N/$number}" > "src/lab/$1.py"; }
for name in area spread decay; do module $name "n: int" $'x = np.linspace(0.0, 1.0, n)\n    return np.sum(np.exp(x) * N)'; done
for name in ramp grid mix; do module $name "n: int" $'x = np.ones((n, N))\n    return x.mean(axis=0), np.std(x, axis=0)'; done
for name in middle rank tail; do module $name x "return np.median(0.5 * x)"; done
cat > tests/test_lab.py <<'PY'
import pytest
from lab.area import area
from lab.grid import grid


def test_area():
    assert float(area(3)) == pytest.approx(5.367, abs=1e-3)


def test_grid():
    mean, deviation = grid(4)
    assert mean.tolist() == [1.0] * 5 and deviation.tolist() == [0.0] * 5
PY
cat > pyproject.toml <<'TOML'
[project]
name = "lab"
version = "1"
dependencies = ["numpy>=1.26"]  # arrays

[tool.np2torch]
baseline = "np2torch-baseline.json"
max-todo = 0
TOML
cat > .pre-commit-config.yaml <<YAML
repos:
  - repo: $WORK/np2torch
    rev: $(git -C "$WORK/np2torch" rev-parse HEAD)
    hooks:
      - id: np2torch-check
YAML
echo "patches/" > .gitignore
tests() { echo; echo "\$ pytest -q"; PYTHONPATH=src:$PYTHONPATH "$PYTHON" -m pytest -q -p no:cacheprovider 2>&1 | tail -1; }

echo "# 1. Ann makes the baseline"
say np2torch check src --update-baseline
allowed
tests
commit Ann "Begin the migration: a baseline"
say "$PRE_COMMIT" install

echo; echo "# 2. Ben migrates a third of the files in three patches"
say np2torch convert src --split-by module --max-lines 8 --output-dir patches
patches=$(grep -v requirements patches/series | head -3)
for patch in $(grep torch-comes patches/series) $patches; do
    say git apply "patches/$patch"
    say np2torch check src --update-baseline
    allowed
    tests
    commit Ben "Migrate: $patch"
done
echo; echo "\$ head -14 patches/$(grep judgement patches/series | head -1)"
head -14 "patches/$(grep judgement patches/series | head -1)"

echo; echo "# 3. Ann writes a new call of NumPy; pre-commit stops her"
sed -i '1{/numpy/!i import numpy as np
}' src/lab/grid.py
printf '\n\ndef fresh(n: int):\n    return np.cumsum(np.zeros(n))\n' >> src/lab/grid.py
commit Ann "Add fresh"
say np2torch check src --output-format github
echo; echo "\$ np2torch check src --output-format sarif   # states of its results, and one that is new"
np2torch check src --output-format sarif -q > "$WORK/found.sarif"
"$PYTHON" - "$WORK/found.sarif" <<'PY'
import collections, json, sys
results = json.load(open(sys.argv[1]))["runs"][0]["results"]
print(dict(collections.Counter(one.get("baselineState", "none") for one in results)))
print(json.dumps(next(one for one in results if one.get("baselineState") == "new"), indent=1))
PY

echo; echo "# 4. Ann writes it in torch; the commit passes"
sed -i 's/np.cumsum(np.zeros(n))/torch.cumsum(torch.zeros(n, dtype=torch.float64), dim=0)/' src/lab/grid.py
grep -q '^import torch' src/lab/grid.py && sed -i '1{/import numpy/d}' src/lab/grid.py || sed -i '1s/^/import torch\n/' src/lab/grid.py
commit Ann "Add fresh"
tests
say git log --reverse --format='%an: %s' --shortstat -- np2torch-baseline.json
