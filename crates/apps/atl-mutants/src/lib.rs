//! Mutants: the sources with one place changed at a time, and the tests that notice.
//!
//! A change that no test notices shows what the suite does not look at. To build the workspace for
//! each of thousands of changes would take days, so all of them are built at once (Untch et al.
//! 1993, "Mutation analysis using mutant schemata"): each place becomes a choice at run time, and
//! an environment variable tells which is taken. The tests run once each in the sound program,
//! which tells how long each takes and which mutants it meets; then each mutant runs only the tests
//! that meet it, quick ones first, until one fails.
//!
//! It never changes a source file of the repository, and nothing of it is in another crate.

pub mod args;
pub mod catalogue;
pub mod choice;
pub mod compile;
pub mod explained;
pub mod find;
pub mod judge;
pub mod place;
pub mod rewrite;
pub mod suite;
pub mod table;
pub mod tree;
pub mod workspace;
