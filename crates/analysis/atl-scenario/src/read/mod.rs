//! From the tree to the types of a scenario, in one file for each part of the format.

mod adaptation;
mod agent;
mod blackout;
mod cell;
mod clock;
mod early;
mod error_control;
mod fading;
mod figure;
mod flow;
mod jitter;
mod link;
mod loss;
mod measure;
mod mobile;
mod names;
mod network;
mod new_path;
mod notices;
mod options;
mod pacing;
mod pair;
mod paths;
mod queue;
mod quote;
mod selection;
mod setup;
mod source;
mod standing;
mod traces;
mod world;

pub(crate) use figure::figures;
pub(crate) use quote::quotes;
pub(crate) use setup::setup;
pub(crate) use traces::{ReadFile, Traces};
pub(crate) use world::World;
