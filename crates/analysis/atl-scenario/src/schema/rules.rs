//! Schemas of constraints between the keys of a table.

use serde_json::{Value, json};

use crate::keys::{Condition, Is, Rule, Section};

/// Schemas that a table of the section must satisfy.
pub(super) fn all(section: &Section) -> Vec<Value> {
    section.rules.iter().flat_map(rule).collect()
}

fn rule(rule: &Rule) -> Vec<Value> {
    match rule {
        Rule::Apart { groups, .. } => {
            let mut pairs = Vec::new();
            for (i, group) in groups.iter().enumerate() {
                for other in &groups[i + 1..] {
                    pairs.push(json!({ "not": { "allOf": [any(group), any(other)] } }));
                }
            }
            pairs
        }
        Rule::Some { keys, .. } => vec![any(keys)],
        Rule::With { key, needs } => vec![json!({ "dependentRequired": { *key: needs } })],
        Rule::WithAny { key, needs, .. } => {
            vec![json!({ "dependentSchemas": { *key: any(needs) } })]
        }
        Rule::When { when, needs, never, .. } => {
            let keys: Vec<&str> = when.iter().map(|condition| condition.key).collect();
            let mut properties = serde_json::Map::new();
            for condition in *when {
                properties.insert(condition.key.to_owned(), value(condition));
            }
            let mut then = serde_json::Map::new();
            if !needs.is_empty() {
                then.insert("required".to_owned(), json!(needs));
            }
            if !never.is_empty() {
                then.insert("not".to_owned(), any(never));
            }
            vec![json!({ "if": { "properties": properties, "required": keys }, "then": then })]
        }
    }
}

/// At least one of the keys is present.
fn any(keys: &[&str]) -> Value {
    match keys {
        [key] => json!({ "required": [key] }),
        keys => {
            json!({ "anyOf": keys.iter().map(|key| json!({ "required": [key] })).collect::<Vec<_>>() })
        }
    }
}

fn value(condition: &Condition) -> Value {
    match condition.is {
        Is::Word(words) => json!({ "enum": words }),
        // A variable may stand for any word.
        Is::OtherWord(words) => {
            json!({ "type": "string", "not": { "anyOf": [{ "enum": words }, { "pattern": "^\\$" }] } })
        }
        Is::True => json!({ "const": true }),
        Is::List => json!({ "type": "array" }),
        Is::Table => json!({ "type": "object" }),
    }
}
