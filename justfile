# All that continuous integration checks of the code itself.
check: fmt clippy test doc

fmt:
    cargo fmt --check

clippy:
    cargo clippy --release --all-targets -- -D warnings

test:
    cargo test --release

doc:
    RUSTDOCFLAGS="-D warnings" cargo doc --release --no-deps
