# Two commands do everything on a machine with Python 3.11+ and make:
#   make grade      grade the sample class and show the gradebook
#   make test       run the tests: every part of the product
# The rest, for developers:
#   make setup      all environments
#   make check      lint, format, types
#   make rest       the long tails of the tests
#   make numeric    numeric tests again, with an older processor's instructions
#   make newest     tests that depend on versions again, on the newest Python there is
#   make oldest     the same with the oldest versions of all packages
#   make nightly    tests that take many minutes
#   make golden     compare everything that is graded with tests/golden
#   make mutation   small faults in the code: which ones does no test notice?
#   make validate   every assignment with all its mutants
#   make cuda, corruption, kills, bench   measure, each with its page or its report
#   make docs, pictures, dist             the site, its pictures, a wheel
#   make clean
# `.ci/run` runs check, test, numeric, newest and rest.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
UV := $(BIN)/uv
GRADER := $(VENV)/.grader
READY := $(VENV)/.ready
TOOLS := $(VENV)/tools/.ready
PROGRAMS := $(VENV)/otter/.ready $(VENV)/nbgrader/.ready
OUT ?= out/sample-class
JOBS ?= 2
CLASS := assignments/embeddings-and-position/examples

INSTALL = $(BIN)/python .ci/install.py
PYTEST = bin/python -m pytest -n $(JOBS) --dist loadfile -m
QUICK := not slow and not nightly

# What is imported once is compiled once: uv, unlike pip, leaves that to Python.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup grade test rest nightly numeric newest oldest dist check docs validate bench \
  golden mutation cuda corruption pictures kills clean

help:
	@sed -n '/^#/!q; s/^# \{0,1\}//p' Makefile

setup: $(READY) $(TOOLS) $(PROGRAMS)

$(UV): constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.11")'
	@$(PYTHON) .ci/install.py $(VENV)
	@touch $@

$(GRADER): pyproject.toml $(UV)
	@$(INSTALL) --torch --warm torch,transformers --what 'the grader, with torch' \
	  $(VENV) -c constraints.txt -e '.[pretrained]'
	@touch $@

$(READY): $(GRADER)
	@$(INSTALL) --warm pandas,polars,sklearn --what 'what the tests need' \
	  $(VENV) -c constraints.txt -e '.[dev,pretrained]'
	@touch $@

$(TOOLS): constraints.txt | $(UV)
	@$(INSTALL) --what 'JupyterLab for a test; what makes the site and the wheel' \
	  $(@D) -c constraints.txt 'jupyterlab>=4.2' furo 'hatchling>=1.27' myst-parser sphinx
	@touch $@

# The real otter-grader and nbgrader, each by itself: they want other versions than we do. Without a
# network everything else works; their tests are skipped then, and the next `make setup` tries again.
$(VENV)/%/.ready: tests/interop/%/requirements.txt | $(UV)
	@if $(INSTALL) --what 'the real $* for its tests' $(@D) --no-deps -r $<; \
	then touch $@; else echo "$(@D) could not be made: the tests of it are skipped"; fi

grade: $(GRADER)
	@$(BIN)/autograder grade embeddings-and-position $(CLASS) --out $(OUT)

# Every part of the product, without its long tails.
test: setup
	$(VENV)/$(PYTEST) '$(QUICK)'

# Many of these wait, for limits or for other programs.
rest: JOBS := 3
rest: setup
	$(VENV)/$(PYTEST) 'slow and not nightly' $(if $(WITHIN),--seconds=$(WITHIN))

nightly: setup
	$(VENV)/$(PYTEST) nightly

# What depends on numeric kernels, as on the oldest processor that this one can be held to.
numeric: setup
	$(BIN)/python -m tests.support.held_to least $(VENV)/$(PYTEST) 'numeric and $(QUICK)'

# What depends on the version of Python or the build of torch, on the newest Python there is.
newest: $(READY)
	@for v in 3.14 3.13 3.12; do \
	  for p in python$$v $${PYENV_ROOT:-$$HOME/.pyenv}/versions/$$v.*/bin/python3; do \
	    $$p -c '' 2>/dev/null || continue; \
	    $(INSTALL) --torch --python $$p --what "Python $$v" \
	      $(VENV)/newest -c constraints.txt -e '.[dev,pretrained]' pip || \
	      { echo "not tried: no environment could be made with $$p"; exit 0; }; \
	    exec $(VENV)/newest/$(PYTEST) 'versions and $(QUICK)'; \
	  done; \
	done; echo "not tried: there is no Python from 3.12 on beside $(PYTHON)"

# The same with the oldest versions that pyproject.toml admits.
oldest: $(READY)
	@$(BIN)/python -m tests.support.oldest > $(VENV)/oldest.txt
	@$(INSTALL) --torch --what 'the oldest versions of all packages' \
	  $(VENV)/oldest -c $(VENV)/oldest.txt -e '.[dev,pretrained]' pip
	$(VENV)/oldest/$(PYTEST) 'versions and $(QUICK)'

# A wheel and a source distribution, in dist/.
dist: $(TOOLS)
	$(VENV)/tools/bin/python -m hatchling build

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The pages of docs/ as a site. A link that leads nowhere is a warning, and a warning fails.
docs: $(TOOLS)
	@$(VENV)/tools/bin/sphinx-build --quiet --fail-on-warning --keep-going --nitpicky docs build/docs
	@echo build/docs/index.html

golden: $(READY)
	$(BIN)/python -m tests.golden --jobs $(JOBS) $(if $(WRITE),--write) $(if $(ONLY),--only $(ONLY))

mutation: $(READY)
	$(BIN)/python -m tests.mutation_run

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
pictures: setup grade
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
