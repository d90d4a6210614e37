use maud::{Markup, html};

use crate::table::{Cell, Table, show, show_time};
use crate::verdict::Verdict;

/// Table in a container that scrolls sideways on narrow screens.
pub(super) fn table(table: &Table, caption: &str) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label=(caption) {
            table.data {
                thead {
                    tr {
                        @for column in &table.columns {
                            th.num[column.quantity.is_some()] scope="col" { (column.title) }
                        }
                    }
                }
                tbody {
                    @for row in &table.rows {
                        tr {
                            @for (cell, column) in row.iter().zip(&table.columns) {
                                td.num[column.quantity.is_some()] {
                                    @match cell {
                                        Cell::Text(text) => { (text) },
                                        Cell::Number(estimate) => { (show(column, estimate)) },
                                        Cell::Time(time) => { (show_time(column, time)) },
                                        Cell::Verdict(verdict) => { (self::verdict(*verdict)) },
                                        Cell::Absent => { "–" },
                                        Cell::Empty => {},
                                    }
                                }
                            }
                        }
                        "\n"
                    }
                }
            }
        }
    }
}

/// Sign, word and colour of a verdict.
pub(super) fn verdict(verdict: Verdict) -> Markup {
    let class = format!("verdict {}", verdict.words().replace(", ", "-").replace(' ', "-"));
    html! {
        span class=(class) {
            span aria-hidden="true" { (verdict.symbol()) } " " (verdict.words())
        }
    }
}
