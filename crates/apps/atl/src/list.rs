//! The command `atl list`.

use atl_core::rate::FeedbackMode;
use atl_engine::Clock;
use atl_engine::protocol::{Recovery, Transport};
use atl_experiment::engines;
use atl_scenario::protocol::{Listed, catalogue};
use atl_scenario::{Outline, Size, outlines};
use serde_json::json;

use crate::args::List;
use crate::document::Format;
use crate::failure::Failure;
use crate::format::{counted, duration};
use crate::output::{self, Look};
use crate::status::Status;

/// Lists scenarios, protocols and engines.
///
/// # Errors
/// If standard output cannot be written.
pub(crate) fn list(args: &List) -> Result<Status, Failure> {
    let scenarios = outlines();
    if args.json {
        return output::json(Format::List, &document(scenarios));
    }
    let look = Look::of_stdout();
    output::text(&format!(
        "{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}",
        look.bold("Scenarios: atl run NAME"),
        scenario_list(scenarios, look),
        look.bold("TCPs (a window, reliable): atl run NAME --set protocol=NAME"),
        protocol_list("tcp", look),
        look.bold("QUIC protocols (also: those of TCP): atl run NAME --on quic-sim --set protocol=NAME"),
        protocol_list("quic", look),
        look.bold("Paced protocols (a rate, no retransmissions, for media): atl run NAME --set protocol=NAME"),
        protocol_list("paced", look),
        look.bold("Engines: atl run NAME --on ENGINE"),
        engine_list(look),
    ))
}

/// Family of a protocol, as in `--json`.
fn family(listed: &Listed) -> &'static str {
    match listed.recovery() {
        Some(_) => "tcp",
        None if listed.is_quic() => "quic",
        None => "paced",
    }
}

/// Feedback of a paced protocol's receiver, as in scenario files.
fn feedback(listed: &Listed) -> Option<String> {
    match atl_scenario::protocol::named(listed.name)?.transport {
        Transport::Tcp(_) | Transport::Quic(_) => None,
        Transport::Paced(config) => Some(match config.feedback() {
            FeedbackMode::Acks => "acks".to_owned(),
            FeedbackMode::Reports { every } => every.to_string(),
            FeedbackMode::Own => "own".to_owned(),
        }),
    }
}

fn document(scenarios: &[Outline]) -> serde_json::Value {
    let size = |size: &Size| {
        json!({
            "points": size.points,
            "seeds": size.seeds,
            "runs": size.runs(),
            "simulated_s": size.simulated().secs(),
        })
    };
    let scenarios = scenarios.iter().map(|scenario| {
        json!({
            "name": scenario.name,
            "title": scenario.title,
            "about": scenario.about,
            "source": scenario.source,
            "swept": scenario.swept,
            "quotes": scenario.quotes,
            "full": size(&scenario.full),
            "quick": size(&scenario.quick),
        })
    });
    let protocols = catalogue().iter().map(|p| {
        json!({
            "name": p.name,
            "label": p.label,
            "about": p.about,
            "source": p.source,
            "family": family(p),
            "recovery": p.recovery().map(Recovery::name),
            "feedback": feedback(p),
        })
    });
    let engines = engines::all().iter().map(|engine| {
        json!({
            "name": engine.name(),
            "version": engine.version(),
            "about": engine.about(),
            "clock": match engine.clock() {
                Clock::Virtual => "virtual",
                Clock::Real => "real",
            },
        })
    });
    json!({
        "scenarios": scenarios.collect::<Vec<_>>(),
        "protocols": protocols.collect::<Vec<_>>(),
        "engines": engines.collect::<Vec<_>>(),
    })
}

/// Names in a column, each followed by its description.
fn entries<'a>(
    names: impl Iterator<Item = &'a str> + Clone,
    texts: &[String],
    look: Look,
) -> String {
    let width = names.clone().map(str::len).max().unwrap_or(0);
    let entry = |(name, text): (&str, &String)| look.paragraph(&format!("  {name:width$}  "), text);
    names.zip(texts).map(entry).collect()
}

fn scenario_list(scenarios: &[Outline], look: Look) -> String {
    let size = |size: &Size| format!("{} of {}", counted(size.runs(), "run"), mean_duration(size));
    let text = |scenario: &Outline| {
        let (full, quick) = (size(&scenario.full), size(&scenario.quick));
        format!("{}: {full}; with --quick {quick}", scenario.title)
    };
    let texts: Vec<String> = scenarios.iter().map(text).collect();
    entries(scenarios.iter().map(|scenario| scenario.name.as_str()), &texts, look)
}

/// Mean duration of a scenario's runs.
fn mean_duration(size: &Size) -> String {
    duration(size.simulated().secs() / size.runs().max(1) as f64)
}

fn protocol_list(of: &str, look: Look) -> String {
    let family = || catalogue().iter().filter(|p| family(p) == of);
    let text = |p: &Listed| format!("{}: {} ({})", p.label, p.about, p.source);
    let texts: Vec<String> = family().map(text).collect();
    entries(family().map(|p| p.name), &texts, look)
}

fn engine_list(look: Look) -> String {
    let names: Vec<&str> = engines::all().iter().map(|engine| engine.name()).collect();
    let texts: Vec<String> =
        engines::all().iter().map(|engine| engine.about().to_owned()).collect();
    entries(names.iter().copied(), &texts, look)
}
