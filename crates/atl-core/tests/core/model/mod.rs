//! Equations against values computed apart from the code, and what holds at any parameters.

mod equations;
mod fading;
mod loss_process;
mod properties;
