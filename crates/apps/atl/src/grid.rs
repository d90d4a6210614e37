//! `atl grid`: what link knowledge buys, on networks drawn at random.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;

use atl_core::time::Span;
use atl_engine::{Options, Progress};
use atl_experiment::grid::{
    FRONTIER, Outcome, Point, RIVALS, RUNGS, SEEDS_AGAIN, Sender, Target, contestants, doubtful,
    outcomes, standing, targets, used,
};
use atl_report::store;
use atl_sim::Sim;
use serde::Serialize;

mod frontier;

use crate::args::Grid;
use crate::failure::Failure;
use crate::interrupt;
use crate::output;
use crate::progress::Bar;
use crate::status::Status;

/// Points that run together: enough for all processors, and few enough to show progress.
const TOGETHER: usize = 16;

/// The results as `--json` prints them.
#[derive(Serialize)]
struct Document<'a> {
    format: &'static str,
    version: &'static str,
    seed: u64,
    seeds: u32,
    targets: &'a [Target],
    points: &'a [Outcome],
}

/// Runs the grid.
///
/// # Errors
/// If a run fails, or a file cannot be written.
pub(crate) fn grid(args: &Grid) -> Result<Status, Failure> {
    if let Some(dir) = &args.out {
        // Before the runs, which take their time.
        std::fs::create_dir_all(dir).map_err(|e| Failure::file("create", dir, &e))?;
    }
    let bar = Bar::new("grid ", args.json);
    let found = interrupt::completed(|cancel| {
        let jobs = args.jobs.and_then(|jobs| NonZeroUsize::new(jobs.into()));
        let options = Options { jobs, cancel, progress: &|_| {} };
        let points: Vec<Point> =
            (0..args.points).map(|number| Point::draw(args.seed, number)).collect();
        let found = all(&points, &contestants(), &runs(args), options, &bar)?;
        let mut used = u64::from(args.seeds);
        let mut doubted = doubtful(&found);
        let mut again = Vec::new();
        for seeds in SEEDS_AGAIN {
            let further = all(&doubted, RUNGS, &(used + 1..=used + seeds), options, &bar)?;
            used += seeds;
            doubted = doubtful(&further);
            again.extend(further);
        }
        bar.finish();
        Ok::<_, atl_experiment::attack::Failure>((found, again))
    });
    let (found, again) = found.map_err(|failure| Failure::Runtime(failure.to_string()))?;
    let judged = targets(&found, &again);
    if let Some(dir) = &args.out {
        let worst = judged.iter().filter_map(|target| target.worst);
        for number in worst.collect::<std::collections::BTreeSet<u32>>() {
            let path = dir.join(format!("point-{number}.toml"));
            let point = Point::draw(args.seed, number);
            store::write_text(&path, &point.file(&contestants(), &point.seeds(runs(args))))
                .map_err(|e| Failure::file("write", &path, &e))?;
        }
    }
    if let Some(path) = &args.page {
        let figure = path.with_file_name(frontier::file_name(args));
        for (path, text) in
            [(&figure, frontier::figure(&found)), (path, page(args, &found, &judged))]
        {
            store::write_text(path, &text).map_err(|e| Failure::file("write", path, &e))?;
        }
    }
    if args.json {
        let document = Document {
            format: "atl-grid/1",
            version: env!("CARGO_PKG_VERSION"),
            seed: args.seed,
            seeds: args.seeds,
            targets: &judged,
            points: &found,
        };
        let text = serde_json::to_string_pretty(&document)
            .map_err(|error| Failure::Runtime(error.to_string()))?;
        output::text(&(text + "\n"))?;
    } else {
        output::text(&shown(&found, &judged))?;
    }
    let missed = judged.iter().any(|target| !target.is_met());
    Ok(if args.strict && missed { Status::Failure } else { Status::Success })
}

/// The numbers of a point's runs.
fn runs(args: &Grid) -> RangeInclusive<u64> {
    1..=args.seeds.into()
}

fn all(
    points: &[Point],
    senders: &[Sender],
    runs: &RangeInclusive<u64>,
    options: Options<'_>,
    bar: &Bar,
) -> Result<Vec<Outcome>, atl_experiment::attack::Failure> {
    let mut found = Vec::new();
    for batch in points.chunks(TOGETHER) {
        found.extend(outcomes(batch, senders, runs, &Sim, options)?);
        let of = |points: usize| Span::from_secs(points as u64);
        let (done, total, runs) = (of(found.len()), of(points.len()), points.len());
        bar.show(Progress { done, total, runs_done: found.len(), runs });
    }
    Ok(found)
}

/// The targets, and how much of their links the senders use, for a terminal.
fn shown(found: &[Outcome], judged: &[Target]) -> String {
    let mut out = String::new();
    for target in judged {
        let _ = writeln!(
            out,
            "{} {}, at least {}: {} ({} points)",
            if target.is_met() { "met     " } else { "not met " },
            target.what,
            target.target,
            measured(target),
            target.points
        );
    }
    out.push_str("\nShare of the link's rate that is goodput, mean by p_w:\n");
    let width = labels().map(|(name, _)| name.len()).max().unwrap_or(0);
    let names = classes().map(|(name, _)| format!("{name:>9}")).concat();
    let _ = writeln!(out, "{:<width$}{names}", "");
    for (label, shares) in usage(found) {
        let cells: String = shares.iter().map(|share| format!("{:>9}", text(*share, 2))).collect();
        let _ = writeln!(out, "{label:<width$}{cells}");
    }
    let _ = writeln!(
        out,
        "\nbacklog: told all, with fewer or more packets of its own in the queue than by default ({})",
        frontier::backlog()
    );
    out
}

fn page(args: &Grid, found: &[Outcome], judged: &[Target]) -> String {
    let mut out = format!(
        "<!-- Generated by `atl grid --points {0} --seed {1} --seeds {2} --page FILE`. Do not edit. -->\n\n\
         # What link knowledge buys on networks drawn at random\n\n\
         {0} networks, drawn with seed {1}, {4} of each sender on each, with seeds of their own: `atl grid --points {0} --seed {1} --seeds {2}`. A link of 1 Mb/s to 1 Gb/s, round trips of\n\
         10 to 600 ms, queues of .1 to 4 bandwidth-delay products (all evenly in the logarithm); p_w of 0 (a fifth of the points) or 1e-4 to 1e-1,\n\
         half of them in bursts of 2 to 20 packets; one flow (half) or 2 to 8, down or up the link; 5 to 30 s from the start. Nothing was tuned on them.\n\
         Each sender is alone on its link, on RACK's recovery. \"Told\" is `residual` with so much knowledge of its link; the best rival is the best of\n\
         {3} at each point.\n\n\
         ## Targets\n\n\
         | what | points | target | measured | | worst point |\n| --- | ---: | ---: | ---: | --- | ---: |\n",
        args.points,
        args.seed,
        args.seeds,
        RIVALS.iter().map(|rival| rival.label).collect::<Vec<_>>().join(", "),
        if args.seeds == 1 { "one run".to_owned() } else { format!("{} runs", args.seeds) },
    );
    for target in judged {
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} |",
            target.what,
            target.points,
            target.target,
            measured(target),
            if target.is_met() { "✓ met" } else { "✗ not met" },
            target.worst.map_or_else(String::new, |number| number.to_string())
        );
    }
    let silent: Vec<String> = found
        .iter()
        .filter(|outcome| outcome.senders.iter().all(|sender| sender.goodput_bps <= 0.0))
        .map(|outcome| outcome.point.number.to_string())
        .collect();
    if !silent.is_empty() {
        let _ = write!(
            out,
            "\nNo sender got anything through at these points, where a burst of losses lasted longer than the run: {}.\n",
            silent.join(", ")
        );
    }
    let [again, more] = SEEDS_AGAIN;
    let _ = write!(
        out,
        "\nA rung over the one below: with few seeds luck decides more than knowledge. The points below the target ran again, with {again} other\n\
         seeds, and those still below it with {more} more; the last means count.\n\n\
         ## The frontier\n\nA sender that keeps more packets in the queue loses less to chance and shares more evenly, and delays others by more. The same figures as above for\n\
         every sender, and for `residual`, told all, with a quarter, half, twice and four times its `backlog`, which is {}.\n\
         In the figure, numbers in brackets are the worst 5 % of the goodput over the best rival.\n\n",
        frontier::backlog()
    );
    let _ = writeln!(out, "![The frontier]({})\n", frontier::file_name(args));
    out.push_str(
        "| sender | goodput over the best rival: mean | worst 5 % | short queue: share of points | Jain's index: worst 5 % |\n\
         | --- | ---: | ---: | ---: | ---: |\n",
    );
    for (name, label) in labels() {
        let found = standing(found, label);
        let cells = [found.mean, found.worst, found.short, found.jain].map(|value| text(value, 3));
        let _ = writeln!(out, "| {name} | {} |", cells.join(" | "));
    }
    out.push_str("\n## How much of its link a sender uses\n\nGoodput over the link's rate, headers included in the rate: mean of the points with this p_w.\n\n| sender |");
    for (name, _) in classes() {
        let _ = write!(out, " {name} |");
    }
    out.push_str("\n| --- |");
    out.push_str(&" ---: |".repeat(classes().len()));
    out.push('\n');
    for (label, shares) in usage(found) {
        let cells: String = shares.iter().map(|share| format!(" {} |", text(*share, 3))).collect();
        let _ = writeln!(out, "| {label} |{cells}");
    }
    let counts = classes().map(|(_, within)| {
        let n = found.iter().filter(|outcome| within(outcome.point.loss)).count();
        format!(" {n} |")
    });
    let _ = writeln!(out, "| points |{}", counts.concat());
    out
}

fn measured(target: &Target) -> String {
    text(target.measured, 3)
}

fn text(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.digits$}"))
}

/// A class of p_w: its name, and what is in it.
type Class = (&'static str, fn(f64) -> bool);

fn classes() -> [Class; 5] {
    [
        ("all", |_| true),
        ("p_w 0", |loss| loss <= 0.0),
        ("< 0.3 %", |loss| loss > 0.0 && loss < 0.003),
        ("0.3-3 %", |loss| (0.003..0.03).contains(&loss)),
        ("3-10 %", |loss| loss >= 0.03),
    ]
}

/// The names of all senders for a reader, and their labels.
fn labels() -> impl Iterator<Item = (String, &'static str)> {
    let rungs = RUNGS.iter().map(|rung| (format!("residual, told {}", rung.label), rung.label));
    let others = FRONTIER.iter().map(|one| (format!("residual, {}", one.label), one.label));
    rungs.chain(others).chain(RIVALS.iter().map(|rival| (rival.label.to_owned(), rival.label)))
}

/// The share of the link that each sender uses, by class of p_w; absent where a class has no point.
fn usage(found: &[Outcome]) -> Vec<(String, [Option<f64>; 5])> {
    let mut memo: BTreeMap<&str, Vec<(f64, f64)>> = BTreeMap::new();
    for outcome in found {
        for sender in &outcome.senders {
            let value = (outcome.point.loss, used(outcome, sender.sender));
            memo.entry(sender.sender).or_default().push(value);
        }
    }
    let of = |label: &str, within: fn(f64) -> bool| {
        let values = memo.get(label).map_or(&[][..], Vec::as_slice);
        let chosen: Vec<f64> =
            values.iter().filter(|(loss, _)| within(*loss)).map(|(_, share)| *share).collect();
        (!chosen.is_empty()).then(|| chosen.iter().sum::<f64>() / chosen.len() as f64)
    };
    labels().map(|(name, label)| (name, classes().map(|(_, within)| of(label, within)))).collect()
}
