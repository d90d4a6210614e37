//! A path of cells that loses, damages, repeats, misinserts and reorders them.

use atl_aal::aalt::control::{BitMap, Control};
use atl_aal::aalt::cp_arq::{self, MAX_PDU_OCTETS};
use atl_aal::aalt::{Connection, SequenceNumber, Tag};
use atl_aal::cell::{Cell, Header, HecReceiver};
use atl_aal::sar::{Reassembled, Reassembler, segment};
use std::collections::{BTreeMap, BTreeSet};

use crate::random::Random;

const VCI: u16 = 77;

/// Faults of a path: probabilities per cell, times in steps.
#[derive(Debug, Clone)]
pub(crate) struct Faults {
    pub(crate) loss: f64,
    pub(crate) damage: f64,
    pub(crate) repetition: f64,
    pub(crate) misinsertion: f64,
    pub(crate) reordering: f64,
    pub(crate) delay: u64,
    /// In every `period` steps nothing passes for `outage` steps, starting at a random step: a path
    /// that is always down exactly when the sender retransmits would let nothing through.
    pub(crate) period: u64,
    pub(crate) outage: u64,
}

impl Faults {
    pub(crate) const NONE: Faults = Faults {
        loss: 0.0,
        damage: 0.0,
        repetition: 0.0,
        misinsertion: 0.0,
        reordering: 0.0,
        delay: 2,
        period: 1,
        outage: 0,
    };
}

pub(crate) struct Path {
    faults: Faults,
    seed: u64,
    random: Random,
    in_flight: BTreeMap<(u64, u64), Cell>,
    entered: u64,
    hec: HecReceiver,
    reassembler: Reassembler,
    /// All PDUs ever sent.
    genuine: BTreeSet<Vec<u8>>,
    /// PDUs that were never sent although their check is correct.
    pub(crate) undetected: u64,
    pub(crate) arrived: u64,
}

impl Path {
    pub(crate) fn new(faults: Faults, seed: u64) -> Self {
        Path {
            faults,
            seed,
            random: Random(seed),
            in_flight: BTreeMap::new(),
            entered: 0,
            hec: HecReceiver::new(),
            reassembler: Reassembler::new(MAX_PDU_OCTETS),
            genuine: BTreeSet::new(),
            undetected: 0,
            arrived: 0,
        }
    }

    pub(crate) fn send(&mut self, step: u64, pdu: &[u8]) {
        self.genuine.insert(pdu.to_vec());
        for cell in segment(0, VCI, pdu).expect("a PDU fills whole cells") {
            if self.is_out(step) || self.random.happens(self.faults.loss) {
                continue;
            }
            self.enter(step, cell);
            if self.random.happens(self.faults.repetition) {
                self.enter(step, cell);
            }
            if self.random.happens(self.faults.misinsertion) {
                let foreign = self.foreign();
                self.enter(step, foreign);
            }
        }
    }

    fn is_out(&self, step: u64) -> bool {
        let Faults { period, outage, .. } = self.faults;
        let free = period.saturating_sub(outage) as usize + 1;
        let begin = Random(self.seed ^ (step / period)).below(free) as u64;
        (begin..begin + outage).contains(&(step % period))
    }

    fn enter(&mut self, step: u64, mut cell: Cell) {
        let mut arrival = step + self.faults.delay;
        if self.random.happens(self.faults.reordering) {
            arrival += 1 + self.random.below(12) as u64;
        }
        if self.random.happens(self.faults.damage) {
            let first = self.random.below(424);
            let reach = 1 + self.random.below(424 - first);
            for _ in 0..=self.random.below(8) {
                cell.flip(first + self.random.below(reach));
            }
        }
        self.in_flight.insert((arrival, self.entered), cell);
        self.entered += 1;
    }

    /// A cell of random octets, or a complete PDU of another connection with a correct check and a
    /// likely number.
    fn foreign(&mut self) -> Cell {
        let mut pdu = Vec::new();
        let other = Connection(0x4711);
        let likely = SequenceNumber(self.random.below(300) as u16);
        match self.random.below(3) {
            0 => cp_arq::encode(likely, b"of another connection", other, &mut pdu),
            1 => Control { tag: Tag(0), msn: likely, bitmap: BitMap::default() }
                .encode(other, &mut pdu),
            _ => pdu = (0..48).map(|_| self.random.bits() as u8).collect(),
        }
        let mut cells = segment(0, VCI, &pdu).expect("one cell");
        cells.next().expect("one cell")
    }

    /// The PDUs that have arrived by `step`. Those with undetectable errors are counted instead.
    pub(crate) fn arrive(
        &mut self,
        step: u64,
        is_accepted: impl Fn(&[u8]) -> bool,
    ) -> Vec<Vec<u8>> {
        let mut pdus = Vec::new();
        while let Some(entry) = self.in_flight.first_entry()
            && entry.key().0 <= step
        {
            let (header, cell) = match self.hec.receive_header(entry.remove()) {
                Some(passed) => passed,
                None => continue,
            };
            if (header.vpi(), header.vci()) != (0, VCI)
                || header.gfc() != Header::user(0, 0, true).gfc()
            {
                continue;
            }
            if let Reassembled::Pdu { pdu, .. } = self.reassembler.push(&cell) {
                self.arrived += 1;
                if is_accepted(pdu) && !self.genuine.contains(pdu) {
                    self.undetected += 1;
                } else {
                    pdus.push(pdu.to_vec());
                }
            }
        }
        pdus
    }
}
