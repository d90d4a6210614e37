//! An outcome for machines: what `--json` prints.

use std::collections::BTreeMap;

use atl_scenario::quote::{Quote, Standing};
use atl_scenario::scenario::Metric;
use serde::Serialize;

use crate::hosts::Trust;
use crate::metric::of_run;
use crate::outcome::{Group, Outcome};
use crate::quantity::Quantity;
use crate::ranking::headline;
use crate::stats::Estimate;
use crate::verdict::{Judged, Measured, Tally, Verdict};

/// The numbers of an outcome: rates in bits per second, times in seconds, shares from 0 to 1.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// Name of the scenario.
    pub scenario: String,
    /// Its title.
    pub title: String,
    /// The document that the scenario comes from.
    pub source: Option<String>,
    /// Hash of everything that affects its results, under the name that it has everywhere.
    pub scenario_hash: String,
    /// The host that ran it.
    pub host: String,
    /// How well its runs kept time; absent in virtual time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub real_time: Option<Trust>,
    /// Version of the program.
    pub version: String,
    /// The command that repeats it.
    pub command: String,
    /// Its seeds.
    pub seeds: Vec<u64>,
    /// The swept variables.
    pub swept: Vec<String>,
    /// What leads, by how much and over how many conditions, in a sentence; absent if there is nothing to rank.
    pub headline: Option<String>,
    /// The points of the sweep.
    pub points: Vec<PointSummary>,
    /// How many claims of papers and own checks hold.
    pub tally: Tally,
    /// The verdicts on the quotes.
    pub verdicts: Vec<VerdictSummary>,
}

/// One point of the sweep.
#[derive(Clone, Debug, Serialize)]
pub struct PointSummary {
    /// Values of the variables, as written.
    pub vars: BTreeMap<String, String>,
    /// The flow groups. Their rates are means over the flows of the group.
    pub groups: Vec<GroupSummary>,
    /// All flows together. The rate of several flows is the total of their bits over the measured interval.
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
    /// Metrics by key.
    pub metrics: BTreeMap<&'static str, Values>,
}

/// A metric over the seeds.
#[derive(Clone, Debug, Serialize)]
pub struct Values {
    /// Mean and interval.
    #[serde(flatten)]
    pub estimate: Estimate,
    /// The value for each seed, in the scenario's order.
    pub per_seed: Vec<Option<f64>>,
}

/// The verdict on a quote.
#[derive(Clone, Debug, Serialize)]
pub struct VerdictSummary {
    /// The quote's name.
    pub id: String,
    /// The claim in words.
    pub text: String,
    /// Where it is made: document, section.
    pub source: String,
    /// The claim of a paper that it is a reading of; absent for a check of our own.
    pub claim: Option<String>,
    /// What was fitted; absent for a reading as printed.
    pub fitted: Option<String>,
    /// Whether it is a check of our own.
    pub own: bool,
    /// What was measured.
    pub measured: Vec<Measured>,
    /// The verdict.
    pub verdict: Verdict,
    /// The reason for the verdict.
    pub reason: String,
    /// What is known about the claim.
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
            host: outcome.host.name.clone(),
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

    /// Name and version of [`json`](Self::json)'s form.
    pub const FORMAT: &str = "atl-run/1";

    /// The summary as indented JSON that begins with its format, with a final line feed.
    ///
    /// # Errors
    /// None for a summary made by [`Summary::new`], whose numbers are finite.
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
