//! An error that ends a connection.

use noq_proto::{ConnectionError, TransportErrorCode};

/// See [the module](self).
pub(crate) type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Pieces of a stream's data that the QUIC library holds behind a gap. With more it may end the
/// connection, also where there is one gap only: it does not join all pieces that touch.
const MOST_PIECES: u32 = 1024;

/// The reason for which a connection was lost, with what a user may do about it.
pub(super) fn lost(reason: ConnectionError, receive_window: u32) -> Failure {
    let by_gaps = match &reason {
        ConnectionError::TransportError(error) => {
            error.code == TransportErrorCode::INTERNAL_ERROR && error.reason.contains("gaps")
        }
        _ => false,
    };
    if by_gaps && receive_window > MOST_PIECES {
        return format!(
            "over {MOST_PIECES} packets waited at its receiver for one that was lost again and \
             again, where the QUIC library ends a connection (`{reason}`); `tcp.receive-window` is \
             {receive_window} packets: with {MOST_PIECES} or less the sender waits for it instead"
        )
        .into();
    }
    reason.into()
}
