//! Expectations in TOML files.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use crate::expectation::Expectation;

/// The contents of a file.
#[derive(Clone, Debug)]
pub(crate) struct Expected {
    pub(crate) under_test: Vec<String>,
    pub(crate) expectations: Vec<Expectation>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Document {
    #[serde(default)]
    under_test: Vec<String>,
    expect: Vec<Spanned<Entry>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Entry {
    what: Option<String>,
    metric: String,
    of: Option<String>,
    over: Option<String>,
    than: Option<String>,
    during: Option<[String; 2]>,
    #[serde(default)]
    at: BTreeMap<String, Quantity>,
    at_least: Option<Quantity>,
    at_most: Option<Quantity>,
}

/// A value as TOML has it: `"5Mb/s"`, `0.5`, `3`.
#[derive(Deserialize)]
#[serde(untagged)]
enum Quantity {
    Whole(i64),
    Number(f64),
    Text(String),
}

impl From<Quantity> for String {
    fn from(quantity: Quantity) -> String {
        match quantity {
            Quantity::Whole(number) => number.to_string(),
            Quantity::Number(number) => number.to_string(),
            Quantity::Text(text) => text,
        }
    }
}

/// Reads a file's text; messages call it `name`, and give the line.
pub(crate) fn read(name: &str, text: &str) -> Result<Expected, String> {
    let document: Document = toml::from_str(text)
        .map_err(|error| format!("{name}: {}", error.to_string().trim_end()))?;
    let mut expectations = Vec::new();
    for entry in document.expect {
        let line = text[..entry.span().start].matches('\n').count() + 1;
        let expectation = entry.into_inner().expectation();
        expectation
            .read()
            .map_err(|problem| format!("{name}, [[expect]] at line {line}: {problem}"))?;
        expectations.push(expectation);
    }
    Ok(Expected { under_test: document.under_test, expectations })
}

impl Entry {
    fn expectation(self) -> Expectation {
        Expectation {
            what: self.what,
            metric: self.metric,
            of: self.of,
            over: self.over,
            than: self.than,
            during: self.during.map(|[from, to]| (from, to)),
            at: self.at.into_iter().map(|(name, value)| (name, value.into())).collect(),
            at_least: self.at_least.map(String::from),
            at_most: self.at_most.map(String::from),
        }
    }
}
