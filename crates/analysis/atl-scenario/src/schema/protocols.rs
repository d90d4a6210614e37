//! Schemas of protocols and their options.

use serde_json::{Map, Value, json};

use crate::controller_options::{ControllerOption, OptionKind};
use crate::keys;
use crate::protocol::{Listed, catalogue};

/// Keys of a protocol's table that only TCP protocols have.
const TCP_KEYS: [&str; 2] = ["recovery", "freeze"];

/// For each protocol: the allowed keys of its table, and the types of its options.
pub(super) fn options() -> Vec<Value> {
    let of = |listed: &Listed| {
        let options = listed.options();
        let own = keys::PROTOCOL
            .names()
            .filter(|name| listed.recovery().is_some() || !TCP_KEYS.contains(name));
        let names: Vec<&str> = own.chain(options.iter().map(|option| option.name)).collect();
        let properties: Map<String, Value> =
            options.iter().map(|option| (option.name.to_owned(), schema(option))).collect();
        json!({
            "if": { "properties": { "name": { "const": listed.name } }, "required": ["name"] },
            "then": { "properties": properties, "propertyNames": { "enum": names } },
        })
    };
    catalogue().iter().map(of).collect()
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
