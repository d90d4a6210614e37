//! How a link is described.

use std::sync::Arc;

use atl_core::model::PathChain;
use atl_core::time::{Span, Time};
use atl_core::units::{Probability, Rate};

use crate::channel::Channel;
use crate::trace::{DelayTrace, RateTrace};

/// A link in one direction: a queue, a transmitter, errors, a delay, and how they change over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// The queue ahead of the transmitter; the packet being transmitted is not in it.
    pub queue: QueueConfig,
    /// A packet that finds at least so many waiting (the one in transmission is not among them; 0 counts as 1) is
    /// [marked](crate::Packet::mark); none is without a number.
    pub mark_at: Option<u32>,
    /// Conditions from the start.
    pub initial: Conditions,
    /// Changes of conditions (handoffs), by time.
    pub schedule: Vec<Change>,
    /// Times at which nothing gets through; those of one kind that overlap are joined.
    pub blackouts: Vec<Blackout>,
    /// Packets that are on the wire at a change arrive nevertheless, or are lost.
    pub at_change: AtChange,
    /// Window of the MAC's own loss measurement for its link reports; zero reaches back to the start.
    pub report_window: Span,
}

/// What a packet meets while the link is in one network.
#[derive(Clone, Debug, PartialEq)]
pub struct Conditions {
    /// Name of the network, for people.
    pub name: Arc<str>,
    /// How fast packets are transmitted.
    pub service: Service,
    /// One-way delay after transmission. Order is always kept, also when it shrinks.
    pub delay: Delay,
    /// Loss after transmission.
    pub loss: Loss,
}

/// A change of conditions.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// When.
    pub at: Time,
    /// What holds from then on.
    pub to: Conditions,
}

/// A time during which the link is dead: what it transmits is lost, its queue goes on being served. Lost
/// is a packet whose transmission ends from `at` (included) to `at + lasts` (excluded); what is on the
/// wire already arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blackout {
    /// When it begins.
    pub at: Time,
    /// How long it lasts.
    pub lasts: Span,
    /// Packets wait in the queue (the MAC holds them back) rather than being transmitted and lost. The one
    /// in transmission is suspended, and goes on with what is left of it when the blackout is over.
    pub hold: bool,
}

/// What happens at a change to packets on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum AtChange {
    /// They arrive over the old network.
    #[default]
    Deliver,
    /// They are lost.
    Lose,
}

/// A queue discipline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueueConfig {
    /// First in, first out; a packet that finds so many packets waiting is dropped.
    DropTail {
        /// Capacity in packets, at least 1.
        packets: u32,
    },
    /// First in, first out; a packet that would make the waiting bytes exceed this is dropped.
    DropTailBytes {
        /// Capacity in bytes.
        bytes: u64,
    },
    /// Two bands by [`Packet::low_priority`](crate::Packet::low_priority), that share the capacity. A packet of
    /// the high band is transmitted before all of the low one (the one in transmission goes on); within a band
    /// it is first in, first out. Where all places are taken a packet of the high band pushes out the one of the
    /// low band that came last, and is dropped if there is none; one of the low band is dropped.
    Priority {
        /// Capacity in packets, at least 1.
        packets: u32,
    },
    /// The same with a capacity in bytes: as many packets of the low band are pushed out as it takes, none if
    /// all of them would not be enough.
    PriorityBytes {
        /// Capacity in bytes.
        bytes: u64,
    },
}

/// How packets are transmitted.
#[derive(Clone, Debug, PartialEq)]
pub enum Service {
    /// At a constant rate.
    Constant(Rate),
    /// Without delay: no serialisation, nothing ever queues.
    Unlimited,
    /// At the delivery opportunities of a recorded trace, which starts with the run also where a change
    /// brings it in.
    Trace(Arc<RateTrace>),
}

/// One-way delay.
#[derive(Clone, Debug, PartialEq)]
pub enum Delay {
    /// The same for each packet.
    Constant(Span),
    /// From a recorded trace.
    Trace(Arc<DelayTrace>),
}

/// Loss on the link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Loss {
    /// None.
    None,
    /// Each packet with this probability, independently.
    Bernoulli(Probability),
    /// Two states with a transition before each packet (Gilbert 1960, Elliott 1963); good at first.
    GilbertElliott {
        /// Probability to go from good to bad at a packet.
        to_bad: Probability,
        /// Probability to go from bad to good at a packet.
        to_good: Probability,
        /// Loss probability in the good state.
        loss_good: Probability,
        /// Loss probability in the bad state.
        loss_bad: Probability,
    },
    /// ARC's model of a whole path (ARC paper, eq. 3): a wireless channel and a wired part that is congested at
    /// times, both good at first. What the wireless channel loses is a [`Cause::Error`](crate::Cause::Error), also
    /// where the wired part is bad too; the rest is [`Cause::Congestion`](crate::Cause::Congestion), which the MAC
    /// has transmitted and knows nothing of.
    Path(PathChain),
    /// Single bits go wrong. A packet of which they do is lost, unless it can carry them
    /// ([`Packet::damage`](crate::Packet::damage)).
    Bits(Channel),
}

impl Config {
    /// A link with constant rate and delay, no loss and a DropTail queue.
    pub fn constant(rate: Rate, delay: Span, queue_packets: u32) -> Self {
        Config {
            queue: QueueConfig::DropTail { packets: queue_packets },
            mark_at: None,
            initial: Conditions {
                name: Arc::from("link"),
                service: Service::Constant(rate),
                delay: Delay::Constant(delay),
                loss: Loss::None,
            },
            schedule: Vec::new(),
            blackouts: Vec::new(),
            at_change: AtChange::Deliver,
            report_window: Span::from_secs(1),
        }
    }

    /// The same with independent losses.
    #[must_use]
    pub fn with_loss(mut self, p: Probability) -> Self {
        self.initial.loss = Loss::Bernoulli(p);
        self
    }
}
