//! The bit error ratio from how many PDUs of each size got through.

use crate::model::bit_errors_from_cell_success;
use atl_core::units::Probability;
use std::collections::{BTreeMap, VecDeque};

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
        let supposed = u64::from(self.tally.values().all(|(_, lost)| *lost == 0));
        let arrived: f64 = self.tally.iter().map(|(s, (n, _))| f64::from(*s) * *n as f64).sum();
        if arrived <= 0.0 {
            return Some(Probability::clamped(0.0));
        }
        // The derivative of the likelihood's logarithm falls with q: arrived = sum of s q^s / (1 - q^s) over what was lost.
        let lost = |q: f64| {
            let of = |cells: u16, n: u64| {
                if n == 0 {
                    return 0.0;
                }
                let through = power(q, cells);
                n as f64 * f64::from(cells) * through / (1.0 - through)
            };
            self.tally.iter().map(|(s, (_, n))| of(*s, *n)).sum::<f64>() + of(newest, supposed)
        };
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..60 {
            let q = 0.5 * (low + high);
            if lost(q) < arrived {
                low = q;
            } else {
                high = q;
            }
        }
        Some(Probability::clamped(0.5 * (low + high)))
    }

    /// The bit error ratio with that cell success (eq. 8 inverted). `None` without outcomes.
    pub fn bit_errors(&self) -> Option<Probability> {
        self.cell_success().map(bit_errors_from_cell_success)
    }
}

/// `q` to a whole power, by squaring: the same on every machine, and much faster than a power of real numbers.
fn power(mut q: f64, mut exponent: u16) -> f64 {
    let mut product = 1.0;
    while exponent > 0 {
        if exponent & 1 == 1 {
            product *= q;
        }
        q *= q;
        exponent >>= 1;
    }
    product
}
