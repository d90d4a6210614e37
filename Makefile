# `make help` lists the targets. The Rust toolchain that rust-toolchain.toml names is all that they need.

CARGO ?= cargo
# What `make run` runs: a built-in scenario (atl list) or a file.
SCENARIO ?= showcase/roaming
# More arguments for the program.
ARGS ?=

ALL := --workspace --all-features --locked
# Where the program is after `make build`.
ATL = $(or $(CARGO_TARGET_DIR),target)/release/atl

.DEFAULT_GOAL := help
.PHONY: help build run reproduce test lint fmt doc bench clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo "A scenario of yours:  make run SCENARIO=mine.toml ARGS='--quick --set queue=400'"

build: ## Build the program: target/release/atl
	$(CARGO) build --release --locked -p atl

run: build ## Run the showcase, a roaming phone: table, and an HTML report under out/
	$(ATL) run $(SCENARIO) $(ARGS)

reproduce: build ## Run the papers' figures and judge their claims (ARGS=--quick: a first look)
	$(ATL) reproduce $(ARGS)

test: ## Run all tests, those in the documentation too
	$(CARGO) test $(ALL)

lint: ## Check the format, clippy and the documentation; warnings are errors
	$(CARGO) fmt --all --check
	$(CARGO) clippy $(ALL) --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc $(ALL) --no-deps

fmt: ## Format the code
	$(CARGO) fmt --all

doc: ## Build the documentation: target/doc
	$(CARGO) doc $(ALL) --no-deps

bench: ## Measure the hot paths
	$(CARGO) bench $(ALL) --bench '*'

clean: ## Remove what was built (not the results)
	$(CARGO) clean
