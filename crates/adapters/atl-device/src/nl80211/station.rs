//! Attributes of a station (`NL80211_CMD_NEW_STATION`).

use std::fmt;

use atl_core::units::Rate;

use super::attribute::{Attribute, Attributes};
use super::error::NetlinkError;

const NL80211_ATTR_IFINDEX: u16 = 3;
const NL80211_ATTR_MAC: u16 = 6;
const NL80211_ATTR_STA_INFO: u16 = 21;

const NL80211_STA_INFO_TX_BYTES: u16 = 3;
const NL80211_STA_INFO_TX_BITRATE: u16 = 8;
const NL80211_STA_INFO_TX_PACKETS: u16 = 10;
const NL80211_STA_INFO_TX_RETRIES: u16 = 11;
const NL80211_STA_INFO_TX_FAILED: u16 = 12;
const NL80211_STA_INFO_CONNECTED_TIME: u16 = 16;
const NL80211_STA_INFO_STA_FLAGS: u16 = 17;
const NL80211_STA_INFO_TX_BYTES64: u16 = 24;
const NL80211_STA_INFO_EXPECTED_THROUGHPUT: u16 = 27;
const NL80211_STA_INFO_TX_DURATION: u16 = 39;

/// `NL80211_STA_FLAG_ASSOCIATED`, as a bit of `struct nl80211_sta_flag_update`.
const ASSOCIATED: u32 = 1 << 7;

const NL80211_RATE_INFO_BITRATE: u16 = 1;
const NL80211_RATE_INFO_MCS: u16 = 2;
const NL80211_RATE_INFO_BITRATE32: u16 = 5;
const NL80211_RATE_INFO_VHT_MCS: u16 = 6;
const NL80211_RATE_INFO_HE_MCS: u16 = 13;
const NL80211_RATE_INFO_EHT_MCS: u16 = 19;

/// The MAC address of a station.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Address(pub [u8; 6]);

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d, e, g] = self.0;
        write!(f, "{a:02x}:{b:02x}:{c:02x}:{d:02x}:{e:02x}:{g:02x}")
    }
}

/// A station and its counters. A value that the driver or the kernel does not report is `None`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Station {
    /// Its MAC address (`NL80211_ATTR_MAC`).
    pub address: Address,
    /// Index of the interface (`NL80211_ATTR_IFINDEX`).
    pub interface: Option<u32>,
    /// Packets sent to it (`NL80211_STA_INFO_TX_PACKETS`).
    pub tx_packets: Option<u32>,
    /// Retransmissions of those packets (`NL80211_STA_INFO_TX_RETRIES`).
    pub tx_retries: Option<u32>,
    /// Packets given up after the last retry (`NL80211_STA_INFO_TX_FAILED`).
    pub tx_failed: Option<u32>,
    /// Bytes sent, modulo 2^32 (`NL80211_STA_INFO_TX_BYTES`); old kernels have no other.
    pub tx_bytes: Option<u32>,
    /// Bytes sent to it (`NL80211_STA_INFO_TX_BYTES64`).
    pub tx_bytes64: Option<u64>,
    /// `NL80211_STA_INFO_TX_BITRATE`: of the last transmission; `None` when the driver reports
    /// zero.
    pub bitrate: Option<Rate>,
    /// That rate is one of 802.11n or later, where frames may be put together.
    pub aggregates: bool,
    /// `NL80211_STA_INFO_EXPECTED_THROUGHPUT`, as the rate control estimates it.
    pub expected_throughput: Option<Rate>,
    /// Time of all transmissions to it on the air, in microseconds
    /// (`NL80211_STA_INFO_TX_DURATION`).
    pub tx_duration: Option<u64>,
    /// Time since its association, in seconds (`NL80211_STA_INFO_CONNECTED_TIME`).
    pub connected: Option<u32>,
    /// It is associated (`NL80211_STA_INFO_STA_FLAGS`). The kernel lists an access point from the
    /// authentication on, which may be refused.
    pub associated: Option<bool>,
}

impl Station {
    /// Reads the attributes of a message.
    pub(super) fn parse(attributes: &[u8]) -> Result<Self, NetlinkError> {
        let mut interface = None;
        let mut address = None;
        let mut info = None;
        for attribute in Attributes::new(attributes) {
            let attribute = attribute?;
            match attribute.number {
                NL80211_ATTR_IFINDEX => interface = Some(attribute.u32()?),
                NL80211_ATTR_MAC => address = Some(Address(attribute.bytes()?)),
                NL80211_ATTR_STA_INFO => info = Some(attribute),
                _ => {}
            }
        }
        let address = address.ok_or(NetlinkError::Missing { attribute: "NL80211_ATTR_MAC" })?;
        let mut station = Station {
            address,
            interface,
            tx_packets: None,
            tx_retries: None,
            tx_failed: None,
            tx_bytes: None,
            tx_bytes64: None,
            bitrate: None,
            aggregates: false,
            expected_throughput: None,
            tx_duration: None,
            connected: None,
            associated: None,
        };
        if let Some(info) = info {
            station.read_info(&info)?;
        }
        Ok(station)
    }

    fn read_info(&mut self, info: &Attribute<'_>) -> Result<(), NetlinkError> {
        for attribute in info.nested() {
            let attribute = attribute?;
            match attribute.number {
                NL80211_STA_INFO_TX_BYTES => self.tx_bytes = Some(attribute.u32()?),
                NL80211_STA_INFO_TX_BYTES64 => self.tx_bytes64 = Some(attribute.u64()?),
                NL80211_STA_INFO_TX_PACKETS => self.tx_packets = Some(attribute.u32()?),
                NL80211_STA_INFO_TX_RETRIES => self.tx_retries = Some(attribute.u32()?),
                NL80211_STA_INFO_TX_FAILED => self.tx_failed = Some(attribute.u32()?),
                NL80211_STA_INFO_TX_DURATION => self.tx_duration = Some(attribute.u64()?),
                NL80211_STA_INFO_CONNECTED_TIME => self.connected = Some(attribute.u32()?),
                NL80211_STA_INFO_STA_FLAGS => {
                    let [a, b, c, d, e, f, g, h] = attribute.bytes()?;
                    let known = u32::from_ne_bytes([a, b, c, d]) & ASSOCIATED != 0;
                    let set = u32::from_ne_bytes([e, f, g, h]) & ASSOCIATED != 0;
                    self.associated = known.then_some(set);
                }
                NL80211_STA_INFO_EXPECTED_THROUGHPUT => {
                    // The kernel counts in kb/s.
                    self.expected_throughput = positive(f64::from(attribute.u32()?) * 1e3);
                }
                NL80211_STA_INFO_TX_BITRATE => self.read_rate(&attribute)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Both attributes count in units of 100 kb/s. The one of 16 bits is there for old programs,
    /// and is zero for rates that do not fit.
    fn read_rate(&mut self, rate: &Attribute<'_>) -> Result<(), NetlinkError> {
        let (mut short, mut long) = (None, None);
        for attribute in rate.nested() {
            let attribute = attribute?;
            match attribute.number {
                NL80211_RATE_INFO_BITRATE => short = Some(u32::from(attribute.u16()?)),
                NL80211_RATE_INFO_BITRATE32 => long = Some(attribute.u32()?),
                NL80211_RATE_INFO_MCS
                | NL80211_RATE_INFO_VHT_MCS
                | NL80211_RATE_INFO_HE_MCS
                | NL80211_RATE_INFO_EHT_MCS => self.aggregates = true,
                _ => {}
            }
        }
        self.bitrate = long.or(short).and_then(|units| positive(f64::from(units) * 1e5));
        Ok(())
    }
}

fn positive(bps: f64) -> Option<Rate> {
    (bps > 0.0).then(|| Rate::from_bps(bps))
}
