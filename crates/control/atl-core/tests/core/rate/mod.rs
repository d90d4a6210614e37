//! Rate controllers by hand, in closed loops, and with arbitrary events.

mod aimd;
mod arc;
mod arc_probing;
mod bounds;
mod controllers;
mod edges;
mod lda;
mod long_run;
mod nada;
mod rap;
mod rcp_atl;
mod rcs;
mod rcs_dummies;
mod tfrc_limits;
mod tfrc_loop;
mod tfrc_receiver;
mod tfrc_sender;
mod trajectories;
mod unknown;
