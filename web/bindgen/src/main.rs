//! `bindgen IN.wasm OUT_DIR`: makes `reader.js` and `reader_bg.wasm`.

use std::error::Error;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(input), Some(output)) = (arguments.next(), arguments.next()) else {
        return Err("usage: bindgen IN.wasm OUT_DIR".into());
    };
    let mut bindgen = Bindgen::new();
    bindgen
        .web(true)?
        .typescript(false)
        .remove_name_section(true);
    // The worker calls `init` without an address.
    bindgen.omit_default_module_path(false);
    bindgen
        .input_path(input)
        .out_name("reader")
        .generate(output)?;
    Ok(())
}
