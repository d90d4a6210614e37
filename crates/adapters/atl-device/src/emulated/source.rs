//! p_w, d_w and rate of an emulated link.

use std::path::PathBuf;

use atl_core::time::{Span, Time};
use atl_wire::link_query::{LinkMeasurement, LinkName};

use super::client::LinkClient;
use crate::counters::{CounterWindow, PacketCount, Sample, Width};
use crate::info::{DelayEstimate, LinkInfo};
use crate::source::{LinkSource, SourceError};

/// An emulated link as a source.
///
/// p_w comes from the counters of its MAC over a window of this host, with an interval; before the
/// second call, over all of the time since the emulator began. d_w and the rate are the link's own
/// values, without error.
#[derive(Debug)]
pub struct EmulatedSource {
    path: PathBuf,
    link: LinkName,
    timeout: Span,
    client: Option<LinkClient>,
    window: CounterWindow,
    last: Option<LinkMeasurement>,
}

impl EmulatedSource {
    /// The link with this name at the emulator whose socket is at `path`. Each answer may take
    /// `timeout`. It connects when it is first asked.
    pub fn new(path: impl Into<PathBuf>, link: LinkName, window: Span, timeout: Span) -> Self {
        EmulatedSource {
            path: path.into(),
            link,
            timeout,
            client: None,
            window: CounterWindow::new(window, PacketCount::All),
            last: None,
        }
    }

    fn ask(&mut self) -> Result<LinkMeasurement, SourceError> {
        let client = match &mut self.client {
            Some(client) => client,
            None => {
                self.window.clear();
                // All counters of an emulator begin at zero, with its clock.
                self.window.add(sample(Time::ZERO, 0, 0));
                self.last = None;
                self.client.insert(LinkClient::connect(&self.path, self.timeout)?)
            }
        };
        client.ask(&self.link)
    }
}

impl LinkSource for EmulatedSource {
    fn read(&mut self, _now: Time) -> Result<LinkInfo, SourceError> {
        let link = match self.ask() {
            Ok(link) => link,
            // A refusal comes from an emulator that is still there: the connection stays.
            Err(error @ SourceError::Unfit { .. }) => return Err(error),
            Err(error) => {
                // The next connection may reach another emulator, with other counters.
                self.client = None;
                return Err(error);
            }
        };
        let known = self.last.map_or(0, |last| last.report.epoch);
        if link.report.epoch != known {
            // Losses on the previous network say nothing about this one.
            self.window.clear();
        }
        self.last = Some(link);
        let packets = link.passed.saturating_add(link.lost);
        // At the emulator's time of the counters, since this host may have asked late.
        self.window.add(sample(link.at, packets, link.lost));
        Ok(LinkInfo {
            loss: self.window.loss(),
            delay: Some(DelayEstimate::exact(link.report.link.delay)),
            rate: link.rate,
            bitrate: None,
            epoch: link.report.epoch,
        })
    }
}

fn sample(at: Time, packets: u64, failed: u64) -> Sample {
    Sample {
        at,
        packets: Some(packets),
        failed: Some(failed),
        retries: None,
        air_us: None,
        bytes: None,
        width: Width::Bits64,
        bytes_width: Width::Bits64,
    }
}
