//! What sender and receiver tell each other.

use std::fmt;

use super::pieces::{Hash, Pieces};

/// One message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// The sender begins.
    Hello(Hello),
    /// The receiver accepts it.
    Welcome(Welcome),
    /// The receiver refuses the sender, a file or a folder.
    Refused {
        /// Why, for programs.
        reason: Reason,
        /// Why, for people.
        text: String,
    },
    /// A file.
    Offer(Offer),
    /// What the receiver holds of it.
    Have(Pieces),
    /// The first byte that follows.
    From(u64),
    /// SHA-256 of the whole file.
    Digest(Hash),
    /// The file is in its place, or the folder there.
    Done,
    /// Bytes that nobody keeps.
    Load {
        /// How many; `None` if the sender does not know yet.
        bytes: Option<u64>,
    },
    /// What of them arrived.
    Loaded {
        /// How many.
        bytes: u64,
        /// Nanoseconds between the arrivals of the first and the last.
        nanos: u64,
    },
    /// Bytes of files and load that have arrived over this connection.
    Progress(u64),
    /// The sender has nothing more.
    Bye,
    /// An empty folder.
    Folder {
        /// Its path below the receiver's folder.
        path: Vec<String>,
    },
}

/// A sender's first message.
#[derive(Clone, PartialEq, Eq)]
pub struct Hello {
    /// Drawn by the sender at its start. A connection with the number of another one takes its
    /// place.
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

/// The receiver's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Welcome {
    /// Drawn by the receiver at its start: a sender that finds another one knows that it has been
    /// started again.
    pub instance: u64,
    /// Features that it grants.
    pub features: u32,
}

/// A file on offer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// Its size in bytes.
    pub size: u64,
    /// It may be executed.
    pub executable: bool,
    /// Its path below the receiver's folder, at least one name. The receiver checks them
    /// ([`name`](crate::name)).
    pub path: Vec<String>,
}

/// Why a receiver refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// The ticket is not one of this receiver.
    Secret,
    /// A name that cannot be a file's here, or leaves the folder.
    Name,
    /// Another file of that name is there.
    Exists,
    /// More than the receiver takes.
    Limit,
    /// The file system refuses: full, read-only, ...
    Storage,
    /// What arrived has another hash than what was sent.
    Corrupt,
    /// Another connection is receiving this file.
    Busy,
    /// Messages in an order that makes no sense.
    Protocol,
}

impl Reason {
    /// All of them, in the order of their numbers, which begin at 1.
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

    /// Its number in messages.
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

    /// One word for it, as JSON has it.
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
