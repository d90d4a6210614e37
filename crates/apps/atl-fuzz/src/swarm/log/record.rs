//! The log of a run: all that happened to packets, and how much each flow had delivered by then.

use std::collections::BTreeMap;

use atl_core::time::Time;
use atl_engine::result::RunResult;
use atl_engine::setup::Setup;
use atl_sim::{Happening, PacketKind, Simulation};

/// A run that was watched.
#[derive(Debug)]
pub(in crate::swarm) struct Log {
    /// Steps of packets, in order.
    pub happenings: Vec<Happening>,
    /// For each flow, segments (paced: packets) and bytes delivered after that many happenings,
    /// where they have changed.
    pub delivered: Vec<Vec<(usize, u64, u64)>>,
    pub result: RunResult,
}

impl Log {
    /// Runs a setup and writes down what happens.
    pub(in crate::swarm) fn of(setup: &Setup, seed: u64) -> Log {
        let mut run = Simulation::watched(setup, seed);
        let mut happenings = Vec::new();
        let mut delivered = vec![vec![(0, 0, 0)]; run.flows()];
        while run.step(Time::MAX) {
            let new = run.take_happenings();
            if new.is_empty() {
                continue;
            }
            happenings.extend(new);
            for (flow, totals) in delivered.iter_mut().enumerate() {
                let now = (run.delivered(flow), run.delivered_bytes(flow));
                if totals.last().is_none_or(|last| (last.1, last.2) != now) {
                    totals.push((happenings.len(), now.0, now.1));
                }
            }
        }
        Log { happenings, delivered, result: run.run() }
    }
}

/// Tells packets apart, but for copies.
pub(super) type Key = (usize, u8, u32, u32, Time, u16);

/// The key of a packet.
pub(super) fn key(happening: &Happening) -> Key {
    let Happening { flow, kind, seq, tx, sent_at, bytes, .. } = *happening;
    (flow, kind as u8, seq, tx, sent_at, bytes)
}

/// Counts of things by what they are; nothing is kept of what there is none of.
#[derive(Debug)]
pub(super) struct Bag<K>(BTreeMap<K, Vec<usize>>);

impl<K: Ord> Default for Bag<K> {
    fn default() -> Self {
        Bag(BTreeMap::new())
    }
}

impl<K: Ord> Bag<K> {
    pub(super) fn put(&mut self, key: K, index: usize) {
        self.0.entry(key).or_default().push(index);
    }

    /// Takes the oldest of its kind.
    pub(super) fn take(&mut self, key: &K) -> Option<usize> {
        let of_kind = self.0.get_mut(key)?;
        let first = of_kind.remove(0);
        if of_kind.is_empty() {
            self.0.remove(key);
        }
        Some(first)
    }

    pub(super) fn has(&self, key: &K) -> bool {
        self.0.contains_key(key)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn any(&self) -> Option<&K> {
        self.0.keys().next()
    }
}

/// True for packets that go from the sender of the data to its receiver.
pub(super) fn goes_forward(kind: PacketKind) -> bool {
    kind.is_for_receiver()
}
