# The checks of the code in continuous integration.
check: fmt clippy dependents test doc

fmt:
    cargo fmt --check

clippy:
    cargo clippy --release --all-targets -- -D warnings

# The crates outside this package that use it still compile.
dependents:
    cp Cargo.lock fuzz/Cargo.lock
    CARGO_TARGET_DIR=$PWD/target cargo check --release --manifest-path fuzz/Cargo.toml
    cd web && cargo check --release --target wasm32-unknown-unknown

test:
    cargo test --release

# Fuzzes the parsers of untrusted files: each target for some seconds, as many at once as there are processors. The
# input depends on the seed.
fuzz seconds="3600" seed="0":
    cp Cargo.lock fuzz/Cargo.lock
    CARGO_TARGET_DIR=$PWD/target cargo run --release --manifest-path fuzz/Cargo.toml --bin fuzz -- all {{seconds}} {{seed}}

# Licences, sources and advisories of the dependencies.
deny:
    cargo install --quiet --locked --debug --root target/tools cargo-deny@0.20.2
    target/tools/bin/cargo-deny check

# Kills commands at random moments, fills their disk and sets their clock back.
torture trials="1000" seed="1":
    SUDOKU_BATCH_TORTURE={{trials}} SUDOKU_BATCH_TORTURE_SEED={{seed}} \
        cargo test --release --test torture -- --nocapture --test-threads 1

# Mutation tests of these modules, or of all that have them: lists which changes no test notices, in half an hour.
mutants *modules:
    .ci/mutants/run {{modules}}

# Boards and corpora under Miri, in ten minutes; CI runs it over all unsafe code, which is in `simd`.
miri:
    cp Cargo.lock .ci/reasoning/Cargo.lock
    PROPTEST_CASES=4 MIRIFLAGS=-Zmiri-disable-isolation cargo +nightly miri test \
        --manifest-path .ci/reasoning/Cargo.toml --lib -- grid:: corpus:: --skip corpus::zstd --skip an_overlong_line

# Which lines the tests run, by module: the table of reports/coverage.md.
coverage:
    .ci/coverage

# Memory use of long runs: rows for reports/soak.md. Takes some hours, and 20 GB in `folder`.
soak puzzles="1000000000" photos="1000000" minutes="60" folder="target/soak":
    cargo build --release
    python3 python/trials/soak.py solve --count {{puzzles}}
    python3 python/trials/soak.py recognize --count {{photos}} --folder {{folder}}
    python3 python/trials/soak.py watch --minutes {{minutes}}

# Builds the files of a release in dist/: the Python wheel and, with its program, the archive, the .deb and the SBOM.
package: tools wheel
    packaging/build

# Installs what the packages need into target/tools.
tools:
    packaging/tools

# The Python wheel, in dist/, with the program in the profile `dist`, for glibc 2.28: Debian 10, Ubuntu 18.10, RHEL 8.
wheel:
    . packaging/environment && cd python && maturin build --profile dist --locked --zig --compatibility manylinux_2_28 --target "$target" --out ../dist

# Installs the .deb of dist/ in a bare Debian, tries it, and removes it again; as root.
check-deb:
    packaging/check-deb

# Builds the page that reads in the browser, as static files in web/dist.
web:
    web/build

doc:
    RUSTDOCFLAGS="-D warnings" cargo doc --release --no-deps

# The book, in target/book; every command in it is a test: `cargo test --release --test docs`.
book:
    cargo install --quiet --locked --debug --root target/tools mdbook@0.5.4 --no-default-features --features search
    target/tools/bin/mdbook build docs
