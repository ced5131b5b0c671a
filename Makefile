# Two commands: `make` sets up on a fresh machine (Python 3.10 or newer) and checks examples/;
# `make test` sets up everything, PyTorch's CPU build and the tools included, and passes all checks and tests.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet
OTHER_PYTHONS ?= 3.10 3.13

# What needs no PyTorch, and so runs under every Python that is found.
TORCH_FREE := $(wildcard tests/architecture tests/cli tests/docs tests/report tests/source tests/project)

.PHONY: check test lint types unit other-pythons frameworks editors vscode snapshots docs clean

# Three of the six examples raise, so exit status 1 (findings) is the right outcome, and the only one.
check: $(VENV)/installed
	@echo 'secondpass check examples/'; echo
	@$(BIN)/secondpass check examples/; status=$$?; echo; \
	if [ $$status -eq 1 ]; then echo 'exit status 1, as it must be: three of these six programs raise'; \
	else echo "exit status $$status, but three of these six programs raise: 1 was due"; exit 1; fi

test: lint types other-pythons unit

lint: $(VENV)/developed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/developed
	$(BIN)/mypy --strict

unit: $(VENV)/developed
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest

# The oldest and the newest Python that are there, each in an environment of its own.
other-pythons:
	@for version in $(OTHER_PYTHONS); do \
		python=$$(bash .ci/find-python $$version) || { echo "no Python $$version on this machine"; continue; }; \
		venv=$(VENV)-$$version; \
		[ -e $$venv/installed -a ! pyproject.toml -nt $$venv/installed ] || { \
			"$$python" -m venv $$venv && \
			$$venv/bin/python -m pip --disable-pip-version-check install --quiet -e . pytest jsonschema && \
			touch $$venv/installed; } || exit 1; \
		echo "Python $$version: $(TORCH_FREE)"; \
		$$venv/bin/python -m pytest $(TORCH_FREE) || exit 1; \
	done

# Programs over real frameworks, in an environment of its own that has the project's PyTorch beside them.
frameworks: $(VENV)/developed $(VENV)-frameworks/installed
	OMP_NUM_THREADS=1 SECONDPASS_FRAMEWORKS=$(VENV)-frameworks/bin/python $(BIN)/python -m pytest -m frameworks

$(VENV)-frameworks/installed: $(VENV)/developed tests/frameworks/requirements.txt
	$(BIN)/python -m venv $(VENV)-frameworks
	$(BIN)/python -c "import sysconfig; print(sysconfig.get_path('purelib'))" >"$$($(VENV)-frameworks/bin/python -c \
		"import sysconfig; print(sysconfig.get_path('purelib'))")/project.pth"
	$(VENV)-frameworks/bin/python -m pip --disable-pip-version-check install --quiet --no-deps \
		-r tests/frameworks/requirements.txt
	@touch $@

# Real editors against the server; installs them first (Debian, root).
editors: $(VENV)/developed
	PYTHON=$(PYTHON) bash .ci/editors.sh
	# An editor that was slow to start is given a second chance, alone.
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -m editors || OMP_NUM_THREADS=1 $(BIN)/python -m pytest -m editors --last-failed

# The VS Code extension: packaged, and tested in the real VS Code; installs that first (Debian, root).
vscode: $(VENV)/developed
	VENV=$(VENV) bash .ci/vscode.sh

# Write what commands and reports print now into the tests' snapshots; look at the difference before you commit it.
snapshots: $(VENV)/developed
	$(BIN)/python -m pytest tests/report tests/cli tests/examples/test_readme.py --update-snapshots

# The rules' pages, written from the rules.
docs: $(VENV)/installed
	$(BIN)/python -m secondpass.docs

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: $(VENV)/bin/python pyproject.toml
	$(PIP) -e .
	@touch $@

$(VENV)/developed: $(VENV)/installed requirements-ci.txt
	$(PIP) -e '.[dev]' -c requirements-ci.txt
	@touch $@

clean:
	rm -rf $(VENV) $(VENV)-* build dist
