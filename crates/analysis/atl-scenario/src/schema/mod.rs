//! JSON Schema of scenario files, for completion and checks in editors, generated from the
//! declarations in [`keys`].

mod definition;
mod options;
mod quotes;
mod rules;
mod shapes;

use serde_json::{Map, Value, json};

use crate::keys::{self, Default, Key, Section, Shape};
use crate::tree::{Kind, Node};
use definition::definition;
use shapes::{Context, shape};

/// Indented text of the schema, with a newline at the end.
pub fn json_schema() -> String {
    let mut document = document();
    // Another crate of the build may turn on `preserve_order`; sorting gives the same bytes
    // regardless.
    document.sort_all_objects();
    let mut text = format!("{document:#}");
    text.push('\n');
    text
}

pub(crate) fn document() -> Value {
    let mut root = section_schema(&keys::TOP);
    let mut defs = shapes::definitions();
    for section in keys::ALL.iter().filter(|section| section.name != keys::TOP.name) {
        defs.insert(definition(section).to_owned(), section_schema(section));
    }
    if let Some(root) = root.as_object_mut() {
        root.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
        root.insert("title".to_owned(), json!("atl scenario"));
        root.insert("$defs".to_owned(), Value::Object(defs));
    }
    root
}

/// Decides if `$name` is allowed in the values of a section.
fn context(section: &Section) -> Context {
    match section.name {
        "quick" | "quick.sweep" | "vars" | "vars.NAME" | "sweep" | "sweep.also" => Context::Plain,
        name if name.starts_with("figure") || name.starts_with("quote") || name == "selection" => {
            Context::Plain
        }
        _ => Context::Variables,
    }
}

fn section_schema(section: &Section) -> Value {
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("description".to_owned(), json!(section.about));
    let properties: Map<String, Value> =
        section.keys.iter().map(|key| (key.name.to_owned(), property(section, key))).collect();
    schema.insert("properties".to_owned(), Value::Object(properties));
    let required: Vec<&str> = section
        .keys
        .iter()
        .filter(|key| matches!(key.default, Default::Required))
        .map(|key| key.name)
        .collect();
    if !required.is_empty() {
        schema.insert("required".to_owned(), json!(required));
    }
    let mut all = rules::all(section);
    match &section.others {
        None => {
            schema.insert("additionalProperties".to_owned(), json!(false));
        }
        Some(others) if matches!(others.shape, Shape::Option) => {
            all.extend(options::of(section));
            schema
                .insert("additionalProperties".to_owned(), json!({ "description": others.about }));
        }
        Some(others) => {
            let mut other = shape(&others.shape, context(section));
            describe(&mut other, others.about);
            schema.insert("additionalProperties".to_owned(), other);
            if let Some(names) = names(section) {
                schema.insert("propertyNames".to_owned(), names);
            }
        }
    }
    if section.name == keys::QUOTE.name {
        all.extend(quotes::expected());
    }
    if !all.is_empty() {
        schema.insert("allOf".to_owned(), Value::Array(all));
    }
    Value::Object(schema)
}

/// Pattern for keys that the user names.
fn names(section: &Section) -> Option<Value> {
    match section.name {
        "network" => Some(json!({ "pattern": shapes::NAME })),
        "vars" | "sweep" => {
            // Variables must not have names of top-level keys; `[sweep]` also has the key `also`.
            let mut taken: Vec<&str> = keys::reserved().collect();
            taken.push("seed");
            if section.key("also").is_none() {
                taken.push("also");
            }
            Some(json!({ "pattern": shapes::NAME, "not": { "enum": taken } }))
        }
        _ => None,
    }
}

fn property(section: &Section, key: &Key) -> Value {
    let context = match section.name == keys::TOP.name && !key.variables {
        true => Context::Plain,
        false => context(section),
    };
    let mut property = shape(&key.shape, context);
    describe(&mut property, key.about);
    if let Some(default) = crate::defaults::default_of(section, key.name)
        && let Some(property) = property.as_object_mut()
    {
        property.insert("default".to_owned(), json_of(default));
    }
    property
}

fn describe(schema: &mut Value, about: &str) {
    if let Some(schema) = schema.as_object_mut() {
        schema.insert("description".to_owned(), json!(about));
    }
}

fn json_of(node: &Node) -> Value {
    match &node.kind {
        Kind::Str(text) => json!(text),
        Kind::Int(n) => json!(n),
        Kind::Float(n) => json!(n),
        Kind::Bool(b) => json!(b),
        Kind::Array(items) => items.iter().map(json_of).collect(),
        Kind::Table(entries) => entries.iter().map(|e| (e.key.clone(), json_of(&e.node))).collect(),
        Kind::Other(_) | Kind::Poison => Value::Null,
    }
}
