PYTHON ?= python3
PORT ?= 8501
BIN := .venv/bin

.PHONY: help run dev test test-all bench check audit screenshots messages reference clean install install-dev python

help:
	@echo 'make run          install once, then serve on http://127.0.0.1:$(PORT)   (PORT=, PYTHON=, TORCH_INDEX=)'
	@echo 'make dev          the same with hot reload'
	@echo 'make test         style, types and tests, a browser included             (PYTEST_ARGS=)'
	@echo 'make test-all     the same with all that make test samples; before a release'
	@echo 'make bench        measure everything into docs/benchmarks.md; fails on a missed goal'
	@echo 'make check        style and types'
	@echo 'make audit        known security holes in what is installed; asks the network'
	@echo 'make screenshots  pictures of every page'
	@echo 'make messages     bring locales/*.po up to date with the code'
	@echo 'make reference    bring docs/reference.md up to date with the code'
	@echo 'make clean        remove .venv and caches'

run: install
	@echo 'RoPE Lab: http://127.0.0.1:$(PORT)   (Ctrl+C stops it)'
	@$(BIN)/uvicorn app:app --lifespan on --ws-per-message-deflate false --host 127.0.0.1 --port $(PORT)

# Streamlit watches the folders of PYTHONPATH: without it, edits in rope_core and figures would not show.
dev: install
	PYTHONPATH=. $(BIN)/streamlit run app.py --server.port $(PORT) --server.runOnSave true --server.fileWatcherType auto \
		--client.showErrorDetails full

test: check
	sh scripts/browser.sh
	sh scripts/nginx.sh
	$(BIN)/pytest -n 2 --dist loadscope $(PYTEST_ARGS)

# What make test does once in a while it does here always: every mutation, every look of every page, longer walks.
test-all:
	$(MAKE) test PYTEST_ARGS='-m "exhaustive or not exhaustive" $(PYTEST_ARGS)'

bench: install-dev
	sh scripts/browser.sh
	$(BIN)/python -m benchmarks --out docs/benchmarks.md

check: install-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

# Not part of the tests: tomorrow's advisory must not make today's commit fail.
audit: install-dev
	$(BIN)/python scripts/audit.py

screenshots: install-dev
	sh scripts/browser.sh
	$(BIN)/python -m tests.browser.screenshots

messages: install
	sh scripts/messages.sh

reference: install
	$(BIN)/python -m scripts.reference

clean:
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

install: python
	@$(PYTHON) scripts/install.py requirements.txt

install-dev: python
	@$(PYTHON) scripts/install.py requirements-dev.txt

python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo 'RoPE Lab needs Python 3.11 or newer; name one: make PYTHON=/path/to/python3' >&2; exit 1; }
