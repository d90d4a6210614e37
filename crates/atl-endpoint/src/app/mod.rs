//! Applications: how much data a sender has to send, and when.

mod application;
mod files;
mod on_off;
mod sizes;
mod source;
mod writes;

pub use application::App;
pub use files::Files;
pub use on_off::OnOff;
pub use sizes::Sizes;
pub use source::Source;
pub use writes::Writes;
