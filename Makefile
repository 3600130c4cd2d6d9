# The commands of this project. Each brings what it needs; `make help` lists them.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup build run test watch bench

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1|\2/p' Makefile | column -t -s '|'

setup: ## bring the tools that building needs
	@scripts/setup.sh

build: setup ## build the site and the server, optimised
	@scripts/site.sh

run: build ## build and start on http://127.0.0.1:8877
	@. scripts/env.sh; exec "$${CARGO_TARGET_DIR:-target}/release/benchloop" serve

test: ## format, lints, walls, all tests, the pages in a browser
	@scripts/setup.sh --test
	@scripts/test.sh

watch: ## rebuild and reload on change (needs cargo-leptos, compiled once)
	@scripts/setup.sh --watch
	@. scripts/env.sh; CARGO_TARGET_DIR="$${CARGO_TARGET_DIR:-target}/watch" cargo leptos watch -- serve

bench: build ## how true the clock is: the client's figures against a scripted server's own stamps
	@. scripts/env.sh; cargo bench --features ssr --bench clock # the same features as the server, whose binary it shares
