//! Machine-readable summary of an outcome, printed by `--json`.

use std::collections::BTreeMap;

use atl_engine::result::RunResult;
use atl_engine::setup::Setup;
use atl_scenario::quote::{Quote, Standing};
use atl_scenario::scenario::Metric;
use serde::Serialize;

use crate::delays::{Delay, in_network, networks_of_run};
use crate::engines::Trust;
use crate::metric::{of_run, of_seeds, waits_of_run};
use crate::outcome::{Group, Outcome};
use crate::quantity::Quantity;
use crate::ranking::headline;
use crate::stats::{Estimate, Survival};
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
    /// The same as [`GroupSummary::times`], over all flows.
    pub total_times: BTreeMap<&'static str, Survival>,
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
    /// Metrics by key, in base units. A time to an event that some flow did not live to see is not
    /// among them.
    pub metrics: BTreeMap<&'static str, Values>,
    /// Times to an event that a run may end before, by key of the metric: how many flows lived to
    /// see it, and the Kaplan-Meier median of all.
    pub times: BTreeMap<&'static str, Survival>,
    /// Delays in each network, for flows that visit several; otherwise absent.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub networks: Vec<NetworkSummary>,
}

/// Delays of a flow group in one network.
#[derive(Clone, Debug, Serialize)]
pub struct NetworkSummary {
    /// Name of the network.
    pub network: String,
    /// Delays by key, in seconds.
    pub delays: BTreeMap<&'static str, Values>,
}

/// A metric over the seeds.
#[derive(Clone, Debug, Serialize)]
pub struct Values {
    /// Mean with its interval, over the seeds that have a value.
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

fn of_networks(setup: &Setup, runs: &[RunResult], flows: &[usize]) -> Vec<NetworkSummary> {
    let mut names: Vec<String> = Vec::new();
    for name in runs.iter().flat_map(|run| networks_of_run(setup, run, flows)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let network = |network: String| {
        let delays = Delay::ALL.into_iter().filter_map(|delay| {
            let of = |run| in_network(delay, setup, run, flows, &network);
            let per_seed: Vec<Option<f64>> = runs.iter().map(of).collect();
            let estimate = of_seeds(&per_seed, delay.metric())?;
            Some((delay.quantity().key, Values { estimate, per_seed }))
        });
        NetworkSummary { delays: delays.collect(), network }
    };
    names.into_iter().map(network).collect()
}

impl Summary {
    /// Summarizes an outcome and the verdicts on its quotes.
    pub fn new(outcome: &Outcome, judged: &[Judged]) -> Summary {
        let scenario = &outcome.scenario;
        let points = outcome.points().map(|(point, runs)| {
            let runs = runs.get();
            let times = |flows: Option<&[usize]>| {
                let awaited = Metric::all().filter(|m| m.descriptor().in_summary);
                let times = awaited.filter_map(|metric| {
                    let waits = runs.iter().enumerate().flat_map(|(seed, run)| {
                        waits_of_run(metric, &point.setup, run, flows, seed)
                    });
                    let survival = Survival::of(&waits.collect::<Vec<_>>())?;
                    Some((Quantity::of(metric).key, survival))
                });
                times.collect::<BTreeMap<_, _>>()
            };
            let metrics = |flows: Option<&[usize]>, times: &BTreeMap<&str, Survival>| {
                let mut metrics = BTreeMap::new();
                for metric in Metric::all().filter(|m| m.descriptor().in_summary) {
                    let key = Quantity::of(metric).key;
                    if times.get(key).is_some_and(|survival| !survival.is_complete()) {
                        continue;
                    }
                    let per_seed: Vec<Option<f64>> =
                        runs.iter().map(|run| of_run(metric, &point.setup, run, flows)).collect();
                    if let Some(estimate) = of_seeds(&per_seed, metric) {
                        metrics.insert(key, Values { estimate, per_seed });
                    }
                }
                metrics
            };
            let total_times = times(None);
            PointSummary {
                vars: point.vars.iter().map(|(k, v)| (k.clone(), v.text.clone())).collect(),
                groups: Group::all(&point.setup)
                    .into_iter()
                    .map(|g| {
                        let times = times(Some(&g.flows));
                        let networks = of_networks(&point.setup, &runs, &g.flows);
                        GroupSummary {
                            metrics: metrics(Some(&g.flows), &times),
                            times,
                            networks,
                            flows: g.flows.len(),
                            group: g.name,
                            protocol: g.protocol,
                        }
                    })
                    .collect(),
                total: metrics(None, &total_times),
                total_times,
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
    pub const FORMAT: &str = "atl-run/2";

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
