//! Equations against values computed apart from the code, and their properties for any parameters.

mod equations;
mod fading;
mod loss_process;
mod properties;
mod recorded;
