//! Obstacles to a lab, with advice.

use std::fmt;
use std::io;

use super::address::MAX_HOSTS;

/// The reason why a lab could not be made.
#[derive(Debug)]
pub enum Error {
    /// The system refuses an operation that needs root.
    NotAllowed {
        /// The operation, as a verb and its object.
        what: &'static str,
    },
    /// The file `/dev/net/tun` does not exist, or its module is not loaded.
    NoTun,
    /// This user may not open `/dev/net/tun`.
    TunClosed,
    /// A link has a property that only a simulator can carry out.
    Unsupported {
        /// Name of the link.
        link: String,
        /// The property, as a noun.
        what: &'static str,
    },
    /// The network has more hosts than a block has addresses.
    TooManyHosts(usize),
    /// Every block of addresses is taken on this machine.
    NoAddresses,
    /// This machine forwards no packets between its devices.
    NoForwarding,
    /// The system refuses an operation for another reason.
    System {
        /// The operation, as a verb and its object.
        what: String,
        /// The system's own error.
        source: io::Error,
    },
}

impl Error {
    /// An error of the system during the operation `what`.
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
            Error::NoForwarding => f.write_str(
                "this machine forwards no packets, so that there is no way out: allow it (sudo sysctl net.ipv4.ip_forward=1), \
                 or reach servers on this machine alone with --uplink host",
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
