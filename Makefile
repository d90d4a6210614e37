# `make help` lists the targets. All they need is the Rust toolchain that rust-toolchain.toml names.

CARGO ?= cargo
# What `make run` runs: a built-in scenario (atl list) or a file.
SCENARIO ?= showcase/roaming
# Extra arguments for the program.
ARGS ?=

ALL := --workspace --all-features --locked
# The program after `make build`.
ATL = $(or $(CARGO_TARGET_DIR),target)/release/atl
# The page of `atl playground`, which becomes part of the program where it has been built.
PLAYGROUND = $(or $(CARGO_TARGET_DIR),target)/playground
export ATL_PLAYGROUND = $(abspath $(dir $(wildcard $(PLAYGROUND)/index.html)))
# The scenarios with claims: all of the papers', and some showcases.
CLAIMS := atl arc aalt handoff showcase/video-call showcase/handover-contest showcase/knowledge showcase/hard-paths showcase/beside-kernel

.DEFAULT_GOAL := help
.PHONY: help build playground test-playground run reproduce generate lab results front-page ns2 ns3 engines reports-check memory-check grid attack swarm builds fuzz mutants test test-clock python wheel dist test-dist outsiders lint fmt doc bench bench-table instructions clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo "To run a scenario of your own:  make run SCENARIO=mine.toml ARGS='--quick --set queue=400'"

build: ## Build the program: target/release/atl, without the link-time optimisation that packages have
	$(CARGO) build --release --locked -p atl

playground: ## Build the page of `atl playground`, and the program with it (needs Node.js and the wasm32 target)
	playground/make-page $(PLAYGROUND)
	$(MAKE) build

test-playground: ## Test the page in a browser without a screen, after `make playground`
	cd playground && ATL=$(abspath $(ATL)) ATL_PLAYGROUND=$(abspath $(PLAYGROUND)) npm test

run: build ## Run the showcase, a roaming phone: a table, and an HTML report under out/
	$(ATL) run $(SCENARIO) $(ARGS)

reproduce: build ## Run the papers' experiments and judge their claims (ARGS=--quick: a first look)
	$(ATL) reproduce $(ARGS)

generate: ## Write every generated file that takes less than a minute: tables of keys, the JSON Schema, titles and sizes of scenarios, Python's types
	ATL_GENERATE=1 $(CARGO) test --locked -p atl-scenario --test scenario no_generated_file_is_stale -- --nocapture

lab: ## Write the matrices in docs/lab.md and docs/bbr.md: ten minutes on two cores
	ATL_GENERATE=1 $(CARGO) test --locked -p atl-lab --all-features --test lab matrix -- --include-ignored --nocapture --test-threads=1

results: build ## Regenerate docs/results.md from a full run: about 20 minutes on two cores
	$(ATL) reproduce $(CLAIMS) --page docs/results.md

front-page: build ## Measure README's table of lossy paths anew, and draw its pictures (that of the page after `make playground`, in a browser); two minutes
	$(CARGO) test $(ALL) --test cli write_the_front_page -- --ignored
	set -e; for way in down up; do \
		$(ATL) path wifi --loss 1% --send $$way --protocols residual,bbr3,tcp-atl-robust,tcp-atl,cubic --out out/$${way}load; \
		done
	$(ATL) figure out/download throughput-versus-delay --scale 1 --out docs/images/download.png
	$(ATL) figure out/upload throughput-versus-delay --scale 1 --out docs/images/upload.png
	$(ATL) run roaming -q --out out/roaming
	$(ATL) figure out/roaming what-is-left-in-each-network --scale 1 --out docs/images/roaming.png
	cd playground && ATL_PLAYGROUND=$(abspath $(PLAYGROUND)) node picture.mjs ../docs/images/playground.png || test $$? = 3

ns3: ## Run the queue disciplines and the Wi-Fi of ns-3 beside ours, where it is installed: peers/ns3
	peers/ns3/run

ns2: ## Run what is missing of the papers' experiments in ns-2, where it is installed: peers/ns2
	peers/ns2/run missing

engines: ## Measure the engines udp and quic against virtual time, and write that into docs/engines.md: 14 minutes on an idle machine
	$(CARGO) run --release --locked -p atl-sockets --example against_sim -- --write docs/engines.md
	$(CARGO) run --release --locked -p atl-sockets --example against_quic_sim -- --write docs/engines.md

reports-check: build ## Run every built-in with --quick, and open its report in a browser: desk and phone, light and dark; about 10 minutes
	set -e; for file in scenarios/*/*.toml; do name=$${file#scenarios/}; name=$${name%.toml}; \
		$(ATL) run $$name --quick -q --out out/reports-check/$$name; done
	ATL_REPORTS=$(abspath out/reports-check) $(CARGO) test $(ALL) --test report -- --ignored --nocapture every_report_is_whole

memory-check: build ## Measure a sweep of a million runs against one of a thousand: 1.5 times its memory at most; about 2 minutes
	ATL=$(abspath $(ATL)) $(CARGO) test $(ALL) --test cli -- --ignored --nocapture a_million_runs

grid: build ## Measure what link knowledge buys on 1000 networks drawn at random, and write docs/knowledge-grid.md: seven minutes
	$(ATL) grid --points 1000 --page docs/knowledge-grid.md

attack: build ## Search for a minute for the lie of a receiver that pays most (docs/protocols/lies.md; ARGS='--time 10min --seed 2')
	$(ATL) attack receiver --runs 100000 $(or $(ARGS),--time 1min)

swarm: ## Run random scenarios before independent judges for an hour (docs/testing.md; ARGS='--time 1min --seed 7')
	$(CARGO) run --release --locked -p atl-fuzz --example swarm -- $(ARGS)

builds: ## Run the same 400 random scenarios with and without optimisation: the results must be the same (docs/testing.md)
	$(CARGO) build --locked -p atl-fuzz --example swarm
	$(CARGO) build --release --locked -p atl-fuzz --example swarm
	mkdir -p out/builds
	for build in debug release; do \
		$(or $(CARGO_TARGET_DIR),target)/$$build/examples/swarm --digests --cases 400 $(ARGS) >out/builds/$$build & pids="$$pids $$!"; done; \
		for pid in $$pids; do wait $$pid || exit 1; done
	diff out/builds/debug out/builds/release && echo "the same results from both builds"

fuzz: ## Run mutations of the fuzz corpus through every target for ten minutes (docs/testing.md; ARGS='--target acks --seed 7')
	$(CARGO) run --release --locked -p atl-fuzz --example rounds -- $(or $(ARGS),--time 10min)

mutants: ## Change one place of the sources at a time, and tell which changes no test notices (docs/testing.md; ARGS='--help')
	CARGO_INCREMENTAL=0 $(CARGO) build $(ALL) --quiet --bin atl-mutants
	$(or $(CARGO_TARGET_DIR),target)/debug/atl-mutants $(ARGS)

# Many tests wait more than they compute.
test test-clock: export RUST_TEST_THREADS ?= $(shell echo $$((2 * $$(getconf _NPROCESSORS_ONLN))))

test: ## Run all tests, including those in the documentation: 15 to 25 minutes on two cores the first time
	$(CARGO) test $(ALL)

# What they measure depends on when they run and on what else the machine does: another run is another start time.
test-clock: ## Run the tests that measure time on the wall clock once more, after `make test`
	$(CARGO) test $(ALL) --test equivalence --test net --test cli -- captur proxy::

python: ## Pack the Python extension of the tests' build; run its tests and notebooks in an environment of their own
	.ci/python

wheel: ## Build the Python wheel to be installed: target/wheels
	.ci/python wheel

dist: ## Build what others install: static program, Debian package, container image, wheel, in target/dist; says what is missing
	packaging/dist

test-dist: ## Test what `make dist` has built, as a stranger would
	packaging/check

outsiders: ## Test the crates that use the suite from outside: examples/outsiders
	cd examples/outsiders && CARGO_TARGET_DIR=$(abspath $(or $(CARGO_TARGET_DIR),target)) $(CARGO) test --workspace --locked

lint: ## Check format, clippy and documentation; warnings are errors
	$(CARGO) fmt --all --check
	$(CARGO) clippy $(ALL) --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc $(ALL) --no-deps

fmt: ## Format the code
	$(CARGO) fmt --all

doc: ## Build the API documentation: target/doc
	$(CARGO) doc $(ALL) --no-deps

bench: ## Measure the hot paths
	$(CARGO) bench $(ALL) --bench '*'

bench-table: ## Measure the table of docs/performance.md and write it there: a quarter of an hour on an idle machine
	.ci/bench-table

instructions: ## Store the instructions a packet of today, which CI holds changes against: .ci/instructions.txt
	.ci/instructions --write

clean: ## Remove what was built, but not the results
	$(CARGO) clean
