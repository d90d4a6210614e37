//! Names that a scenario gives.

use crate::errors::Problem;
use crate::table::Table;

/// Reports a second thing of the same name.
pub(super) fn duplicate(table: &Table<'_>, what: &str, name: &str) {
    let at = table.get("name").map_or(table.at, |f| f.node.at);
    table.cx.sink.report(
        Problem::new(format!("there are two {what}s called `{name}`"))
            .at(at)
            .key(format!("{}.name", table.path))
            .label("this name is taken"),
    );
}
