//! Selection of points and flow groups by figures and quotes.

use std::collections::BTreeMap;

use super::World;
use crate::errors::{Problem, list};
use crate::quote::Selection;
use crate::sweep::unknown_variable;
use crate::table::{Field, Table};
use crate::tree::Kind;
use crate::value::{Value, value_of};

impl World<'_> {
    /// Reads the name of a variable, or `flow` if `or_flow`.
    pub(crate) fn variable(&self, field: &Field<'_>, or_flow: bool) -> Option<String> {
        let name = field.text()?;
        let mut names = self.vars.names();
        if or_flow {
            names.push("flow");
        }
        if names.contains(&name) {
            return Some(name.to_owned());
        }
        field.report(unknown_variable(name, field.node.at, &names).key(&*field.path));
        None
    }

    /// Reads the name of a flow group, or a list of names.
    pub(crate) fn groups(&self, field: &Field<'_>) -> Option<Vec<String>> {
        let items = match &field.node.kind {
            Kind::Array(_) => field.items()?,
            _ => vec![field.clone()],
        };
        let mut groups: Vec<String> = Vec::new();
        for item in &items {
            let name = item.text()?;
            if !self.groups.iter().any(|g| g == name) {
                let problem = item.problem(format!("there is no flow `{name}`"), "unknown flow");
                item.report(problem.nearest(name, self.groups.iter().map(String::as_str)));
                return None;
            }
            if groups.iter().any(|g| g == name) {
                return item.bad("this flow is already in the list");
            }
            groups.push(name.to_owned());
        }
        Some(groups)
    }

    /// Reads the points and groups of a quote. `along`, and variables that follow from it, are left
    /// open.
    pub(crate) fn selection(&self, field: &Field<'_>, along: Option<&str>) -> Option<Selection> {
        let table = field.table()?;
        let groups = table.get("flow").map_or(Some(Vec::new()), |f| self.groups(&f));
        let free: Vec<&str> = along.into_iter().collect();
        Some(Selection { at: self.at(&table, &free, along, true)?, groups: groups? })
    }

    /// Reads the values that variables must have. With `one`, every other variable but the `free`
    /// ones must have a single value at these points, or one for each value of `each`; otherwise
    /// the mean would be over unlike things.
    pub(crate) fn at(
        &self,
        table: &Table<'_>,
        free: &[&str],
        each: Option<&str>,
        one: bool,
    ) -> Option<BTreeMap<String, Value>> {
        let mut at = BTreeMap::new();
        let mut fine = true;
        for (entry, field) in table.others() {
            let names = self.vars.names();
            if !names.contains(&entry.key.as_str()) {
                let problem = unknown_variable(&entry.key, entry.key_at, &names);
                field.report(problem.key(&*field.path));
                fine = false;
                continue;
            }
            let Some(value) = field.value() else {
                fine = false;
                continue;
            };
            // Lists of values merge labels that are equal as numbers, so compare with the points
            // themselves.
            let known = self.points.iter().filter_map(|point| point.get(&entry.key));
            if !known.into_iter().any(|v| v.matches(&value)) {
                let known = values(&self.points.iter().collect::<Vec<_>>(), &entry.key);
                let known: Vec<&str> = known.iter().map(|v| v.text.as_str()).collect();
                let message = format!("`{}` is never `{}`", entry.key, value.text);
                let problem = field.problem(message, "no point has this value");
                field.report(problem.nearest(&value.text, known));
                fine = false;
            }
            at.insert(entry.key.clone(), value);
        }
        let mut points: Vec<_> = self.points.iter().filter(|p| matches(p, &at)).collect();
        for (name, default) in self.vars.beside() {
            if !one || free.contains(&name) || at.contains_key(name) {
                continue;
            }
            let value = match values(&points, name)[..] {
                [only] => only.clone(),
                _ if follows(&points, name, each) => continue,
                _ => value_of(self.cx.sources, default),
            };
            points.retain(|point| has(point, name, &value));
            at.insert(name.to_owned(), value);
        }
        if fine && !self.points.is_empty() && points.is_empty() {
            table.report("no point of the sweep has all these values", "nothing is measured here");
            fine = false;
        }
        if fine && one {
            fine = self.single(table, free, each, (&at, &points));
        }
        fine.then_some(at)
    }

    fn single(
        &self,
        table: &Table<'_>,
        free: &[&str],
        each: Option<&str>,
        (at, points): (&BTreeMap<String, Value>, &[&BTreeMap<String, Value>]),
    ) -> bool {
        let mut fine = true;
        let beside: Vec<&str> = self.vars.beside().map(|(name, _)| name).collect();
        for name in self.vars.swept() {
            if free.contains(&name.as_str()) || at.contains_key(&name) {
                continue;
            }
            if beside.contains(&name.as_str()) && follows(points, &name, each) {
                continue;
            }
            let values = values(points, &name);
            if values.len() > 1 {
                let known: Vec<&str> = values.iter().map(|v| v.text.as_str()).collect();
                table.cx.sink.report(
                    Problem::new(format!("which `{name}`?"))
                        .at(table.at)
                        .key(&*table.path)
                        .label(format!("leaves `{name}` open, which is swept"))
                        .help(format!("pin it to one of {}", list(&known))),
                );
                fine = false;
            }
        }
        fine
    }
}

/// Distinct values of a variable at these points.
fn values<'a>(points: &[&'a BTreeMap<String, Value>], name: &str) -> Vec<&'a Value> {
    let mut values: Vec<&Value> = Vec::new();
    for value in points.iter().filter_map(|p| p.get(name)) {
        if !values.iter().any(|v| v.matches(value)) {
            values.push(value);
        }
    }
    values
}

/// True if a variable has a single value for each value of `each` at these points.
fn follows(points: &[&BTreeMap<String, Value>], name: &str, each: Option<&str>) -> bool {
    let Some(each) = each else { return false };
    let mut pairs: Vec<(&Value, &Value)> = Vec::new();
    let mut some = false;
    for point in points {
        let Some(of) = point.get(each) else { continue };
        some = true;
        let Some(value) = point.get(name) else { continue };
        match pairs.iter().find(|(known, _)| known.matches(of)) {
            None => pairs.push((of, value)),
            Some((_, only)) if only.matches(value) => {}
            Some(_) => return false,
        }
    }
    some
}

/// True if a point has all these values.
pub(super) fn matches(point: &BTreeMap<String, Value>, at: &BTreeMap<String, Value>) -> bool {
    at.iter().all(|(name, value)| has(point, name, value))
}

fn has(point: &BTreeMap<String, Value>, name: &str, value: &Value) -> bool {
    point.get(name).is_some_and(|v| v.matches(value))
}
