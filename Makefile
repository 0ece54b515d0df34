# Thin: each target names the steps; the work is in tools/. Runs on a fresh Debian bookworm with nothing but git and make.
.DEFAULT_GOAL := help
.PHONY: help setup packages configure build install demo torch test check bench fidelity docs wheel fast mutants soak page lint format tidy clean
.NOTPARALLEL:
MAKEFLAGS += --no-print-directory
# Ninja would run more: on two processors that takes a sixth more time, of the processors and on the clock.
export CMAKE_BUILD_PARALLEL_LEVEL ?= $(shell nproc)

help:  ## show this list
	@sed -n 's/^\([a-z]*\):.*## /  make \1	/p' Makefile | expand -t 18

setup: packages  ## install the Debian packages and the Python packages (into .venv) that are missing
	@tools/step python-env tools/python_env.sh

packages:
	@tools/step system-packages tools/system_packages.sh

configure: packages
	@tools/step build-env tools/python_env.sh --build
	@tools/step configure cmake --preset release

build: configure  ## build everything, tests included, into build/release
	@tools/step build cmake --build --preset release

PACKAGES =  # the virtual environment's: all, those of tests included
install: configure  ## put the packages trainyard and nki and the command trainyard into .venv
	@tools/step python-env tools/python_env.sh $(PACKAGES) & \
	 tools/step build-core cmake --build --preset release --target trainyard_python; \
	 built=$$?; wait $$! && exit $$built
	@tools/step install tools/install_wheel.sh

demo: PACKAGES = --run
demo: install  ## run two kernels, a real model on real sentences, ten requests to a chat, collectives of whole systems
	@.venv/bin/python examples/demo.py
	@.venv/bin/python examples/embed.py
	@.venv/bin/python examples/serve_ten.py
	@.venv/bin/python examples/systems_table.py

torch: install  ## PyTorch on the simulated device: environment (build/torch/venv, 1.4 GB), a chat, tests
	@tools/step torch-env tools/torch_env.sh
	@build/torch/venv/bin/python examples/torch_chat.py
	@build/torch/venv/bin/python -m pytest -q tests/pytorch

test: build install  ## build and run every test
	@tools/run_tests.sh

check: setup  ## C++ tests under sanitizers, a minute of each fuzz target, each file by itself, g++ beside clang, ten minutes of random programs: about an hour; PARTS="asan:isa,graph tsan fuzz:text alone determinism differential" FUZZ_SECONDS=60
	@FUZZ_SECONDS=$(FUZZ_SECONDS) tools/check.sh $(PARTS)

bench: install  ## hot paths and whole kernels beside the host's own limits and goals; writes build/bench.json; STRICT=1 fails on missed ones
	@tools/step benchmarks cmake --build --preset release --target benchmarks
	@.venv/bin/python benchmarks/run.py --output build/bench.json $(if $(STRICT),--strict)

fidelity: install  ## published measurements beside simulated ones; fails when one leaves its band; writes build/fidelity.json
	@tools/step fidelity cmake --build --preset release --target fidelity
	@.venv/bin/python tests/fidelity/run.py --output build/fidelity.json

page: setup  ## build the page of trainyard view again from web/; needs node and npm
	@tools/step page sh -c 'cd web && npm ci --silent && npm run build --silent'

docs: install  ## write what is generated in docs again
	@.venv/bin/trainyard isa docs --output docs/reference/isa.md
	@.venv/bin/python tools/checks_reference.py
	@.venv/bin/python tools/command_reference.py
	@.venv/bin/python tools/compiler_page.py
	@.venv/bin/python tools/operations_reference.py
	@.venv/bin/python tools/claims_page.py
	@.venv/bin/python tools/model_fidelity.py
	@.venv/bin/python tools/pictures.py
	@.venv/bin/python tools/validation_page.py
	@TRAINYARD_WRITE_DOCS=1 .venv/bin/python -m pytest -q tests/tutorial

wheel: setup  ## build wheels for CPython 3.11 to 3.13 into dist, and try each in a fresh environment; PYTHONS="3.11"
	@tools/step wheels tools/wheel/build.sh $(PYTHONS)

fast: setup  ## the fast tier of tests: C++ and the structure checks (make test is the full one)
	@tools/step configure cmake --preset dev
	@tools/step build cmake --build --preset dev
	@tools/run_tests.sh --fast

mutants: setup  ## plant 100 wrong lines in graph and compiler, and count which the C++ tests find: SEED=1 BATCHES=5
	@.venv/bin/python tools/mutants --seed $(or $(SEED),1) --batches $(or $(BATCHES),5)

soak: install  ## random programs, faults, damaged files and Ctrl-C for two hours; what fails is replayed by its seed: SOAK_SECONDS=7200 SEED=1
	@.venv/bin/python tools/soak $(if $(SEED),--seed $(SEED))

lint: setup  ## formatting and lint of C++ and Python, types of the public Python packages
	@tools/lint.sh
	@tools/types.sh

format: setup  ## reformat C++ and Python in place
	@tools/lint.sh --fix

tidy: setup  ## clang-tidy over src (slow; needs the package clang-tidy-14)
	@command -v run-clang-tidy-14 >/dev/null || { echo "make tidy needs the Debian package clang-tidy-14" >&2; exit 1; }
	@tools/step configure cmake --preset dev
	@tools/step tidy run-clang-tidy-14 -quiet -p build/dev '/src/.*\.cpp$$'

clean:  ## remove what was built; .venv stays
	rm -rf build
