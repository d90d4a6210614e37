//! Synthetic outcomes with known values, in place of runs.
#![allow(dead_code, reason = "each test file uses its part")]

pub(crate) mod host;

use std::collections::BTreeMap;
use std::sync::Arc;

use atl_core::time::{Span, Time};
use atl_core::units::Rate;
use atl_core::window::reno;
use atl_engine::protocol::{Protocol, Recovery, TcpProtocol, Transport};
use atl_engine::result::{EngineId, FlowResult, RunResult, Sample};
use atl_engine::setup::{FlowSetup, LinkSetup, Pacing, Path, Setup, Source, Tcp};
use atl_report::{Judged, Outcome, judge};
use atl_scenario::quote::{Bound, Claim, Quote, Selection, Standing};
use atl_scenario::scenario::{Metric, Point, Scenario, Value};

/// A protocol with this name as its label; the controller is irrelevant here.
fn protocol(name: &str) -> Protocol {
    Protocol {
        new_path: atl_engine::protocol::NewPath::default(),

        name: name.to_owned(),
        label: name.to_uppercase(),
        transport: Transport::Tcp(TcpProtocol {
            recovery: Recovery::Sack,
            controller: reno::Config::default().into(),
            freeze: None,
        }),
    }
}

pub(crate) fn value(text: &str) -> Value {
    let end = text.find(|c: char| c.is_ascii_alphabetic() && c != 'e').unwrap_or(text.len());
    let factor = match &text[end..] {
        "ms" => 1e-3,
        _ => 1.0,
    };
    let number = if text.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        text[..end].parse::<f64>().ok()
    } else {
        None
    };
    Value { text: text.to_owned(), number: number.map(|n| n * factor) }
}

pub(crate) fn at(pairs: &[(&str, &str)]) -> BTreeMap<String, Value> {
    pairs.iter().map(|(k, v)| ((*k).to_owned(), value(v))).collect()
}

pub(crate) fn selection(pairs: &[(&str, &str)], group: Option<&str>) -> Selection {
    Selection { at: at(pairs), groups: group.map(str::to_owned).into_iter().collect() }
}

pub(crate) fn flow_setup(name: &str, group: &str, of: &str) -> FlowSetup {
    FlowSetup {
        name: name.to_owned(),
        group: group.to_owned(),
        paths: vec![Path { forward: vec![0], back: vec![0] }],
        mobile: None,
        notices: atl_engine::setup::Notices::default(),
        protocol: protocol(of),
        source: Source::Greedy,
        answers: None,
        connections: Vec::new(),
        onward: None,
        start: Time::ZERO,
        start_jitter: Span::ZERO,
        stop: None,
        overhead: Span::ZERO,
        tcp: Tcp { segment: 1000, header: 40, ack: 40, initial_window: 2.0, ..Tcp::default() },
        pacing: Pacing::default(),
        receiver: atl_engine::setup::ReceiverAwareness::default(),
        adaptation: None,
    }
}

pub(crate) fn flow(goodput_mbps: f64) -> FlowResult {
    FlowResult {
        active_s: 600.0,
        throughput_bps: goodput_mbps * 1.05e6,
        goodput_bps: goodput_mbps * 1e6,
        sent: 100_000,
        arrived: Some(99_000),
        delivered: Some(98_500),
        dropped: Some(600),
        lost: Some(400),
        retransmissions: Some(1_000),
        timeouts: Some(6),
        quench_reactions: Some(0),
        recoveries: Some(300),
        rtt_median_s: Some(0.08),
        rtt_p95_s: Some(0.21),
        rtt_min_s: Some(0.04),
        ..FlowResult::default()
    }
}

pub(crate) fn sample(time_s: f64, flow: u32, cwnd: f64, bps: f64) -> Sample {
    Sample {
        time_s,
        flow,
        network: 0,
        cwnd: Some(cwnd),
        cwnd_beside: None,
        ssthresh: Some(f64::INFINITY),
        rate_bps: None,
        encoder_bps: None,
        jitter_s: None,
        in_flight: cwnd as u32,
        srtt_s: Some(0.08),
        throughput_bps: bps,
        goodput_bps: bps * 0.95,
        wire_bytes: (time_s * bps / 8.0) as u64,
        delivered_bytes: (time_s * bps / 8.0) as u64,
        elsewhere_bytes: Some(0),
        losses_per_s: Some(0.0),
        alpha: Some(1.0),
        beta: Some(0.5),
    }
}

/// Builds an outcome point by point, with one run per seed.
pub(crate) struct Builder {
    scenario: Scenario,
    results: Vec<Vec<RunResult>>,
}

impl Builder {
    pub(crate) fn new(seeds: u64, swept: &[&str]) -> Builder {
        let scenario = Scenario {
            name: "test/synthetic".to_owned(),
            title: "Which protocol fills a lossy link?".to_owned(),
            about: "Synthetic numbers for tests.".to_owned(),
            source: Some("a paper, sec. 5".to_owned()),
            hash: "00ff".repeat(16),
            seeds: (1..=seeds).collect(),
            swept: swept.iter().map(|s| (*s).to_owned()).collect(),
            without: None,
            labels: BTreeMap::new(),
            points: Vec::new(),
            figures: Vec::new(),
            quotes: Vec::new(),
            warnings: atl_scenario::Warnings::default(),
            text: "title = \"Which protocol fills a lossy link?\"\n".to_owned(),
        };
        Builder { scenario, results: Vec::new() }
    }

    pub(crate) fn scenario(mut self, change: impl FnOnce(&mut Scenario)) -> Builder {
        change(&mut self.scenario);
        self
    }

    /// Adds a point with flows (group, protocol); `run` gives the result for each index of a seed.
    pub(crate) fn point(
        mut self,
        vars: &[(&str, &str)],
        flows: &[(&str, &str)],
        run: impl Fn(usize) -> RunResult,
    ) -> Builder {
        let link = LinkSetup {
            name: "air".to_owned(),
            from: 0,
            to: 1,
            wireless: true,
            config: Arc::new(atl_link::Config::constant(
                Rate::from_mbps(2.0),
                Span::from_millis(10),
                50,
            )),
            agent: None,
            adaptation: None,
            trace_start: None,
        };
        let setup = Setup {
            nodes: vec!["source".to_owned(), "sink".to_owned()],
            links: vec![link],
            flows: flows
                .iter()
                .enumerate()
                .map(|(i, (group, of))| flow_setup(&format!("{group}{i}"), group, of))
                .collect(),
            mobiles: Vec::new(),
            map: None,
            duration: Span::from_secs(600),
            warmup: Span::ZERO,
            sample_every: None,
        };
        self.scenario.points.push(Point { vars: at(vars), setup });
        self.results.push((0..self.scenario.seeds.len()).map(run).collect());
        self
    }

    pub(crate) fn setup(mut self, change: impl FnOnce(&mut Setup)) -> Builder {
        let point = self.scenario.points.last_mut().expect("a point");
        change(&mut point.setup);
        self
    }

    pub(crate) fn quote(mut self, id: &str, claim: Claim) -> Builder {
        self.scenario.quotes.push(Quote {
            id: id.to_owned(),
            text: format!("the claim {id}"),
            source: "a paper, sec. 5".to_owned(),
            claim,
            standing: Standing::Paper { claim: id.to_owned(), fitted: None },
            note: None,
        });
        self
    }

    /// Sets the origin of the last quote.
    pub(crate) fn standing(mut self, standing: Standing) -> Builder {
        self.scenario.quotes.last_mut().expect("a quote").standing = standing;
        self
    }

    pub(crate) fn done(self) -> Outcome {
        Outcome {
            scenario: Arc::new(self.scenario),
            results: self.results.into(),
            engine: EngineId { name: "sim".to_owned(), version: "0.1.0".to_owned() },
            version: "0.1.0".to_owned(),
            command: "atl run test/synthetic".to_owned(),
        }
    }
}

/// A run whose flows have these goodputs in Mb/s.
pub(crate) fn run(goodputs: &[f64]) -> RunResult {
    RunResult {
        flows: goodputs.iter().map(|g| flow(*g)).collect(),
        events: Some(1234),
        ..RunResult::default()
    }
}

/// The outcome of one seed, repeated as if further seeds had given the same.
pub(crate) fn with_seeds(outcome: &Outcome, seeds: u64) -> Outcome {
    let mut more = outcome.clone();
    Arc::make_mut(&mut more.scenario).seeds = (1..=seeds).collect();
    changed(more, |results| {
        for runs in results {
            *runs = vec![runs[0].clone(); seeds as usize];
        }
    })
}

/// Changes the results of an outcome.
pub(crate) fn changed(outcome: Outcome, change: impl FnOnce(&mut Vec<Vec<RunResult>>)) -> Outcome {
    let mut results = outcome.results.to_vec();
    change(&mut results);
    Outcome { results: results.into(), ..outcome }
}

pub(crate) fn first_run(outcome: &Outcome) -> RunResult {
    outcome.results.point(0)[0].clone()
}

/// One flow for each protocol, with goodputs in Mb/s by protocol and seed.
pub(crate) fn protocols(goodputs: &[(&str, &[f64])]) -> Builder {
    let mut builder = Builder::new(goodputs[0].1.len() as u64, &["protocol"]);
    for (name, seeds) in goodputs {
        builder = builder.point(&[("protocol", name)], &[("flow", name)], |s| run(&[seeds[s]]));
    }
    builder
}

pub(crate) fn goodput_of(name: &str) -> Selection {
    selection(&[("protocol", name)], None)
}

/// A reading of a paper's claim on a set-up with a fitted parameter.
pub(crate) fn fitted(claim: &str, what: &str) -> Standing {
    Standing::Paper { claim: claim.to_owned(), fitted: Some(what.to_owned()) }
}

/// The verdict on the one quote of an outcome.
pub(crate) fn only(outcome: &Outcome) -> Judged {
    let mut judged = judge(outcome);
    assert_eq!(judged.len(), 1);
    judged.remove(0)
}

/// A quoted ratio of the goodputs of `atl` and `reno`.
pub(crate) fn ratio_claim(expect: f64, bound: Bound, tolerance: f64) -> Claim {
    Claim::Ratio {
        measure: Metric::Goodput.into(),
        of: goodput_of("atl"),
        over: goodput_of("reno"),
        expect,
        bound,
        tolerance,
    }
}

pub(crate) fn value_claim(expect: f64, tolerance: f64) -> Claim {
    Claim::Value {
        measure: Metric::Goodput.into(),
        of: goodput_of("atl"),
        expect,
        bound: Bound::Equal,
        tolerance,
    }
}
