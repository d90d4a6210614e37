//! Tables, built once and shown in terminals, CSV files and on the page.

mod build;
mod legend;
mod model;
mod ranked;
mod render;
#[cfg(feature = "terminal")]
mod terminal;

pub(crate) use build::measured;
pub use build::{results, verdicts};
pub(crate) use legend::intervals;
pub use legend::legend;
pub use model::{Cell, Column, Table};
pub use ranked::ranked;
pub use render::csv;
pub(crate) use render::{csv_field, show};
#[cfg(feature = "terminal")]
pub use terminal::{Style, terminal};
