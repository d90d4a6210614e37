//! The messages of a transfer, without I/O.
//!
//! A connection speaks this protocol if TLS agreed on [`ALPN`], which names the version. The sender
//! opens every stream.
//!
//! On the first stream, which lasts as long as the connection:
//!
//! ```text
//! sender    HELLO                                     BYE
//! receiver         WELCOME  PROGRESS  PROGRESS  ...        (or REFUSED, and the end)
//! ```
//!
//! On a stream for each file, of which several may be under way:
//!
//! ```text
//! sender    OFFER        FROM, the bytes from there on, DIGEST
//! receiver         HAVE                                       DONE    (or REFUSED at any point)
//! ```
//!
//! `HAVE` has a hash of each piece of what the receiver holds already. `FROM` names the first byte
//! that it lacks: the end of the pieces that are the same at the sender's. `FOLDER` asks for an
//! empty folder and is answered by `DONE`. `LOAD` is followed by bytes up to the end of the stream,
//! which nobody keeps, and is answered by `LOADED`.
//!
//! Each message begins with its length in 4 octets, which counts what follows them, and an octet
//! for its kind. Numbers are big-endian, a text or a list begins with its length in 2 octets. A
//! message has one form: an octet more or less is an error.
//!
//! | kind | message | fields |
//! | --- | --- | --- |
//! | 1 | `HELLO` | session (16), secret (16), features (4), bytes to come (8) |
//! | 2 | `WELCOME` | instance (8), features (4) |
//! | 3 | `REFUSED` | reason (1), text |
//! | 4 | `OFFER` | size (8), executable (1: 0 or 1), list of the path's names, each a text |
//! | 5 | `HAVE` | octets held (8), log2 of a piece's length (1), hashes (32 each) |
//! | 6 | `FROM` | first byte (8) |
//! | 7 | `DIGEST` | SHA-256 of the whole file (32) |
//! | 8 | `DONE` | |
//! | 9 | `LOAD` | bytes to come, 0 if unknown (8) |
//! | 10 | `LOADED` | bytes (8), nanoseconds from first to last (8) |
//! | 11 | `PROGRESS` | bytes of files and load that have arrived over this connection (8) |
//! | 12 | `BYE` | |
//! | 13 | `FOLDER` | list of the path's names |

mod decode;
mod encode;
mod error;
mod form;
mod message;
mod pieces;

pub use decode::{decode, length};
pub use encode::encode;
pub use error::WireError;
pub use form::{
    ALPN, FEATURE_LINK_REPORTS, LENGTH_OCTETS, MAX_HELLO, MAX_MESSAGE, MAX_NAMES, MAX_OFFER,
    MAX_PIECES, MAX_REFUSAL, MAX_TEXT, VERSION,
};
pub use message::{Hello, Message, Offer, Reason, Welcome};
pub use pieces::{Hash, PIECE_BITS, Pieces};
