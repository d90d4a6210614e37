//! `atl artefact`: does a verdict stand with each impairment in its other form?

use std::fmt::Write as _;

use atl_engine::{Engine, Gaps};
use atl_experiment::artefact::{Artefact, Form, Variant, Verdict, forms, variants};
use atl_report::Outcome;
use atl_report::quantity::{Quantity, plus_minus};
use atl_report::ranking::compares;
use atl_report::stats::{Estimate, MIN_SEEDS};
use atl_report::table::{Cell, Column, Table};
use atl_scenario::scenario::{Metric, Scenario};
use serde::Serialize;

use crate::args::{self, Running};
use crate::document::Format;
use crate::experiment::{Experiment, Plan};
use crate::failure::Failure;
use crate::format::counted;
use crate::output::{self, Look};
use crate::repeat;
use crate::status::Status;

/// The JSON document.
#[derive(Serialize)]
struct Document {
    version: &'static str,
    command: String,
    results: Vec<Artefact>,
    /// Forms that an engine cannot run, with its reasons.
    left_out: Vec<LeftOut>,
}

/// A form that was not tried.
#[derive(Serialize)]
struct LeftOut {
    form: &'static str,
    reason: String,
}

/// Runs a scenario in each form, and says whether its verdicts stand.
///
/// # Errors
/// If the scenario is wrong, compares nothing or has too few seeds, if no form changes it, if an
/// engine cannot run it as written, or if a run fails.
pub(crate) fn artefact(args: &args::Artefact) -> Result<Status, Failure> {
    let running =
        Running { on: args.on.clone(), jobs: args.jobs, json: args.json, csv: false, quiet: false };
    let command = command(args);
    let written = Plan::new([args.scenario.as_str()], &args.changes, &running)?;
    let engines = written.engines().to_vec();
    let Some(scenario) = written.scenarios().first() else { return Ok(Status::Success) };
    let scenario = Scenario { figures: Vec::new(), quotes: Vec::new(), ..scenario.clone() };
    enough_seeds(&scenario)?;
    if !compares(&scenario) {
        return Err(alone(&scenario));
    }
    let asked = if args.forms.is_empty() { forms().collect() } else { args.forms.clone() };
    let (variants, left_out) = possible(variants(&scenario, asked.iter().copied()), &engines);
    if variants.is_empty() {
        return Err(nothing(&scenario, &asked, &left_out));
    }
    let others = variants.iter().map(|variant| variant.scenario.clone());
    let all: Vec<Scenario> = std::iter::once(scenario.clone()).chain(others).collect();
    let commands = vec![command.clone(); all.len()];
    let plan = Plan::of(engines, all, &running)?;
    let experiment = plan.run(&commands, &running, &std::env::temp_dir())?;
    let results = judged(&experiment, &variants);
    if results.is_empty() {
        return Err(alone(&scenario));
    }
    if args.json {
        let document = Document { version: env!("CARGO_PKG_VERSION"), command, results, left_out };
        return output::json(Format::Artefact, &document);
    }
    let mut out = String::new();
    for result in &results {
        out.push_str(&shown(result, results.len() > 1, Look::of_stdout()));
    }
    for LeftOut { form, reason } in &left_out {
        out.push_str(
            &Look::of_stdout().paragraph("", &format!("Not tried: {form}, because {reason}")),
        );
    }
    let _ = writeln!(out, "{}.", experiment.effort());
    output::text(&out)
}

fn command(args: &args::Artefact) -> String {
    let mut command = repeat::command("artefact", &args.scenario, &args.changes, &args.on, &[]);
    if !args.forms.is_empty() {
        let names: Vec<&str> = args.forms.iter().map(|form| form.name).collect();
        command.push_str(&format!(" --forms {}", names.join(",")));
    }
    command
}

fn alone(scenario: &Scenario) -> Failure {
    Failure::Usage(format!(
        "`{}` compares nothing: it needs two protocols or more, in a sweep or side by side",
        scenario.name
    ))
}

/// Verdicts take seeds; better said before the runs than after them.
fn enough_seeds(scenario: &Scenario) -> Result<(), Failure> {
    let seeds = scenario.seeds.len();
    if seeds >= MIN_SEEDS {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "`{}` has {}, and a verdict takes at least {MIN_SEEDS}: give `--seeds {MIN_SEEDS}` or more",
        scenario.name,
        counted(seeds, "seed"),
    )))
}

/// The variants that all engines can run, and those that one cannot.
fn possible(
    variants: Vec<Variant>,
    engines: &[&'static dyn Engine],
) -> (Vec<Variant>, Vec<LeftOut>) {
    let (mut able, mut left_out) = (Vec::new(), Vec::new());
    for variant in variants {
        match atl_engine::check(engines, &[&variant.scenario]) {
            Ok(()) => able.push(variant),
            Err(gaps) => {
                left_out.push(LeftOut { form: variant.form.name, reason: reason(&gaps) });
            }
        }
    }
    (able, left_out)
}

fn reason(gaps: &Gaps) -> String {
    gaps.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}

fn nothing(scenario: &Scenario, asked: &[&'static Form], left_out: &[LeftOut]) -> Failure {
    let names: Vec<&str> = asked.iter().map(|form| form.name).collect();
    let reasons: String =
        left_out.iter().map(|left| format!("; {}: {}", left.form, left.reason)).collect();
    Failure::Usage(format!(
        "no form changes `{}`: {} would leave it as it is{reasons}",
        scenario.name,
        names.join(", ")
    ))
}

/// The outcomes are ordered by scenario, the one as written first, then by engine.
fn judged(experiment: &Experiment, variants: &[Variant]) -> Vec<Artefact> {
    let by_scenario: Vec<&[Outcome]> = experiment.by_scenario().collect();
    let Some((written, others)) = by_scenario.split_first() else { return Vec::new() };
    let of_engine = |(engine, written): (usize, &Outcome)| {
        let others = variants.iter().zip(others).map(|(variant, all)| (variant.form, &all[engine]));
        Artefact::of(written, &others.collect::<Vec<_>>())
    };
    written.iter().enumerate().filter_map(of_engine).collect()
}

/// The claims on one engine, each with a table of its forms and its sentence below.
fn shown(result: &Artefact, several: bool, look: Look) -> String {
    let on = if several { format!(" on {}", result.engine) } else { String::new() };
    let mut out = look.titled(&format!("{}{on}", result.scenario), &result.title);
    for claim in &result.claims {
        let written = ("as written", claim.goodputs_bps, claim.ratio, claim.words(), String::new());
        let forms = claim.forms.iter().map(|under| {
            let verdict = match under.verdict {
                Verdict::Stands => "stands",
                Verdict::Falls => "falls",
                Verdict::Unclear => "unclear",
            };
            let words = claim.words_under(under);
            (under.form.name, under.goodputs_bps, under.ratio, words, verdict.to_owned())
        });
        let rows =
            std::iter::once(written).chain(forms).map(|(form, goodputs, ratio, words, verdict)| {
                let ratio = ratio.as_ref().map_or("–".to_owned(), plus_minus);
                let [own, leader] =
                    goodputs.map(|goodput: Estimate| Quantity::of(Metric::Goodput).show(&goodput));
                [form.to_owned(), own, leader, ratio, words, verdict].map(Cell::Text).to_vec()
            });
        let column =
            |title: &str| Column { title: title.to_owned(), key: title.to_owned(), quantity: None };
        let ratio = format!("{} / {}", claim.of, claim.beside);
        let titles = ["form", &claim.of, &claim.beside, &ratio, "so", "verdict"];
        let table = Table { columns: titles.map(column).to_vec(), rows: rows.collect() };
        let _ = write!(out, "\n{}", look.table(&table));
    }
    let _ = write!(
        out,
        "\n{}",
        look.paragraph(
            "",
            &format!(
                "Ranked by {}, means over {} with 95 % intervals; ratios and verdicts are paired by seed.",
                result.ranked,
                counted(result.seeds.len(), "seed")
            )
        )
    );
    for claim in &result.claims {
        out.push_str(&look.bold(&look.paragraph("", &claim.sentence)));
    }
    out.push('\n');
    out
}
