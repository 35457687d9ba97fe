# Two commands do everything on a machine with Python 3.11+ and make:
#   make grade   grade the sample class and show the gradebook
#   make test    run the tests
# and `make validate` proves every assignment, which takes some minutes.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
LAB := $(VENV)/lab
READY := $(VENV)/.ready
OUT ?= out/sample-class
JOBS ?= 2
CLASS := assignments/embeddings-and-position/examples

.PHONY: setup grade test check validate guards bench cuda corruption kills clean

setup: $(READY)

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.11")'
	@echo "Setting up $(VENV) (once, some minutes) ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt torch==2.13.0
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev,pretrained]'
	@echo "Setting up $(LAB), the Jupyter server of a test ..."
	@test -x $(LAB)/bin/python || $(PYTHON) -m venv $(LAB)
	@$(LAB)/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt 'jupyterlab>=4.2'
	@touch $@

grade: $(READY)
	@$(BIN)/autograder grade embeddings-and-position $(CLASS) --out $(OUT)

test: $(READY)
	$(BIN)/python -m pytest -n $(JOBS) --dist loadfile

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/mypy

validate: $(READY)
	@for one in assignments/*/assignment.toml; do \
	  $(BIN)/autograder validate $$(basename $$(dirname $$one)) || exit 1; done

guards: $(READY)
	$(BIN)/python tests/mutate.py

bench: $(READY)
	$(BIN)/autograder bench

cuda: $(READY)
	$(BIN)/python -m tests.confirm_devices --write docs/devices.md
	$(BIN)/python -m pytest -q tests/test_cuda.py

corruption: $(READY)
	$(BIN)/python -m tests.corruption --write docs/notebooks.md

kills: $(READY)
	$(BIN)/python -m tests.killed --times 50

clean:
	rm -rf $(VENV) out build .pytest_cache .mypy_cache .ruff_cache *.egg-info
