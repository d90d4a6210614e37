//! Shared by the examples that hold an engine in real time against one in virtual time: arguments,
//! setups, rows of tables, and their page.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use atl_engine::result::{FlowResult, Lateness, RunResult};
use atl_engine::setup::Setup;
use atl_engine::{Engine, Watch};

/// Both engines' results of one seed.
pub(crate) struct Pair {
    pub(crate) simulated: RunResult,
    pub(crate) real: RunResult,
}

/// Arguments of an example: `[SEEDS [SECONDS]] [--write [PAGE]]`.
pub(crate) struct Arguments {
    pub(crate) seeds: u32,
    pub(crate) seconds: u32,
    page: Option<String>,
}

impl Arguments {
    /// Those of this program. The first `warm_up` seconds are not measured.
    pub(crate) fn read(usual_seconds: u32, warm_up: u32) -> Result<Self, Box<dyn Error>> {
        let mut all: Vec<String> = std::env::args().skip(1).collect();
        let page = all.iter().position(|argument| argument == "--write").map(|at| {
            let page = all.get(at + 1).cloned().unwrap_or_else(|| "docs/engines.md".to_owned());
            all.truncate(at);
            page
        });
        let number = |at: usize, other| all.get(at).map_or(Ok(other), |text| text.parse::<u32>());
        let (seeds, seconds) = (number(0, 5)?, number(1, usual_seconds)?);
        if seeds == 0 || seconds <= warm_up {
            return Err(format!("give at least 1 seed and more than {warm_up} s").into());
        }
        Ok(Arguments { seeds, seconds, page })
    }

    /// Runs a setup on both engines with each seed.
    pub(crate) fn pairs(
        &self,
        name: &str,
        setup: &Setup,
        [simulated, real]: [&dyn Engine; 2],
    ) -> Result<Vec<Pair>, Box<dyn Error>> {
        let run = |engine: &dyn Engine, seed| {
            engine.run(setup, seed, &Watch::unwatched()).map_err(|e| format!("{e:?}"))
        };
        let mut pairs = Vec::new();
        for seed in 1..=u64::from(self.seeds) {
            eprintln!("{name}, seed {seed} of {}", self.seeds);
            pairs.push(Pair { simulated: run(simulated, seed)?, real: run(real, seed)? });
        }
        Ok(pairs)
    }

    /// Prints the text, and puts it between the marks of this example on the page, if one is named.
    pub(crate) fn show(&self, text: &str, example: &str) -> Result<(), Box<dyn Error>> {
        print!("{text}");
        let Some(page) = &self.page else { return Ok(()) };
        let begin = format!("<!-- {example}: begin, written by `make engines` -->\n");
        let end = format!("<!-- {example}: end -->\n");
        let old = fs::read_to_string(page)?;
        let places = old.find(&begin).zip(old.find(&end)).filter(|(begin, end)| begin < end);
        let (at, until) = places.ok_or("the page has no place for the table")?;
        let (before, after) = (&old[..at + begin.len()], &old[until..]);
        Ok(fs::write(page, format!("{before}\n{}\n\n{after}", text.trim_end()))?)
    }
}

/// The setup of a scenario's text.
pub(crate) fn setup(text: &str) -> Result<Setup, Box<dyn Error>> {
    let overrides = atl_scenario::Overrides::default();
    let scenario = atl_scenario::parse(
        "against",
        text,
        Path::new("against"),
        &atl_scenario::no_files,
        &overrides,
    );
    let mut scenario = scenario.map_err(|errors| errors.to_string())?;
    Ok(scenario.points.remove(0).setup)
}

/// The head of a table with a column for each name.
pub(crate) fn heading<'a>(first: &str, names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    format!("| {first} | {} |\n| --- |{}\n", names.join(" | "), " --- |".repeat(names.len()))
}

/// One flow's goodputs at all seeds, as the ratio of real to simulated ones: the mean of the
/// ratios, and the range.
pub(crate) fn ratios(pairs: &[Pair], flow: usize) -> (f64, f64, f64) {
    let ratio =
        |pair: &Pair| pair.real.flows[flow].goodput_bps / pair.simulated.flows[flow].goodput_bps;
    let ratios: Vec<f64> = pairs.iter().map(ratio).collect();
    let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    let most = ratios.iter().copied().fold(0.0, f64::max);
    (mean(&ratios), least, most)
}

/// Milliseconds by which the median RTT of a flow is longer in real time.
pub(crate) fn longer_ms(pairs: &[Pair], flow: usize) -> Result<f64, Box<dyn Error>> {
    let rtt = |flow: &FlowResult| flow.rtt_median_s;
    let longer =
        |pair: &Pair| Some(rtt(&pair.real.flows[flow])? - rtt(&pair.simulated.flows[flow])?);
    let longer: Option<Vec<f64>> = pairs.iter().map(longer).collect();
    Ok(1e3 * mean(&longer.ok_or("a flow has no RTT")?))
}

/// A sentence about lateness in these runs, with a subject such as "At 2 Mb/s packets left".
pub(crate) fn late(
    text: &mut String,
    subject: [&str; 2],
    pairs: &[Pair],
) -> Result<(), Box<dyn Error>> {
    let all = pairs.iter().map(|pair| pair.real.lateness);
    let all: Vec<Lateness> = all.collect::<Option<_>>().ok_or("a run has no lateness")?;
    let of = |value: fn(&Lateness) -> f64| mean(&all.iter().map(value).collect::<Vec<_>>());
    let missing = pairs.iter().filter_map(|pair| pair.real.datagrams).map(|d| d.missing);
    let [at, left] = subject;
    writeln!(
        text,
        "At {at} {left} {:.0}, {:.0} and {:.0} µs late (median, 90th and 99th percentile), {:.2} % of them by more than a \
         packet time; the system threw {} datagrams away, and {} of {} runs are to be trusted.",
        1e6 * of(|l| l.p50_s),
        1e6 * of(|l| l.p90_s),
        1e6 * of(|l| l.p99_s),
        100.0 * of(|l| l.late_share),
        missing.sum::<u64>(),
        all.iter().filter(|l| l.is_trustworthy()).count(),
        all.len(),
    )?;
    Ok(())
}

pub(crate) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}
