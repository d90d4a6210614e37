//! Loss on a link.

use atl_aal::model::bit_errors_from_cell_success;
use atl_core::model::{Gilbert, PathChain};
use atl_core::units::Probability;
use atl_link::{Channel, Loss};

use super::fading;
use crate::keys;
use crate::table::{Field, Table};
use crate::tree::Kind;

/// What a receiver that guesses gets wrong.
const GUESSING: f64 = 0.5;

/// The keys of the table, by the loss process that they belong to; those of two do not mix.
const CHAIN: &[&str] = &["good-to-bad", "bad-to-good", "loss-good", "loss-bad"];
const PATH: &[&str] = &["wireless", "congestion"];
const BITS: &[&str] = &["bit-errors", "cell-errors"];
const FADING: &[&str] = &["fading"];

/// A probability, the four numbers of a Gilbert-Elliott chain, the two chains of a path, bit errors, or fading.
pub(super) fn read(field: &Field<'_>) -> Option<Loss> {
    if !matches!(field.node.kind, Kind::Table(_)) {
        let p = field.probability()?;
        return Some(if p.get() > 0.0 { Loss::Bernoulli(p) } else { Loss::None });
    }
    let table = field.table(&keys::LOSS)?;
    let given = |keys: &[&'static str]| keys.iter().copied().find(|key| table.get(key).is_some());
    let first: Vec<&str> = [CHAIN, PATH, BITS, FADING].into_iter().filter_map(given).collect();
    if first.len() > 1 {
        let names: Vec<String> = first.iter().map(|key| format!("`{key}`")).collect();
        let message = format!("{} exclude each other", names.join(" and "));
        table.report(message, "each is a loss of its own");
        return None;
    }
    if let Some(field) = table.get("fading") {
        fading::read(&field).map(Loss::Bits)
    } else if given(BITS).is_some() {
        bits(&table)
    } else if given(PATH).is_some() {
        path(&table)
    } else if first.is_empty() && table.others().next().is_some() {
        // Nothing but unknown keys, which is said already.
        None
    } else {
        bursts(&table)
    }
}

/// Gilbert's and Elliott's two states.
fn bursts(table: &Table<'_>) -> Option<Loss> {
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

/// Independent bit errors.
fn bits(table: &Table<'_>) -> Option<Loss> {
    let p = match (table.get("bit-errors"), table.get("cell-errors")) {
        (Some(field), None) => {
            let p = field.probability()?;
            if p.get() > GUESSING {
                return field.bad("a receiver that guesses gets half of the bits right");
            }
            p
        }
        (None, Some(field)) => bit_errors(&field)?,
        _ => {
            let message = "`bit-errors` and `cell-errors` exclude each other";
            table.report(message, "one follows from the other");
            return None;
        }
    };
    Some(if p.get() > 0.0 { Loss::Bits(Channel::Independent(p)) } else { Loss::None })
}

/// The bit error ratio that gives a cell error ratio (AAL-T paper, eq. 8).
fn bit_errors(field: &Field<'_>) -> Option<Probability> {
    let errors = field.probability()?.get();
    if errors >= 1.0 {
        return field.bad("some cells always get through: it must be below 1");
    }
    let none = errors <= 0.0;
    let bits = || bit_errors_from_cell_success(Probability::clamped(1.0 - errors));
    Some(if none { Probability::ZERO } else { bits() })
}
