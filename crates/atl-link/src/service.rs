//! The transmitter: when the transmission of a packet ends.

use std::sync::Arc;

use atl_core::time::{Span, Time};

use crate::config::Service;
use crate::trace::{Cursor, OPPORTUNITY_BYTES, RateTrace};

/// A transmitter and how far it got.
#[derive(Clone, Debug)]
pub(crate) enum Transmitter {
    Constant {
        /// Infinite at rate zero.
        ns_per_byte: f64,
        /// Part of a nanosecond by which the last end was rounded down, so that rounding does not add up
        /// over a busy period; starts at one half, which rounds to the nearest.
        carry: f64,
    },
    Unlimited,
    Trace {
        trace: Arc<RateTrace>,
        cursor: Cursor,
    },
}

/// What is left of a packet's transmission, from a time on.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Job {
    pub(crate) from: Time,
    pub(crate) bytes: f64,
    /// Bytes of the trace's opportunity at `from` that this packet may still use.
    pub(crate) head: u32,
}

impl Transmitter {
    pub(crate) fn new(service: &Service) -> Self {
        match service {
            // 8e9 / 0 is infinite: the packet is never through.
            Service::Constant(rate) => Transmitter::Constant {
                ns_per_byte: 8e9 / rate.bps(),
                carry: 0.5,
            },
            Service::Unlimited => Transmitter::Unlimited,
            Service::Trace(trace) => Transmitter::Trace {
                trace: Arc::clone(trace),
                cursor: Cursor::new(),
            },
        }
    }

    /// Transmits `bytes` from `from` on; `fresh` unless this follows the last transmission without a gap.
    /// Gives the end, and the job for [`Transmitter::remaining`].
    #[inline]
    pub(crate) fn transmit(&mut self, from: Time, bytes: f64, fresh: bool) -> (Time, Job) {
        let mut job = Job {
            from,
            bytes,
            head: 0,
        };
        let end = match self {
            Transmitter::Constant { ns_per_byte, carry } => {
                let exact = bytes * *ns_per_byte + if fresh { 0.5 } else { *carry };
                let whole = exact as u64;
                *carry = exact - whole as f64;
                from.saturating_add(Span::from_nanos(whole))
            }
            Transmitter::Unlimited => from,
            Transmitter::Trace { trace, cursor } => {
                // Also not at `from` right after a change of conditions.
                if fresh || !cursor.is_at(trace, from) {
                    cursor.seek_after(trace, from);
                } else {
                    job.head = cursor.left();
                }
                cursor.carry(trace, (libm::ceil(bytes) as u32).max(1))
            }
        };
        (end, job)
    }

    /// What is left of `job` at `at`, before its end.
    pub(crate) fn remaining(&self, job: Job, at: Time) -> Job {
        if at <= job.from {
            return job;
        }
        let sent = match self {
            Transmitter::Constant { ns_per_byte, .. } => {
                at.since(job.from).nanos() as f64 / ns_per_byte
            }
            Transmitter::Unlimited => 0.0,
            Transmitter::Trace { trace, .. } => {
                let used = trace.opportunities_until(at) - trace.opportunities_until(job.from);
                f64::from(job.head) + used as f64 * f64::from(OPPORTUNITY_BYTES)
            }
        };
        Job {
            from: at,
            bytes: (job.bytes - sent).max(0.0),
            head: 0,
        }
    }
}
