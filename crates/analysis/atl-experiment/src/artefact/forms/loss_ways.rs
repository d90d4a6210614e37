//! Losses in one direction of a link, or in both.

use std::collections::BTreeSet;
use std::sync::Arc;

use atl_engine::setup::Setup;
use atl_link::{Config, Loss};

use super::super::form::{Form, Impairment};
use super::super::rewrite::{conditions_of, is_back_of};

const WAYS: Impairment =
    Impairment { name: "direction of losses", with: "with losses in these directions" };

pub(super) const FORMS: &[Form] = &[
    Form {
        name: "loss-one-way",
        of: &WAYS,
        words: "with losses of data alone",
        about: "Links lose nothing in directions in which only acknowledgments travel, as an emulator that shapes what leaves one host.",
        is_off: false,
        rewrite: one_way,
    },
    Form {
        name: "loss-both-ways",
        of: &WAYS,
        words: "with losses both ways",
        about: "A direction without losses has those of the other direction of its link.",
        is_off: false,
        rewrite: both_ways,
    },
];

fn one_way(setup: &mut Setup) -> bool {
    let paths = || setup.flows.iter().flat_map(|flow| &flow.paths);
    let data: BTreeSet<usize> = paths().flat_map(|path| path.forward.iter().copied()).collect();
    let mut changed = false;
    for (index, link) in setup.links.iter_mut().enumerate() {
        if !data.contains(&index) {
            changed |= conditions_of(Arc::make_mut(&mut link.config), |conditions| {
                std::mem::replace(&mut conditions.loss, Loss::None) != Loss::None
            });
        }
    }
    changed
}

fn both_ways(setup: &mut Setup) -> bool {
    let mut changed = false;
    for index in 0..setup.links.len() {
        let other = (0..setup.links.len()).find(|other| {
            let (one, other) = (&setup.links[index], &setup.links[*other]);
            is_back_of(other, one) || is_back_of(one, other)
        });
        if let Some(other) = other {
            let other = Arc::clone(&setup.links[other].config);
            changed |= copy(Arc::make_mut(&mut setup.links[index].config), &other);
        }
    }
    changed
}

/// Copies losses to where there are none, change by change.
fn copy(to: &mut Config, from: &Config) -> bool {
    let others = std::iter::once(&from.initial).chain(from.schedule.iter().map(|c| &c.to));
    let own = std::iter::once(&mut to.initial).chain(to.schedule.iter_mut().map(|c| &mut c.to));
    let mut changed = false;
    for (own, other) in own.zip(others) {
        if own.loss == Loss::None && other.loss != Loss::None {
            own.loss = other.loss;
            changed = true;
        }
    }
    changed
}
