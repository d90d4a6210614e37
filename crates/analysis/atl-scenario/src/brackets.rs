//! Single brackets where a list of tables begins: `[flow]` for `[[flow]]`.
//!
//! One such table would be a table in place of a list, and what it holds would be missing
//! elsewhere; with a second one, the text is not TOML.

use crate::errors::{Problem, Sink};
use crate::keys::{self, Key, Shape};
use crate::tree::{Kind, Loc, Node};

/// Keys of the file whose values are lists of tables.
fn lists() -> impl Iterator<Item = &'static Key> {
    let tables = |shape: &Shape| matches!(shape, Shape::List { of: Shape::Table(_), .. });
    keys::TOP.keys.iter().filter(move |key| tables(&key.shape))
}

fn help(key: &str) -> String {
    format!("a scenario may have several: write `[[{key}]]`")
}

/// Reports each table in place of a list of tables, and makes it a list of this table, so that
/// nothing is reported that only follows from it.
pub(crate) fn repair(file: &mut Node, sink: &Sink) {
    let Kind::Table(entries) = &mut file.kind else { return };
    for entry in entries {
        if !lists().any(|key| key.name == entry.key) || !matches!(entry.node.kind, Kind::Table(_)) {
            continue;
        }
        let problem = Problem::new(format!("`{}` is not a list", entry.key))
            .at(entry.key_at)
            .key(&*entry.key)
            .label("expected a list, found a table");
        sink.report(problem.help(help(&entry.key)));
        let at = entry.node.at;
        let table = std::mem::replace(
            &mut entry.node,
            Node { at, used: None, kind: Kind::Array(Vec::new()) },
        );
        entry.node.kind = Kind::Array(vec![table]);
    }
}

/// A header of a list's table in a text.
struct Header {
    /// Offset of its line.
    begins: usize,
    list: &'static str,
    /// Place of the list's name, if the brackets are single.
    single: Option<(usize, usize)>,
}

/// Finds the tables with single brackets among the reasons why a text is not TOML.
pub(crate) struct Headers {
    all: Vec<Header>,
    told: Vec<&'static str>,
}

impl Headers {
    pub(crate) fn of(text: &str) -> Headers {
        let mut all = Vec::new();
        let mut begins = 0;
        for line in text.split_inclusive('\n') {
            let bare = line.trim_start();
            if bare.starts_with('[') {
                let name = bare.trim_start_matches('[').split([']', '.']).next().unwrap_or("");
                let single = !bare.starts_with("[[");
                let at = begins + (line.len() - bare.len()) + 1;
                let list = lists().map(|key| key.name).find(|list| *list == name.trim());
                // A header of anything else ends the table before it, too.
                let (list, place) = (list.unwrap_or(""), Some((at, at + name.len())));
                all.push(Header { begins, list, single: place.filter(|_| single) });
            }
            begins += line.len();
        }
        Headers { all, told: Vec::new() }
    }

    /// A problem in place of a duplicate key at this byte, if single brackets are its cause: `None`
    /// if they are not, and nothing within if they have been told of.
    pub(crate) fn cause(&mut self, source: usize, at: usize) -> Option<Option<Problem>> {
        let within = self.all.partition_point(|header| header.begins <= at);
        let list = self.all.get(within.checked_sub(1)?)?.list;
        let of_list = self.all.iter().filter(|header| header.list == list && !list.is_empty());
        let mut singles = of_list.filter_map(|header| Some((header.begins, header.single?)));
        let first = singles.next()?.1;
        // The second of two, where there are two.
        let (start, end) = singles.next().map_or(first, |(_, place)| place);
        if self.told.contains(&list) {
            return Some(None);
        }
        self.told.push(list);
        let at = Loc { source, start, end };
        let problem = Problem::new(format!("`{list}` is not a list"))
            .at(at)
            .key(list)
            .label("single brackets, but there are several");
        Some(Some(problem.help(format!("write `[[{list}]]` for each of them"))))
    }
}
