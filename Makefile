# Every target works on a fresh clone: the first one that needs it makes .venv.
.DEFAULT_GOAL := help
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
INTEGRATIONS := .venv-integrations
DOCS := .venv-docs
RELEASE := .venv-release
OLDEST := .venv-oldest
UNPACKED := $(or $(TMPDIR),/tmp)/capcurve-sdist
SUPPLY := .venv-supply
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)
PYTEST := $(BIN)/python -m pytest
# Tests start many processes, each of which would compile all modules anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo pictures browser java test test-integrations lint check fix fuzz bench bench-device scale compare coverage docs test-docs dist test-sdist test-oldest test-pythons lint-workflows lock audit clean

help: ## show this help
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | sort | expand -t 20

# LOCKED=1 installs the exact versions of lock/, whose files are compared with their hashes.
ifdef LOCKED
define install # an environment, its lock
	$(PYTHON) -m venv $(1)
	$(1)/bin/python -m pip install --quiet --no-compile --require-hashes --requirement lock/$(2).txt
	$(1)/bin/python -m pip install --quiet --no-deps --no-build-isolation --editable .
endef
else
define install # an environment, its group
	$(PYTHON) -m venv $(1)
	$(1)/bin/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(1)/bin/python -m pip install --quiet --no-compile --editable . --group $(2)
endef
endif

$(READY): pyproject.toml
	$(call install,.venv,dev)
	@touch $@

demo: $(READY) ## score a generated portfolio: print AR and gains table, write picture and report
	@$(BIN)/capcurve demo --output-dir demo

pictures: $(READY) ## draw the pictures of docs/pictures.md and of the README
	$(BIN)/python examples/gallery.py docs/pictures.md

browser: ## install Chromium, in which the report is tested, where there is none
	@command -v chromium >/dev/null || command -v google-chrome >/dev/null || \
	  { $(SUDO) apt-get update --quiet && $(SUDO) apt-get install --quiet --yes chromium; }

java: $(READY) ## install a Java, on which Spark is tested, where there is none
	@[ -n "$$JAVA_HOME" ] || command -v java >/dev/null || \
	  $(BIN)/python -m pip install --quiet --group java

test: $(READY) browser java ## run every test, doctest and example but the recipes, with branch coverage of src
	$(PYTEST) --numprocesses 2 --cov --cov-report=term

$(INTEGRATIONS)/.ready: pyproject.toml
	$(call install,$(INTEGRATIONS),integrations)
	@touch $@

test-integrations: $(READY) $(INTEGRATIONS)/.ready ## run docs/recipes with MLflow and others, torch, JAX and pyright, in an environment of their own
	$(INTEGRATIONS)/bin/python -m pytest --numprocesses 2 tests/integrations

lint: $(READY) ## check format, lint, spelling and types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/codespell
	$(BIN)/mypy

check: lint ## lint, and the tests that are quick, on all cores
	HYPOTHESIS_PROFILE=quick $(PYTEST) --numprocesses auto --quiet -m "not engines and not slow"

fix: $(READY) ## repair what the formatter and the linter can repair
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

fuzz: $(READY) ## compare every door with exact rationals for minutes, from a seed
	PYTHONPATH=tests $(BIN)/python -m fuzz

bench: $(READY) ## compare speed and memory with other packages; numbers go to build/bench/*.json
	$(BIN)/python -m pip install --quiet --group bench
	$(BIN)/python benchmarks/accuracy_ratio.py --json build/bench/accuracy_ratio.json
	$(BIN)/python benchmarks/peers.py
	$(BIN)/python benchmarks/grouped.py --json build/bench/grouped.json
	$(BIN)/python benchmarks/inference.py --json build/bench/inference.json
	$(BIN)/python benchmarks/startup.py

bench-device: $(INTEGRATIONS)/.ready ## compare AR of tensors with torchmetrics and torcheval, on a GPU if there is one
	$(INTEGRATIONS)/bin/python -m pip install --quiet --group bench-device
	$(INTEGRATIONS)/bin/python benchmarks/device.py

scale: $(READY) ## the same for large tables: every engine, Spark, a file of 10^8 rows
	$(BIN)/python -m pip install --quiet --group bench
	$(BIN)/python benchmarks/scale.py --json build/bench/scale.json
	$(BIN)/python benchmarks/spark_cost.py --json build/bench/spark_cost.json

BASE ?= main
HEAD ?= HEAD
compare: $(READY) ## run the commits BASE and HEAD in turn; fail if HEAD is 1.25 x slower
	$(BIN)/python benchmarks/compare.py $(BASE) $(HEAD)

coverage: $(READY) ## simulate the coverage of intervals and bands and the size of tests
	OMP_NUM_THREADS=1 PYTHONPATH=benchmarks $(BIN)/python -m coverage_grid --page docs/coverage.md

$(DOCS)/.ready: pyproject.toml
	$(call install,$(DOCS),docs)
	@touch $@

# Sphinx does not see that a docstring or the library changed, so what an older build left is removed.
docs: $(DOCS)/.ready ## build the documentation site anew; its front page is build/docs/index.html
	rm -rf build/docs build/jupyter_execute docs/reference/generated docs/_static/generated
	$(DOCS)/bin/python -m sphinx --fail-on-warning --keep-going --write-all --jobs 2 docs build/docs
	$(DOCS)/bin/python docs/check_site.py build/docs

test-docs: $(READY) browser docs ## build the site and look at each page in Chromium: accessibility, width, errors
	$(BIN)/python docs/check_in_browser.py build/docs

$(RELEASE)/.ready: pyproject.toml
	$(call install,$(RELEASE),release)
	@touch $@

dist: $(RELEASE)/.ready ## build sdist and wheel twice, check both, try each extra alone, list what is installed
	$(RELEASE)/bin/python release/make_dist.py dist
	$(RELEASE)/bin/python release/try_extras.py dist

test-sdist: dist ## unpack the sdist and run `make test` there, with plain pip
	rm -rf $(UNPACKED) && mkdir -p $(UNPACKED)
	tar --extract --gzip --file dist/capcurve-*.tar.gz --directory $(UNPACKED) --strip-components 1
	$(MAKE) --directory $(UNPACKED) test

test-oldest: $(RELEASE)/.ready ## run the quick tests with the oldest versions that the bounds allow
	$(PYTHON) -m venv --clear $(OLDEST)
	$(RELEASE)/bin/uv pip install --quiet --python $(OLDEST) --resolution lowest-direct \
	  --editable '.[all]' --group test
	$(OLDEST)/bin/python -m pytest --numprocesses 2 --quiet -W ignore::DeprecationWarning -m "not engines and not slow"

test-pythons: ## run the quick tests with every Python from 3.11 on that this machine has
	release/test_pythons

lint-workflows: $(RELEASE)/.ready ## check the workflows of .github: schema, pinned actions, permissions
	$(RELEASE)/bin/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(RELEASE)/bin/check-jsonschema --builtin-schema vendor.dependabot .github/dependabot.yml
	$(RELEASE)/bin/zizmor --offline --persona pedantic .github

$(SUPPLY)/.ready: pyproject.toml
	$(call install,$(SUPPLY),supply)
	@touch $@

LOCK = printf -- '%s\n' '-e .[all]' editables hatchling | $(SUPPLY)/bin/uv pip compile - --quiet \
  --universal --python-version 3.11.4 --generate-hashes --no-emit-index-url --no-emit-package capcurve \
  --no-annotate --exclude-newer '7 days' --custom-compile-command 'make lock'
LOCKS := dev docs integrations release supply

lock: $(SUPPLY)/.ready ## renew lock/*.txt: exact versions with hashes, each published for a week at least
	$(foreach name,$(LOCKS),$(LOCK) --upgrade --group pyproject.toml:$(name) --output-file lock/$(name).txt &&) true

audit: $(SUPPLY)/.ready ## look up known vulnerabilities of the packages in lock/, on the network
	$(foreach name,$(LOCKS),$(SUPPLY)/bin/pip-audit --strict --disable-pip --require-hashes --requirement lock/$(name).txt &&) true

clean: ## remove the environments and every cache
	rm -rf .venv $(INTEGRATIONS) $(DOCS) $(RELEASE) $(OLDEST) $(SUPPLY) build dist docs/reference/generated docs/_static/generated .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache
