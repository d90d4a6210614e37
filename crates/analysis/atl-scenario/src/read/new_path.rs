//! Reading a sender's method of starting on a new path.

use crate::keys::words::{FROM_REPORTS, MEANWHILES, NEW_PATHS};
use crate::table::{Field, Table};
use atl_core::roaming::{NewPath, Pad, Probe, Resume};

/// Reads a word, or a table. `windowed` is true for protocols with a window.
pub(super) fn read(field: &Field<'_>, windowed: bool) -> Option<NewPath> {
    let table = if field.is_text() { None } else { Some(field.table()?) };
    let word = table.as_ref().map_or_else(|| Some(field.clone()), |table| table.get("how"))?;
    let how = word.one_of(NEW_PATHS)?;
    if !windowed && matches!(how, NewPath::Resume(_) | NewPath::Pad(_)) {
        return word.bad("this protocol keeps no window: only TCP resumes and pads");
    }
    match table {
        Some(table) => full(&table, how),
        None => Some(how),
    }
}

fn full(table: &Table<'_>, how: NewPath) -> Option<NewPath> {
    Some(match how {
        NewPath::Probe(_) => {
            let dummies = table.get("dummies").map(|f| f.whole_as());
            let over = table.get("over").map(|f| f.time());
            let validate = table.value("validate", Field::bool);
            let meanwhile = table.value("meanwhile", |f| f.one_of(MEANWHILES));
            let from_report = table.value("from-report", |f| f.one_of(FROM_REPORTS));
            NewPath::Probe(Probe {
                dummies: given(dummies)?,
                over: given(over)?,
                validate: validate?,
                meanwhile: meanwhile?,
                from_report: from_report?,
            })
        }
        NewPath::Resume(_) => {
            let most = table.get("most").map(|f| f.whole_as());
            let lifetime = table.value("lifetime", Field::time);
            NewPath::Resume(Resume { most: given(most)?, lifetime: lifetime? })
        }
        NewPath::Pad(_) => {
            let target = table.value("target", Field::whole_as);
            let budget = table.value("budget", Field::whole_as);
            NewPath::Pad(Pad { target: target?, budget: budget? })
        }
        NewPath::Keep | NewPath::Reset => how,
    })
}

/// Passes a value on that may be left out; `None` if it was wrong.
fn given<T>(read: Option<Option<T>>) -> Option<Option<T>> {
    match read {
        Some(None) => None,
        Some(value) => Some(value),
        None => Some(None),
    }
}
