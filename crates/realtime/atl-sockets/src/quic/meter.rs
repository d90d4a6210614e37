//! Counts at an end of a flow.

use std::sync::Arc;

use atl_core::time::Time;
use atl_endpoint::meters::Arrivals;
use atl_engine::flow::record::{Mark, Marks};
use atl_link::Ecn;
use atl_noq::Marks as LinkMarks;
use atl_quic::connection::{Reads, Tap};
use tokio::sync::Notify;

use crate::quic::traffic::Label;

/// Counts at an end of a flow.
#[derive(Debug)]
pub(crate) enum Meter {
    Sender(Box<Sent>),
    Receiver(Box<Received>),
}

/// At the end that sends data.
#[derive(Debug)]
pub(crate) struct Sent {
    /// Events of its controller.
    pub tap: Tap,
    /// Shown what leaves, if its own link tells what it loses.
    pub link_marks: Option<LinkMarks>,
    /// When measurement begins; `None` once it has.
    pub begin: Option<Time>,
    /// Data packets sent; those of them, and congestion events, before measurement began.
    pub sent: u64,
    pub before: (u64, u64),
    /// Packets that the controller has seen leave.
    seen: u64,
}

/// At the end that receives data.
#[derive(Debug)]
pub(crate) struct Received {
    pub marks: Marks,
    pub arrived: u64,
    pub reordered: u64,
    /// Data packets that arrived marked, `None` without ECN, and before measurement began.
    pub marked: (Option<u64>, u64),
    newest: u64,
    /// Packets and bytes before measurement began, and packets that had been overtaken.
    pub before: (u64, u64, u64),
    pub arrivals: Arrivals,
    pub reads: Reads,
    /// Bytes read, and jitter since the sample before, at each sample.
    pub samples: Vec<(u64, Option<f64>)>,
    /// Data packets that arrived after the end.
    pub under_way: u64,
    /// Told of each datagram, if it reports its wireless link.
    pub reporter: Option<Arc<Notify>>,
}

impl Meter {
    pub(crate) fn sender(tap: Tap, link_marks: Option<LinkMarks>, begin: Time) -> Self {
        let begin = Some(begin);
        Meter::Sender(Box::new(Sent { tap, link_marks, begin, sent: 0, before: (0, 0), seen: 0 }))
    }

    pub(crate) fn receiver(
        marks: Marks,
        reads: Reads,
        reporter: Option<Arc<Notify>>,
        ecn: bool,
    ) -> Self {
        Meter::Receiver(Box::new(Received {
            marks,
            arrived: 0,
            reordered: 0,
            marked: (ecn.then_some(0), 0),
            newest: 0,
            before: (0, 0, 0),
            arrivals: Arrivals::default(),
            reads,
            samples: Vec::new(),
            under_way: 0,
            reporter,
        }))
    }

    /// Writes down what is to be written down by `now`.
    pub(crate) fn advance(&mut self, now: Time) {
        match self {
            Meter::Sender(sent) => {
                if sent.begin.is_some_and(|begin| begin <= now) {
                    sent.begin = None;
                    sent.before = (sent.sent, sent.tap.recoveries());
                    sent.tap.begin_measurement();
                }
            }
            Meter::Receiver(received) => {
                while let Some((_, mark)) = received.marks.take(now) {
                    received.write_down(mark);
                }
            }
        }
    }

    /// A datagram leaves. Says whether it is a data packet, and how many data packets have left.
    pub(crate) fn on_sent(&mut self, quic: &[u8]) -> (bool, u64) {
        let Meter::Sender(sent) = self else { return (false, 0) };
        // noq builds a datagram, tells the controller of its packets, and sends it before it builds
        // the next.
        let seen = sent.tap.sent();
        let data = seen > sent.seen;
        sent.seen = seen;
        if let Some(marks) = &sent.link_marks {
            marks.sent(quic, None);
        }
        sent.sent += u64::from(data);
        (data, sent.sent)
    }

    /// A datagram arrived.
    pub(crate) fn on_arrived(&mut self, now: Time, label: Label, ecn: Ecn) {
        let Meter::Receiver(received) = self else { return };
        if label.data {
            received.arrived += 1;
            if let Some(marked) = received.marked.0.as_mut().filter(|_| ecn == Ecn::Ce) {
                *marked += 1;
            }
            received.reordered += u64::from(label.serial < received.newest);
            received.newest = received.newest.max(label.serial);
            received.arrivals.on_packet(now, label.sent_at);
        }
        if let Some(reporter) = &received.reporter {
            reporter.notify_one();
        }
    }

    /// A datagram arrived after the end.
    pub(crate) fn on_late(&mut self, label: Label) {
        if let Meter::Receiver(received) = self {
            received.under_way += u64::from(label.data);
        }
    }

    /// The application has read this many bytes.
    pub(crate) fn on_read(&mut self, now: Time, bytes: usize) {
        if let Meter::Receiver(received) = self {
            received.reads.on_read(now, bytes);
        }
    }
}

impl Received {
    fn write_down(&mut self, mark: Mark) {
        match mark {
            Mark::Begin => {
                self.before = (self.arrived, self.reads.bytes(), self.reordered);
                self.marked.1 = self.marked.0.unwrap_or(0);
                self.arrivals.reset();
                self.reads.begin_measurement();
            }
            Mark::Sample => {
                let jitter = self.arrivals.take_interval();
                self.samples.push((self.reads.bytes(), jitter));
            }
        }
    }
}
