//! The ECN field of a flow's datagrams (RFC 9000, sec. 13.4).
//!
//! The library marks its datagrams as capable, counts what arrives, validates the counts and stops
//! if they do not add up. It knows ECT(0) alone. For a law of L4S the host rewrites the field on
//! its way out to ECT(1) and back on its way in, as a socket option would (RFC 9331, sec. 4.1).

use atl_core::window::MarkResponse;
use atl_engine::setup::{EcnMode, FlowSetup};
use atl_link::Ecn;
use noq_proto::EcnCodepoint;

/// The field that capable datagrams of a flow leave with.
#[derive(Clone, Copy, Debug)]
pub struct Field(Ecn);

impl Field {
    /// The field for a flow; `None` without ECN. QUIC's feedback is always accurate.
    pub fn of(plan: &FlowSetup) -> Option<Self> {
        let response = plan.protocol.mark_response();
        let l4s = response == MarkResponse::L4s;
        match plan.tcp.ecn_for(response) {
            EcnMode::Off => None,
            EcnMode::Classic | EcnMode::Accurate => {
                Some(Field(if l4s { Ecn::Ect1 } else { Ecn::Ect0 }))
            }
        }
    }

    /// The field of a capable datagram that leaves.
    pub fn sent(self) -> Ecn {
        self.0
    }

    /// The field of an arriving datagram, as the library takes it.
    pub fn received(self, ecn: Ecn) -> Option<EcnCodepoint> {
        match ecn {
            Ecn::NotEct => None,
            Ecn::Ce => Some(EcnCodepoint::Ce),
            field if field == self.0 => Some(EcnCodepoint::Ect0),
            Ecn::Ect0 => Some(EcnCodepoint::Ect0),
            Ecn::Ect1 => Some(EcnCodepoint::Ect1),
        }
    }
}
