//! The simulator: whole runs against theory, agents against hostile networks, trajectories against snapshots.

mod arc;
mod cells;
mod delivery;
mod freeze;
mod go_back_n;
mod identities;
mod media;
mod media_controllers;
mod mobiles;
mod overlap;
mod paced;
mod phase;
mod rap_rcs;
mod receiver_reports;
mod robust;
mod snoop_delivery;
mod snoop_network;
mod snoop_repairer;
mod snoop_source;
mod sources;
mod support;
mod tfrc;
mod timers;
mod traces;
mod trajectories;
mod truths;
