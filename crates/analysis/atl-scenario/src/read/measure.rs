//! What figures and quotes measure: a metric, over the whole run or a part of it.

use atl_core::time::Time;

use super::World;
use crate::measure::{During, Measure};
use crate::metric::{METRICS, Metric, Need, metrics_of_a_part};
use crate::table::{Field, Table};

/// The part of the run that a figure or a quote is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// All of it.
    Whole,
    /// A part.
    Of(During),
    /// A part that the command line has cut off: its figures and quotes are left out.
    CutOff,
}

impl World<'_> {
    /// A metric that the scenario can measure.
    fn metric(&self, field: &Field<'_>) -> Option<Metric> {
        let metric = field.one_of(METRICS)?;
        let missing = metric.descriptor().needs.iter().find(|need| !self.has(**need));
        match missing {
            Some(need) => field.bad(remedy(metric, *need)),
            None => Some(metric),
        }
    }

    /// Whether the scenario has what a metric needs.
    fn has(&self, need: Need) -> bool {
        let can = &self.measurable;
        match need {
            Need::Samples => can.records,
            Need::EndingFlow => can.ends,
            Need::LiveMedia => can.media,
            Need::Disturbance => can.disturbed,
            Need::FixedAimd => can.fixed,
        }
    }

    /// A metric, over a part of the run that it can be measured over.
    pub(super) fn measure(&self, field: &Field<'_>, part: Part) -> Option<Measure> {
        let metric = self.metric(field)?;
        if part != Part::Whole && !metric.has_parts() {
            return field.bad(format!(
                "with `during` it must be one of {}: samples give no other metric for a part of a run",
                metrics_of_a_part()
            ));
        }
        let during = match part {
            Part::Of(during) => Some(during),
            Part::Whole | Part::CutOff => None,
        };
        Some(Measure { metric, during })
    }

    /// Whether it can still be measured after the command line may have cut the run short.
    pub(super) fn happens(&self, measure: Measure, part: Part) -> bool {
        let can = &self.measurable;
        let recovers = measure.metric != Metric::Recovery || can.still_disturbed || !can.moved;
        recovers && part != Part::CutOff
    }

    /// The part of the run that a table's `during` names: `["301s", "311s"]`.
    pub(super) fn part(&self, table: &Table<'_>) -> Option<Part> {
        let Some(field) = table.get("during") else {
            return Some(Part::Whole);
        };
        let can = &self.measurable;
        if !can.records {
            return field.bad("a part of the run needs samples: add [record] with every = \"1s\"");
        }
        let items = field.items()?;
        let [from, to] = items.as_slice() else { return None };
        let (start, end) = (self.sample_time(from), self.sample_time(to));
        let (start, end) = (start?, end?);
        if start >= end {
            return field.bad("its end must be later than its start");
        }
        match can.end {
            Some(last) if end > last && can.moved => Some(Part::CutOff),
            Some(last) if end > last => to.bad(format!("the run ends at {}s", last.secs())),
            _ => Some(Part::Of(During { from: start, to: end })),
        }
    }

    /// A time at which there is a sample, or the start of the run.
    fn sample_time(&self, field: &Field<'_>) -> Option<Time> {
        let span = field.time()?;
        match self.measurable.every.iter().find(|every| span.nanos() % every.nanos() != 0) {
            Some(every) => field.bad(format!(
                "samples are taken every {every}: it must be 0s or a multiple of that"
            )),
            None => Some(Time::ZERO + span),
        }
    }

    /// Reports a figure over time in a scenario without samples.
    pub(super) fn needs_samples(&self, table: &Table<'_>) {
        if !self.measurable.records {
            table.report(
                "a figure over time needs samples",
                "add [record] with every = \"1s\" to the file",
            );
        }
    }
}

/// What to add to a scenario that lacks what a metric needs.
fn remedy(metric: Metric, need: Need) -> String {
    match need {
        Need::Samples => {
            format!("`{}` needs samples: add [record] with every = \"1s\"", metric.name())
        }
        Need::EndingFlow => {
            "no flow ends by itself: give one source = { bytes = \"10MB\" }".to_owned()
        }
        Need::LiveMedia => "no flow has a live encoder: give one \
                            source = { frames = 30, min = \"100kb/s\", max = \"2Mb/s\" }"
            .to_owned(),
        Need::Disturbance => {
            "there is nothing to recover from: no link has a `blackout` or a `roam`, and no host moves"
                .to_owned()
        }
        Need::FixedAimd => {
            "it needs a flow whose AIMD parameters are fixed: `aimd-rate`".to_owned()
        }
    }
}
