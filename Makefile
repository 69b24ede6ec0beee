# Everything a contributor does, by name. `make` alone lists it.
#
# Settings (PORT, DATA, WORKERS, REDIS_URL, QUEUE_REDIS_URL ...: see README.md) come from the environment or from the
# command line, `make up PORT=9000`: make hands both on to what it starts.

VENV := .venv
PY := $(VENV)/bin/python
PIP_FLAGS := --quiet --disable-pip-version-check
COMPILE := $(VENV)/bin/uv pip compile pyproject.toml --quiet --no-header --generate-hashes --no-emit-index-url \
	--universal --python-version 3.11

# Where it is set, every start would compile every library again: a second for the API, three for pytest.
unexport PYTHONDONTWRITEBYTECODE

# What tests the examples, and what sends nothing that could be one.
NO_EXAMPLES := clients test_bad_input.py test_compatible.py test_cors.py test_counters.py test_examples.py test_fuzz.py \
	test_matrix.py test_pages.py test_races.py test_scraping.py test_spec.py
RULES_TESTS := $(dir $(wildcard tests/domain/*/table.py))

.DEFAULT_GOAL := help
.PHONY: help up test proofs check lint format types arrows spec examples spec-lint spec-release fuzz bench golden laws audit-mutations chaos lock clean broken

help:  ## list these habits
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-15s %s\n", $$1, $$2}' Makefile

up: $(VENV)/.run  ## install what is needed and start everything; Ctrl-C stops it
	@$(PY) -m captain up

test: $(VENV)/.dev  ## run the tests (ARGS='-k store' narrows)
	@$(PY) -m pytest -n auto --dist worksteal $(ARGS)

proofs: $(VENV)/.dev  ## run the long proofs: kills, cut files, mutants, clients of others (needs nginx and chromium)
	@$(PY) -m pytest -n 2 --dist worksteal -m long $(ARGS)

check: lint types arrows  ## lint, format, types and import arrows

lint: $(VENV)/.dev  ## ruff: rules and format
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .

format: $(VENV)/.dev  ## let ruff put the code in shape
	@$(PY) -m ruff format .
	@$(PY) -m ruff check --fix .

types: $(VENV)/.dev  ## mypy, strict on domain, eventstore, captain and tools
	@$(PY) -m mypy

arrows: $(VENV)/.dev  ## the import arrows between the layers
	@$(VENV)/bin/lint-imports --no-logo

spec: $(VENV)/.dev  ## write openapi.yaml from the code
	@$(PY) -m api.spec $(ARGS)

examples: $(VENV)/.dev  ## capture the examples of openapi.yaml anew from the tests, then write it
	@EXAMPLES=api/examples.json $(PY) -m pytest $(RULES_TESTS) tests/api $(foreach name,$(NO_EXAMPLES),--ignore tests/api/$(name)) $(ARGS)
	@$(PY) -m api.spec

spec-lint: $(VENV)/.dev  ## redocly and spectral over openapi.yaml; what npm installs is what tools/npm locks
	@$(PY) -m pytest -m long tests/api/clients/test_lint.py $(ARGS)

spec-release: $(VENV)/.dev  ## keep openapi.yaml as that of this release: later ones may only add to it
	@$(PY) -m api.spec --release

fuzz: $(VENV)/.dev  ## send FUZZ=20000 requests, good and bad, along the links of openapi.yaml
	@FUZZ=$${FUZZ:-20000} $(PY) -m pytest tests/api/test_fuzz.py $(ARGS)

bench: $(VENV)/.dev  ## measure
	@$(PY) -m bench $(ARGS)

golden: $(VENV)/.dev  ## record the golden logs of the games anew
	@$(PY) -m tests.golden $(ARGS)

laws: $(VENV)/.dev  ## play many random games under all laws
	@$(PY) -m tests.laws $(ARGS)

audit-mutations: $(VENV)/.dev  ## forge ten thousand logs and see the audit find them (ARGS='--count 500' fewer)
	@$(PY) -m tests.mutations $(ARGS)

chaos: $(VENV)/.dev  ## kill, stop and wipe for a while (CHAOS_SECONDS=60) while games of bots are played
	@CHAOS_SECONDS=$${CHAOS_SECONDS:-60} $(PY) -m pytest tests/workers/test_disturbed.py -k chaos $(ARGS)

lock: $(VENV)/.run  ## pin the dependencies anew, within pyproject.toml
	@$(COMPILE) --upgrade --output-file requirements.txt
	@$(COMPILE) --upgrade --extra dev --constraint requirements.txt --output-file requirements-dev.txt

clean:  ## remove what was built, not the game data
	@rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# --- the environment -------------------------------------------------------------------------------------------------
# A stamp says that one lock is installed. `.half` exists while an installation runs: one that was interrupted, like one
# whose interpreter is gone, is thrown away and made again.

ifneq ($(shell $(PY) -c 'print("ok")' 2>/dev/null),ok)
$(VENV)/.run $(VENV)/.dev: broken
endif

define install
	@if [ -e $(VENV)/.half ] || ! $(VENV)/bin/uv --version >/dev/null 2>&1 || ! $(PY) -c '' >/dev/null 2>&1; then \
		rm -rf $(VENV); \
		for python in $(PYTHON) python3 python3.14 python3.13 python3.12 python3.11 python; do \
			$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && break; python=; \
		done; \
		[ -n "$$python" ] || { echo "Python 3.11 or newer is needed, and none was found on PATH." >&2; exit 1; }; \
		echo "Making $(VENV) with $$($$python --version) ..." >&2; \
		$$python -m venv $(VENV) && touch $(VENV)/.half && $(PY) -m pip install $(PIP_FLAGS) 'uv>=0.9'; \
	fi
	@touch $(VENV)/.half
	@echo "Installing $(1) ..." >&2
	@$(VENV)/bin/uv pip install --quiet --python $(PY) --require-hashes -r $(1)
	@$(VENV)/bin/uv pip install --quiet --python $(PY) --no-deps --editable .
	@rm $(VENV)/.half
endef

$(VENV)/.run: requirements.txt pyproject.toml
	$(call install,requirements.txt)
	@touch $(VENV)/.run

$(VENV)/.dev: requirements-dev.txt pyproject.toml
	$(call install,requirements-dev.txt)
	@touch $(VENV)/.run $(VENV)/.dev
