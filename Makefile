# Two commands do everything on a machine with Python 3.11+ and make:
#   make grade   grade the sample class and show the gradebook
#   make test    run the tests (make test-all: everything else)
# and `make validate` proves every assignment, which takes some minutes.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
GRADER := $(VENV)/.grader
READY := $(VENV)/.ready
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
LAB := $(VENV)/lab
TOOLS := $(LAB)/.ready $(VENV)/otter/.ready $(VENV)/nbgrader/.ready
OUT ?= out/sample-class
JOBS ?= 2
CLASS := assignments/embeddings-and-position/examples

.PHONY: setup grade test test-all rest nightly numeric newest oldest dist environment versions check docs validate bench cuda corruption pictures kills clean

setup: $(READY) $(TOOLS)

$(GRADER): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.11")'
	@echo "Setting up $(VENV) (once, some minutes) ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(INSTALL) torch==2.13.0
	@$(INSTALL) -e '.[pretrained]'
	@touch $@

$(READY): $(GRADER)
	@echo "Adding what the tests need ..."
	@$(INSTALL) -e '.[dev,pretrained]'
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

grade: $(GRADER)
	@$(BIN)/autograder grade embeddings-and-position $(CLASS) --out $(OUT)

PYTEST = $(BIN)/python -m pytest -n $(JOBS) --dist loadfile
QUICK := not slow and not nightly

# Every part of the product, and of its long tails a few; some 20 minutes on two processors.
test: $(READY) $(TOOLS)
	$(PYTEST) -m '$(QUICK)'

# Everything else but what takes the night: the long tails, and what `make test` tries once more
# with other numeric kernels and another Python.
test-all: rest numeric newest

rest: $(READY) $(TOOLS)
	$(PYTEST) -m 'slow and not nightly'

nightly: $(READY) $(TOOLS)
	$(PYTEST) -m nightly

# What depends on numeric kernels, as on the oldest processor that this one can be held to.
numeric: $(READY) $(TOOLS)
	$(BIN)/python -m tests.support.held_to least \
	  $(PYTEST) -m 'numeric and $(QUICK)'

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

# The same with the oldest versions that pyproject.toml admits.
oldest: $(READY)
	@echo "Setting up $(VENV)/oldest, the oldest versions (once, some minutes) ..."
	@test -x $(VENV)/oldest/bin/python || $(PYTHON) -m venv $(VENV)/oldest
	@$(BIN)/python -m tests.support.oldest > $(VENV)/oldest/constraints.txt
	@$(VENV)/oldest/bin/python -m pip install --quiet --disable-pip-version-check \
	  -c $(VENV)/oldest/constraints.txt -e '.[dev,pretrained]'
	$(subst $(BIN),$(VENV)/oldest/bin,$(PYTEST)) -m 'versions and $(QUICK)'

environment: $(READY)

versions: $(READY)
	$(PYTEST) -m 'versions and $(QUICK)'

# A wheel and a source distribution, in dist/.
dist: $(VENV)/dist/.ready
	$(VENV)/dist/bin/python -m hatchling build

$(VENV)/dist/.ready: constraints.txt
	@echo "Setting up $(@D), which builds the wheel ..."
	@test -x $(@D)/bin/python || $(PYTHON) -m venv $(@D)
	@$(@D)/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt 'hatchling>=1.27'
	@touch $@

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The pages of docs/ as a site. A link that leads nowhere is a warning, and a warning fails.
docs: $(VENV)/docs/.ready
	@$(VENV)/docs/bin/sphinx-build --quiet --fail-on-warning --keep-going --nitpicky docs build/docs
	@echo build/docs/index.html

$(VENV)/docs/.ready: docs/requirements.txt
	@echo "Setting up $(@D), which builds the site ..."
	@test -x $(@D)/bin/python || $(PYTHON) -m venv $(@D)
	@$(@D)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps -r $<
	@touch $@

validate: $(GRADER)
	@for one in assignments/*/assignment.toml; do \
	  $(BIN)/autograder validate $$(basename $$(dirname $$one)) || exit 1; done

bench: $(READY)
	$(BIN)/python -m tests.benchmarks

cuda: $(READY)
	$(BIN)/python -m docs.tools.confirm_devices --write docs/devices.md
	$(BIN)/python -m pytest -q tests/test_cuda.py

corruption: $(READY)
	$(BIN)/python -m docs.tools.corruption --write docs/notebooks.md

# The pictures of README.md and docs/, made from the product.
pictures: $(READY) $(TOOLS) grade
	$(BIN)/python -m docs.tools.pictures result.png $(OUT) docs/result.png
	$(BIN)/python -m docs.tools.pictures validation.png docs/validation.png
	AUTOGRADER_SCREENSHOTS=build/pictures $(BIN)/python -m pytest -q tests/student/test_jupyter.py
	cp build/pictures/wrong.png docs/student.png
	$(BIN)/python -m docs.tools.served_pictures build/pictures
	cp build/pictures/serve.png docs/serve.png

kills: $(READY)
	$(BIN)/python -m tests.support.killed --times 50

clean:
	rm -rf $(VENV) out build .pytest_cache .mypy_cache .ruff_cache *.egg-info
