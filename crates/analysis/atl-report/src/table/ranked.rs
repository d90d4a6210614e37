use atl_scenario::scenario::Metric;

use super::model::{Cell, Column, Table};
use crate::quantity::Quantity;
use crate::ranking::{Ranking, Standing};

/// A row for each contender, from best to worst: flows that finished, goodput, ratio to the first,
/// conditions in which it leads.
pub fn ranked(ranking: &Ranking) -> Table {
    let goodput = Quantity::of(Metric::Goodput);
    let ratio = Quantity { name: "times the first", key: "to_first", unit: "", factor: 1.0 };
    let word = |title: &str| Column {
        title: title.to_owned(),
        key: title.to_lowercase().replace(' ', "_"),
        quantity: None,
    };
    let finishes = ranking.places.iter().any(|place| place.finished.is_some());
    let mut columns = vec![
        word("compared"),
        Column {
            title: format!("{} ({})", ranking.what(), goodput.unit),
            key: goodput.key.to_owned(),
            quantity: Some(goodput),
        },
        Column { title: ratio.name.to_owned(), key: ratio.key.to_owned(), quantity: Some(ratio) },
        word("against the first"),
        word("leads at"),
    ];
    let rows = ranking.places.iter().map(|place| {
        let standing = match place.standing {
            Standing::First => "",
            Standing::Level => "level",
            Standing::Behind => "behind",
            Standing::Unknown => "too few seeds",
        };
        let finished = place
            .finished
            .map_or(Cell::Empty, |all| Cell::Text(format!("{} of {}", all.ended, all.of)));
        let mut row = vec![
            Cell::Text(place.name.clone()),
            Cell::Number(place.goodput),
            place.to_first.map_or(Cell::Empty, Cell::Number),
            Cell::Text(standing.to_owned()),
            Cell::Text(format!("{} of {}", place.leads, ranking.conditions)),
        ];
        if finishes {
            row.insert(1, finished);
        }
        row
    });
    let rows = rows.collect();
    if finishes {
        columns.insert(1, word("finished"));
    }
    Table { rows, columns }
}
