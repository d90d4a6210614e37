//! The bit error ratio from the number of PDUs of each size that got through.

use crate::model::bit_errors_from_cell_success;
use atl_core::units::Probability;
use libm::{exp, expm1, fabs, fmax, log1p};
use std::collections::{BTreeMap, VecDeque};

/// Limit on the steps of Newton's method, which takes four to six.
const MAX_STEPS: u32 = 50;

/// The outcomes of the most recent PDU transmissions.
#[derive(Debug, Clone)]
pub struct Outcomes {
    recent: VecDeque<(u16, bool)>,
    /// By cells per PDU: the number that got through and the number that did not.
    tally: BTreeMap<u16, (u64, u64)>,
    window: usize,
}

impl Outcomes {
    /// Covers the last `window` transmissions, at least one.
    pub fn new(window: usize) -> Self {
        Outcomes { recent: VecDeque::new(), tally: BTreeMap::new(), window: window.max(1) }
    }

    /// Records the outcome of a PDU of `cells` cells.
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

    /// The number of transmissions recorded.
    pub fn len(&self) -> usize {
        self.recent.len()
    }

    /// True before the first recorded transmission.
    pub fn is_empty(&self) -> bool {
        self.recent.is_empty()
    }

    /// Maximum likelihood estimate of the probability that a cell arrives intact (eq. 6 for each
    /// size). While every PDU has got through, one additional failure of the last size is assumed,
    /// so that n successes bound the error ratio by about 1/n instead of suggesting 0. `None`
    /// without outcomes.
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

    /// The bit error ratio for that estimate (inverse of eq. 8). `None` without outcomes.
    pub fn bit_errors(&self) -> Option<Probability> {
        self.cell_success().map(bit_errors_from_cell_success)
    }
}

// The derivative of the log likelihood decreases with the cell success q. It is 0 where the number
// of cells in PDUs that arrived equals the sum of n s q^s / (1 - q^s) over all sizes s of which n
// PDUs were lost.

/// That q if all lost PDUs have one size.
fn only_lost(cells: f64, times: f64, arrived: f64) -> Probability {
    Probability::clamped(exp(-log1p(cells * times / arrived) / cells))
}

/// That q in general, by Newton's method on the reciprocal of the sum as a function of u = -ln q,
/// which is nearly linear.
fn several_lost(lost: &[(f64, f64)], arrived: f64) -> Probability {
    let (pdus, cells) = lost.iter().fold((0.0, 0.0), |(n, c), (s, k)| (n + k, c + s * k));
    let mut u = pdus / (arrived + 0.5 * cells);
    for _ in 0..MAX_STEPS {
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
        // Keeps u positive.
        u = fmax(u + step, 0.5 * u);
    }
    Probability::clamped(exp(-u))
}
