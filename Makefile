# Works on a machine that has only Python (3.10 or newer), make and a package index.
#
#   make demo     hints, a recording and a pass diff of bundled kernels; no GPU needed
#   make test     lint, then the test suite
#   make lint     formatting, style, types, architecture, the documentation's site (build/site)
#   make compat   tests with other versions of TileLang, which it installs
#   make test-vscode   the VS Code extension in a real VS Code (downloads 1 GB once, needs node and Chromium)
#   make bench    measures every budget and writes docs/benchmarks.md (20 minutes, on a machine left alone)
#   make dist     the wheel and the sdist of what is committed, in dist/
#   make peers    tile-lsp, tilelang-devkit and TileLang's own tools on the same kernels, which it installs (20 minutes)
#   make corpus   published kernels: what is reached (downloads 92 MB once, takes a quarter of an hour)
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
# Versions of TileLang beside the installed one.
COMPAT ?= 0.1.13 0.1.14
# What tilescope is compared with (docs/peers.md).
PEERS := tile-lsp==1.4.0 tilelang-devkit==0.2.0
EMPTY :=
SPACE := $(EMPTY) $(EMPTY)
# A file's tests stay together: they share recordings and warm workers.
PYTEST_FLAGS ?= -n auto --dist loadfile

.PHONY: demo test lint compat test-vscode bench corpus docs pictures dist clean

demo: $(STAMP)
	@$(BIN)/tilescope demo

test: lint
	$(BIN)/pytest $(PYTEST_FLAGS)

lint: $(STAMP)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict

# Other versions take what they depend on from our own environment: only TileLang itself is installed again.
compat: $(STAMP)
	@for version in $(COMPAT); do \
		env=.compat/$$version; \
		[ -e $$env/.installed ] && continue; \
		echo "installing tilelang $$version"; \
		$(BIN)/python -m venv $$env || exit 1; \
		$(BIN)/python -m pip --python $$env/bin/python install --quiet --no-deps tilelang==$$version || exit 1; \
		ours=$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))'); \
		echo "$$ours" > "$$($$env/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/tilescope-compat.pth"; \
		touch $$env/.installed; \
	done
	TILESCOPE_COMPAT=$(subst $(SPACE),:,$(foreach version,$(COMPAT),$(CURDIR)/.compat/$(version)/bin/python)) \
		$(BIN)/pytest tests/worker/test_versions.py

test-vscode: $(STAMP)
	@command -v node >/dev/null || { echo "make: the extension is built with node 20 or newer; there is none on PATH" >&2; exit 1; }
	cd vscode-extension && npm ci --prefer-offline --no-audit --no-fund && npm run package
	tools=$$(vscode-extension/e2e/prepare.sh) && $$tools/node_modules/node/bin/node vscode-extension/e2e/run.mjs

# BENCH="diff tui" measures these parts again, BENCH=--quick is a try that leaves the documentation alone.
bench: $(STAMP)
	$(BIN)/python benchmarks/page.py $(BENCH)

# The peers with what they need, TileLang from our own environment.
peers: $(STAMP)
	@env=.compat/peers; \
	[ -e $$env/.installed ] || { \
		echo "installing $(PEERS)"; \
		$(BIN)/python -m venv $$env || exit 1; \
		$(BIN)/python -m pip --python $$env/bin/python install --quiet $(PEERS) || exit 1; \
		ours=$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))'); \
		echo "$$ours" > "$$($$env/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/tilescope-compat.pth"; \
		touch $$env/.installed; \
	}
	PYTHONPATH=benchmarks $(BIN)/python -m peers

corpus: $(STAMP)
	$(BIN)/python benchmarks/corpus.py --markdown

docs: $(STAMP)
	$(BIN)/python -m tilescope_trace.rules.docs docs/rules
	$(BIN)/python -m tilescope.reference docs/commands.md
	$(BIN)/python -m tilescope.outputs docs/outputs.md
	$(BIN)/tilescope schema config > docs/config.schema.json
	$(BIN)/python -m tilescope_server.settings.schema docs/settings.md
	$(BIN)/python -m tilescope_trace.limits.docs docs/limits.md
	$(BIN)/python -m tilescope_trace.passes.docs docs/passes.md
	$(BIN)/python -m tilescope_server.panels.docs docs/protocol.md
	$(BIN)/python benchmarks/page.py --render
	@command -v node >/dev/null && cd vscode-extension && npm run --silent generate || echo "no node: the VS Code extension's settings and protocol were left as they are"
	$(BIN)/python -m tilescope_passdiff.tui.docs docs/view.md

pictures: $(STAMP)
	$(BIN)/python docs/pictures.py
	$(BIN)/python docs/tutorial_pictures.py
	$(BIN)/tilescope trace cli/tilescope/kernels/gemm.py -o .tilescope/pictures.tscope
	$(BIN)/python docs/report_pictures.py .tilescope/pictures.tscope

dist: $(STAMP)
	@test -z "$$(git status --porcelain)" || { echo "make: what is released is a commit, and there are changes that are not committed" >&2; exit 1; }
	rm -rf dist
	$(BIN)/python -m build --outdir dist .
	$(BIN)/twine check --strict dist/*

clean:
	rm -rf $(VENV) .compat dist build

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
