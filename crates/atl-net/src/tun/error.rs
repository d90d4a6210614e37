//! What stands in the way of a lab, and what to do about it.

use std::fmt;
use std::io;

use super::address::MAX_HOSTS;

/// Why a lab could not be made.
#[derive(Debug)]
pub enum Error {
    /// The system refuses what only root may do.
    NotAllowed {
        /// What was refused.
        what: &'static str,
    },
    /// There is no `/dev/net/tun`.
    NoTun,
    /// `/dev/net/tun` is there, and closed to this user.
    TunClosed,
    /// A link does something that only a simulator can do.
    Unsupported {
        /// Name of the link.
        link: String,
        /// What it does.
        what: &'static str,
    },
    /// More hosts than addresses.
    TooManyHosts(usize),
    /// Every block of addresses is taken on this machine.
    NoAddresses,
    /// The system refuses something for another reason.
    System {
        /// What was tried.
        what: String,
        /// Why it failed.
        source: io::Error,
    },
}

impl Error {
    /// An error of the system while doing `what`.
    pub(super) fn system(what: impl Into<String>, source: impl Into<io::Error>) -> Error {
        Error::System { what: what.into(), source: source.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NotAllowed { what } => write!(
                f,
                "not allowed to {what}: run it as root (sudo), or as `unshare --user --map-root-user` followed by the \
                 command, where the system allows user namespaces; a container needs --cap-add SYS_ADMIN --cap-add NET_ADMIN"
            ),
            Error::NoTun => f.write_str(
                "no /dev/net/tun: load the kernel's module (modprobe tun); a container needs --device /dev/net/tun",
            ),
            Error::TunClosed => f.write_str(
                "not allowed to open /dev/net/tun: run it as root (sudo), or open the device to everybody (sudo chmod 666 \
                 /dev/net/tun, until the next boot), which gives nobody the right to use it outside namespaces of their own",
            ),
            Error::Unsupported { link, what } => {
                write!(f, "link {link}: {what} is known to the simulator only (atl run)")
            }
            Error::TooManyHosts(hosts) => write!(f, "{hosts} hosts: there are addresses for {MAX_HOSTS}"),
            Error::NoAddresses => f.write_str(
                "all of 198.19.0.0/16 is in use on this machine: end other runs that are attached to it, or run without",
            ),
            Error::System { what, source } => write!(f, "cannot {what}: {source}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::System { source, .. } => Some(source),
            _ => None,
        }
    }
}
