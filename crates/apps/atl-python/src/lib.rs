//! The extension module `atl._atl` of the Python package `atl` (in `python/atl`).
//!
//! It opens scenarios, runs them with the interpreter's lock released, and passes results on as
//! Arrow tables. All exceptions are those of `atl.errors`. It also includes the whole command line,
//! so that an installation has the code only once.

mod command;
mod controller;
mod engines;
mod errors;
mod events;
mod opening;
mod path;
mod results;
mod running;
mod simulation;
mod steering;
mod sweep;
mod table;
mod waiting;

#[pyo3::pymodule]
mod _atl {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::command::command;
    #[pymodule_export]
    use super::engines::engines;
    #[pymodule_export]
    use super::events::{Ack, Loss, Marked, Sent, Start, Timeout};
    #[pymodule_export]
    use super::opening::{builtin, schema, text_of, validate};
    #[pymodule_export]
    use super::path::path;
    #[pymodule_export]
    use super::results::Result;
    #[pymodule_export]
    use super::running::run;
    #[pymodule_export]
    use super::simulation::Simulation;
    #[pymodule_export]
    use super::steering::Steering;
    #[pymodule_export]
    use super::sweep::{Sweep, merge};
    #[pymodule_export]
    use super::table::Table;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
