# The front door. CMake does the work; this file says what can be asked for.
#   make           build the library and the tool into build/ (the tool is build/mote)
#   make demo      build, then draw the figures of the docs into demo/
#   make test      everything that must hold before a change lands (under 25 minutes on 2 cores)
#   make test-all  the slow tests as well: other architectures, thread sanitizer, full validation
#   make bench     how fast, on this machine
#   make install   into PREFIX (default /usr/local)
# demo and test install missing Debian packages first (packages.txt); the others name them.
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
PRESETS = dev clang asan

.PHONY: all demo test test-all bench install format clean checks
all:
	@./packages.sh check build
	@cmake --preset release -DCMAKE_INSTALL_PREFIX=$(PREFIX) > /dev/null
	@cmake --build build -j$(JOBS) | grep -v 'Built target' ; test -x build/mote

demo:
	@./packages.sh install build
	@$(MAKE) --no-print-directory all
	@build/mote demo -o demo

# Checks and the release build first; then the quick tests with the other compiler, with asserts, and with
# address and undefined-behaviour sanitizers.
test:
	@./packages.sh install test
	@cmake --preset release -DMOTE_WERROR=ON > /dev/null
	@cmake --build build -j$(JOBS) | grep -E 'warning|error' ; test -x build/mote
	@ctest --test-dir build --output-on-failure --no-tests=error -j$(JOBS)
	@for preset in $(PRESETS); do \
	  echo "== $$preset" && cmake --preset $$preset > /dev/null && cmake --build build-$$preset -j$(JOBS) -- -s > /dev/null && \
	  ctest --test-dir build-$$preset --output-on-failure --no-tests=error -j$(JOBS) -L 'unit|property|golden|fuzz' || exit 1; \
	done

test-all:
	@./packages.sh install all
	@$(MAKE) --no-print-directory test
	@cmake --preset release -DMOTE_SLOW_TESTS=ON > /dev/null && cmake --build build -j$(JOBS) -- -s > /dev/null
	@ctest --test-dir build --output-on-failure -L slow

bench: all
	@build/mote bench

install: all
	@cmake --install build

format:
	@clang-format -i $$(git ls-files '*.c' '*.h')

clean:
	rm -rf build build-dev build-clang build-asan build-tsan demo
