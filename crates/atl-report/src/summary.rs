//! Everything that a machine may want to know of an outcome, for `--json`.

use std::collections::BTreeMap;

use atl_scenario::scenario::Metric;
use serde::Serialize;

use crate::metric::of_run;
use crate::outcome::{Group, Outcome};
use crate::quantity::Quantity;
use crate::stats::Estimate;
use crate::verdict::{Judged, Measured, Verdict};

/// An outcome in numbers. Rates in bits per second, times in seconds, shares from 0 to 1.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// Name of the scenario.
    pub scenario: String,
    /// What it asks.
    pub title: String,
    /// The document that it comes from.
    pub source: Option<String>,
    /// Hash of everything that decides its results.
    pub hash: String,
    /// The host that ran it.
    pub host: String,
    /// Version of the program.
    pub version: String,
    /// How to repeat it.
    pub command: String,
    /// Its seeds.
    pub seeds: Vec<u64>,
    /// The swept variables.
    pub swept: Vec<String>,
    /// Each point of the sweep.
    pub points: Vec<PointSummary>,
    /// Each quote's verdict.
    pub verdicts: Vec<VerdictSummary>,
}

/// One point of the sweep.
#[derive(Clone, Debug, Serialize)]
pub struct PointSummary {
    /// Values of the variables, as written.
    pub vars: BTreeMap<String, String>,
    /// Each flow group: rates are those of one flow, the mean over the group.
    pub groups: Vec<GroupSummary>,
    /// All flows together: rates are their sum.
    pub total: BTreeMap<&'static str, Values>,
}

/// One flow group at one point.
#[derive(Clone, Debug, Serialize)]
pub struct GroupSummary {
    /// Name.
    pub group: String,
    /// Protocol.
    pub protocol: String,
    /// Number of flows.
    pub flows: usize,
    /// Its metrics, by key.
    pub metrics: BTreeMap<&'static str, Values>,
}

/// A metric over the seeds.
#[derive(Clone, Debug, Serialize)]
pub struct Values {
    /// Mean and interval.
    #[serde(flatten)]
    pub estimate: Estimate,
    /// The value for each seed, in their order.
    pub per_seed: Vec<Option<f64>>,
}

/// A quote's verdict.
#[derive(Clone, Debug, Serialize)]
pub struct VerdictSummary {
    /// The quote's name.
    pub id: String,
    /// What is claimed.
    pub text: String,
    /// Where.
    pub source: String,
    /// What was measured.
    pub measured: Vec<Measured>,
    /// How it fares.
    pub verdict: Verdict,
    /// Why.
    pub reason: String,
    /// What is known about it.
    pub note: Option<String>,
}

impl Summary {
    /// Sums an outcome up.
    pub fn new(outcome: &Outcome, judged: &[Judged]) -> Summary {
        let scenario = &outcome.scenario;
        let points = outcome.points().map(|(point, runs)| {
            let metrics = |flows: Option<&[usize]>| {
                let mut metrics = BTreeMap::new();
                for metric in Metric::all().filter(|m| m.descriptor().in_summary) {
                    let per_seed: Vec<Option<f64>> =
                        runs.iter().map(|run| of_run(metric, &point.setup, run, flows)).collect();
                    let known: Vec<f64> = per_seed.iter().copied().flatten().collect();
                    if let Some(estimate) = Estimate::of(&known) {
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
            hash: scenario.hash.clone(),
            host: outcome.host.name.clone(),
            version: outcome.version.clone(),
            command: outcome.command.clone(),
            seeds: scenario.seeds.clone(),
            swept: scenario.swept.clone(),
            points: points.collect(),
            verdicts: judged
                .iter()
                .map(|j| VerdictSummary {
                    id: j.quote.id.clone(),
                    text: j.quote.text.clone(),
                    source: j.quote.source.clone(),
                    measured: j.measured.clone(),
                    verdict: j.verdict,
                    reason: j.reason.clone(),
                    note: j.quote.note.clone(),
                })
                .collect(),
        }
    }

    /// As JSON, indented, with a line feed at the end.
    ///
    /// # Errors
    /// Never for a summary made by [`Summary::new`], whose numbers are finite.
    pub fn json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self).map(|json| json + "\n")
    }
}
