//! Window controllers by hand, on a bottleneck, and with arbitrary events.

mod atl_claims;
mod bbr3;
mod bounds;
mod controllers;
mod cubic;
mod ledger;
mod operations;
mod pad;
mod peach;
mod prague;
mod reno;
mod residual;
mod resume;
mod robust;
mod tcp_atl;
mod trajectories;
mod udp_prague;
mod vegas;
mod wrappers;
mod wtcp;
