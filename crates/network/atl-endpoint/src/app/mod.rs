//! Applications: the amount of data that a sender has, and its timing.

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
