//! Answers that a receiver holds back.

use std::collections::VecDeque;

use atl_core::time::Time;
use atl_endpoint::claims::AckTiming;
use atl_engine::setup::{FlowSetup, ReceiverAwareness};

use crate::packet::Packet;

/// Answers waiting to leave, in order.
#[derive(Debug)]
pub(crate) struct Held {
    timing: AckTiming,
    waiting: VecDeque<(Time, Packet)>,
    /// Answers since the last one that left, where only some do.
    spared: u32,
}

impl Held {
    /// The answers of a flow whose receiver holds them back; `None` for all others.
    pub(super) fn new(plan: &FlowSetup) -> Option<Box<Held>> {
        match plan.receiver {
            ReceiverAwareness::Claims(claims) if claims.acks != AckTiming::Prompt => {
                Some(Box::new(Held { timing: claims.acks, waiting: VecDeque::new(), spared: 0 }))
            }
            _ => None,
        }
    }

    /// True if an answer that is ready now never leaves, as a later one will cover it.
    pub(crate) fn spares(&mut self) -> bool {
        let AckTiming::Thin(of) = self.timing else { return false };
        self.spared += 1;
        if self.spared < of {
            return true;
        }
        self.spared = 0;
        false
    }

    /// When an answer that is ready now leaves: not before those that wait already.
    pub(crate) fn leaves(&self, now: Time, sent_at: Time) -> Time {
        let last = self.waiting.back().map_or(now, |(at, _)| *at);
        self.timing.leaves(now, sent_at).max(last)
    }

    /// Keeps an answer until it leaves. True if nothing waited before it.
    pub(crate) fn hold(&mut self, leaves: Time, packet: Packet) -> bool {
        self.waiting.push_back((leaves, packet));
        self.waiting.len() == 1
    }

    /// The next answer that leaves by `now`.
    pub(crate) fn pop(&mut self, now: Time) -> Option<Packet> {
        self.waiting.pop_front_if(|(at, _)| *at <= now).map(|(_, packet)| packet)
    }

    /// When the next one leaves.
    pub(crate) fn next(&self) -> Option<Time> {
        self.waiting.front().map(|(at, _)| *at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_answer_in_three_leaves() {
        let held = |timing| Held { timing, waiting: VecDeque::new(), spared: 0 };
        let mut thin = held(AckTiming::Thin(3));
        let spared: Vec<bool> = (0..7).map(|_| thin.spares()).collect();
        assert_eq!(spared, [true, true, false, true, true, false, true]);
        assert!(!held(AckTiming::Prompt).spares());
    }
}
