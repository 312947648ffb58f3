# Works on a machine that has only Python (3.10 or newer), make and a package index.
#
#   make demo     hints, a recording and a pass diff of bundled kernels; no GPU needed
#   make test     lint, then the test suite
#   make lint     formatting, style, types, architecture
#   make bench    measured budgets
#
# PYTHON=/path/to/python3 chooses the interpreter; it is looked for otherwise.

PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11 python3.10 python; do \
	command -v $$python >/dev/null 2>&1 && \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null && echo $$python && break; done)
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
TORCH_VERSION := $(shell sed -n 's/^torch==//p' constraints.txt)
TORCH_CPU_INDEX ?= https://download.pytorch.org/whl/cpu
# A file's tests stay together: they share recordings and warm workers.
PYTEST_FLAGS ?= -n auto --dist loadfile

.PHONY: demo test lint bench docs pictures clean

demo: $(STAMP)
	@$(BIN)/tilescope demo

test: lint
	$(BIN)/pytest $(PYTEST_FLAGS)

lint: $(STAMP)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(STAMP)
	@for script in $(filter-out benchmarks/bare_% benchmarks/corpus.py,$(wildcard benchmarks/*.py)); do \
		echo "== $$script"; $(BIN)/python $$script || exit 1; \
	done

docs: $(STAMP)
	$(BIN)/python -m tilescope_trace.rules.docs docs/rules
	$(BIN)/tilescope schema config > docs/config.schema.json
	$(BIN)/python -m tilescope_trace.limits.docs docs/limits.md

pictures: $(STAMP)
	$(BIN)/python docs/pictures.py

clean:
	rm -rf $(VENV) dist build

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "make: no Python 3.10 or newer found; name one: make PYTHON=/path/to/python3" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

# The front end of TileLang needs torch but no CUDA. On Linux the default torch wheel brings gigabytes of CUDA libraries, so
# there the CPU build is asked for by name: from the configured index where it has one, else from PyTorch's own.
$(STAMP): pyproject.toml constraints.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	@torch="torch==$(TORCH_VERSION)"; index=""; \
	if [ "$$(uname -s)" = Linux ]; then \
		torch="$$torch+cpu"; \
		$(BIN)/python -m pip install --quiet --dry-run --ignore-installed --no-deps "$$torch" >/dev/null 2>&1 \
			|| index="--extra-index-url $(TORCH_CPU_INDEX)"; \
	fi; \
	echo "installing $$torch"; \
	$(BIN)/python -m pip install --quiet $$index "$$torch"
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[tilelang]" --group dev
	@touch $@
