//! Errors about names that are used twice.

use crate::errors::Problem;
use crate::table::Table;

/// Reports a name that is already taken.
pub(super) fn duplicate(table: &Table<'_>, what: &str, name: &str) {
    let at = table.get("name").map_or(table.at, |f| f.node.at);
    table.cx.sink.report(
        Problem::new(format!("there are two {what}s called `{name}`"))
            .at(at)
            .key(format!("{}.name", table.path))
            .label("this name is taken"),
    );
}
