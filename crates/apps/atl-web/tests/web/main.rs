//! What a page asks for, without a browser. The module in a browser, byte for byte: `playground/test`.

mod knobs;
mod sessions;
mod watching;
