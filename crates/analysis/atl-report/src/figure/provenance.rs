//! Provenance of a figure's data, and its citation.

use crate::outcome::Outcome;

/// Program, scenario, hash, engine and command on one line.
pub fn cite(outcome: &Outcome) -> String {
    let scenario = &outcome.scenario;
    format!(
        "atl {}, scenario {}, scenario_hash {}, engine {}: {}",
        outcome.version, scenario.name, scenario.hash, outcome.engine.name, outcome.command
    )
}

/// Entry for BibTeX with hash and command, for citing a result.
pub fn bibtex(outcome: &Outcome) -> String {
    let scenario = &outcome.scenario;
    let key: String =
        scenario.name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let short: String = scenario.hash.chars().take(8).collect();
    format!(
        "@software{{atl-{key}-{short},\n  title        = {{atl: adaptive transport layer}},\n  version      = {{{version}}},\n  note         = {{Scenario \\texttt{{{name}}}, scenario\\_hash \\texttt{{{hash}}}, on {engine}}},\n  howpublished = {{\\texttt{{{command}}}}},\n}}\n",
        version = super::latex::escaped(&outcome.version),
        name = super::latex::escaped(&scenario.name),
        hash = super::latex::escaped(&scenario.hash),
        engine = super::latex::escaped(&outcome.engine.name),
        command = super::latex::escaped(&outcome.command),
    )
}
