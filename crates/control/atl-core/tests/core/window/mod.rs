//! Window controllers by hand, on a bottleneck, and with arbitrary events.

mod atl_claims;
mod controllers;
mod ledger;
mod operations;
mod pad;
mod peach;
mod residual;
mod resume;
mod robust;
mod tcp_atl;
mod vegas;
mod wrappers;
mod wtcp;
