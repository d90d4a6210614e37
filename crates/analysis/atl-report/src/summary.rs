//! Machine-readable summary of an outcome, printed by `--json`.

use std::collections::BTreeMap;

use atl_scenario::quote::{Quote, Standing};
use atl_scenario::scenario::Metric;
use serde::Serialize;

use crate::engines::Trust;
use crate::metric::of_run;
use crate::outcome::{Group, Outcome};
use crate::quantity::Quantity;
use crate::ranking::headline;
use crate::stats::Estimate;
use crate::verdict::{Judged, Measured, Tally, Verdict};

/// Results of an outcome: rates in bits per second, times in seconds, shares from 0 to 1.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// Name of the scenario.
    pub scenario: String,
    /// Title of the scenario.
    pub title: String,
    /// Document that the scenario comes from.
    pub source: Option<String>,
    /// Hash of all that decides the results, as in data files and on the page.
    pub scenario_hash: String,
    /// Name of the engine.
    pub engine: String,
    /// Timing accuracy of the runs; absent in virtual time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub real_time: Option<Trust>,
    /// Version of the program, as `1.2.3`.
    pub version: String,
    /// Command that repeats the runs.
    pub command: String,
    /// Seeds in the scenario's order.
    pub seeds: Vec<u64>,
    /// Names of the swept variables.
    pub swept: Vec<String>,
    /// A sentence on the leader, its lead and the conditions; absent if there is nothing to rank.
    pub headline: Option<String>,
    /// Results by point of the sweep.
    pub points: Vec<PointSummary>,
    /// Number of papers' claims and of our own checks that hold.
    pub tally: Tally,
    /// Verdicts on the quotes, in the scenario's order.
    pub verdicts: Vec<VerdictSummary>,
}

/// Results at one point of the sweep.
#[derive(Clone, Debug, Serialize)]
pub struct PointSummary {
    /// Values of the variables by name, as written.
    pub vars: BTreeMap<String, String>,
    /// Results by flow group. Rates are means over the flows of the group.
    pub groups: Vec<GroupSummary>,
    /// All flows together. The rate of several flows is the total of their bits over the measured
    /// interval.
    pub total: BTreeMap<&'static str, Values>,
}

/// Results of one flow group at one point.
#[derive(Clone, Debug, Serialize)]
pub struct GroupSummary {
    /// Name of the group.
    pub group: String,
    /// Label of its protocol; several labels if its flows differ.
    pub protocol: String,
    /// Number of flows in the group.
    pub flows: usize,
    /// Metrics by key, in base units.
    pub metrics: BTreeMap<&'static str, Values>,
}

/// A metric over the seeds.
#[derive(Clone, Debug, Serialize)]
pub struct Values {
    /// Mean with its interval.
    #[serde(flatten)]
    pub estimate: Estimate,
    /// Value for each seed, in the scenario's order; null where there is none.
    pub per_seed: Vec<Option<f64>>,
}

/// Verdict on one quote.
#[derive(Clone, Debug, Serialize)]
pub struct VerdictSummary {
    /// `id` of the quote.
    pub id: String,
    /// The quote's statement in words.
    pub text: String,
    /// Where the statement is made: document and section.
    pub source: String,
    /// `id` of the paper's claim that it is a reading of; absent for a check of our own.
    pub claim: Option<String>,
    /// Parameters fitted for it; absent for a reading as printed.
    pub fitted: Option<String>,
    /// True for a check of our own.
    pub own: bool,
    /// Measurements that the verdict rests on.
    pub measured: Vec<Measured>,
    /// Outcome of the comparison.
    pub verdict: Verdict,
    /// Reason for the verdict, as a sentence.
    pub reason: String,
    /// Known reasons for a deviation.
    pub note: Option<String>,
}

impl VerdictSummary {
    fn of(judged: &Judged) -> VerdictSummary {
        let Judged { quote, measured, verdict, reason } = judged.clone();
        let (claim, fitted, own) = match quote.standing {
            Standing::Paper { claim, fitted } => (Some(claim), fitted, false),
            Standing::Own => (None, None, true),
        };
        let Quote { id, text, source, note, .. } = quote;
        VerdictSummary { id, text, source, claim, fitted, own, measured, verdict, reason, note }
    }
}

impl Summary {
    /// Summarizes an outcome and the verdicts on its quotes.
    pub fn new(outcome: &Outcome, judged: &[Judged]) -> Summary {
        let scenario = &outcome.scenario;
        let points = outcome.points().map(|(point, runs)| {
            let runs = runs.get();
            let metrics = |flows: Option<&[usize]>| {
                let mut metrics = BTreeMap::new();
                for metric in Metric::all().filter(|m| m.descriptor().in_summary) {
                    let per_seed: Vec<Option<f64>> =
                        runs.iter().map(|run| of_run(metric, &point.setup, run, flows)).collect();
                    let known: Vec<f64> = per_seed.iter().copied().flatten().collect();
                    if let Some(estimate) = Estimate::within(&known, metric.bounds()) {
                        metrics.insert(Quantity::of(metric).key, Values { estimate, per_seed });
                    }
                }
                metrics
            };
            PointSummary {
                vars: point.vars.iter().map(|(k, v)| (k.clone(), v.text.clone())).collect(),
                groups: Group::all(&point.setup)
                    .into_iter()
                    .map(|g| GroupSummary {
                        metrics: metrics(Some(&g.flows)),
                        flows: g.flows.len(),
                        group: g.name,
                        protocol: g.protocol,
                    })
                    .collect(),
                total: metrics(None),
            }
        });
        Summary {
            scenario: scenario.name.clone(),
            title: scenario.title.clone(),
            source: scenario.source.clone(),
            scenario_hash: scenario.hash.clone(),
            engine: outcome.engine.name.clone(),
            real_time: Trust::of(outcome),
            version: outcome.version.clone(),
            command: outcome.command.clone(),
            seeds: scenario.seeds.clone(),
            swept: scenario.swept.clone(),
            headline: headline(outcome),
            points: points.collect(),
            tally: Tally::of(judged),
            verdicts: judged.iter().map(VerdictSummary::of).collect(),
        }
    }

    /// Name and version of the format of [`json`](Self::json).
    pub const FORMAT: &str = "atl-run/1";

    /// The summary as indented JSON that begins with its format and ends with a line feed.
    ///
    /// # Errors
    /// If a number is not finite, which [`Summary::new`] rules out.
    pub fn json(&self) -> serde_json::Result<String> {
        #[derive(Serialize)]
        struct Named<'a> {
            format: &'static str,
            #[serde(flatten)]
            summary: &'a Summary,
        }
        let named = Named { format: Summary::FORMAT, summary: self };
        serde_json::to_string_pretty(&named).map(|json| json + "\n")
    }
}
