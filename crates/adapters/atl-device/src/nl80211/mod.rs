//! nl80211: the station counters of the kernel's wireless stack.
//!
//! [`Nl80211Source`] asks for a dump of the stations of an interface (`NL80211_CMD_GET_STATION`)
//! and estimates p_w and d_w from the differences between dumps. Parsing is apart from the socket:
//! [`Dump`] and [`family_id`] take bytes. Names and layouts are those of Linux's `linux/netlink.h`,
//! `linux/genetlink.h` and `linux/nl80211.h`.
//!
//! A few attributes of two messages are all that is needed, so the crate reads them itself: the
//! libraries for nl80211 bring an asynchronous runtime, and refuse a whole message over one
//! attribute that they do not expect.

mod attribute;
mod dump;
mod error;
mod family;
mod message;
mod request;
mod socket;
mod source;
mod station;

pub use dump::{Dump, Progress};
pub use error::NetlinkError;
pub use family::family_id;
pub use request::{get_family, get_station};
pub use socket::{Exchange, NetlinkSocket};
pub use source::{Nl80211Config, Nl80211Source};
pub use station::{Address, Station};
