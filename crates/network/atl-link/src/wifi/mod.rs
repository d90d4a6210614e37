//! Wi-Fi: a transmitter that contends for its channel, sends aggregates, and repairs what fails.

mod bianchi;
mod cell;
mod phy;
mod radio;

pub use bianchi::Bianchi;
pub(crate) use radio::{Radio, Settled};

use atl_core::time::Span;
use atl_core::units::{Probability, Rate};

/// A station of IEEE 802.11 in a cell where others always have something to send, at 5 GHz and in
/// the access category of best effort.
///
/// It contends for the channel by the rules of EDCA (IEEE 802.11-2020, 10.23.2: AIFS of 3 slots,
/// windows from 15 to 1023), and so does each of the other stations, slot by slot; Bianchi's chain
/// (JSAC 18(3), 2000) is what comes out on average. Who gets the channel sends an aggregate
/// (A-MPDU, 9.7) behind one preamble, and gets a block acknowledgment. Two that begin in the same
/// slot lose all of it. MPDUs that fail go again in the next aggregate; those behind them wait in
/// the receiver's reorder buffer, which hands them on in order (10.25).
///
/// It is not: a rate that adapts, frames that survive a collision, hidden stations, RTS and CTS,
/// several spatial users at once (OFDMA, MU-MIMO). The other direction of the link is no rival: who
/// wants its acknowledgments to take their air counts it among the `stations`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wifi {
    /// Rate at which the PHY sends data, that of its modulation and width: above 0.
    pub rate: Rate,
    /// Preamble, and length of a symbol.
    pub standard: WifiStandard,
    /// Stations that contend, this one included: 1 to 256. The others are always busy, at the same
    /// rate, with full aggregates of packets of 1500 bytes.
    pub stations: u32,
    /// Probability that an MPDU is wrong, each time that it is sent without a collision.
    pub errors: Probability,
    /// MPDUs in an aggregate at most: 1 to 256. The block acknowledgment's window is as long, and
    /// at least 64.
    pub aggregate: u32,
    /// Octets in an aggregate at most.
    pub octets: u32,
    /// Times that an MPDU is sent again before it is lost.
    pub retries: u32,
}

/// The generation of a PHY.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WifiStandard {
    /// 802.11n (Wi-Fi 4): HT-mixed preamble with one training field.
    N,
    /// 802.11ac (Wi-Fi 5).
    Ac,
    /// 802.11ax (Wi-Fi 6): symbols of 12.8 us and a guard interval of .8 us.
    Ax,
}

impl Wifi {
    /// A station alone on its channel with aggregates of 64 MPDUs and 65 535 octets, which sends
    /// what fails seven times again: the defaults of ns-3.
    pub const fn new(rate: Rate, standard: WifiStandard) -> Self {
        Wifi {
            rate,
            standard,
            stations: 1,
            errors: Probability::ZERO,
            aggregate: 64,
            octets: 65_535,
            retries: 7,
        }
    }

    /// Bianchi's chain for this cell where all send packets of 1500 bytes.
    pub fn bianchi(&self) -> Bianchi {
        Bianchi::of(self)
    }

    /// The rate at which it carries packets of 1500 bytes while it always has some, on average, by
    /// Bianchi's chain.
    pub fn mean_rate(&self) -> Rate {
        self.bianchi().goodput()
    }
}

/// Bytes of the packets of the other stations.
const OTHERS: u32 = 1500;
const MICRO: Span = Span::from_micros(1);
