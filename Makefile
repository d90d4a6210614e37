# `make help` lists the targets. Results depend on the scenario and its seeds only, never on JOBS.

CARGO ?= cargo
# Where results go, and what `make run` runs.
OUT ?= out
SCENARIO ?= showcase/roaming
# More arguments for the program: make run ARGS='--quick --set queue=400'
ARGS ?=

ALL := --workspace --all-features --locked
# Where the program is after `make build`.
ATL = $(or $(CARGO_TARGET_DIR),target)/release/atl

.DEFAULT_GOAL := help
.PHONY: help build run reproduce test lint fmt doc bench clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo "Settings:  SCENARIO=$(SCENARIO)  OUT=$(OUT)  ARGS='--quick'"
	@echo "Example:   make run SCENARIO=mine.toml ARGS='--seeds 30'"

build: ## Build the program: target/release/atl
	$(CARGO) build --release --locked -p atl

run: build ## Run a scenario (a roaming phone) and say where its report is
	$(ATL) run $(SCENARIO) --out $(OUT)/$(SCENARIO) $(ARGS)
	@echo
	@echo "Open $(abspath $(OUT)/$(SCENARIO)/report.html) in a browser."

reproduce: build ## Run the papers' figures and judge their claims (long; ARGS=--quick: minutes)
	$(ATL) reproduce --out $(OUT)/reproduce $(ARGS)
	@echo
	@echo "Open $(abspath $(OUT)/reproduce/report.html) in a browser."

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
	$(CARGO) bench $(ALL)

clean: ## Remove what was built (not the results)
	$(CARGO) clean
