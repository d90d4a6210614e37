//! `atl.path`: which transport survives a path.

use std::io::ErrorKind;
use std::path::Path as File;

use atl_core::time::{Span, Time};
use atl_core::units::{Probability, Rate};
use atl_host::Cancel;
use atl_path::{Answer, Description, Direction, Network, named};
use atl_scenario::{Overrides, units};
use pyo3::prelude::*;

use crate::results::Result;
use crate::running::{Running, of_scenario};
use crate::{errors, hosts};

/// What was said of a path, in the words of the command line.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Words {
    network: Option<String>,
    rtt: Option<String>,
    down: Option<String>,
    up: Option<String>,
    loss: Option<String>,
    then: Vec<String>,
    send: String,
    queue: Option<u32>,
    duration: Option<String>,
    protocols: Vec<String>,
    seeds: u32,
}

/// Reads an option's value; a mistake names the option and the value, as the command line does.
fn value<T>(
    py: Python<'_>,
    option: &str,
    text: &Option<String>,
    read: impl Fn(&str) -> std::result::Result<T, String>,
) -> PyResult<Option<T>> {
    let Some(text) = text else { return Ok(None) };
    let wrong = |why| errors::usage(py, format!("invalid value '{text}' for '{option}': {why}"));
    read(text).map(Some).map_err(wrong)
}

fn some_time(text: &str) -> std::result::Result<Span, String> {
    match units::time(text)? {
        span if span.is_zero() => Err("expected a time greater than 0s, such as 120ms".to_owned()),
        span => Ok(span),
    }
}

fn loss(text: &str) -> std::result::Result<Probability, String> {
    let number = text.parse().ok().or_else(|| units::percent(text).ok());
    number.and_then(Probability::new).ok_or_else(|| {
        "expected a number from 0 to less than 1, or a percentage such as 2%".to_owned()
    })
}

fn network(name: &str) -> std::result::Result<Network, String> {
    named(name).map(|known| known.network.clone())
}

fn then(text: &str) -> std::result::Result<(Network, Time), String> {
    let (name, at) =
        text.split_once('@').ok_or("expected NETWORK@TIME, such as leo@40s".to_owned())?;
    Ok((network(name)?, Time::ZERO + units::time(at)?))
}

impl Words {
    fn described(self, py: Python<'_>) -> PyResult<Description> {
        let rate = |text: &str| -> std::result::Result<Rate, String> { units::rate(text) };
        let mut stages = Vec::new();
        for text in self.then {
            stages.extend(value(py, "--then <NETWORK@TIME>", &Some(text), then)?);
        }
        let send = match self.send.as_str() {
            "down" => Direction::Down,
            "up" => Direction::Up,
            other => {
                let text =
                    format!("invalid value '{other}' for '--send <WAY>': expected down or up");
                return Err(errors::usage(py, text));
            }
        };
        let described = Description {
            network: value(py, "[NETWORK]", &self.network, network)?,
            rtt: value(py, "--rtt <TIME>", &self.rtt, some_time)?,
            down: value(py, "--down <RATE>", &self.down, rate)?,
            up: value(py, "--up <RATE>", &self.up, rate)?,
            loss: value(py, "--loss <P>", &self.loss, loss)?,
            then: stages,
            send,
            queue: self.queue,
            duration: value(py, "--duration <TIME>", &self.duration, some_time)?,
            protocols: self.protocols,
            seeds: self.seeds,
        };
        let rates = described.down.is_some() || described.up.is_some();
        if described.network.is_none() && (described.rtt.is_none() || !rates) {
            let text = "a path needs a network's name, or else rtt and down or up";
            return Err(errors::usage(py, text));
        }
        Ok(described)
    }
}

/// Sends data over a path with several transports; gives the results, the answer as JSON, and the scenario's text.
#[pyfunction]
pub(crate) fn path(
    py: Python<'_>,
    words: Words,
    running: Running,
) -> PyResult<(Result, String, String)> {
    let described = words.described(py)?;
    let path = described.path();
    path.check().map_err(|wrong| errors::usage(py, format!("this path cannot be: {wrong}")))?;
    let text = path.file();
    let none = |_: &File| Err(ErrorKind::NotFound.into());
    let origin = File::new("the path's scenario");
    let scenario = py
        .detach(|| atl_scenario::parse("path", &text, origin, &none, &Overrides::default()))
        .map_err(|errors| errors::scenario(py, &errors))?;
    let hosts = hosts::choose(py, &running.on)?;
    let cancel = Cancel::default();
    let outcomes = of_scenario(py, scenario, &described.command(), &hosts, &running, &cancel)?;
    let result = Result::of(py, outcomes);
    let Some(outcome) = result.first() else {
        return Err(errors::failed(py, "no run has a result"));
    };
    let answer = serde_json::to_string(&Answer::of(&path, outcome));
    let answer = answer.map_err(|error| errors::failed(py, error))?;
    Ok((result, answer, text))
}
