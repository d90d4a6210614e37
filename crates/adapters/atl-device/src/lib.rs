//! Link information of real wireless links, with its error: p_w, d_w and the rate.
//!
//! A [`LinkSource`] gives it. There are five:
//!
//! - [`nl80211`]: an 802.11 device, from the kernel's station counters;
//! - [`FileSource`]: a file that another program keeps rewriting;
//! - [`CommandSource`]: a command that prints it;
//! - [`EmulatedSource`]: a link of an emulator, over its local socket;
//! - [`NoSource`]: no information, for wired hosts.
//!
//! What tools of real devices print becomes link information by [`adapters`].
//!
//! An emulator also reports which datagrams it lost: [`EmulatedLosses`].
//!
//! An unknown value is `None`, never zero: [`LinkInfo::report`] gives a controller's view if enough
//! is known. The formulas, their assumptions and their possible error are in
//! `docs/link-information.md`.
//!
//! ```no_run
//! use atl_core::time::Span;
//! use atl_device::nl80211::{Nl80211Config, Nl80211Source};
//! use atl_device::{LinkSource, SourceError};
//!
//! let mut link = Nl80211Source::open("wlan0", Nl80211Config::default())?;
//! let began = std::time::Instant::now();
//! for _ in 0..10 {
//!     let now = atl_core::time::Time::from_secs_f64(began.elapsed().as_secs_f64());
//!     let info = link.read(now)?;
//!     if let Some(loss) = info.loss {
//!         println!("p_w = {} (95 %: {} to {})", loss.value, loss.low, loss.high);
//!     }
//!     std::thread::sleep(std::time::Duration::from_secs(1));
//! }
//! # Ok::<(), SourceError>(())
//! ```

mod access;
pub mod adapters;
#[cfg_attr(not(unix), path = "command/elsewhere.rs")]
mod command;
mod counters;
pub mod emulated;
mod file;
mod info;
pub mod interface;
mod interval;
pub mod nl80211;
mod none;
mod seldom;
mod source;
pub mod text;

pub use access::Access;
pub use command::CommandSource;
pub use counters::{Activity, CounterWindow, PacketCount, Sample, Width};
pub use emulated::{EmulatedLosses, EmulatedSource};
pub use file::FileSource;
pub use info::{DelayEstimate, LinkInfo, LossEstimate};
pub use interval::{Batch, dispersion, loss_estimate};
pub use none::NoSource;
pub use seldom::Seldom;
pub use source::{LinkSource, SourceError};
