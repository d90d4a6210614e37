//! Reading the metrics of figures and quotes, over the whole run or a part of it.

use atl_core::time::Time;

use super::World;
use crate::measure::{During, Measure};
use crate::metric::{METRICS, Metric, Need, metrics_of_a_part};
use crate::table::{Field, Table};

/// Part of the run that a figure or a quote is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// The whole run after the warm-up.
    Whole,
    /// An interval of the run.
    Of(During),
    /// An interval cut off by the command line, so that its figures and quotes are left out.
    CutOff,
}

impl World<'_> {
    /// Reads a metric that the scenario can measure.
    fn metric(&self, field: &Field<'_>) -> Option<Metric> {
        let metric = field.one_of(METRICS)?;
        let missing = metric.descriptor().needs.iter().find(|need| !self.has(**need));
        match missing {
            Some(need) => field.bad(remedy(metric, *need)),
            None => Some(metric),
        }
    }

    /// True if the scenario has the feature that a metric needs.
    fn has(&self, need: Need) -> bool {
        let can = &self.measurable;
        match need {
            Need::Samples => can.records,
            Need::EndingFlow => can.ends,
            Need::LiveMedia => can.media,
            Need::Viewer => can.media || can.plays,
            Need::Player => can.plays,
            Need::Application => can.talks,
            Need::Disturbance => can.disturbed,
            Need::FixedAimd => can.fixed,
        }
    }

    /// Reads a metric that is available over the part of the run.
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

    /// True if the part is still within the run after the command line's changes.
    pub(super) fn happens(&self, measure: Measure, part: Part) -> bool {
        let can = &self.measurable;
        let recovers = measure.metric != Metric::Recovery || can.still_disturbed || !can.moved;
        recovers && part != Part::CutOff
    }

    /// Reads `during`, such as `["301s", "311s"]`.
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

    /// Reads a time at which there is a sample, or the start of the run.
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

/// The change to a scenario that makes the metric available.
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
        Need::Viewer => "no flow has a live encoder, and none plays a video: give one \
                         source = { frames = 30, min = \"100kb/s\", max = \"2Mb/s\" }, \
                         or { application = \"dash\" }"
            .to_owned(),
        Need::Player => {
            "no flow plays a video: give one source = { application = \"dash\" }".to_owned()
        }
        Need::Application => {
            "no flow has an application: give one source = { application = \"request-response\" }"
                .to_owned()
        }
        Need::Disturbance => {
            "there is nothing to recover from: no link has a `blackout` or a `roam`, and no host moves"
                .to_owned()
        }
        Need::FixedAimd => {
            "it needs a flow whose AIMD parameters are fixed: `aimd-rate`".to_owned()
        }
    }
}
