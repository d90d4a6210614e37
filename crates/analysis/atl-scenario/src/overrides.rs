//! Changes to a scenario from the command line, including `--quick`.

use std::ops::Range;

use toml::de::DeValue;

use crate::errors::{Problem, Sink};
use crate::keys;
use crate::table::join;
use crate::tree::{Entry, Kind, Loc, Node, Sources, from_value};

/// Changes to a scenario as typed on the command line.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// Each `--set key=value`: a variable, or a path into the file such as `link.air.delay`.
    pub set: Vec<(String, String)>,
    /// Argument of `--seeds`, such as `5` or `1,4,7`.
    pub seeds: Option<String>,
    /// Argument of `--duration`, such as `60s`.
    pub duration: Option<String>,
    /// Other options of a command that set keys of the file.
    pub options: Vec<KeyOption>,
    /// True for `--quick`: the file's `[quick]` table takes effect.
    pub quick: bool,
}

/// An option of a command that sets a key of the file. Messages show it as typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyOption {
    /// Name without leading dashes, such as `back-rate`.
    pub option: String,
    /// Path of the key, such as `link.0.reverse.rate`.
    pub key: String,
    /// Value, written as for `--set`.
    pub value: String,
}

impl Overrides {
    /// True if the run may end earlier than the file `written` says. A change of network after that
    /// end is then no error.
    pub(crate) fn touches_duration(&self, written: &Node) -> bool {
        let set = self.duration.is_some() || self.set.iter().any(|(key, _)| key == "duration");
        set || (self.quick && quick_touches_duration(written))
    }

    /// Changes the tree: first by `--quick`, then by the command's options, each `--set` in order,
    /// seeds and duration.
    pub(crate) fn apply(&self, tree: &mut Node, sources: &mut Sources, sink: &Sink) {
        if self.quick {
            quick(tree);
        }
        for KeyOption { option, key, value } in &self.options {
            let text = format!("--{option} {value}");
            set(tree, key, 2..2 + option.len(), &text, sources, sink);
        }
        for (key, value) in &self.set {
            let text = format!("--set {key}={value}");
            let start = "--set ".len();
            set(tree, key, start..start + key.len(), &text, sources, sink);
        }
        for (key, value) in [("seeds", &self.seeds), ("duration", &self.duration)] {
            if let Some(value) = value {
                set(tree, key, 2..2 + key.len(), &format!("--{key} {value}"), sources, sink);
            }
        }
    }
}

/// True if the `[quick]` table sets the duration, or sweeps a variable that it depends on.
fn quick_touches_duration(written: &Node) -> bool {
    let Some(quick) = written.get("quick") else { return false };
    let mut swept = false;
    if let (Some(duration), Some(sweep)) = (written.get("duration"), quick.get("sweep")) {
        duration.variables(&mut |name, _| swept |= sweep.get(name).is_some());
    }
    swept || quick.get("duration").is_some()
}

fn quick(tree: &mut Node) {
    let Some(changes) = tree.get("quick").cloned() else {
        return;
    };
    for change in changes.entries() {
        match change.key.as_str() {
            "seeds" | "duration" | "warmup" => put(tree, change.clone()),
            "sweep" => {
                for list in change.node.entries() {
                    sweep_over(tree, list.clone());
                }
            }
            _ => {}
        }
    }
}

/// Puts an entry into a table, replacing one with the same key.
fn put(table: &mut Node, entry: Entry) {
    let Kind::Table(entries) = &mut table.kind else {
        return;
    };
    match entries.iter_mut().find(|e| e.key == entry.key) {
        Some(old) => *old = entry,
        None => entries.push(entry),
    }
}

/// Table under a top-level key, created if missing.
fn table_of<'a>(tree: &'a mut Node, key: &str) -> Option<&'a mut Node> {
    let at = tree.at;
    if tree.get(key).is_none() {
        let node = Node { at, used: None, kind: Kind::Table(Vec::new()) };
        put(tree, Entry { key: key.to_owned(), key_at: at, node });
    }
    let Kind::Table(entries) = &mut tree.kind else {
        return None;
    };
    entries.iter_mut().find(|e| e.key == key).map(|e| &mut e.node)
}

/// Sweeps a variable over a list.
fn sweep_over(tree: &mut Node, entry: Entry) {
    if let Some(sweep) = table_of(tree, "sweep") {
        put(sweep, entry);
    }
}

/// Gives a variable the same values in each `[[sweep.also]]` that sets it: otherwise points with
/// other values would stay. Points that then occur twice are run once.
fn beside(tree: &mut Node, entry: &Entry) {
    let Some(Kind::Array(groups)) = table_of(tree, "sweep")
        .and_then(|sweep| match &mut sweep.kind {
            Kind::Table(entries) => entries.iter_mut().find(|e| e.key == "also"),
            _ => None,
        })
        .map(|also| &mut also.node.kind)
    else {
        return;
    };
    for group in groups.iter_mut().filter(|group| group.get(&entry.key).is_some()) {
        put(group, entry.clone());
    }
}

/// Sets a key. `text` has the name at `shown`, one character, and then the value.
fn set(
    tree: &mut Node,
    key: &str,
    shown: Range<usize>,
    text: &str,
    sources: &mut Sources,
    sink: &Sink,
) {
    let source = sources.add("command line", text);
    let key_at = Loc { source, start: shown.start, end: shown.end };
    let offset = key_at.end + 1;
    let value = text.get(offset..).unwrap_or("");
    let swept = tree.get("sweep").is_some_and(|s| key != "also" && s.get(key).is_some());
    let variable = tree.get("vars").is_some_and(|v| v.get(key).is_some());

    if swept || variable {
        let node = list_or_value(source, offset, value);
        let many = matches!(node.kind, Kind::Array(_));
        if many || swept {
            let at = node.at;
            let kind = if many { node.kind } else { Kind::Array(vec![node]) };
            let entry = Entry { key: key.to_owned(), key_at, node: Node { at, used: None, kind } };
            beside(tree, &entry);
            sweep_over(tree, entry);
        } else {
            let entry = Entry { key: key.to_owned(), key_at, node };
            beside(tree, &entry);
            if let Some(vars) = table_of(tree, "vars") {
                put(vars, entry);
            }
        }
        return;
    }

    let steps: Vec<&str> = key.split('.').collect();
    if keys::TOP.key(steps[0]).is_none() {
        let variables = ["sweep", "vars"]
            .iter()
            .filter_map(|table| tree.get(table))
            .flat_map(|table| table.entries().iter().map(|e| e.key.as_str()))
            .filter(|name| *name != "also");
        let candidates: Vec<&str> =
            variables.chain(keys::TOP.names().map(|name| -> &str { name })).collect();
        sink.report(
            Problem::new(format!("there is no variable or key `{}` to set", steps[0]))
                .at(key_at)
                .key(key)
                .label("unknown")
                .nearest(steps[0], candidates),
        );
        return;
    }
    let node = match steps.as_slice() {
        ["seeds"] => list_or_value(source, offset, value),
        _ => one_value(source, offset, value),
    };
    let mut walk = Walk { key, key_at, sink };
    walk.put(tree, &steps, String::new(), node);
}

/// A TOML value, otherwise plain text, which thus needs no quotes on a command line.
fn one_value(source: usize, offset: usize, text: &str) -> Node {
    match DeValue::parse(text) {
        Ok(value) => from_value(source, offset, &value),
        Err(_) => Node {
            at: Loc { source, start: offset, end: offset + text.len() },
            used: None,
            kind: Kind::Str(text.to_owned()),
        },
    }
}

/// As [`one_value`], with `a,b` as a list.
fn list_or_value(source: usize, offset: usize, text: &str) -> Node {
    let node = one_value(source, offset, text);
    if !matches!(&node.kind, Kind::Str(s) if s == text && s.contains(',')) {
        return node;
    }
    let mut items = Vec::new();
    let mut at = offset;
    for part in text.split(',') {
        let lead = part.len() - part.trim_start().len();
        items.push(one_value(source, at + lead, part.trim()));
        at += part.len() + 1;
    }
    Node { at: node.at, used: None, kind: Kind::Array(items) }
}

/// A walk along a dotted path.
struct Walk<'a> {
    key: &'a str,
    key_at: Loc,
    sink: &'a Sink,
}

impl Walk<'_> {
    fn put(&mut self, node: &mut Node, steps: &[&str], path: String, value: Node) {
        let Some((&step, rest)) = steps.split_first() else {
            *node = value;
            return;
        };
        // Setting an option turns a protocol given by name into a table.
        if path.ends_with(".protocol") && matches!(node.kind, Kind::Str(_)) {
            let named = node.clone();
            let entry = Entry { key: "name".to_owned(), key_at: node.at, node: named };
            node.kind = Kind::Table(vec![entry]);
        }
        let key_at = self.key_at;
        let here = join(&path, step);
        match &mut node.kind {
            Kind::Table(entries) => {
                let known: Vec<&str> = entries.iter().map(|e| e.key.as_str()).collect();
                if !known.contains(&step) {
                    // Names chosen by the user must exist: a misspelt network would go unnoticed.
                    if matches!(path.as_str(), "network" | "vars" | "sweep") {
                        self.unknown(step, &path, &known);
                        return;
                    }
                    let kind = Kind::Table(Vec::new());
                    let node = Node { at: key_at, used: None, kind };
                    entries.push(Entry { key: step.to_owned(), key_at, node });
                }
                if rest.is_empty()
                    && let Some(other) = alternative(step)
                {
                    entries.retain(|e| e.key != other);
                }
                if let Some(entry) = entries.iter_mut().find(|e| e.key == step) {
                    if rest.is_empty() {
                        entry.key_at = key_at;
                    }
                    self.put(&mut entry.node, rest, here, value);
                }
            }
            Kind::Array(items) => {
                let names: Vec<&str> = items.iter().filter_map(name_of).collect();
                let by_name = names.contains(&step);
                let index = if by_name {
                    items.iter().position(|item| name_of(item) == Some(step))
                } else {
                    step.parse().ok().filter(|i| *i < items.len())
                };
                match index {
                    Some(index) => self.put(&mut items[index], rest, here, value),
                    None => self.unknown(step, &path, &names),
                }
            }
            _ => self.unknown(step, &path, &[]),
        }
    }

    fn unknown(&self, step: &str, path: &str, known: &[&str]) {
        self.sink.report(
            Problem::new(format!("there is no `{step}` in `{path}` to set"))
                .at(self.key_at)
                .key(self.key)
                .label("unknown")
                .nearest(step, known.iter().copied()),
        );
    }
}

/// The key that excludes this one: setting one of them on the command line replaces the other.
fn alternative(key: &str) -> Option<&'static str> {
    match key {
        "delay" => Some("delay-trace"),
        "delay-trace" => Some("delay"),
        "rate" => Some("trace"),
        "trace" => Some("rate"),
        _ => None,
    }
}

fn name_of(item: &Node) -> Option<&str> {
    match &item.get("name").or_else(|| item.get("id"))?.kind {
        Kind::Str(s) => Some(s),
        _ => None,
    }
}
