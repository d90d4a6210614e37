//! Schemas of protocols, queue disciplines and applications, and of their options.

use serde_json::{Map, Value, json};

use crate::application::{ListedApplication, applications};
use crate::controller_options::{ControllerOption, OptionKind};
use crate::keys::{self, Section};
use crate::protocol::{Listed, catalogue};
use crate::queue::{Discipline, disciplines};

/// Keys of a protocol's table that only TCP protocols have.
const TCP_KEYS: [&str; 2] = ["recovery", "freeze"];

/// For each protocol, queue discipline or application: the allowed keys of its table, and the types
/// of its options.
pub(super) fn of(section: &Section) -> Vec<Value> {
    if section.name == keys::PROTOCOL.name {
        let protocol = |listed: &Listed| {
            let own = section
                .names()
                .filter(|name| listed.recovery().is_some() || !TCP_KEYS.contains(name));
            one(listed.name, own, &listed.options())
        };
        return catalogue().iter().map(protocol).collect();
    }
    if section.name == keys::APPLICATION.name {
        let application =
            |listed: &ListedApplication| one(listed.name, section.names(), &listed.options());
        return applications().iter().map(application).collect();
    }
    let discipline = |(name, discipline): &(&str, Discipline)| {
        let options = match discipline {
            Discipline::Listed(listed) => listed.options(),
            // Theirs are keys of the queue.
            _ => Vec::new(),
        };
        one(name, section.names(), &options)
    };
    disciplines().iter().map(discipline).collect()
}

fn one(name: &str, own: impl Iterator<Item = &'static str>, options: &[ControllerOption]) -> Value {
    let names: Vec<&str> = own.chain(options.iter().map(|option| option.name)).collect();
    let properties: Map<String, Value> =
        options.iter().map(|option| (option.name.to_owned(), schema(option))).collect();
    json!({
        "if": { "properties": { "name": { "const": name } }, "required": ["name"] },
        "then": { "properties": properties, "propertyNames": { "enum": names } },
    })
}

fn schema(option: &ControllerOption) -> Value {
    let one = match option.kind {
        OptionKind::Number => json!({ "type": "number" }),
        OptionKind::Whole => json!({ "type": "integer", "minimum": 0 }),
        OptionKind::Bool => json!({ "type": "boolean" }),
        OptionKind::Words(words) => json!({ "enum": words }),
        OptionKind::Other => json!({}),
    };
    json!({ "anyOf": [one, { "$ref": "#/$defs/variable" }] })
}
