//! A quantity that holds for a while, then another value of it, and so on.

use super::problem::Problem;
use super::span::seconds;

/// A value, and how long it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// In nanoseconds, above 0.
    pub nanos: u64,
    /// A rate in bits per second, or a delay in nanoseconds.
    pub value: u64,
}

/// Time that nobody measured. A trace has no room for it, so it is left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gaps {
    /// Their number.
    pub count: u64,
    /// The longest, in nanoseconds.
    pub longest: u64,
}

/// A quantity over time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Curve {
    /// In order.
    pub steps: Vec<Step>,
    /// Pauses of the measurement between them, left out.
    pub gaps: Gaps,
    /// Rows without a value, during which the one before them held on.
    pub blanks: u64,
}

impl Curve {
    /// Its duration in nanoseconds.
    pub fn nanos(&self) -> u64 {
        self.steps.iter().fold(0, |sum: u64, step| sum.saturating_add(step.nanos))
    }

    pub(super) fn push(&mut self, nanos: u64, value: u64) {
        match self.steps.last_mut() {
            Some(last) if last.value == value => last.nanos = last.nanos.saturating_add(nanos),
            _ if nanos > 0 => self.steps.push(Step { nanos, value }),
            _ => {}
        }
    }

    pub(super) fn leave_out(&mut self, nanos: u64) {
        if nanos > 0 {
            self.gaps.count += 1;
            self.gaps.longest = self.gaps.longest.max(nanos);
        }
    }

    /// The part that begins after `begin` nanoseconds and lasts for `duration` at most.
    pub(super) fn cut(mut self, begin: u64, duration: Option<u64>) -> Result<Curve, Problem> {
        let whole = self.nanos();
        if begin >= whole {
            return Err(beyond(begin, whole));
        }
        let (mut skip, mut left) = (begin, duration.unwrap_or(u64::MAX));
        let mut kept = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let after = step.nanos.saturating_sub(skip);
            skip = skip.saturating_sub(step.nanos);
            let nanos = after.min(left);
            left -= nanos;
            if nanos > 0 {
                kept.push(Step { nanos, ..*step });
            }
        }
        self.steps = kept;
        Ok(self)
    }
}

pub(super) fn beyond(begin: u64, whole: u64) -> Problem {
    Problem::whole(format!(
        "the part begins after {}, and the recording lasts {}: --begin must be smaller",
        seconds(begin),
        seconds(whole)
    ))
}

/// Collects rows with a time and a value, which holds until the next row. The last one holds for as
/// long as the one before it.
pub(super) struct Points {
    /// Nanoseconds for which a value holds at most.
    gap: Option<u64>,
    /// Nanoseconds after which no more is needed.
    until: Option<u64>,
    last: Option<(i64, u64)>,
    /// Duration of the latest step.
    lasted: u64,
    /// Of all steps.
    total: u64,
    curve: Curve,
}

impl Points {
    pub(super) fn new(gap: Option<u64>, until: Option<u64>) -> Points {
        Points { gap, until, last: None, lasted: 0, total: 0, curve: Curve::default() }
    }

    /// True if further rows change nothing.
    pub(super) fn is_full(&self) -> bool {
        self.until.is_some_and(|until| self.total >= until)
    }

    /// Adds the row of a line: at `time` in nanoseconds the quantity became `value`, or nobody
    /// knows (`None`), and then the value before holds on. Rows before the first value are left
    /// out.
    pub(super) fn add(
        &mut self,
        line: usize,
        time: i64,
        value: Option<u64>,
    ) -> Result<(), Problem> {
        self.curve.blanks += u64::from(value.is_none());
        let Some((before, held)) = self.last else {
            self.last = value.map(|value| (time, value));
            return Ok(());
        };
        let Ok(interval) = u64::try_from(time.saturating_sub(before)) else {
            let back = seconds(before.abs_diff(time));
            return Err(Problem::at(
                line,
                format!("its time is {back} before that of an earlier row; sort the rows by time"),
            ));
        };
        let lasts = self.gap.map_or(interval, |gap| interval.min(gap));
        self.curve.leave_out(interval - lasts);
        self.hold(lasts, held);
        self.last = Some((time, value.unwrap_or(held)));
        Ok(())
    }

    fn hold(&mut self, nanos: u64, value: u64) {
        self.curve.push(nanos, value);
        self.total = self.total.saturating_add(nanos);
        if nanos > 0 {
            self.lasted = nanos;
        }
    }

    pub(super) fn finish(mut self) -> Result<Curve, Problem> {
        let Some((_, held)) = self.last else {
            return Err(Problem::whole("no row holds a value"));
        };
        if self.lasted == 0 {
            let message = "all rows with values have one and the same time: how long a value holds \
                           is the time to the next row, so two are needed at least";
            return Err(Problem::whole(message));
        }
        self.hold(self.lasted, held);
        Ok(self.curve)
    }
}

#[cfg(test)]
mod tests {
    use super::{Curve, Gaps, Points, Step};

    fn step(nanos: u64, value: u64) -> Step {
        Step { nanos, value }
    }

    #[test]
    fn a_value_holds_until_the_next_and_the_last_one_as_long_as_that_before() {
        let mut points = Points::new(None, None);
        for (line, time, value) in
            [(1, 4, None), (2, 5, Some(7)), (3, 15, Some(8)), (4, 15, Some(9)), (5, 18, None)]
        {
            points.add(line, time, value).expect("in order");
        }
        let curve = points.finish().expect("two rows");
        assert_eq!(curve.steps, [step(10, 7), step(6, 9)]);
        assert_eq!((curve.blanks, curve.gaps), (2, Gaps::default()));
    }

    #[test]
    fn what_is_longer_than_a_gap_is_left_out() {
        let mut points = Points::new(Some(10), None);
        for (line, time) in [(1, 0), (2, 8), (3, 100), (4, 115)] {
            points.add(line, time, Some(line as u64)).expect("in order");
        }
        let curve = points.finish().expect("rows");
        assert_eq!(curve.steps, [step(8, 1), step(10, 2), step(10, 3), step(10, 4)]);
        assert_eq!(curve.gaps, Gaps { count: 2, longest: 82 });
    }

    #[test]
    fn rows_that_go_back_or_have_one_time_are_refused() {
        let mut points = Points::new(None, None);
        points.add(1, 2_000_000_000, Some(1)).expect("the first");
        let error = points.add(2, 500_000_000, Some(1)).expect_err("earlier");
        assert!(error.to_string().starts_with("line 2: its time is 1.5 s before"), "{error}");
        assert!(points.finish().is_err(), "one row");
        assert!(Points::new(None, None).finish().is_err(), "none");
    }

    #[test]
    fn a_part_is_cut_out() {
        let curve =
            Curve { steps: vec![step(10, 1), step(10, 2), step(10, 3)], ..Curve::default() };
        let cut = |begin, duration| curve.clone().cut(begin, duration).map(|curve| curve.steps);
        assert_eq!(cut(0, None), Ok(curve.steps.clone()));
        assert_eq!(cut(4, Some(10)), Ok(vec![step(6, 1), step(4, 2)]));
        assert_eq!(cut(20, Some(100)), Ok(vec![step(10, 3)]));
        assert!(cut(30, None).is_err());
    }
}
