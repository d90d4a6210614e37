//! Changes that are found in sources, and sources with their mutants in them.

mod found;
mod written;
