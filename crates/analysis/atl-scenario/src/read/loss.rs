//! Reading a link's loss process.

use atl_aal::model::bit_errors_from_cell_success;
use atl_core::model::{Gilbert, PathChain};
use atl_core::units::Probability;
use atl_link::{Channel, Loss};

use super::fading;
use crate::table::{Field, Table};
use crate::tree::Kind;

/// Reads a probability, the four numbers of a Gilbert-Elliott chain, bursts in time, the two chains
/// of a path, bit errors, or fading.
pub(super) fn read(field: &Field<'_>) -> Option<Loss> {
    if !field.is_table() {
        let p = field.probability()?;
        if matches!(field.node.kind, Kind::Int(1))
            || matches!(field.node.kind, Kind::Float(n) if n >= 1.0)
        {
            let message = format!("at `{}` every packet is lost", field.path);
            field.strange(
                message,
                "1 is 100 %",
                "for one packet in a hundred write 0.01 or \"1%\"",
            );
        }
        return Some(if p.get() > 0.0 { Loss::Bernoulli(p) } else { Loss::None });
    }
    let table = field.table()?;
    if !table.consistent {
        None
    } else if let Some(field) = table.get("fading") {
        fading::read(&field).map(Loss::Bits)
    } else if let Some(field) = table.get("bit-errors") {
        field.probability().map(bits)
    } else if let Some(field) = table.get("cell-errors") {
        field.probability().map(bit_errors).map(bits)
    } else if table.get("wireless").is_some() || table.get("congestion").is_some() {
        path(&table)
    } else if table.get("good-for").is_some() || table.get("bad-for").is_some() {
        lasting(&table)
    } else {
        bursts(&table)
    }
}

/// Losses ahead of a queue, where there is no air: a probability or bursts.
pub(super) fn ingress(field: &Field<'_>) -> Option<Loss> {
    match read(field)? {
        Loss::Path(_) | Loss::Bits(_) => {
            field.bad("bit errors, fading and ARC's path belong to `loss`: nothing is transmitted ahead of the queue")
        }
        loss => Some(loss),
    }
}

/// The two-state model of Gilbert and Elliott.
fn bursts(table: &Table<'_>) -> Option<Loss> {
    let to_bad = table.read("good-to-bad", Field::probability);
    let to_good = table.read("bad-to-good", Field::probability);
    let loss_good = table.value("loss-good", Field::probability);
    let loss_bad = table.value("loss-bad", Field::probability);
    Some(Loss::GilbertElliott {
        to_bad: to_bad?,
        to_good: to_good?,
        loss_good: loss_good?,
        loss_bad: loss_bad?,
    })
}

/// Two states that last for times.
fn lasting(table: &Table<'_>) -> Option<Loss> {
    let (good, bad) = (table.read("good-for", Field::time), table.read("bad-for", Field::time));
    let loss_good = table.value("loss-good", Field::probability);
    let loss_bad = table.value("loss-bad", Field::probability);
    Some(Loss::Bursts { good: good?, bad: bad?, loss_good: loss_good?, loss_bad: loss_bad? })
}

/// The model of a path by ARC.
fn path(table: &Table<'_>) -> Option<Loss> {
    let part = |key| match table.get(key) {
        Some(field) => chain(&field),
        None => Some(Gilbert::independent(Probability::ZERO)),
    };
    let (wireless, congestion) = (part("wireless"), part("congestion"));
    Some(Loss::Path(PathChain { wireless: wireless?, congestion: congestion? }))
}

/// Reads a chain; a single probability means independent losses.
fn chain(field: &Field<'_>) -> Option<Gilbert> {
    if !field.is_table() {
        return field.probability().map(Gilbert::independent);
    }
    let table = field.table()?;
    let to_bad = table.read("good-to-bad", Field::probability);
    let to_good = table.read("bad-to-good", Field::probability);
    Some(Gilbert { to_bad: to_bad?, to_good: to_good? })
}

fn bits(p: Probability) -> Loss {
    if p.get() > 0.0 { Loss::Bits(Channel::Independent(p)) } else { Loss::None }
}

/// Bit error ratio that leads to this cell error ratio, which is below 1 (AAL-T paper, eq. 8).
fn bit_errors(cell_errors: Probability) -> Probability {
    match cell_errors.get() {
        errors if errors > 0.0 => bit_errors_from_cell_success(Probability::clamped(1.0 - errors)),
        _ => Probability::ZERO,
    }
}
