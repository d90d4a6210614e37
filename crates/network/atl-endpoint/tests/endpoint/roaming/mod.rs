//! A TCP flow whose end moves between two networks.

mod beside;
mod host;
mod properties;
mod recorded;
mod resume;
mod returning;
mod trajectories;
