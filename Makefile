# Everything sets itself up: `make demo` and `make test` are all that a fresh clone needs.
PYTHON ?= python3
VENV ?= .venv
TORCH ?= torch==2.13.0
BIN := $(VENV)/bin
READY := $(VENV)/.ready
JOBS ?= auto

.PHONY: demo test test-long lint types layers docs grade bench bench-kernels bench-shim properties programs scalars arithmetic
.PHONY: adoption notebooks verify-corpus seeded-bugs compare house-counts naming numpy-tests worlds trials open-world kernels corpus clean

demo: $(READY)
	$(BIN)/python tools/demo.py

# Tests start the program hundreds of times; where Python is told to write no bytecode, each of them would compile it all.
test: $(READY)
	$(BIN)/python -m compileall -q -j 0 src cli
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n $(JOBS) --dist worksteal $(ARGS)

# Tests that start many programs or draw many; CI has no time for them.
test-long: $(READY)
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n $(JOBS) --dist worksteal -m long $(ARGS)

lint: $(READY) types layers
	$(BIN)/ruff check .

types: $(READY)
	$(BIN)/mypy

layers: $(READY)
	$(BIN)/lint-imports

docs: $(READY)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

grade: $(READY)
	$(BIN)/python tools/grade.py $(if $(PACKAGE),--package $(PACKAGE)) $(ARGS)

bench: $(READY)
	$(BIN)/python tools/bench.py $(ARGS)

bench-kernels: $(READY)
	OMP_NUM_THREADS=1 $(BIN)/python -W ignore tools/bench_kernels.py $(NAMES) $(ARGS)

bench-shim: $(READY)
	$(BIN)/python tools/bench_shim.py $(ARGS)

# The shim against NumPy on drawn examples: make properties EXAMPLES=500 NAMES="sum linalg.*"; --how traced, placed and
# differentiated for the shim under torch's transforms, --how native for what is converted
EXAMPLES ?= 200
properties: $(READY)
	$(BIN)/python -W ignore tests/properties/report.py $(EXAMPLES) $(NAMES)

# NumPy's own tests, as they are, converted, and on torch._numpy: make numpy-tests NAMES="linalg lib/shape_base"
numpy-tests: $(READY)
	$(BIN)/python tools/numpy_tests.py $(NAMES) $(ARGS)

# Programs drawn at random that share memory, run on both sides: make programs PROGRAMS=2000 ARGS=--unknown
PROGRAMS ?= 500
programs: $(READY)
	$(BIN)/python -W ignore tests/properties/programs.py $(PROGRAMS) $(ARGS)

# The same for programs that keep scalars, hash them and ask what they are: make scalars PROGRAMS=3000
scalars: $(READY)
	$(BIN)/python -W ignore tests/properties/scalars.py $(PROGRAMS) $(ARGS)

# The same for programs that compute with scalars in loops: make arithmetic PROGRAMS=2000
arithmetic: $(READY)
	$(BIN)/python -W ignore tests/properties/arithmetic.py $(PROGRAMS) $(ARGS)

# Programs with hostile names and places of imports, run on both sides: make naming PROGRAMS=2000
naming: $(READY)
	$(BIN)/python -W ignore tests/properties/naming.py $(PROGRAMS) $(ARGS)

# What each operator and function becomes for an array of known dtype and unknown rank: make worlds PATTERNS="'^np.sum'"
worlds: $(READY)
	$(BIN)/python tools/worlds.py $(PATTERNS) $(ARGS)

# Files edited while they are converted, runs killed and run again, two at once: make trials KINDS="edits kills pairs"
trials: $(READY)
	$(BIN)/python tools/trials.py $(KINDS) $(ARGS)

# Functions converted with one caller or none, then called as others would: make open-world ARGS="-k scaler --show 3"
open-world: $(READY)
	$(BIN)/python tools/open_world.py $(ARGS)

# Numerical kernels without callers, alone and with a trace: the share of sites that is plain torch
kernels: $(READY)
	$(BIN)/python tools/kernels.py $(ARGS)

# The same projects converted with two revisions, byte for byte: make compare A=main B=. ARGS="--packages FOLDER scipy.signal"
compare: $(READY)
	$(BIN)/python tools/compare_revisions.py $(A) $(B) $(ARGS)

# Circles of imports, state, branches, tests and pages of revisions, side by side: make house-counts ARGS="main ."
house-counts: $(READY)
	$(BIN)/python tools/house_counts.py $(ARGS)

# A team of two with a baseline, patches and hooks, as a transcript: make adoption PRE_COMMIT=path/to/pre-commit
adoption: $(READY)
	PYTHON="$(abspath $(BIN))/python" tools/adoption.sh

# Notebooks converted and executed on both sides: make notebooks NOTEBOOKS="FOLDER nb.ipynb"
notebooks: $(READY)
	$(BIN)/python tools/notebooks.py $(NOTEBOOKS) $(ARGS)

# Unpacked projects converted, recorded and verified: make verify-corpus PACKAGES="FOLDER:PACKAGE[:TESTS] ..."
verify-corpus: $(READY)
	OMP_NUM_THREADS=1 $(BIN)/python tools/verify_corpus.py $(PACKAGES) $(ARGS)

# Bugs planted in converted functions, how many are caught: make seeded-bugs TREES="OLD NEW ..." ARGS="--replay values.zip"
seeded-bugs: $(READY)
	OMP_NUM_THREADS=1 $(BIN)/python tools/seeded_bugs.py $(TREES) $(ARGS)

corpus: $(READY)
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python ../shared/corpora/run_corpus.py --all \
		--convert-cmd "np2torch convert --write {dirs}" --out build/corpus $(ARGS)

# torch first and pinned: no later install may pull another build of it.
$(READY): pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "$(TORCH)"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[verify,dev]"
	touch $(READY)

clean:
	rm -rf build site .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
