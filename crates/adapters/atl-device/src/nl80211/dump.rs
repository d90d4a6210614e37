//! The answer to a request for all stations: messages over one datagram or several, closed by
//! `NLMSG_DONE`.

use super::error::NetlinkError;
use super::message::{
    Messages, NLM_F_DUMP_INTR, NLMSG_DONE, NLMSG_ERROR, NLMSG_NOOP, NLMSG_OVERRUN,
};
use super::station::Station;

pub(super) const NL80211_CMD_NEW_STATION: u8 = 19;

/// Upper bound on the stations of any access point: association identifiers end at 2007.
const MOST_STATIONS: usize = 2048;

/// State of a dump after a datagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The answer goes on in another datagram.
    More,
    /// The answer is complete.
    Done,
}

/// A dump of stations while its datagrams arrive.
#[derive(Clone, Debug)]
pub struct Dump {
    family: u16,
    sequence: u32,
    stations: Vec<Station>,
    interrupted: bool,
    foreign: u64,
}

impl Dump {
    /// An empty dump, for the answer to the request with this sequence number from the family with
    /// this identifier.
    pub fn new(family: u16, sequence: u32) -> Self {
        Dump { family, sequence, stations: Vec::new(), interrupted: false, foreign: 0 }
    }

    /// Takes a datagram. Messages of other requests and families are counted and left out.
    ///
    /// # Errors
    /// If the kernel refused the request, the datagram is not made of netlink messages, or the list
    /// changed while it was read. The dump is then useless.
    pub fn feed(&mut self, datagram: &[u8]) -> Result<Progress, NetlinkError> {
        for message in Messages::new(datagram) {
            let message = message?;
            if message.sequence != self.sequence {
                self.foreign += 1;
                continue;
            }
            self.interrupted |= message.flags & NLM_F_DUMP_INTR != 0;
            match message.kind {
                NLMSG_NOOP => {}
                NLMSG_OVERRUN => return Err(NetlinkError::Overrun),
                NLMSG_ERROR | NLMSG_DONE => match message.errno()? {
                    0 if message.kind == NLMSG_DONE => return self.finish(),
                    // An acknowledgement, without data.
                    0 => {}
                    errno => return Err(NetlinkError::Refused { errno }),
                },
                kind if kind == self.family => match message.generic()? {
                    (NL80211_CMD_NEW_STATION, attributes) => self.take(attributes)?,
                    _ => self.foreign += 1,
                },
                _ => self.foreign += 1,
            }
        }
        Ok(Progress::More)
    }

    fn take(&mut self, attributes: &[u8]) -> Result<(), NetlinkError> {
        if self.stations.len() >= MOST_STATIONS {
            return Err(NetlinkError::TooMany { most: MOST_STATIONS });
        }
        self.stations.push(Station::parse(attributes)?);
        Ok(())
    }

    fn finish(&self) -> Result<Progress, NetlinkError> {
        if self.interrupted { Err(NetlinkError::Interrupted) } else { Ok(Progress::Done) }
    }

    /// The stations so far.
    pub fn stations(&self) -> &[Station] {
        &self.stations
    }

    /// Messages that belonged to other requests or families.
    pub fn foreign(&self) -> u64 {
        self.foreign
    }
}
