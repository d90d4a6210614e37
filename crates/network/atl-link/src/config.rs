//! Configuration of a link.

use std::sync::Arc;

use atl_core::model::PathChain;
use atl_core::time::{Span, Time};
use atl_core::units::{Probability, Rate};

use crate::blockage::Blockage;
use crate::channel::Channel;
use crate::ecn::EcnRule;
use crate::grants::Grants;
use crate::jitter::{Jitter, Reorder};
use crate::limit::Limit;
use crate::ramp::Ramp;
use crate::reconfiguration::Reconfiguration;
use crate::reporting::ReportError;
use crate::trace::{DelayTrace, RateTrace};
use crate::wifi::Wifi;

mod discipline;
mod early;

pub use discipline::DisciplineConfig;
pub use early::{DropCurve, QueueAverage, Red, Wred};

/// One direction of a link: queue, transmitter, loss, delay, and how they change over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// The queue before the transmitter, until conditions bring [another](Conditions::queue). The
    /// packet in transmission is not in it.
    pub queue: QueueConfig,
    /// A token bucket that delays transmissions; it goes on over changes.
    pub shaper: Option<Shaper>,
    /// A packet is [marked](crate::Packet::mark) if it finds at least this many waiting in that
    /// queue (not counting the one in transmission; 0 counts as 1). `None` marks no packet.
    pub mark_at: Option<u32>,
    /// Treatment of the ECN field of each packet.
    pub ecn: EcnRule,
    /// Conditions at the start.
    pub initial: Conditions,
    /// Changes of conditions (handoffs), in order of time.
    pub schedule: Vec<Change>,
    /// Intervals in which nothing gets through. Overlapping blackouts of the same kind are joined.
    pub blackouts: Vec<Blackout>,
    /// The fate of packets on the wire at a change.
    pub at_change: AtChange,
    /// Window of the MAC's loss measurement for link reports; zero means from the start of the run.
    pub report_window: Span,
    /// Errors of link reports.
    pub report_error: ReportError,
}

/// A token bucket between the queue and the transmitter: a packet is transmitted, at the link's
/// rate, once there are tokens for all of its bytes. The packet that waits for them has left the
/// queue, as in Linux's TBF. A packet longer than the burst takes a full bucket, and the rest from
/// those after it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shaper {
    /// Tokens, each for a byte, come at this rate: above 0.
    pub rate: Rate,
    /// Bytes of tokens that are kept, above 0: so many bytes pass at the link's rate after a time
    /// without traffic.
    pub burst: u64,
}

/// The conditions of one network.
#[derive(Clone, Debug, PartialEq)]
pub struct Conditions {
    /// Display name of the network.
    pub name: Arc<str>,
    /// A queue of the network's own. `None` leaves the one before as it is, with the packets that
    /// wait there, and so does one of the same configuration. Any other begins as at the start of a
    /// run, and takes these packets at the change, in the order in which they would have been
    /// transmitted, as if they came then: those that find no room are dropped at that time. The one
    /// before judges them as at any departure, and may mark or drop some.
    pub queue: Option<Buffer>,
    /// Transmission rate.
    pub service: Service,
    /// One-way delay after transmission. Packets stay in order even when it shrinks.
    pub delay: Delay,
    /// A random part of the delay.
    pub jitter: Option<Jitter>,
    /// Packets that come late.
    pub reorder: Option<Reorder>,
    /// Delays that step at fixed intervals, with losses.
    pub reconfiguration: Option<Reconfiguration>,
    /// Grants that packets wait for after their transmission.
    pub grants: Option<Grants>,
    /// Share of the packets that arrive which arrive twice, drawn for each: Linux's netem has it as
    /// `duplicate`. The copy comes right behind its packet, and takes neither room in the queue nor
    /// time at the transmitter. It stands for retransmissions below IP whose acknowledgment was
    /// lost, and for loops; not for copies over a second path, which come at another time.
    pub duplicate: Probability,
    /// Loss ahead of the queue: what is lost takes no room and no transmission time, as with
    /// netem's `loss`, or an overloaded device before the link. The link's MAC does not see it, and
    /// it counts as dropped. [`Loss::Bits`] and [`Loss::Path`] lose as if they were none here.
    pub ingress: Loss,
    /// Loss after transmission.
    pub loss: Loss,
}

/// A queue of one network.
#[derive(Clone, Debug, PartialEq)]
pub struct Buffer {
    /// The queue, in place of [`Config::queue`].
    pub queue: QueueConfig,
    /// The length at which it marks, in place of [`Config::mark_at`].
    pub mark_at: Option<u32>,
}

/// A change of conditions.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Time of the change.
    pub at: Time,
    /// Conditions from then on.
    pub to: Conditions,
}

/// An interval in which the link is dead. It loses what it transmits, and keeps serving its queue:
/// a packet is lost if its transmission ends from `at` (included) to `at + lasts` (excluded).
/// Packets already on the wire arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blackout {
    /// Start.
    pub at: Time,
    /// Duration.
    pub lasts: Span,
    /// Hold packets in the queue instead of transmitting and losing them. The transmission in
    /// progress is suspended and resumes after the blackout.
    pub hold: bool,
}

/// The fate of packets on the wire at a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum AtChange {
    /// They arrive over the old network.
    #[default]
    Deliver,
    /// They are lost.
    Lose,
}

/// A queue discipline.
#[derive(Clone, Debug, PartialEq)]
pub enum QueueConfig {
    /// First in, first out. A packet that finds `packets` packets waiting is dropped.
    DropTail {
        /// Capacity in packets, at least 1.
        packets: u32,
    },
    /// First in, first out. A packet that would bring the waiting bytes above `bytes` is dropped.
    DropTailBytes {
        /// Capacity in bytes.
        bytes: u64,
    },
    /// Two bands by [`Packet::low_priority`](crate::Packet::low_priority) that share the capacity.
    /// The high band is served before the low one, without preempting the packet in transmission;
    /// each band is first in, first out. If the queue is full, a high-priority packet pushes out
    /// the low-priority packet that came last, or is dropped if there is none; a low-priority
    /// packet is dropped.
    Priority {
        /// Capacity in packets, at least 1.
        packets: u32,
    },
    /// The same with a capacity in bytes. As many low-priority packets are pushed out as necessary;
    /// none if even all of them would not make enough room.
    PriorityBytes {
        /// Capacity in bytes.
        bytes: u64,
    },
    /// First in, first out, with random early detection: packets are dropped at random before the
    /// queue is full.
    Red(Red),
    /// The same with two precedences, by [`Packet::low_priority`](crate::Packet::low_priority): one
    /// average, and a drop curve for each. Packets stay in order of arrival, whatever their
    /// precedence.
    Wred(Wred),
    /// A discipline that others provide.
    Custom {
        /// The capacity.
        limit: Limit,
        /// The discipline's parameters.
        discipline: DisciplineConfig,
    },
}

/// The transmitter: the rate at which packets are serialised.
#[derive(Clone, Debug, PartialEq)]
pub enum Service {
    /// At a constant rate.
    Constant(Rate),
    /// At a rate that changes evenly from the beginning of these conditions, and then stays. It
    /// goes on over a change that leaves it as it is.
    Ramp(Ramp),
    /// At one of two rates, as the line of sight is clear or blocked. It goes on over a change that
    /// leaves it as it is.
    Blocked(Blockage),
    /// In aggregates, when a station of Wi-Fi gets its channel. It goes on over a change that
    /// leaves it as it is. At any other, what it has to send again is on the wire. Blackouts that
    /// hold packets let an aggregate under way end; a [shaper](Config::shaper) does not go with it.
    Wifi(Wifi),
    /// Instantly: no serialisation delay, and no queueing.
    Unlimited,
    /// At the delivery opportunities of a recorded trace. The trace starts at time 0 (or where
    /// [`Link::with_trace_offset`](crate::Link::with_trace_offset) says), even if a change brings
    /// it in later.
    Trace(Arc<RateTrace>),
}

/// One-way delay.
#[derive(Clone, Debug, PartialEq)]
pub enum Delay {
    /// The same for every packet.
    Constant(Span),
    /// From a recorded trace.
    Trace(Arc<DelayTrace>),
}

/// Packet loss on the link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Loss {
    /// Takes every packet, however many wait.
    None,
    /// Each packet is lost with this probability, independently.
    Bernoulli(Probability),
    /// Two states with a transition before each packet (Gilbert 1960, Elliott 1963). The initial
    /// state is good.
    GilbertElliott {
        /// Transition probability from good to bad, per packet.
        to_bad: Probability,
        /// Transition probability from bad to good, per packet.
        to_good: Probability,
        /// Loss probability in the good state.
        loss_good: Probability,
        /// Loss probability in the bad state.
        loss_bad: Probability,
    },
    /// Two states that last for times, whatever is sent meanwhile: a burst takes all that is
    /// transmitted in it. Both times are exponentially distributed (a Markov chain in continuous
    /// time). The initial state is good. A packet meets the state at the end of its transmission.
    Bursts {
        /// Mean time in the good state, above zero.
        good: Span,
        /// Mean time in the bad state, above zero.
        bad: Span,
        /// Loss probability in the good state.
        loss_good: Probability,
        /// Loss probability in the bad state.
        loss_bad: Probability,
    },
    /// ARC's model of a whole path (ARC paper, eq. 3): a wireless channel and a wired part that is
    /// congested at times; both start in the good state. A loss on the wireless channel is a
    /// [`Cause::Error`](crate::Cause::Error), even if the wired part is bad as well. Any other loss
    /// is [`Cause::Congestion`](crate::Cause::Congestion): the MAC transmitted the packet and does
    /// not see the loss.
    Path(PathChain),
    /// Bit errors. A packet with bit errors is lost unless it can carry them
    /// ([`Packet::damage`](crate::Packet::damage)).
    Bits(Channel),
}

impl QueueConfig {
    /// The capacity.
    pub fn limit(&self) -> Limit {
        match self {
            QueueConfig::DropTail { packets } | QueueConfig::Priority { packets } => {
                Limit::Packets(*packets)
            }
            QueueConfig::DropTailBytes { bytes } | QueueConfig::PriorityBytes { bytes } => {
                Limit::Bytes(*bytes)
            }
            QueueConfig::Custom { limit, .. } => *limit,
            QueueConfig::Red(red) => red.limit,
            QueueConfig::Wred(wred) => wred.limit,
        }
    }
}

impl Service {
    /// The rate, on average over a recorded trace and over blockages, half-way up or down a ramp,
    /// of a station of Wi-Fi that always has packets of 1500 bytes; `None` where
    /// transmission takes no time.
    pub fn mean_rate(&self) -> Option<Rate> {
        match self {
            Service::Constant(rate) => Some(*rate),
            Service::Ramp(ramp) => Some(ramp.mean()),
            Service::Blocked(blockage) => Some(blockage.mean()),
            Service::Wifi(wifi) => Some(wifi.mean_rate()),
            Service::Unlimited => None,
            Service::Trace(trace) => Some(trace.mean_rate()),
        }
    }
}

impl Config {
    /// A link with constant rate and delay, no loss, and a DropTail queue of `queue_packets`
    /// packets.
    pub fn constant(rate: Rate, delay: Span, queue_packets: u32) -> Self {
        Config {
            queue: QueueConfig::DropTail { packets: queue_packets },
            shaper: None,
            mark_at: None,
            ecn: EcnRule::Keep,
            initial: Conditions {
                name: Arc::from("link"),
                queue: None,
                service: Service::Constant(rate),
                delay: Delay::Constant(delay),
                jitter: None,
                reorder: None,
                reconfiguration: None,
                grants: None,
                duplicate: Probability::ZERO,
                ingress: Loss::None,
                loss: Loss::None,
            },
            schedule: Vec::new(),
            blackouts: Vec::new(),
            at_change: AtChange::Deliver,
            report_window: Span::from_secs(1),
            report_error: ReportError::NONE,
        }
    }

    /// The rate under these conditions: that of their service, or of the shaper if that is lower.
    pub fn rate_of(&self, conditions: &Conditions) -> Option<Rate> {
        let service = conditions.service.mean_rate();
        let Some(Shaper { rate, .. }) = self.shaper else { return service };
        Some(service.filter(|service| service.bps() < rate.bps()).unwrap_or(rate))
    }

    /// The queue that the conditions of index `index` bring, 0 those at the start, and the length
    /// at which it marks. `None` where a change keeps the queue before it.
    pub(crate) fn queue_of(&self, index: usize) -> Option<(&QueueConfig, Option<u32>)> {
        let own = match index.checked_sub(1) {
            None => &self.initial.queue,
            Some(change) => &self.schedule.get(change)?.to.queue,
        };
        match own {
            Some(buffer) => Some((&buffer.queue, buffer.mark_at)),
            None => (index == 0).then_some((&self.queue, self.mark_at)),
        }
    }

    /// The same link with independent packet loss.
    #[must_use]
    pub fn with_loss(mut self, p: Probability) -> Self {
        self.initial.loss = Loss::Bernoulli(p);
        self
    }
}
