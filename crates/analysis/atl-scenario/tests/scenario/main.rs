//! Tests of the reader through its public interface.

mod ablation;
mod adaptation;
mod applications;
mod builtin;
mod defaults;
mod docs;
mod errors;
mod generated_files;
mod keys;
mod limits;
mod measures;
mod mobility;
mod named;
mod overrides;
mod packed;
mod papers;
mod properties;
mod queues;
mod recoveries;
mod rfc;
mod schema;
mod standing;
mod traffic;
mod warnings;
