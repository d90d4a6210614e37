//! Conditions of a link: rate or trace, delay, loss; named ones, and what a way back changes.

use std::collections::BTreeMap;
use std::sync::Arc;

use atl_core::model::{Gilbert, PathChain};
use atl_core::time::Span;
use atl_core::units::Probability;
use atl_link::{Conditions, Delay, Loss, Service};

use super::Traces;
use crate::errors::Problem;
use crate::keys;
use crate::table::{Field, Table};
use crate::tree::{Kind, is_name};

/// Conditions of which some may be left open.
#[derive(Clone, Debug, Default)]
pub(super) struct Partial {
    service: Option<Service>,
    delay: Option<Delay>,
    loss: Option<Loss>,
}

impl Partial {
    /// Reads the keys that networks, links, roams and ways back have in common.
    pub fn read(table: &Table<'_>, traces: &Traces<'_>) -> Partial {
        either(table, "rate", "trace");
        either(table, "delay", "delay-trace");
        let unlimited = |f: &Field<'_>| matches!(&f.node.kind, Kind::Str(s) if s == "unlimited");
        let rate = table.read("rate", |f| {
            if unlimited(f) { Some(Service::Unlimited) } else { f.rate().map(Service::Constant) }
        });
        let trace = table.read("trace", |f| traces.rate(f).map(Service::Trace));
        let delay = table.read("delay", |f| f.time().map(Delay::Constant));
        let recorded = table.read("delay-trace", |f| traces.delay(f).map(Delay::Trace));
        Partial {
            service: rate.or(trace),
            delay: delay.or(recorded),
            loss: table.read("loss", loss),
        }
    }

    /// These conditions, changed by those that `over` gives.
    pub fn changed_by(&self, over: &Partial) -> Partial {
        Partial {
            service: over.service.clone().or_else(|| self.service.clone()),
            delay: over.delay.clone().or_else(|| self.delay.clone()),
            loss: over.loss.or(self.loss),
        }
    }

    /// The full conditions; without a rate there are none, other defaults are no delay and no loss.
    pub fn complete(&self, name: &Arc<str>) -> Option<Conditions> {
        Some(Conditions {
            name: Arc::clone(name),
            service: self.service.clone()?,
            delay: self.delay.clone().unwrap_or(Delay::Constant(Span::ZERO)),
            loss: self.loss.unwrap_or(Loss::None),
        })
    }
}

fn either(table: &Table<'_>, a: &'static str, b: &'static str) {
    if table.get(a).is_some() && table.get(b).is_some() {
        table.report(format!("`{a}` and `{b}` exclude each other"), "has both");
    }
}

/// A probability, the four numbers of a Gilbert-Elliott chain, or the two chains of a path.
fn loss(field: &Field<'_>) -> Option<Loss> {
    if !matches!(field.node.kind, Kind::Table(_)) {
        let p = field.probability()?;
        return Some(if p.get() > 0.0 { Loss::Bernoulli(p) } else { Loss::None });
    }
    let table = field.table(&keys::LOSS)?;
    if table.get("wireless").is_some() || table.get("congestion").is_some() {
        return path(&table);
    }
    let to_bad = table.need("good-to-bad").and_then(|f| f.probability());
    let to_good = table.need("bad-to-good").and_then(|f| f.probability());
    let loss_good = table.read("loss-good", Field::probability);
    let loss_bad = table.read("loss-bad", Field::probability);
    Some(Loss::GilbertElliott {
        to_bad: to_bad?,
        to_good: to_good?,
        loss_good: loss_good.unwrap_or_default(),
        loss_bad: loss_bad.unwrap_or(Probability::ONE),
    })
}

/// ARC's model of a path.
fn path(table: &Table<'_>) -> Option<Loss> {
    for key in ["good-to-bad", "bad-to-good", "loss-good", "loss-bad"] {
        if table.get(key).is_some() {
            let message = format!("`{key}` and the two chains of a path exclude each other");
            table.report(message, "give it to `wireless` or `congestion`");
            return None;
        }
    }
    let part = |key| match table.get(key) {
        Some(field) => chain(&field),
        None => Some(Gilbert::independent(Probability::ZERO)),
    };
    let (wireless, congestion) = (part("wireless"), part("congestion"));
    Some(Loss::Path(PathChain { wireless: wireless?, congestion: congestion? }))
}

/// One chain: a probability is that of independent losses.
fn chain(field: &Field<'_>) -> Option<Gilbert> {
    if !matches!(field.node.kind, Kind::Table(_)) {
        return field.probability().map(Gilbert::independent);
    }
    let table = field.table(&keys::LOSS_CHAIN)?;
    let to_bad = table.need("good-to-bad").and_then(|f| f.probability());
    let to_good = table.need("bad-to-good").and_then(|f| f.probability());
    Some(Gilbert { to_bad: to_bad?, to_good: to_good? })
}

/// A named network.
#[derive(Clone, Debug)]
pub(super) struct Network {
    pub name: Arc<str>,
    pub there: Partial,
    /// What differs on the way back.
    pub back: Partial,
}

/// All networks of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Networks(BTreeMap<String, Network>);

impl Networks {
    pub fn read(top: &Table<'_>, traces: &Traces<'_>) -> Networks {
        let mut networks = Networks::default();
        let Some(all) = top.read("network", |f| f.table(&keys::NETWORKS)) else {
            return networks;
        };
        for (entry, field) in all.others() {
            if !is_name(&entry.key) {
                let problem = Problem::new(format!("a network cannot be called `{}`", entry.key));
                let problem = problem.at(entry.key_at).key(&*field.path);
                field.report(problem.label("a name has letters, digits, `-` and `_`"));
            }
            let Some(table) = field.table(&keys::NETWORK) else {
                continue;
            };
            let back = table.read("reverse", |f| f.table(&keys::NETWORK_REVERSE));
            let network = Network {
                name: Arc::from(entry.key.as_str()),
                there: Partial::read(&table, traces),
                back: back.map(|b| Partial::read(&b, traces)).unwrap_or_default(),
            };
            if network.there.service.is_none()
                && table.get("rate").is_none()
                && table.get("trace").is_none()
            {
                table.report(
                    format!("the network `{}` has no rate", entry.key),
                    "give `rate` or `trace`; `rate = \"unlimited\"` is one too",
                );
            }
            networks.0.insert(entry.key.clone(), network);
        }
        networks
    }

    /// The network that a field names.
    pub fn named(&self, field: &Field<'_>) -> Option<&Network> {
        let name = field.text()?;
        let network = self.0.get(name);
        if network.is_none() {
            let problem = field.problem(format!("there is no network `{name}`"), "unknown network");
            field.report(problem.nearest(name, self.0.keys().map(String::as_str)));
        }
        network
    }
}
