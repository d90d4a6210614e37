//! A node of the network: a thread that drives the ends of flows at it.

use std::io;
use std::sync::mpsc;

use crate::live::{Ending, LONGEST, Trouble};
use atl_core::time::{Span, Time};
use atl_net::clock::Clock;
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, ppoll};
use nix::sys::time::{TimeSpec, TimeValLike as _};

use crate::udp::ends::{EndRecord, FlowEnd};
use crate::udp::mac::News;

/// The longest wait: so long after a cancellation a node ends at the latest, and so old may news of
/// a MAC be that change nothing at once.
const LONGEST_WAIT: Span = Span::from_millis(20);
/// The same after the end.
const LAST_WAIT: Span = Span::from_millis(1);

/// The record of each end at a node, by flow.
pub(crate) type Records = Vec<(usize, EndRecord, Trouble)>;

/// The ends of flows at one node: they share a thread.
#[derive(Debug)]
pub(crate) struct Node {
    pub ends: Vec<FlowEnd>,
    pub news: mpsc::Receiver<News>,
    pub end: Time,
}

impl Node {
    /// Runs to the end; `None` if it was cancelled.
    ///
    /// # Errors
    /// If the sockets cannot be waited for.
    pub(crate) fn run(mut self, clock: Clock, ending: &Ending) -> io::Result<Option<Records>> {
        let mut buffer = vec![0; LONGEST];
        for end in &mut self.ends {
            end.begin(clock);
        }
        while clock.now() <= self.end {
            if ending.is_cancelled() {
                return Ok(None);
            }
            self.turn(clock, &mut buffer);
            let next = self.ends.iter().map(FlowEnd::next).min().unwrap_or(Time::MAX);
            let next = next.min(self.end.saturating_add(Span::from_nanos(1)));
            self.wait(next.since(clock.now()).min(LONGEST_WAIT))?;
        }
        for end in &mut self.ends {
            end.advance(self.end);
        }
        ending.node_has_ended();
        loop {
            if ending.is_cancelled() {
                return Ok(None);
            }
            // Asked before the last look into the sockets.
            let last = ending.has_network_ended();
            for end in &mut self.ends {
                end.receive(&mut buffer, &|| Time::MAX);
            }
            if last {
                return Ok(Some(self.ends.into_iter().map(FlowEnd::finish).collect()));
            }
            self.wait(LAST_WAIT)?;
        }
    }

    /// Does what is due, hears the MACs, takes what has arrived.
    fn turn(&mut self, clock: Clock, buffer: &mut [u8]) {
        let until = clock.now().min(self.end);
        for end in &mut self.ends {
            end.advance(until);
        }
        while let Ok(news) = self.news.try_recv() {
            for end in self.ends.iter_mut().filter(|end| end.takes(&news)) {
                end.on_news(&news);
            }
        }
        for end in &mut self.ends {
            end.receive(buffer, &|| clock.now());
        }
    }

    fn wait(&self, longest: Span) -> io::Result<()> {
        let descriptors = self.ends.iter().map(FlowEnd::descriptor);
        let mut polled: Vec<PollFd<'_>> =
            descriptors.map(|descriptor| PollFd::new(descriptor, PollFlags::POLLIN)).collect();
        let timeout = TimeSpec::nanoseconds(longest.nanos() as i64);
        match ppoll(&mut polled, Some(timeout), None) {
            Ok(_) | Err(Errno::EINTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}
