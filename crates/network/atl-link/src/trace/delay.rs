//! One-way delay over time.

use atl_core::time::{Span, Time};

use super::error::{TraceError, TraceErrorKind};

const ALLOWED: &str = "a number of milliseconds from 0 to 1000000 (such as 23 or 23.5)";
const MAX_MS: f64 = 1e6;

/// One-way delay over time: one value per step. After the last step the trace repeats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DelayTrace {
    step: Span,
    /// Not empty.
    delays: Box<[Span]>,
}

impl DelayTrace {
    /// Duration of one line in this format.
    pub const STEP: Span = Span::from_millis(10);

    /// Parses a trace: one delay per line, in milliseconds, each lasting [`DelayTrace::STEP`].
    /// Blank lines are skipped.
    ///
    /// # Errors
    /// If a line is not a number from 0 to 1 000 000, or if all lines are blank.
    pub fn parse(text: &str) -> Result<Self, TraceError> {
        let mut delays = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let value = line.trim();
            if value.is_empty() {
                continue;
            }
            match value.parse::<f64>() {
                Ok(ms) if (0.0..=MAX_MS).contains(&ms) => {
                    delays.push(Span::from_secs_f64(ms / 1e3));
                }
                _ => {
                    let kind = TraceErrorKind::NotANumber { allowed: ALLOWED };
                    let shown = if delays.is_empty() { "" } else { value };
                    return Err(TraceError::at(index + 1, shown, kind));
                }
            }
        }
        if delays.is_empty() {
            return Err(TraceError::whole(TraceErrorKind::Empty));
        }
        Ok(DelayTrace { step: Self::STEP, delays: delays.into_boxed_slice() })
    }

    /// The same delays with another step; a step of zero counts as 1 ns.
    #[must_use]
    pub fn with_step(mut self, step: Span) -> Self {
        self.step = step.max(Span::from_nanos(1));
        self
    }

    /// Duration of each delay.
    pub fn step(&self) -> Span {
        self.step
    }

    /// The delays of one period, in order.
    pub fn delays(&self) -> &[Span] {
        &self.delays
    }

    /// The period: the time after which the trace repeats.
    pub fn duration(&self) -> Span {
        self.step * self.delays.len() as u64
    }

    /// The delay at `t`.
    pub fn at(&self, t: Time) -> Span {
        let steps = t.nanos() / self.step.nanos();
        self.delays[(steps % self.delays.len() as u64) as usize]
    }
}
