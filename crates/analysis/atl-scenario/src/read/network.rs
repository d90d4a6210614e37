//! Conditions of links: rate or trace, delay and loss, by name and for the reverse direction.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use atl_core::time::Span;
use atl_core::units::{Probability, Rate};
use atl_link::{
    Conditions, Delay, Grants, Jitter, JitterShape, Loss, Ramp, Reconfiguration, Reorder, Service,
};

use super::radio::Blocked;
use super::{Traces, jitter, loss, queue, radio};
use crate::errors::Problem;
use crate::networks::named_networks;
use crate::table::{Field, Table};
use crate::tree::is_name;

/// Conditions that may still be incomplete.
#[derive(Clone, Debug, Default)]
pub(super) struct Partial {
    service: Option<Service>,
    blocked: Option<Blocked>,
    delay: Option<Delay>,
    /// `Some(None)` takes away what the network has.
    jitter: Option<Option<Jitter>>,
    reorder: Option<Option<Reorder>>,
    reconfiguration: Option<Option<Reconfiguration>>,
    grants: Option<Option<Grants>>,
    loss: Option<Loss>,
    ingress: Option<Loss>,
    duplicate: Option<Probability>,
}

impl Partial {
    /// Reads the keys shared by networks, links, roams and reverse directions.
    pub(super) fn read(table: &Table<'_>, traces: &Traces<'_>) -> Partial {
        let rate = table.read("rate", service);
        let trace = table.read("trace", |f| traces.rate(f).map(Service::Trace));
        let wifi = table.read("wifi", radio::wifi);
        let delay = table.read("delay", |f| f.time().map(Delay::Constant));
        let recorded = table.read("delay-trace", |f| traces.delay(f).map(Delay::Trace));
        Partial {
            service: rate.or(trace).or(wifi),
            blocked: table.read("blockage", Blocked::read),
            delay: delay.or(recorded),
            jitter: table.read("jitter", jitter::jitter),
            reorder: table.read("reorder", jitter::reorder),
            reconfiguration: table.read("reconfiguration", jitter::reconfiguration),
            grants: table.read("grants", radio::grants),
            loss: table.read("loss", loss::read),
            ingress: table.read("ingress-loss", loss::ingress),
            duplicate: table.read("duplicate", Field::probability),
        }
    }

    /// These conditions, replaced by those that `over` has.
    pub(super) fn changed_by(&self, over: &Partial) -> Partial {
        Partial {
            service: over.service.clone().or_else(|| self.service.clone()),
            blocked: over.blocked.or(self.blocked),
            delay: over.delay.clone().or_else(|| self.delay.clone()),
            jitter: over.jitter.or(self.jitter),
            reorder: over.reorder.or(self.reorder),
            reconfiguration: over.reconfiguration.or(self.reconfiguration),
            grants: over.grants.or(self.grants),
            loss: over.loss.or(self.loss),
            ingress: over.ingress.or(self.ingress),
            duplicate: over.duplicate.or(self.duplicate),
        }
    }

    /// True if it has a blockage of what has no constant rate.
    pub(super) fn is_blocked_in_vain(&self) -> bool {
        let constant = matches!(self.service, None | Some(Service::Constant(_)));
        self.blocked.is_some() && !constant
    }

    /// The rate while its line of sight is blocked and while it is clear, where the first is
    /// higher.
    pub(super) fn unblocked(&self) -> Option<[Rate; 2]> {
        let (Some(blocked), Some(Service::Constant(clear))) = (self.blocked, &self.service) else {
            return None;
        };
        (blocked.rate.bps() > clear.bps()).then_some([blocked.rate, *clear])
    }

    /// By how much the delay may be shorter and the delay itself, where the first is longer: delays
    /// would be cut at zero, and longer on average than the file says.
    pub(super) fn cut(&self) -> Option<[Span; 2]> {
        let delay = match self.delay {
            None => Span::ZERO,
            Some(Delay::Constant(delay)) => delay,
            Some(Delay::Trace(_)) => return None,
        };
        let below = |jitter: Jitter| match jitter.shape {
            JitterShape::Uniform | JitterShape::Normal => jitter.spread,
            JitterShape::Exponential | JitterShape::Wifi | JitterShape::Harq => Span::ZERO,
        };
        let step = self.reconfiguration.flatten().map_or(Span::ZERO, |new| new.step);
        let most = self.jitter.flatten().map_or(Span::ZERO, below) + step;
        (most > delay).then_some([most, delay])
    }

    /// Complete conditions, by default without delay and loss; `None` without a rate.
    pub(super) fn complete(&self, name: &Arc<str>) -> Option<Conditions> {
        let service = self.service.clone()?;
        Some(Conditions {
            name: Arc::clone(name),
            queue: None,
            service: match self.blocked {
                Some(blocked) => blocked.of(service),
                None => service,
            },
            delay: self.delay.clone().unwrap_or(Delay::Constant(Span::ZERO)),
            jitter: self.jitter.flatten(),
            reorder: self.reorder.flatten(),
            reconfiguration: self.reconfiguration.flatten(),
            grants: self.grants.flatten(),
            loss: self.loss.unwrap_or(Loss::None),
            ingress: self.ingress.unwrap_or(Loss::None),
            duplicate: self.duplicate.unwrap_or(Probability::ZERO),
        })
    }
}

/// A rate, a word for none, or a table with a ramp.
fn service(field: &Field<'_>) -> Option<Service> {
    if field.is_word("unlimited") {
        return Some(Service::Unlimited);
    }
    if !field.is_table() {
        return field.rate().map(Service::Constant);
    }
    let table = field.table()?;
    let (from, to) = (table.read("from", Field::rate), table.read("to", Field::rate));
    let over = table.read("over", Field::time);
    Some(Service::Ramp(Ramp { from: from?, to: to?, over: over? }))
}

/// A network with a name.
#[derive(Clone, Debug)]
pub(super) struct Network {
    pub name: Arc<str>,
    pub there: Partial,
    /// Differences of the reverse direction.
    pub back: Partial,
    /// Its queue, and that of its reverse direction alone.
    pub queues: [Option<queue::Waiting>; 2],
}

#[derive(Clone, Debug, Default)]
pub(super) struct Networks {
    all: BTreeMap<String, Network>,
    /// Names that a link or cell refers to.
    used: RefCell<BTreeSet<String>>,
}

impl Networks {
    pub(super) fn read(top: &Table<'_>, traces: &Traces<'_>) -> Networks {
        let mut networks = Networks::default();
        let Some(all) = top.read("network", Field::table) else {
            return networks;
        };
        for (entry, field) in all.others() {
            if !is_name(&entry.key) {
                let problem = Problem::new(format!("a network cannot be called `{}`", entry.key));
                let problem = problem.at(entry.key_at).key(&*field.path);
                field.report(problem.label("a name has letters, digits, `-` and `_`"));
            }
            let Some(table) = field.table() else {
                continue;
            };
            let back = table.read("reverse", Field::table);
            let own = |table: &Table<'_>| table.read("queue", queue::read);
            let network = Network {
                name: Arc::from(entry.key.as_str()),
                there: Partial::read(&table, traces),
                queues: [own(&table), back.as_ref().and_then(own)],
                back: back.map(|b| Partial::read(&b, traces)).unwrap_or_default(),
            };
            networks.all.insert(entry.key.clone(), network);
        }
        networks
    }

    /// Warns about networks not used at this point. Call it after all links and cells are read.
    pub(super) fn note_unused(&self, top: &Table<'_>) {
        let Some(all) = top.get("network").and_then(|field| field.table()) else { return };
        let used = self.used.borrow();
        for (entry, field) in all.others().filter(|(entry, _)| self.all.contains_key(&entry.key)) {
            field.effect(used.contains(&entry.key), "no link and no cell uses this network");
        }
    }

    /// The network with the name in this field.
    pub(super) fn named(&self, field: &Field<'_>) -> Option<&Network> {
        let name = field.text()?;
        let network = self.all.get(name);
        if network.is_some() {
            self.used.borrow_mut().insert(name.to_owned());
        } else {
            let problem = field.problem(format!("there is no network `{name}`"), "unknown network");
            let own = self.all.keys().map(String::as_str);
            let named = named_networks().iter().map(|network| network.name);
            field.report(problem.nearest(name, own.chain(named)));
        }
        network
    }
}
