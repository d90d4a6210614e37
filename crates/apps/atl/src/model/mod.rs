//! `atl model`: the equations of `atl_core::model` and `atl_aal::model`. Each result names its
//! equation and unit.

mod aal_t;
mod arc;
mod battery;
mod fading;
mod line;
mod path;
mod rate;
mod table_1;
mod throughput;

use crate::args::ModelOf;
use crate::failure::Failure;
use crate::status::Status;

/// Evaluates a model.
///
/// # Errors
/// If the arguments do not fit together.
pub(crate) fn model(what: &ModelOf) -> Result<Status, Failure> {
    match what {
        ModelOf::TcpAtl(args) => path::tcp_atl(args),
        ModelOf::RcpAtl(args) => path::rcp_atl(args),
        ModelOf::Throughput(args) => throughput::throughput(args),
        ModelOf::Arc(args) => arc::arc(args),
        ModelOf::Rate(args) => rate::rate(args),
        ModelOf::AalT(args) => aal_t::aal_t(args),
        ModelOf::Fading(args) => fading::fading(args),
        ModelOf::Battery(args) => battery::battery(args),
    }
}
