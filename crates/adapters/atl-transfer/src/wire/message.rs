//! The messages between sender and receiver.

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::limits::Limits;
use super::pieces::{Hash, Pieces};

/// The name of a file or a folder: any octets, as the sender's system has it.
pub type Name = Vec<u8>;

/// A message, in either direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// The sender's greeting, the first message of a connection.
    Hello(Hello),
    /// The receiver's answer, which accepts the sender.
    Welcome(Welcome),
    /// The receiver refuses the sender, a file or a folder.
    Refused {
        /// The reason as a code, for programs.
        reason: Reason,
        /// The reason as a sentence, for people.
        text: String,
    },
    /// The sender offers a file.
    Offer(Offer),
    /// The pieces that the receiver holds of the file.
    Have(Pieces),
    /// The number of the first byte that follows.
    From(u64),
    /// SHA-256 of the whole file.
    Digest(Hash),
    /// The file is complete and in its place, or the folder exists.
    Done,
    /// Generated load follows, which the receiver discards.
    Load {
        /// Its number of bytes; `None` if the sender does not know it yet.
        bytes: Option<u64>,
    },
    /// The part of the load that arrived.
    Loaded {
        /// The number of bytes.
        bytes: u64,
        /// Nanoseconds between the arrivals of the first byte and the last.
        nanos: u64,
    },
    /// Bytes of files and load that have arrived over this connection.
    Progress(u64),
    /// The sender has sent everything.
    Bye,
    /// The sender asks for an empty folder.
    Folder {
        /// Its path below the receiver's folder.
        path: Vec<Name>,
    },
}

/// A sender's first message.
#[derive(Clone, PartialEq, Eq)]
pub struct Hello {
    /// Drawn at random by the sender at its start. A connection with the number of another one
    /// replaces it.
    pub session: [u8; 16],
    /// The ticket's secret; zeros without a ticket.
    pub secret: [u8; 16],
    /// Features that it asks for.
    pub features: u32,
    /// Size of everything that it has to send, in bytes; 0 if it does not know.
    pub bytes: u64,
}

impl fmt::Debug for Hello {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A secret does not belong in a log.
        f.debug_struct("Hello")
            .field("session", &self.session)
            .field("features", &self.features)
            .field("bytes", &self.bytes)
            .finish_non_exhaustive()
    }
}

/// The receiver's first message, which accepts the sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Welcome {
    /// Drawn at random by the receiver at its start: a sender that finds another number knows of a
    /// restart.
    pub instance: u64,
    /// Features that it grants.
    pub features: u32,
    /// Names that its folder cannot hold, so that the sender knows of all before it begins.
    pub limits: Limits,
}

/// A file on offer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// Its size in bytes.
    pub size: u64,
    /// Permissions of its owner, its group and others: 0 to 0o777.
    pub mode: u16,
    /// The time at which it was modified last.
    pub modified: Modified,
    /// Its path below the receiver's folder, at least one name. The receiver checks them
    /// ([`name`](crate::name)).
    pub path: Vec<Name>,
}

/// A time since the beginning of 1970 (UTC), before which it is negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Modified {
    /// Whole seconds, rounded down.
    pub seconds: i64,
    /// Nanoseconds after these: 0 to 999 999 999.
    pub nanos: u32,
}

impl Modified {
    /// A time of this system. One that no number of seconds holds is the beginning of 1970.
    pub fn of(time: SystemTime) -> Modified {
        let split =
            |span: Duration| Some((i64::try_from(span.as_secs()).ok()?, span.subsec_nanos()));
        let parts = match time.duration_since(UNIX_EPOCH) {
            Ok(since) => split(since),
            Err(before) => split(before.duration()).map(|(seconds, nanos)| match nanos {
                0 => (-seconds, 0),
                nanos => (-seconds - 1, 1_000_000_000 - nanos),
            }),
        };
        parts.map_or_else(Modified::default, |(seconds, nanos)| Modified { seconds, nanos })
    }

    /// The time for this system; `None` if the system cannot tell it.
    pub fn time(self) -> Option<SystemTime> {
        let seconds = Duration::from_secs(self.seconds.unsigned_abs());
        let whole = match self.seconds {
            0.. => UNIX_EPOCH.checked_add(seconds),
            _ => UNIX_EPOCH.checked_sub(seconds),
        };
        whole?.checked_add(Duration::from_nanos(self.nanos.into()))
    }
}

/// The code of a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// The ticket is not one of this receiver.
    Secret,
    /// A name that no file may have here, or that leaves the folder.
    Name,
    /// Another file of that name exists.
    Exists,
    /// The receiver's limit on bytes is reached.
    Limit,
    /// The file system refuses: full, read-only, ...
    Storage,
    /// The hash of the received bytes is not the sender's.
    Corrupt,
    /// Another connection is receiving this file.
    Busy,
    /// A message came at a point where it makes no sense.
    Protocol,
}

impl Reason {
    /// All codes, in the order of their numbers, which begin at 1.
    pub const ALL: [Reason; 8] = [
        Reason::Secret,
        Reason::Name,
        Reason::Exists,
        Reason::Limit,
        Reason::Storage,
        Reason::Corrupt,
        Reason::Busy,
        Reason::Protocol,
    ];

    /// Its number in messages, 1 to 8.
    pub fn number(self) -> u8 {
        match self {
            Reason::Secret => 1,
            Reason::Name => 2,
            Reason::Exists => 3,
            Reason::Limit => 4,
            Reason::Storage => 5,
            Reason::Corrupt => 6,
            Reason::Busy => 7,
            Reason::Protocol => 8,
        }
    }

    /// The code as one word, for JSON.
    pub fn word(self) -> &'static str {
        match self {
            Reason::Secret => "secret",
            Reason::Name => "name",
            Reason::Exists => "exists",
            Reason::Limit => "limit",
            Reason::Storage => "storage",
            Reason::Corrupt => "corrupt",
            Reason::Busy => "busy",
            Reason::Protocol => "protocol",
        }
    }
}
