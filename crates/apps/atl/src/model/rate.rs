//! The forms of eq. 10 and of its inverse, eq. 13, and the error of each against the process that
//! it describes.

use atl_core::model::{LossCycles, RateForm, Reading, rate_alpha, rate_throughput};
use atl_core::units::Rate;
use atl_core::window::Aimd;
use atl_link::random::Stream;
use atl_report::quantity::number;
use atl_report::table::{Cell, Column, Table};
use serde_json::{Map, Value, json};

use super::line::packets_per_second;
use crate::args::RateModel;
use crate::document::Format;
use crate::failure::Failure;
use crate::output::{self, Look};
use crate::status::Status;

/// Processes to compare each form with. A whole-round sender exceeds every form: docs/errata.md.
const PROCESSES: [(Reading, &str, &str); 2] = [
    (Reading::Appendix, "appendix", "the appendix's process"),
    (Reading::Anywhere, "anywhere", "losses anywhere in an RTT"),
];

/// Result of one form.
struct Answer {
    form: RateForm,
    /// Throughput in packets per second, or alpha in packets per second per RTT; `None` where the
    /// form is not valid.
    value: Option<f64>,
    /// For each process: the error of the throughput, or the distance from the target of a sender
    /// with this alpha.
    off: [Option<f64>; 2],
}

/// Evaluates `atl model rate`.
///
/// # Errors
/// If no form has a solution.
pub(super) fn rate(args: &RateModel) -> Result<Status, Failure> {
    let RateModel { beta, p, rtt, .. } = *args;
    let simulated = |reading, alpha| {
        let cycles = LossCycles::new(reading, Aimd { alpha, beta }, rtt)?;
        // The same random numbers for all, so that only the senders differ.
        let mut stream = Stream::new(1, "eq10");
        cycles.throughput(p, args.cycles, || stream.uniform())
    };
    let answers: Vec<Answer> = match args.target.map(|t| t.packets_per_sec(args.packet_size)) {
        Some(target) => {
            let answer = |form| {
                let value = rate_alpha(form, beta, target, p, rtt);
                let off =
                    PROCESSES.map(|(reading, ..)| Some(simulated(reading, value?)? / target - 1.0));
                Answer { form, value, off }
            };
            RateForm::ALL.map(answer).into()
        }
        None => {
            let aimd = Aimd { alpha: args.alpha / rtt.secs(), beta };
            let got = PROCESSES.map(|(reading, ..)| simulated(reading, aimd.alpha));
            let answer = |form| {
                let value = rate_throughput(form, aimd, p, rtt);
                let off = got.map(|got| Some(value? / got? - 1.0));
                Answer { form, value, off }
            };
            RateForm::ALL.map(answer).into()
        }
    };
    if answers.iter().all(|answer| answer.value.is_none()) {
        return Err(Failure::Usage("no form has a finite solution for these values".to_owned()));
    }
    if args.json { as_json(args, &answers) } else { as_table(args, &answers) }
}

/// Range of validity of a form, in words.
fn holds(form: RateForm, beta: f64) -> String {
    match form {
        RateForm::Published => "always; as printed".to_owned(),
        RateForm::LastRound => "always; best for alpha R p of 0.3 and more".to_owned(),
        RateForm::Mended => match form.limit(beta) {
            limit if limit.is_finite() => {
                format!("below alpha R p = {}; within 3 % up to 1", number(limit))
            }
            _ => "always; within 3 % up to alpha R p = 1".to_owned(),
        },
        RateForm::HalfRound => {
            "below alpha R p = 1; accurate for losses anywhere up to 0.1".to_owned()
        }
    }
}

fn percent(share: Option<f64>) -> String {
    share.map_or("–".to_owned(), |share| format!("{:+.1} %", share * 100.0))
}

fn column(title: &str) -> Column {
    Column { title: title.to_owned(), key: title.to_owned(), quantity: None }
}

fn as_table(args: &RateModel, answers: &[Answer]) -> Result<Status, Failure> {
    let rtt = args.rtt.secs();
    let alpha_r_p = |alpha: f64| alpha * rtt * args.p.get();
    let missing = || "–".to_owned();
    let (head, rows): (Vec<&str>, Vec<Vec<String>>) = match args.target {
        None => (
            vec!["form", "throughput", "error (appendix)", "error (losses anywhere)", "valid"],
            answers
                .iter()
                .map(|a| {
                    let shown = a.value.map(|rate| packets_per_second(rate, args.packet_size));
                    vec![shown.unwrap_or_else(missing), percent(a.off[0]), percent(a.off[1])]
                })
                .collect(),
        ),
        Some(_) => (
            vec![
                "form",
                "alpha, packets/s per RTT",
                "packets per RTT",
                "alpha R p",
                "off target (appendix)",
                "off target (losses anywhere)",
                "valid",
            ],
            answers
                .iter()
                .map(|a| {
                    let numbers =
                        [|_| 1.0, |r| r].map(|f: fn(f64) -> f64| a.value.map(|v| v * f(rtt)));
                    let mut row: Vec<String> =
                        numbers.iter().map(|n| n.map_or_else(missing, number)).collect();
                    row.push(a.value.map_or_else(missing, |alpha| number(alpha_r_p(alpha))));
                    row.extend(a.off.map(percent));
                    row
                })
                .collect(),
        ),
    };
    let rows = answers.iter().zip(rows).map(|(a, row)| {
        let first = a.form.name().to_owned();
        let cells = std::iter::once(first).chain(row).chain([holds(a.form, args.beta)]);
        cells.map(Cell::Text).collect()
    });
    let table = Table { columns: head.into_iter().map(column).collect(), rows: rows.collect() };
    let look = Look::of_stdout();
    let mut out = look.table(&table);
    let what = match args.target {
        None => {
            format!("alpha R p = {}. Errors are relative to", number(alpha_r_p(args.alpha / rtt)))
        }
        Some(target) => format!(
            "The target is {}. How far off a sender with this alpha is was found with",
            packets_per_second(target.packets_per_sec(args.packet_size), args.packet_size)
        ),
    };
    let note = format!(
        "{what} {} simulated loss cycles: of {}, and of a sender with {}. See docs/errata.md.",
        args.cycles, PROCESSES[0].2, PROCESSES[1].2
    );
    out.push_str(&look.paragraph("", &note));
    if args.beta <= 1.0 / 3.0 {
        let note = "The appendix's process is undefined for beta of 1/3 or less.";
        out.push_str(&look.paragraph("", note));
    }
    output::text(&out)
}

fn as_json(args: &RateModel, answers: &[Answer]) -> Result<Status, Failure> {
    let (unit, equation, off) = match args.target {
        None => ("packets/s", "eq. 10", "error"),
        Some(_) => ("packets/s/RTT", "eq. 13", "off_target"),
    };
    let results: Map<String, Value> = answers
        .iter()
        .map(|a| {
            let limit = Some(a.form.limit(args.beta)).filter(|limit| limit.is_finite());
            let mut line = json!({
                "value": a.value,
                "unit": unit,
                "equation": format!("{equation}, {}", a.form.name()),
                "alpha_r_p_below": limit,
            });
            for ((_, key, _), share) in PROCESSES.iter().zip(a.off) {
                line[format!("{off}_{key}")] = json!(share);
            }
            (a.form.name().replace('-', "_"), line)
        })
        .collect();
    output::json(
        Format::Model,
        &json!({
            "model": "rate",
            "inputs": {
                "alpha": args.target.is_none().then_some(args.alpha),
                "target_bps": args.target.map(Rate::bps),
                "beta": args.beta,
                "p": args.p.get(),
                "rtt_s": args.rtt.secs(),
                "packet_bytes": args.packet_size,
                "cycles": args.cycles,
            },
            "results": results,
            "notes": [],
        }),
    )
}
