//! The page's requests, tested without a browser. `playground/test` compares the module in a
//! browser byte for byte.

mod knobs;
mod sessions;
mod watching;
