# A thin front for CMake; see CMakePresets.json for the builds themselves.

PREFIX ?= /usr/local
DEMO   ?= gallery/der/hanging-rope.yaml
JOBS   ?= $(shell nproc 2>/dev/null || echo 2)

# Ninja where it is installed, make otherwise; a folder that exists keeps what it was made with.
ifneq ($(shell command -v ninja),)
export CMAKE_GENERATOR ?= Ninja
endif
MAKEFLAGS += --no-print-directory
.NOTPARALLEL:
.PHONY: build engine setup setup-tests test test-live sanitize fuzz demo install reference format clean

build:
	@cmake --preset release >/dev/null
	@cmake --build --preset release --parallel $(JOBS)

# The engine of live pages, build/engine.js, where its cross compiler is installed.
engine:
	@if cmake --build --preset release --target help | grep -qE '^(\.\.\. )?engine(:|$$)'; then \
		cmake --build --preset release --target engine; fi

setup:
	@tools/setup.sh

setup-tests:
	@tools/setup.sh tests

# One test more than processors: some of them mostly wait.
test: setup-tests build engine
	@ctest --preset release --parallel $$(($(JOBS) + 1))
	@$(MAKE) sanitize

# Every test of live pages, in the page and in `cordage view`; some minutes.
test-live: setup-tests build engine
	@CORDAGE_WEB=all ctest --preset release -R '^viewer$$'

# The unit tests again, under the address and undefined-behaviour sanitizers.
sanitize:
	@cmake --preset sanitize >/dev/null
	@cmake --build --preset sanitize --parallel $(JOBS)
	@ctest --preset sanitize --parallel $(JOBS)

# Ten minutes of every fuzzer: scenes, files of shapes, short simulations, the C interface, recordings, changed scenes of the
# gallery; needs clang and libclang-rt-14-dev.
fuzz:
	@fuzz/run.sh

demo: setup
	@cmake --preset release >/dev/null
	@cmake --build --preset release --parallel $(JOBS) --target cordage_command
	@$(MAKE) engine
	build/cordage run $(DEMO) --out out/demo

install:
	@cmake --preset release -DCMAKE_INSTALL_PREFIX="$(abspath $(PREFIX))" >/dev/null
	@cmake --build --preset release --parallel $(JOBS)
	@cmake --install build

# The HTML reference of the C interface and of scenes, build/reference/html/index.html.
reference:
	@tools/setup.sh reference
	@mkdir -p build
	@doxygen docs/Doxyfile
	@echo "build/reference/html/index.html"

format:
	@tools/format.sh

clean:
	@rm -rf build build-debug build-sanitize build-fuzz out
