//! Frames over routes of links: the emulator without a clock or I/O.

use std::collections::VecDeque;

use crate::{Cause, ChangeEvent, Exit, Link, Packet as _};
use atl_core::path::LinkReport;
use atl_core::time::{Span, Time};

use crate::relay::{Frame, Passage, Passing};

/// Lower bound, in bytes, on the packet whose transmission time lateness is compared with. An
/// acknowledgement takes little time itself, but comes no more often than the full packets that it
/// acknowledges.
const FULL_PACKET: u32 = 1500;

/// The lateness that counts where the last link has no rate, and a packet takes no time.
pub(crate) const WITHOUT_RATE: Span = Span::from_millis(1);

/// An event of a frame or a link, with the time at which it was due.
#[derive(Debug)]
pub enum Event {
    /// A frame has passed all links of its route.
    Arrived {
        /// The frame, which leaves the relay here.
        frame: Frame,
        /// The time at which it was to leave.
        due: Time,
        /// Transmission time of the frame on its last link, or of 1500 bytes if it is shorter; 1 ms
        /// where links take no time. More lateness than that disturbs the spacing of packets.
        packet_time: Span,
    },
    /// A link lost a frame. The MAC of the link's sender learns of it, except after
    /// [`Cause::Congestion`].
    Lost {
        /// The frame, which never leaves the relay.
        frame: Frame,
        /// Index of the link in the setup.
        link: usize,
        /// The part of the link that lost it.
        cause: Cause,
        /// The time at which it would have arrived.
        due: Time,
    },
    /// A link has delivered a copy of a frame behind it, which goes on by itself.
    Copied {
        /// The original, as it came out of the link.
        frame: Frame,
        /// Index of the link in the setup.
        link: usize,
        /// The time at which both came out.
        due: Time,
    },
    /// A link's queue dropped a frame. If it did so as the frame's transmission was to begin, this
    /// is told with what comes out of the link next.
    Dropped {
        /// The frame, which never leaves the relay.
        frame: Frame,
        /// Index of the link in the setup.
        link: usize,
        /// The time of the drop.
        due: Time,
    },
    /// A link has changed to another network.
    Changed {
        /// Index of the link in the setup.
        link: usize,
        /// The change's index in the schedule, and the delays before and after it.
        change: ChangeEvent,
        /// The link's report at that time.
        report: LinkReport,
        /// The time of the change.
        due: Time,
    },
}

/// Links, and routes over them, in real time.
///
/// Between two links of a route a frame loses no time: it enters the next one when it was due,
/// however late the relay is called. Only entries and departures depend on the caller's promptness.
///
/// The caller passes the time, which must not decrease from one call to the next, and counts from
/// zero.
#[derive(Debug)]
pub struct Relay {
    links: Vec<Link<Frame>>,
    routes: Vec<Vec<usize>>,
    /// Events not polled yet, in order of time.
    events: VecDeque<Event>,
    /// Steps of frames not taken yet, where somebody watches.
    passages: Option<Vec<Passage>>,
}

impl Relay {
    /// Idle links, and routes given as links by index.
    ///
    /// # Panics
    /// Panics if a route names a link that does not exist.
    pub fn new(links: Vec<Link<Frame>>, routes: Vec<Vec<usize>>) -> Self {
        assert!(
            routes.iter().flatten().all(|link| *link < links.len()),
            "a route over unknown links"
        );
        Relay { links, routes, events: VecDeque::new(), passages: None }
    }

    /// Keeps the steps of frames from now on, for [`take_passages`](Relay::take_passages).
    pub fn watch(&mut self) {
        self.passages = Some(Vec::new());
    }

    /// Steps of frames since the last call, in order of time; none unless [watched](Relay::watch).
    pub fn take_passages(&mut self) -> Vec<Passage> {
        self.passages.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Notes a step of a frame on a link, where somebody watches.
    fn note(&mut self, at: Time, link: usize, frame: &Frame, passing: Passing) {
        if let Some(passages) = &mut self.passages {
            passages.push(Passage::of(at, link, frame, passing));
        }
    }

    /// Puts a frame onto the first link of its route. A route without links delivers it at once.
    ///
    /// # Panics
    /// Panics if there is no such route.
    pub fn offer(&mut self, now: Time, frame: Frame) {
        self.advance(now);
        self.pass_on(now, frame, Span::ZERO);
    }

    /// The events up to `now`, one per call, in order of time. Call it until it returns `None`.
    pub fn poll(&mut self, now: Time) -> Option<Event> {
        self.advance(now);
        self.events.pop_front()
    }

    /// The time of the next event that [`poll`](Relay::poll) would give; [`Time::MAX`] if only
    /// another frame can lead to one. Read it again after each call.
    pub fn next_event(&self) -> Time {
        match self.events.is_empty() {
            true => self.earliest().1,
            false => Time::ZERO,
        }
    }

    /// The links, in the setup's order.
    pub fn links(&self) -> &[Link<Frame>] {
        &self.links
    }

    /// A link's own report of its loss and delay.
    pub fn report(&mut self, link: usize, now: Time) -> LinkReport {
        self.links[link].report(now)
    }

    /// The link with the earliest event; of several the first.
    fn earliest(&self) -> (usize, Time) {
        let due = self.links.iter().map(Link::next_event).enumerate();
        due.min_by_key(|(_, due)| *due).unwrap_or((0, Time::MAX))
    }

    /// Lets the links work up to `now`, each event at its own time.
    fn advance(&mut self, now: Time) {
        loop {
            let (link, due) = self.earliest();
            if due > now || due == Time::MAX {
                return;
            }
            while let Some(exit) = self.links[link].poll(due) {
                match exit {
                    Exit::Delivered(frame) => self.leave(due, link, frame),
                    Exit::DeliveredTwice(frame) => {
                        self.leave(due, link, frame.clone());
                        self.note(due, link, &frame, Passing::Copied);
                        self.events.push_back(Event::Copied { frame: frame.clone(), link, due });
                        self.leave(due, link, frame);
                    }
                    Exit::Lost(frame, cause) => {
                        self.note(due, link, &frame, Passing::Lost(cause));
                        self.events.push_back(Event::Lost { frame, link, cause, due });
                    }
                    Exit::Dropped(frame, _) => {
                        self.note(due, link, &frame, Passing::Dropped);
                        self.events.push_back(Event::Dropped { frame, link, due });
                    }
                    Exit::Changed(change) => {
                        let report = self.links[link].report(due);
                        self.events.push_back(Event::Changed { link, change, report, due });
                    }
                }
            }
        }
    }

    /// A frame comes out of a link.
    fn leave(&mut self, due: Time, link: usize, mut frame: Frame) {
        let packet_time = self.links[link].packet_time(frame.wire_bytes().max(FULL_PACKET));
        frame.hop += 1;
        let last = frame.hop >= self.routes[frame.route.0].len();
        self.note(due, link, &frame, Passing::Out { last });
        self.pass_on(due, frame, packet_time);
    }

    /// Puts a frame onto the next link of its route, or out if it has passed the last.
    fn pass_on(&mut self, due: Time, frame: Frame, packet_time: Span) {
        let Some(&link) = self.routes[frame.route.0].get(frame.hop) else {
            let packet_time = if packet_time.is_zero() { WITHOUT_RATE } else { packet_time };
            self.events.push_back(Event::Arrived { frame, due, packet_time });
            return;
        };
        let entered = self.passages.is_some().then(|| Passage::of(due, link, &frame, Passing::In));
        let own = frame.bytes.as_ptr();
        let mut dropped = self.links[link].offer(due, frame).err();
        // Another frame may have made room for it.
        let entered = entered.filter(|_| dropped.as_ref().is_none_or(|f| f.bytes.as_ptr() != own));
        if let (Some(passages), Some(entered)) = (&mut self.passages, entered) {
            passages.push(entered);
        }
        while let Some(frame) = dropped {
            self.note(due, link, &frame, Passing::Dropped);
            self.events.push_back(Event::Dropped { frame, link, due });
            dropped = self.links[link].next_dropped();
        }
    }
}
