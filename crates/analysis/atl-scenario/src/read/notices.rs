//! Reading a mobile's notices, and forged ones.

use atl_core::path::{PathId, PathSignal};
use atl_core::time::Time;

use super::clock::Clock;
use crate::errors::list;
use crate::keys::words::{FORGERIES, ForgeryName};
use crate::table::{Field, Table};
use atl_engine::setup::{FlowMobile, Forged, Forgery, MobileSetup, Notices};

/// Reads the notices of a flow; `mobile` is the one at either end.
pub(super) fn read(
    field: &Field<'_>,
    mobile: Option<FlowMobile>,
    mobiles: &[MobileSetup],
    clock: &Clock,
) -> Option<Notices> {
    let table = field.table()?;
    let receiver = mobile.filter(|end| !end.sends).and_then(|end| mobiles.get(end.mobile));
    field.effect(receiver.is_some(), "the flow's receiver does not move");
    let signed = table.value("signed", Field::bool);
    let forged = table.value("forged", |f| match f.is_off() {
        true => Some(None),
        false => forged(&f.table()?, receiver, clock),
    });
    Some(Notices { signed: signed?, forged: forged? })
}

/// Reads an attacker's notices, which need a mobile receiver.
fn forged(
    table: &Table<'_>,
    mobile: Option<&MobileSetup>,
    clock: &Clock,
) -> Option<Option<Forged>> {
    let says = table.read("says", |f| f.one_of(FORGERIES));
    let every = table.read("every", Field::time);
    let start = table.value("start", |f| {
        let at = Time::ZERO + f.time()?;
        let _ = clock.holds(f, at);
        Some(at)
    });
    let (says, every, start) = (says?, every?, start?);
    let signal = match says {
        ForgeryName::Replay => return Some(Some(Forged { says: Forgery::Replay, start, every })),
        ForgeryName::Imminent => PathSignal::Imminent,
        ForgeryName::Moved => PathSignal::Done,
        ForgeryName::Gone => PathSignal::Gone,
    };
    let Some(cell) = table.get("cell") else {
        return Some(Some(Forged { says: Forgery::Signal(signal(PathId::FIRST)), start, every }));
    };
    let name = cell.text()?;
    let Some(mobile) = mobile else { return Some(None) };
    let Some(index) = mobile.cells.iter().position(|known| known == name) else {
        let names: Vec<&str> = mobile.cells.iter().map(String::as_str).collect();
        let problem = cell.problem(
            format!("`{}` never uses a cell `{name}`", mobile.name),
            "the flow has no such path",
        );
        cell.report(problem.help(format!("it uses {}", list(&names))));
        return None;
    };
    let path = PathId::new(u8::try_from(index).ok()?);
    Some(Some(Forged { says: Forgery::Signal(signal(path)), start, every }))
}
