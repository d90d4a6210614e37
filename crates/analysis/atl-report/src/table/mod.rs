//! Tables, built once and shown in terminals, CSV files and on the page.

mod build;
mod legend;
mod model;
mod ranked;
mod render;
mod starved;
#[cfg(feature = "terminal")]
mod terminal;

pub(crate) use build::measured;
pub use build::{delays, results, verdicts};
pub(crate) use legend::intervals;
pub use legend::{OF_NETWORKS, legend};
pub use model::{Cell, Column, Table};
pub use ranked::ranked;
pub use render::csv;
pub(crate) use render::{csv_field, show, show_time};
#[cfg(feature = "terminal")]
pub use terminal::{Style, terminal};
