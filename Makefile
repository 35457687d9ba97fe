# Two commands do everything on a machine with Python 3.11+ and make:
#   make grade   grade the sample class and show the gradebook
#   make test    run the tests (make test-all: those that take minutes as well)
# and `make validate` proves every assignment, which takes some minutes.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
LAB := $(VENV)/lab
TOOLS := $(LAB)/.ready $(VENV)/otter/.ready $(VENV)/nbgrader/.ready
OUT ?= out/sample-class
JOBS ?= 2
CLASS := assignments/embeddings-and-position/examples

.PHONY: setup grade test test-all numeric newest environment versions check validate guards bench cuda corruption kills clean

setup: $(READY) $(TOOLS)

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.11")'
	@echo "Setting up $(VENV) (once, some minutes) ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt torch==2.13.0
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev,pretrained]'
	@touch $@

$(LAB)/.ready: constraints.txt | $(READY)
	@echo "Setting up $(LAB), the Jupyter server of a test ..."
	@test -x $(LAB)/bin/python || $(BIN)/python -m venv $(LAB)
	@$(LAB)/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt 'jupyterlab>=4.2'
	@touch $@

# The real otter-grader and nbgrader, each by itself: they want other versions than we do. Without a
# network everything else works; their tests are skipped then, and the next `make setup` tries again.
$(VENV)/%/.ready: tests/interop/%/requirements.txt | $(READY)
	@echo "Setting up $(@D), the real $* of the tests ..."
	@if { test -x $(@D)/bin/python || $(BIN)/python -m venv --without-pip $(@D); } \
	  && $(BIN)/python -m pip --python $(@D)/bin/python install --quiet --disable-pip-version-check \
	    --retries 1 --no-deps -r $<; \
	then touch $@; else echo "$(@D) could not be made: the tests of it are skipped"; fi

grade: $(READY)
	@$(BIN)/autograder grade embeddings-and-position $(CLASS) --out $(OUT)

test: $(READY) $(TOOLS)
	$(BIN)/python -m pytest -n $(JOBS) --dist loadfile -m 'not slow'

test-all: $(READY) $(TOOLS)
	$(BIN)/python -m pytest -n $(JOBS) --dist loadfile

# What depends on numeric kernels, as on the oldest processor that this one can be held to.
numeric: $(READY) $(TOOLS)
	$(BIN)/python -m tests.held_to least \
	  $(BIN)/python -m pytest -n $(JOBS) --dist loadfile -m 'numeric and not slow'

# What depends on the version of Python or the build of torch, on the newest Python there is.
newest:
	@for v in 3.14 3.13 3.12; do \
	  for p in python$$v $${PYENV_ROOT:-$$HOME/.pyenv}/versions/$$v.*/bin/python3; do \
	    if $$p -c '' 2>/dev/null; then \
	      $(MAKE) --no-print-directory environment VENV=$(VENV)/newest PYTHON=$$p || \
	        { echo "not tried: no environment could be made with $$p"; exit 0; }; \
	      exec $(MAKE) --no-print-directory versions VENV=$(VENV)/newest; fi; \
	  done; \
	done; echo "not tried: there is no Python from 3.12 on beside $(PYTHON)"

environment: $(READY)

versions: $(READY)
	$(BIN)/python -m pytest -n $(JOBS) --dist loadfile -m 'versions and not slow'

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
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
