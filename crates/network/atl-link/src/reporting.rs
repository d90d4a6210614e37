//! Errors of what a link's MAC reports: wrong by a factor, or old.

use std::collections::VecDeque;

use atl_core::path::LinkReport;
use atl_core::time::{Span, Time};
use atl_core::units::Probability;

/// Errors of a link's reports.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReportError {
    /// The loss reported over the loss measured; at least zero. A product above 1 is reported as 1.
    pub loss_factor: f64,
    /// The delay reported over the delay; at least zero.
    pub delay_factor: f64,
    /// Age of what is reported. Until the link is this old, it reports what it measured first.
    pub age: Span,
}

impl ReportError {
    /// Reports without an error.
    pub const NONE: ReportError =
        ReportError { loss_factor: 1.0, delay_factor: 1.0, age: Span::ZERO };

    /// `report` by these factors.
    fn of(&self, report: LinkReport) -> LinkReport {
        LinkReport {
            loss: Probability::clamped(report.loss.get() * self.loss_factor),
            delay: Span::from_secs_f64(report.delay.secs() * self.delay_factor),
        }
    }
}

impl Default for ReportError {
    fn default() -> Self {
        ReportError::NONE
    }
}

/// Shortest time between two measurements that are kept, as a share of the age: memory stays
/// bounded however often the link is read.
const STEPS: u64 = 64;

/// Makes reports wrong or old.
#[derive(Clone, Debug)]
pub(crate) struct Reporter {
    error: ReportError,
    /// Measurements not yet old enough, and the last that is.
    kept: VecDeque<(Time, LinkReport)>,
}

impl Reporter {
    /// `None` where reports have no error.
    pub(crate) fn new(error: &ReportError) -> Option<Box<Self>> {
        let exact = *error == ReportError::NONE;
        (!exact).then(|| Box::new(Reporter { error: *error, kept: VecDeque::new() }))
    }

    /// The link's word at `now`, with the configured errors and age, when it measures `report`.
    pub(crate) fn report(&mut self, now: Time, report: LinkReport) -> LinkReport {
        let age = self.error.age;
        if age.is_zero() {
            return self.error.of(report);
        }
        let apart = Span::from_nanos(age.nanos() / STEPS);
        if self.kept.back().is_none_or(|(at, _)| now.since(*at) > apart) {
            self.kept.push_back((now, report));
        }
        while self.kept.get(1).is_some_and(|(at, _)| now.since(*at) >= age) {
            self.kept.pop_front();
        }
        let oldest = self.kept.front().map_or(report, |(_, oldest)| *oldest);
        self.error.of(oldest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(loss: f64, ms: u64) -> LinkReport {
        LinkReport { loss: Probability::clamped(loss), delay: Span::from_millis(ms) }
    }

    #[test]
    fn exact_reports_need_no_reporter() {
        assert!(Reporter::new(&ReportError::default()).is_none());
    }

    #[test]
    fn factors_multiply_and_a_probability_stays_one() {
        let error = ReportError { loss_factor: 10.0, delay_factor: 0.1, age: Span::ZERO };
        let mut reporter = Reporter::new(&error).expect("an error");
        assert_eq!(reporter.report(Time::ZERO, report(0.02, 50)), report(0.2, 5));
        assert_eq!(reporter.report(Time::ZERO, report(0.2, 0)), report(1.0, 0));
    }

    #[test]
    fn an_old_report_is_what_was_measured_then() {
        let error = ReportError { age: Span::from_secs(10), ..ReportError::NONE };
        let mut reporter = Reporter::new(&error).expect("an error");
        let read = |reporter: &mut Reporter, at: u64| {
            // A loss of 0, 1, 2, ... % in each second, read every 100 ms.
            reporter.report(Time::from_millis(100 * at), report((at / 10) as f64 / 100.0, 5))
        };
        for at in 0..100 {
            assert_eq!(read(&mut reporter, at), report(0.0, 5), "what it measured first");
        }
        for at in 100..400 {
            // In percent times ten, a whole number.
            let told = (read(&mut reporter, at).loss.get() * 1000.0).round() as u64;
            // Measurements are kept 10 s/64 apart at least, so every second reading.
            let was = (at - 100) / 10 * 10..=(at - 100 + 10) / 10 * 10;
            assert!(
                was.contains(&(told + 10)) || was.contains(&told),
                "at {at}: {told}, not {was:?}"
            );
        }
        assert!(reporter.kept.len() <= STEPS as usize + 2, "{}", reporter.kept.len());
    }
}
