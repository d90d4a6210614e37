//! JSON Schema and reader accept and refuse the same documents.

mod documents;
mod generated;

use std::path::Path;

use atl_scenario::{Overrides, builtin, json_schema, no_files, parse};
use jsonschema::Validator;
use serde_json::Value;

use documents::{json_of, reader_accepts};

pub(crate) fn validator() -> Validator {
    let schema: Value = serde_json::from_str(&json_schema()).expect("the schema is JSON");
    jsonschema::draft202012::options().build(&schema).expect("the schema is a schema")
}

#[test]
fn the_schema_is_a_schema() {
    let schema: Value = serde_json::from_str(&json_schema()).expect("it is JSON");
    jsonschema::draft202012::meta::validate(&schema).expect("it is a schema of draft 2020-12");
}

#[test]
fn the_schema_accepts_every_built_in_scenario() {
    let validator = validator();
    for scenario in builtin() {
        let document = json_of(scenario.text).expect(scenario.name);
        let errors: Vec<String> = validator
            .iter_errors(&document)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{}\n{}", scenario.name, errors.join("\n"));
    }
}

/// Editors find the schema by the path in the scenario's first line.
#[test]
fn every_built_in_scenario_names_the_schema() {
    for scenario in builtin() {
        let line = scenario.text.lines().next().unwrap_or_default();
        let depth = scenario.name.matches('/').count();
        let expected = format!("#:schema {}atl.schema.json", "../".repeat(depth));
        assert_eq!(line, expected, "{}", scenario.name);
    }
}

/// The schema line is a comment: it changes neither results nor hashes.
#[test]
fn the_schema_line_does_not_count_in_the_hash() {
    let scenario = &builtin()[0];
    let (_, rest) = scenario.text.split_once('\n').expect("lines");
    let hash = |text: &str| {
        let read = parse("t", text, Path::new("t.toml"), &no_files, &Overrides::default());
        read.unwrap_or_else(|errors| panic!("{errors}")).hash
    };
    assert_eq!(hash(scenario.text), hash(rest));
    assert!(reader_accepts(rest));
}
