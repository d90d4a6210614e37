//! What is found in a source, and what becomes of it.

mod found;
mod written;
