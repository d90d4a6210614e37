//! Files of parts and their merging.

mod files;
mod merging;

use atl_core::time::Span;
use atl_engine::result::EngineId;
use atl_engine::result::{FlowResult, LinkResult, RunResult, Sample};
use atl_engine::store::Results;
use atl_experiment::shard::{Changes, Header, Part, PartError, Shard, write};

/// A result unlike every other run's, also in values that a decimal text would round.
fn result(run: usize, engine: usize) -> RunResult {
    let value = (run as f64 + 0.1) / 3.0 + engine as f64;
    RunResult {
        flows: vec![FlowResult {
            active_s: value,
            goodput_bps: value.sqrt() * 1e6,
            sent: run as u64,
            rtt_median_s: run.is_multiple_of(2).then_some(value),
            ..FlowResult::default()
        }],
        links: vec![LinkResult {
            offered: run as u64,
            trace_offset: run.is_multiple_of(3).then(|| Span::from_nanos(run as u64)),
            ..LinkResult::default()
        }],
        samples: (0..run % 4)
            .map(|i| Sample {
                time_s: i as f64,
                flow: 0,
                network: 0,
                ssthresh: Some(f64::INFINITY),
                ..Sample::default()
            })
            .collect(),
        events: Some(run as u64 * 7),
        ..RunResult::default()
    }
}

/// The file of a part, and the results it was made from.
#[derive(Clone, Debug)]
struct Left {
    header: Header,
    /// Indexed by engine, then by run.
    results: Vec<Vec<RunResult>>,
}

impl Left {
    fn to_bytes(&self) -> Vec<u8> {
        let results = self.results.iter().map(|runs| {
            Results::from(runs.iter().map(|run| vec![run.clone()]).collect::<Vec<_>>())
        });
        let mut bytes = Vec::new();
        write(&mut bytes, &self.header, &results.collect::<Vec<_>>()).expect("written");
        bytes
    }

    fn open(&self) -> Part<Vec<u8>> {
        Part::open(self.to_bytes()).expect("a part")
    }
}

fn refused(bytes: &[u8]) -> atl_experiment::shard::Unreadable {
    match Part::open(bytes).expect_err("no part") {
        PartError::Unreadable(why) => why,
        PartError::Io(error) => panic!("{error}"),
    }
}

fn part(shard: Shard, runs: usize, engines: usize) -> Left {
    let engine = |i: usize| EngineId { name: format!("engine{i}"), version: "1".to_owned() };
    Left {
        header: Header {
            version: "0.1.0".to_owned(),
            build: "00112233".to_owned(),
            spec: "mine.toml".to_owned(),
            changes: Changes { set: vec![("a".into(), "b".into())], ..Changes::default() },
            command: "atl run mine.toml --set a=b".to_owned(),
            scenario: "mine".to_owned(),
            hash: "00ff".to_owned(),
            runs: runs as u64,
            engines: (0..engines).map(engine).collect(),
            shard,
        },
        results: (0..engines)
            .map(|engine| shard.runs(runs).map(|run| result(run, engine)).collect())
            .collect(),
    }
}

fn shard(text: &str) -> Shard {
    text.parse().expect("a part")
}
