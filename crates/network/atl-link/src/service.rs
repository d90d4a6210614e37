//! The transmitter: when the transmission of a packet ends.

use std::sync::Arc;

use atl_core::time::{Span, Time};
use atl_core::units::Rate;

use crate::blockage::Sight;
use crate::bucket::TokenBucket;
use crate::config::{Config, Service};
use crate::ramp::Slope;
use crate::random::Stream;
use crate::trace::{Cursor, OPPORTUNITY_BYTES, RateTrace};

/// A transmitter and its progress.
#[derive(Clone, Debug)]
pub(crate) enum Transmitter {
    Constant(Constant),
    Unlimited,
    Ramp(Box<Slope>),
    Blocked(Box<Sight>),
    /// A station of Wi-Fi sends in its own way: this stands for it where a rate is asked for.
    Radio {
        ns_per_byte: f64,
    },
    /// `offset` is the trace's own time when the link's is zero.
    Trace {
        trace: Arc<RateTrace>,
        cursor: Cursor,
        offset: Span,
    },
    Shaped(Box<Shaped>),
}

/// A transmitter behind a token bucket.
#[derive(Clone, Debug)]
pub(crate) struct Shaped {
    bucket: TokenBucket,
    /// The bucket lets the packet of the current job through at this time.
    begins: Time,
    inner: Transmitter,
}

/// A constant rate. Rounding to whole nanoseconds does not add up over a busy period.
#[derive(Clone, Debug)]
pub(crate) struct Constant {
    /// Infinite at rate zero.
    ns_per_byte: f64,
    /// Fraction of a nanosecond by which the last end was rounded down; one half at the start of a
    /// busy period, which rounds to nearest.
    carry: f64,
    /// The last length and its transmission time, as whole nanoseconds and a fraction: most packets
    /// are as long as the previous one, and the conversion to an integer is slow.
    bytes: f64,
    whole: u64,
    part: f64,
}

impl Constant {
    fn new(rate: Rate) -> Self {
        // 8e9 / 0 is infinite: a transmission never ends.
        let ns_per_byte = 8e9 / rate.bps();
        Constant { ns_per_byte, carry: 0.5, bytes: 0.0, whole: 0, part: 0.0 }
    }

    /// The end of a transmission.
    #[inline]
    pub(crate) fn transmit(&mut self, from: Time, bytes: f64, fresh: bool) -> Time {
        from.saturating_add(Span::from_nanos(self.nanos(bytes, fresh)))
    }

    /// Transmission time of `bytes`, in nanoseconds.
    #[inline]
    fn nanos(&mut self, bytes: f64, fresh: bool) -> u64 {
        if bytes.to_bits() != self.bytes.to_bits() {
            self.measure(bytes);
        }
        let carry = if fresh { 0.5 } else { self.carry } + self.part;
        if carry < 1.0 {
            self.carry = carry;
            self.whole
        } else {
            self.carry = carry - 1.0;
            self.whole.saturating_add(1)
        }
    }

    fn measure(&mut self, bytes: f64) {
        let exact = bytes * self.ns_per_byte;
        self.bytes = bytes;
        self.whole = exact as u64;
        // No fraction if the time saturates, so that it is always below 1 ns.
        self.part = if exact < u64::MAX as f64 { exact - self.whole as f64 } else { 0.0 };
    }
}

/// The rest of a packet's transmission, from a time on.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Job {
    pub(crate) from: Time,
    pub(crate) bytes: f64,
    /// Bytes left in the trace's opportunity at `from`, which this packet may use.
    pub(crate) head: u32,
}

impl Transmitter {
    /// A transmitter for conditions that begin at `begins`. Blockages draw from `shared`, which
    /// both directions of a link may have.
    fn new(service: &Service, (offset, shared): (Span, &Stream), begins: Time) -> Self {
        match service {
            Service::Constant(rate) => Transmitter::Constant(Constant::new(*rate)),
            Service::Unlimited => Transmitter::Unlimited,
            Service::Ramp(ramp) => Transmitter::Ramp(Box::new(Slope::new(*ramp, begins))),
            Service::Blocked(blockage) => {
                Transmitter::Blocked(Box::new(Sight::new(*blockage, begins, shared.clone())))
            }
            Service::Wifi(wifi) => Transmitter::Radio { ns_per_byte: 8e9 / wifi.mean_rate().bps() },
            Service::Trace(trace) => {
                Transmitter::Trace { trace: Arc::clone(trace), cursor: Cursor::new(), offset }
            }
        }
    }

    /// That of a link at the start, behind its shaper if it has one.
    pub(crate) fn of_link(config: &Config, begins: (Span, &Stream)) -> Self {
        let inner = Transmitter::new(&config.initial.service, begins, Time::ZERO);
        match config.shaper {
            None => inner,
            Some(shaper) => {
                let bucket = TokenBucket::new(shaper.rate, shaper.burst);
                Transmitter::Shaped(Box::new(Shaped { bucket, begins: Time::ZERO, inner }))
            }
        }
    }

    /// Serves in another way from `at` on. A shaper stays, and so does a ramp or a blockage that is
    /// the same.
    pub(crate) fn change(&mut self, service: &Service, begins: (Span, &Stream), at: Time) {
        match (self, service) {
            (Transmitter::Shaped(shaped), _) => shaped.inner.change(service, begins, at),
            (Transmitter::Ramp(slope), Service::Ramp(ramp)) if slope.ramp == *ramp => {}
            (Transmitter::Blocked(sight), Service::Blocked(same)) if sight.config == *same => {}
            (other, _) => *other = Transmitter::new(service, begins, at),
        }
    }

    /// Goes on with a packet of which `bytes` are left, from `from` on. A shaper has its tokens
    /// already.
    pub(crate) fn resume(&mut self, from: Time, bytes: f64, job: &mut Job) -> Time {
        match self {
            Transmitter::Shaped(shaped) => shaped.inner.resume(from.max(shaped.begins), bytes, job),
            other => other.transmit(from, bytes, true, job),
        }
    }

    /// Transmits `bytes` from `from` on; `fresh` unless this follows the last transmission without
    /// a gap. Returns the end and writes the job for [`Transmitter::remaining`] into `job`.
    /// Returned as a pair, both would be written field by field and read back as one word, a
    /// store-forwarding stall that takes longer than everything else here.
    #[inline]
    pub(crate) fn transmit(&mut self, from: Time, bytes: f64, fresh: bool, job: &mut Job) -> Time {
        *job = Job { from, bytes, head: 0 };
        // One comparison for most links.
        match self {
            Transmitter::Constant(constant) => constant.transmit(from, bytes, fresh),
            other => other.transmit_otherwise(from, bytes, fresh, job),
        }
    }

    /// The same for a transmitter without a constant rate.
    #[inline]
    fn transmit_otherwise(&mut self, from: Time, bytes: f64, fresh: bool, job: &mut Job) -> Time {
        match self {
            Transmitter::Constant(constant) => constant.transmit(from, bytes, fresh),
            Transmitter::Unlimited | Transmitter::Radio { .. } => from,
            Transmitter::Ramp(slope) => slope.end(from, bytes),
            Transmitter::Blocked(sight) => sight.end(from, bytes),
            Transmitter::Shaped(shaped) => shaped.transmit(from, bytes, fresh, job),
            Transmitter::Trace { trace, cursor, offset } => {
                let from = from.saturating_add(*offset);
                // Right after a change of conditions the cursor is not at `from` either.
                if fresh || !cursor.is_at(trace, from) {
                    cursor.seek_after(trace, from);
                } else {
                    job.head = cursor.left();
                }
                match cursor.carry(trace, (libm::ceil(bytes) as u32).max(1)) {
                    Time::MAX => Time::MAX,
                    end => Time::ZERO + end.since(Time::ZERO + *offset),
                }
            }
        }
    }

    /// Mean transmission time of a byte in nanoseconds, on a ramp half-way, at a station's share of
    /// its cell: 0 where service is instant, infinite at rate zero.
    pub(crate) fn ns_per_byte(&self) -> f64 {
        match self {
            Transmitter::Constant(constant) => constant.ns_per_byte,
            Transmitter::Unlimited => 0.0,
            Transmitter::Ramp(slope) => slope.ns_per_byte(),
            Transmitter::Blocked(sight) => 8e9 / sight.config.mean().bps(),
            Transmitter::Radio { ns_per_byte } => *ns_per_byte,
            Transmitter::Shaped(shaped) => shaped.inner.ns_per_byte(),
            Transmitter::Trace { trace, .. } => 8e9 / trace.mean_rate().bps(),
        }
    }

    /// The rest of `job` at `at`, which is before its end.
    pub(crate) fn remaining(&self, job: Job, at: Time) -> Job {
        if at <= job.from {
            return job;
        }
        let sent = match self {
            Transmitter::Constant(constant) => {
                at.since(job.from).nanos() as f64 / constant.ns_per_byte
            }
            Transmitter::Unlimited | Transmitter::Radio { .. } => 0.0,
            Transmitter::Ramp(slope) => slope.between(job.from, at),
            Transmitter::Blocked(sight) => sight.between(job.from, at),
            Transmitter::Shaped(shaped) => return shaped.inner.remaining(job, at),
            Transmitter::Trace { trace, offset, .. } => {
                let until = |t: Time| trace.opportunities_until(t.saturating_add(*offset));
                let used = until(at) - until(job.from);
                f64::from(job.head) + used as f64 * f64::from(OPPORTUNITY_BYTES)
            }
        };
        Job { from: at, bytes: (job.bytes - sent).max(0.0), head: 0 }
    }
}

impl Shaped {
    /// The packet waits for its tokens in the transmitter.
    #[cold]
    fn transmit(&mut self, from: Time, bytes: f64, fresh: bool, job: &mut Job) -> Time {
        // A packet that begins has whole bytes.
        self.begins = self.bucket.wait(from, bytes as u32);
        let fresh = fresh || self.begins > from;
        self.inner.transmit(self.begins, bytes, fresh, job)
    }
}
