//! p_w, d_w and rate of a wireless interface.

use std::io;

use atl_core::time::{Span, Time};

use super::dump::{Dump, Progress};
use super::error::NetlinkError;
use super::family::family_id;
use super::request::{get_family, get_station};
use super::socket::{Exchange, NetlinkSocket, index};
use super::station::{Address, Station};
use crate::access::Access;
use crate::counters::{CounterWindow, PacketCount, Sample, Width};
use crate::info::LinkInfo;
use crate::source::{LinkSource, SourceError};

/// `ENOENT` in answers of the kernel, which other systems read from recordings.
const NO_ENTRY: i32 = 2;
/// `ENODEV`: no interface has the index.
const NO_DEVICE: i32 = 19;
/// Limit on new attempts at a dump when the list changes under it.
const MOST_DUMPS: usize = 4;
/// Datagrams that may come in between before an answer does; each may take the socket's timeout.
const MOST_DATAGRAMS: usize = 256;

/// Settings for reading an interface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nl80211Config {
    /// The station at the other end; needed where an interface has several, as that of an access
    /// point.
    pub peer: Option<Address>,
    /// Length of the window over which p_w and retries are measured.
    pub window: Span,
    /// The meaning of the driver's packet counter.
    pub count: PacketCount,
    /// Assumptions about the channel, for d_w.
    pub access: Access,
    /// The longest wait for a datagram of the kernel.
    pub timeout: Span,
}

impl Default for Nl80211Config {
    /// The only station; a window of 10 s; a driver on mac80211; up to half of the channel used by
    /// others; a timeout of 200 ms.
    fn default() -> Self {
        Nl80211Config {
            peer: None,
            window: Span::from_secs(10),
            count: PacketCount::All,
            access: Access::default(),
            timeout: Span::from_millis(200),
        }
    }
}

/// An interface of nl80211, and what was seen of the station at its other end.
#[derive(Debug)]
pub struct Nl80211Source<E> {
    exchange: E,
    interface: u32,
    name: String,
    config: Nl80211Config,
    family: Option<u16>,
    sequence: u32,
    window: CounterWindow,
    /// The station at the last dump that had one.
    last: Option<Station>,
    /// The last dump had one.
    connected: bool,
    epoch: u32,
}

impl Nl80211Source<NetlinkSocket> {
    /// The interface with this name, such as `wlan0`.
    ///
    /// # Errors
    /// If there is no such interface, or no generic netlink.
    pub fn open(interface: &str, config: Nl80211Config) -> Result<Self, SourceError> {
        let index = index(interface)
            .map_err(|error| SourceError::io(format!("interface {interface}"), error))?;
        let socket = NetlinkSocket::open(config.timeout)
            .map_err(|error| SourceError::io("opening a netlink socket", error))?;
        Ok(Nl80211Source::new(socket, index, interface, config))
    }
}

impl<E: Exchange> Nl80211Source<E> {
    /// The interface with this index and name, through any exchange.
    pub fn new(exchange: E, interface: u32, name: &str, config: Nl80211Config) -> Self {
        Nl80211Source {
            exchange,
            interface,
            name: name.to_owned(),
            window: CounterWindow::new(config.window, config.count),
            config,
            family: None,
            sequence: 0,
            last: None,
            connected: false,
            epoch: 0,
        }
    }

    /// The station at the last dump; `None` without a connection, or if the dump failed.
    pub fn station(&self) -> Option<&Station> {
        self.last.as_ref().filter(|_| self.connected)
    }

    /// Sends a request and hands over datagrams until one holds the answer's end.
    fn ask<T>(
        &mut self,
        request: &[u8],
        mut answer: impl FnMut(&[u8]) -> Result<Option<T>, NetlinkError>,
    ) -> Result<T, SourceError> {
        let asking = |error| SourceError::io("asking nl80211", error);
        self.exchange.send(request).map_err(asking)?;
        for _ in 0..MOST_DATAGRAMS {
            match self.exchange.receive() {
                Ok(datagram) => {
                    if let Some(whole) = answer(datagram)? {
                        return Ok(whole);
                    }
                }
                Err(error) if waited(&error) => break,
                Err(error) => return Err(asking(error)),
            }
        }
        Err(SourceError::Timeout { who: "nl80211".to_owned(), after: self.config.timeout })
    }

    fn next_sequence(&mut self) -> u32 {
        self.sequence = self.sequence.wrapping_add(1);
        self.sequence
    }

    fn family(&mut self) -> Result<u16, SourceError> {
        if let Some(family) = self.family {
            return Ok(family);
        }
        let sequence = self.next_sequence();
        let found = self.ask(&get_family(sequence), |datagram| family_id(datagram, sequence));
        let absent = NetlinkError::Refused { errno: NO_ENTRY };
        match found {
            Err(SourceError::Netlink(error)) if error == absent => Err(SourceError::unfit(
                "this system has no nl80211: no driver of a wireless device is loaded",
            )),
            Ok(family) => {
                self.family = Some(family);
                Ok(family)
            }
            Err(error) => Err(error),
        }
    }

    fn stations(&mut self) -> Result<Vec<Station>, SourceError> {
        let family = self.family()?;
        let mut result = Err(NetlinkError::Interrupted.into());
        for _ in 0..MOST_DUMPS {
            let sequence = self.next_sequence();
            let mut dump = Dump::new(family, sequence);
            result = self.ask(&get_station(family, self.interface, sequence), |datagram| {
                Ok(match dump.feed(datagram)? {
                    Progress::Done => Some(()),
                    Progress::More => None,
                })
            });
            match result {
                Err(SourceError::Netlink(NetlinkError::Interrupted)) => {}
                Err(error) => return Err(error),
                Ok(()) => return Ok(dump.stations().to_vec()),
            }
        }
        result.map(|()| Vec::new())
    }

    /// True if the interface's name now belongs to another index: it was removed and made again, as
    /// when it is plugged in again. The family may have another number since, if the driver was
    /// loaded anew.
    fn made_again(&mut self) -> bool {
        let Ok(index) = self.exchange.index(&self.name) else { return false };
        self.family = None;
        std::mem::replace(&mut self.interface, index) != index
    }

    /// The station at the other end; `None` without a connection.
    fn peer(&self, mut stations: Vec<Station>) -> Result<Option<Station>, SourceError> {
        // One that is still joining may be refused: it is no handoff yet.
        stations.retain(|station| station.associated != Some(false));
        if let Some(address) = self.config.peer {
            return Ok(stations.into_iter().find(|station| station.address == address));
        }
        match &stations[..] {
            [] => Ok(None),
            [station] => Ok(Some(*station)),
            several => Err(SourceError::unfit(format!(
                "{} has {} stations: name one of them, such as {}",
                self.name,
                several.len(),
                several[0].address
            ))),
        }
    }

    /// Notices handoffs and new associations, in which the counters start again.
    fn follow(&mut self, station: Station) {
        if let Some(last) = self.last {
            if last.address != station.address {
                self.epoch = self.epoch.wrapping_add(1);
                self.window.clear();
            } else if station.connected < last.connected {
                self.window.clear();
            }
        }
        self.last = Some(station);
    }
}

impl<E: Exchange> LinkSource for Nl80211Source<E> {
    fn read(&mut self, now: Time) -> Result<LinkInfo, SourceError> {
        self.connected = false;
        let stations = match self.stations() {
            Err(SourceError::Netlink(error)) if is_gone(error) && self.made_again() => {
                self.stations()?
            }
            stations => stations?,
        };
        let Some(station) = self.peer(stations)? else {
            // Not associated. The counters of the next association start anew, whichever station it
            // is with.
            self.window.clear();
            return Ok(LinkInfo { epoch: self.epoch, ..LinkInfo::UNKNOWN });
        };
        self.connected = true;
        self.follow(station);
        self.window.add(sample(now, &station));
        let mut access = self.config.access;
        if !station.aggregates {
            access.aggregate = Span::ZERO;
        }
        let delay = self.window.activity();
        Ok(LinkInfo {
            loss: self.window.loss(),
            delay: delay.and_then(|activity| access.delay(&activity, station.bitrate)),
            rate: station.expected_throughput,
            bitrate: station.bitrate,
            epoch: self.epoch,
        })
    }
}

fn sample(at: Time, station: &Station) -> Sample {
    let (bytes, bytes_width) = match station.tx_bytes64 {
        Some(bytes) => (Some(bytes), Width::Bits64),
        None => (station.tx_bytes.map(u64::from), Width::Bits32),
    };
    Sample {
        at,
        packets: station.tx_packets.map(u64::from),
        failed: station.tx_failed.map(u64::from),
        retries: station.tx_retries.map(u64::from),
        bytes,
        air_us: station.tx_duration,
        width: Width::Bits32,
        bytes_width,
    }
}

/// The interface's index, or the family's number, is that of nothing any more.
fn is_gone(error: NetlinkError) -> bool {
    matches!(error, NetlinkError::Refused { errno: NO_ENTRY | NO_DEVICE })
}

fn waited(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}
