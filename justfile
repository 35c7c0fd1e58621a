# All that continuous integration checks of the code itself.
check: fmt clippy test doc

fmt:
    cargo fmt --check

clippy:
    cargo clippy --release --all-targets -- -D warnings

test:
    cargo test --release

# The page that reads in the browser, as static files in web/dist.
web:
    web/build

doc:
    RUSTDOCFLAGS="-D warnings" cargo doc --release --no-deps
