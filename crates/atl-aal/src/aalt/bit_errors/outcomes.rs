//! The bit error ratio from how many PDUs of each size got through.

use crate::model::bit_errors_from_cell_success;
use atl_core::units::Probability;
use libm::{exp, expm1, fabs, fmax, log1p};
use std::collections::{BTreeMap, VecDeque};

/// Steps of Newton's method; from four to six are taken.
const MOST_STEPS: u32 = 50;

/// The last transmissions of PDUs and what became of them.
#[derive(Debug, Clone)]
pub struct Outcomes {
    recent: VecDeque<(u16, bool)>,
    /// By cells a PDU: how many got through, how many did not.
    tally: BTreeMap<u16, (u64, u64)>,
    window: usize,
}

impl Outcomes {
    /// Over the last `window` transmissions, at least one.
    pub fn new(window: usize) -> Self {
        Outcomes { recent: VecDeque::new(), tally: BTreeMap::new(), window: window.max(1) }
    }

    /// Counts a transmission of a PDU of `cells` cells.
    pub fn record(&mut self, cells: u16, intact: bool) {
        if self.recent.len() == self.window
            && let Some((cells, intact)) = self.recent.pop_front()
            && let Some(entry) = self.tally.get_mut(&cells)
        {
            *if intact { &mut entry.0 } else { &mut entry.1 } -= 1;
            if *entry == (0, 0) {
                self.tally.remove(&cells);
            }
        }
        self.recent.push_back((cells, intact));
        let entry = self.tally.entry(cells).or_default();
        *if intact { &mut entry.0 } else { &mut entry.1 } += 1;
    }

    /// How many transmissions are counted.
    pub fn len(&self) -> usize {
        self.recent.len()
    }

    /// Whether none is counted.
    pub fn is_empty(&self) -> bool {
        self.recent.is_empty()
    }

    /// The probability that a cell arrives intact which makes the outcomes seen most likely (eq. 6 for each size). As long
    /// as all got through, one more that did not, as long as the last, is supposed, so that n successes bound the errors
    /// by about 1/n instead of claiming that there are none. `None` without outcomes.
    pub fn cell_success(&self) -> Option<Probability> {
        let (newest, _) = *self.recent.back()?;
        let arrived: f64 = self.tally.iter().map(|(s, (n, _))| f64::from(*s) * *n as f64).sum();
        if arrived <= 0.0 {
            return Some(Probability::clamped(0.0));
        }
        if self.tally.values().all(|(_, lost)| *lost == 0) {
            return Some(only_lost(f64::from(newest), 1.0, arrived));
        }
        let lost = self.tally.iter().filter(|(_, (_, n))| *n > 0);
        let lost: Vec<(f64, f64)> = lost.map(|(s, (_, n))| (f64::from(*s), *n as f64)).collect();
        Some(match lost[..] {
            [(cells, times)] => only_lost(cells, times, arrived),
            _ => several_lost(&lost, arrived),
        })
    }

    /// The bit error ratio with that cell success (eq. 8 inverted). `None` without outcomes.
    pub fn bit_errors(&self) -> Option<Probability> {
        self.cell_success().map(bit_errors_from_cell_success)
    }
}

// The derivative of the likelihood's logarithm falls with the cell success q: it is 0 where the cells that arrived, counted by
// PDU, are as many as the sum of n s q^s / (1 - q^s) over the sizes s of which n PDUs were lost.

/// That q if PDUs of one size only were lost.
fn only_lost(cells: f64, times: f64, arrived: f64) -> Probability {
    Probability::clamped(exp(-log1p(cells * times / arrived) / cells))
}

/// That q in general, by Newton's method on the inverse of the sum in u = -ln q, which is nearly a straight line.
fn several_lost(lost: &[(f64, f64)], arrived: f64) -> Probability {
    let (pdus, cells) = lost.iter().fold((0.0, 0.0), |(n, c), (s, k)| (n + k, c + s * k));
    let mut u = pdus / (arrived + 0.5 * cells);
    for _ in 0..MOST_STEPS {
        let (mut sum, mut slope) = (0.0, 0.0);
        for (cells, times) in lost {
            // 1 / (e^us - 1), and its derivative.
            let share = 1.0 / expm1(u * cells);
            sum += times * cells * share;
            slope += times * cells * cells * share * (1.0 + share);
        }
        let step = sum * (sum / arrived - 1.0) / slope;
        if !step.is_finite() || fabs(step) <= 1e-14 * u {
            break;
        }
        // Never across 0.
        u = fmax(u + step, 0.5 * u);
    }
    Probability::clamped(exp(-u))
}
