# The front door. CMake does the work; this file says what can be asked for.
#   make           build the library and the tool into build/ (the tool is build/mote)
#   make demo      build, then let a dam break: a video, pictures and particles in demo/
#   make quick     unit and golden tests of the release build (docs/testing.md has the times)
#   make test      everything that must hold before a change lands
#   make test-python  the Python package and its tests, which are part of make test
#   make test-all  the slow tests as well: other architectures, thread sanitizer, full validation
#   make web       the core as WebAssembly and the page of mote view, in build-web/ (needs emscripten and npm)
#   make test-web, make test-web-bits  the page in Chromium; the state hashes of the core in Node.js
#   make bench     how fast, on this machine
#   make install   into PREFIX (default /usr/local); the Python package too, where it is built
#   make deb       a Debian package in build/
#   make dist      an archive of the sources of the last commit in build/
#   make api       the list of exported symbols anew (tests/checks/api.txt)
#   make format    lay the code out
# demo, quick, test and deb install missing Debian packages first (packages.txt); the others name them.
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
MAKEFLAGS += --no-print-directory

code_tests = unit|property|golden|fuzz
code_targets = --target unit-tests property-tests golden-tests fuzz-tests
# Configures preset $(1) with flags $(2) into its directory $(3) and builds it, or only targets $(4), silent unless
# something is wrong.
build_quietly = cmake --preset $(1) $(2) > /dev/null && \
  { cmake --build $(3) -j$(JOBS) $(4) > $(3)/build.log 2>&1 || { cat $(3)/build.log; exit 1; }; }

.PHONY: all demo quick test test-python test-all web test-web test-web-bits bench install deb dist api format clean
all:
	@./packages.sh check build
	@cmake --preset release -DCMAKE_INSTALL_PREFIX=$(PREFIX) > /dev/null
	@cmake --build build -j$(JOBS) --target mote-tool mote-io mote

demo:
	@./packages.sh install build
	@$(MAKE) all
	@build/mote demo -o demo

quick:
	@./packages.sh install build
	@$(call build_quietly,release,-DMOTE_WERROR=ON -DMOTE_SLOW_TESTS=OFF,build,--target unit-tests golden-tests)
	@ctest --test-dir build --output-on-failure --no-tests=error -j$(JOBS) -L 'unit|golden'

# All tests with the release build (GCC); then those of the code itself with the other compiler, asserts, and address and
# undefined-behaviour sanitizers, where long cases and motions are left out (cmake/tests.cmake). Three checks of the latter,
# which cost a third of the time and mostly repeat what the former reports, are left to test-all, as is optimized code of clang.
test:
	@./packages.sh install test
	@echo "== release" && $(call build_quietly,release,-DMOTE_WERROR=ON -DMOTE_SLOW_TESTS=OFF -DMOTE_PYTHON=ON,build)
	@ctest --test-dir build --output-on-failure --no-tests=error -j$(JOBS)
	@echo "== clang, asserts, sanitizers" && $(call build_quietly,asan,,build-asan,$(code_targets))
	@ctest --test-dir build-asan --output-on-failure --no-tests=error -j$(JOBS) -L '$(code_tests)'

test-python:
	@./packages.sh install test
	@$(call build_quietly,release,-DMOTE_PYTHON=ON,build,--target mote-tool mote-python)
	@ctest --test-dir build --output-on-failure --no-tests=error -j$(JOBS) -L python

test-all: test
	@./packages.sh install all
	@echo "== clang" && $(call build_quietly,clang,,build-clang)
	@ctest --test-dir build-clang --output-on-failure --no-tests=error -j$(JOBS) -L '$(code_tests)'
	@echo "== asan, all checks" && $(call build_quietly,asan-all,,build-asan-all,$(code_targets))
	@ctest --test-dir build-asan-all --output-on-failure --no-tests=error -j$(JOBS) -L '$(code_tests)'
	@echo "== slow" && $(call build_quietly,release,-DMOTE_SLOW_TESTS=ON,build)
	@ctest --test-dir build --output-on-failure --no-tests=error -L slow

web:
	@./packages.sh install all
	@JOBS=$(JOBS) apps/web/build.sh build-web

test-web-bits: all web
	@tests/web/bits.sh build/mote build-web

test-web: all web
	@node tests/web/view.mjs build/mote build-web

bench: all
	@build/mote bench

install: all
	@cmake --install build
	@! [ -f build/python/mote/_mote.abi3.so ] || cmake --install build --component python

deb:
	@./packages.sh install deb
	@$(MAKE) all
	@cd build && cpack > package.log || { cat package.log; exit 1; }
	@ls build/mote_*.deb

version = $(shell sed -n 's/^project.mote VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
dist:
	@mkdir -p build
	@git archive --prefix=mote-$(version)/ -o build/mote-$(version).tar.gz HEAD
	@ls build/mote-$(version).tar.gz

api: all
	@MOTE_WRITE_API=1 tests/checks/api.sh build/libmote.a build/libmote-io.a

format:
	@clang-format -i $$(git ls-files '*.c' '*.h')

clean:
	rm -rf build build-web build-dev build-clang build-asan build-asan-all build-tsan demo
