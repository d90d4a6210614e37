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
}

impl Held {
    /// The answers of a flow whose receiver holds them back; `None` for all others.
    pub(super) fn new(plan: &FlowSetup) -> Option<Box<Held>> {
        match plan.receiver {
            ReceiverAwareness::Claims(claims) if claims.acks != AckTiming::Prompt => {
                Some(Box::new(Held { timing: claims.acks, waiting: VecDeque::new() }))
            }
            _ => None,
        }
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
