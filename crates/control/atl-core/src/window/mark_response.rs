//! The kind of answer that a law gives to ECN marks.

/// The kind of answer that a law gives to ECN marks: it decides the ECN field of a sender's packets
/// and the feedback that it needs ([`WindowController::mark_response`](super::WindowController)).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MarkResponse {
    /// One reduction a round trip, however many packets are marked (RFC 3168). The packets carry
    /// ECT(0), and the ECE flag is enough.
    #[default]
    Classic,
    /// A reduction by the share of marked packets, outside of L4S (RFC 8257). The packets carry
    /// ECT(0), and the law needs the number of marked packets.
    Share,
    /// The scalable response of L4S (RFC 9331, sec. 4.3). The packets carry ECT(1), and the law
    /// needs the number of marked packets.
    L4s,
}

impl MarkResponse {
    /// True of a law that needs the number of marked packets, not only that there are some.
    pub const fn counts_marks(self) -> bool {
        !matches!(self, MarkResponse::Classic)
    }
}
