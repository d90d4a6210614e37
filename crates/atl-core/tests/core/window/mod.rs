//! Window controllers.

mod atl_claims;
mod controllers;
#[cfg(feature = "hosted")]
mod hosted;
#[cfg(feature = "hosted")]
mod hosted_confusion;
mod ledger;
mod long_run;
mod operations;
mod peach;
mod tcp_atl;
mod vegas;
mod wtcp;
