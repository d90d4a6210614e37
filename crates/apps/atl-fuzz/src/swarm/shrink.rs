//! Making a case small: tables and keys go, numbers become round, as long as a judge still finds
//! the same.

use toml::{Table, Value};

use super::file::text;
use super::judges::{Find, again};

/// Cases that are tried at most.
const TRIES: u32 = 4_000;

/// The smallest case in which the judge still finds something, and what that is.
pub fn shrunk(tree: &Table, find: &Find) -> (Table, Find) {
    smallest(tree, find, &mut |tree| again(tree, find))
}

/// The smallest tree for which `finds` still has an answer, and that.
fn smallest<F: Clone>(
    tree: &Table,
    find: &F,
    finds: &mut dyn FnMut(&Table) -> Option<F>,
) -> (Table, F) {
    let (mut best, mut found) = (tree.clone(), find.clone());
    let mut left = TRIES;
    loop {
        let before = text(&best).len();
        for simpler in [without as Simpler, simpler_value] {
            let mut at = 0;
            while left > 0 {
                let mut next = Value::Table(best.clone());
                let Some(changed) = simpler(&mut next, &mut Place(at)) else { break };
                let Value::Table(next) = next else { break };
                left -= 1;
                match finds(&next).filter(|_| changed) {
                    // The next candidate has moved up to this place.
                    Some(what) => (best, found) = (next, what),
                    None => at += 1,
                }
            }
        }
        if left == 0 || text(&best).len() >= before {
            return (best, found);
        }
    }
}

/// Changes a value at a place of the tree, counted from its start: true if that made another tree,
/// `None` if the tree ends before.
type Simpler = fn(&mut Value, &mut Place) -> Option<bool>;

/// Places to pass.
struct Place(usize);

impl Place {
    /// True at the place that is looked for.
    fn is_here(&mut self) -> bool {
        match self.0.checked_sub(1) {
            Some(left) => {
                self.0 = left;
                false
            }
            None => true,
        }
    }
}

/// Takes an item of a list or a key of a table away, the largest first.
fn without(value: &mut Value, place: &mut Place) -> Option<bool> {
    match value {
        Value::Array(items) => {
            for at in 0..items.len() {
                if place.is_here() {
                    items.remove(at);
                    return Some(true);
                }
            }
        }
        Value::Table(table) => {
            let keys: Vec<String> = table.keys().cloned().collect();
            for key in keys {
                if place.is_here() {
                    table.remove(&key);
                    return Some(true);
                }
            }
        }
        _ => return None,
    }
    children(value).find_map(|child| without(child, place))
}

/// Makes a value simpler: a rounder number, a word for a table, a number for a table.
fn simpler_value(value: &mut Value, place: &mut Place) -> Option<bool> {
    for simpler in simpler(value) {
        if place.is_here() {
            let changed = *value != simpler;
            *value = simpler;
            return Some(changed);
        }
    }
    children(value).find_map(|child| simpler_value(child, place))
}

fn children(value: &mut Value) -> Box<dyn Iterator<Item = &mut Value> + '_> {
    match value {
        Value::Array(items) => Box::new(items.iter_mut()),
        Value::Table(table) => Box::new(table.iter_mut().map(|(_, value)| value)),
        _ => Box::new(std::iter::empty()),
    }
}

fn simpler(value: &Value) -> Vec<Value> {
    match value {
        Value::Integer(number) => {
            [1, 10, 100].into_iter().filter(|n| n < number).map(Value::Integer).collect()
        }
        Value::Float(number) if *number != 0.0 => {
            let unit = 10f64.powf(number.abs().log10().floor());
            vec![((number / unit).round() * unit).into()]
        }
        Value::String(text) => {
            let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(0);
            let Ok(number) = text[..end].parse::<f64>() else { return Vec::new() };
            let unit = 10f64.powf(number.log10().floor());
            let rounded = (number / unit).round() * unit;
            let halved = (number / 2.0).round();
            let texts = [rounded, halved].map(|number| format!("{number}{}", &text[end..]));
            texts.into_iter().filter(|new| new.len() <= text.len()).map(Value::String).collect()
        }
        Value::Table(table) => match table.get("name").or_else(|| table.get("packets")) {
            Some(short @ (Value::String(_) | Value::Integer(_))) => vec![short.clone()],
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fault needs a queue of one packet and a blackout; nothing else matters.
    #[test]
    fn what_does_not_matter_goes() {
        let tree: Table = r#"
            title = "large"
            duration = "4321ms"
            [[link]]
            name = "a"
            queue = { packets = 1, discipline = "drop-tail" }
            delay = "7ms"
            [[link]]
            name = "b"
            queue = 77
            blackout = [{ at = "12ms", lasts = "3ms" }, { at = "90ms", lasts = "3ms" }]
            [[flow]]
            name = "f"
        "#
        .parse()
        .expect("a file");
        let fault = |tree: &Table| {
            let text = text(tree);
            (text.contains("packets = 1") && text.contains("at = ")).then_some(())
        };
        let (small, ()) = smallest(&tree, &(), &mut { fault });
        assert_eq!(text(&small).lines().filter(|line| !line.is_empty()).count(), 4, "{small:?}");
        assert!(fault(&small).is_some());
    }
}
