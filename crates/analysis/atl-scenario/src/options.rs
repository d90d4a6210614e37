//! Reading a protocol's table into the `Config` of its controller.

use std::fmt;

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{self, DeserializeOwned, IntoDeserializer, Visitor};

use crate::errors::list;
use crate::tree::{Entry, Kind, Loc, Node};

/// Options of a protocol, not yet read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options<'a> {
    /// Options from the scenario.
    pub entries: &'a [&'a Entry],
    /// Values for options that the scenario leaves out, where the protocol differs from the
    /// controller's defaults.
    pub preset: &'static [(&'static str, Value)],
}

/// Value of an option in a preset.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value {
    Text(&'static str),
}

/// The reason why an option was refused.
#[derive(Debug)]
pub(crate) enum OptionError {
    /// The controller has no such option; lists those it has.
    Unknown(&'static [&'static str]),
    /// The value has the wrong type or is out of range, as a message.
    Value(String),
}

impl From<Value> for Node {
    fn from(value: Value) -> Node {
        let kind = match value {
            Value::Text(value) => Kind::Str(value.to_owned()),
        };
        Node { at: Loc { source: 0, start: 0, end: 0 }, used: None, kind }
    }
}

impl Options<'_> {
    /// Reads all options into a controller's parameters.
    pub(crate) fn read<C: DeserializeOwned>(
        self,
        check: fn(&C) -> Result<(), &'static str>,
    ) -> Result<C, OptionError> {
        let is_set = |key: &str| self.entries.iter().any(|entry| entry.key == key);
        let preset: Vec<(&str, Node)> = self
            .preset
            .iter()
            .filter(|(key, _)| !is_set(key))
            .map(|(key, value)| (*key, Node::from(*value)))
            .collect();
        let entries = self.entries.iter().map(|e| (e.key.as_str(), &e.node));
        let all = entries.chain(preset.iter().map(|(key, node)| (*key, node)));
        let config = C::deserialize(MapDeserializer::new(all))?;
        check(&config).map_err(|allowed| OptionError::Value(allowed.to_owned()))?;
        Ok(config)
    }
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionError::Unknown(names) => write!(f, "unknown option; there is {names:?}"),
            OptionError::Value(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for OptionError {}

/// A Rust type in the words of a scenario file.
fn plain(wanted: &str) -> &str {
    match wanted {
        "f32" | "f64" => "a number",
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number, not negative",
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number",
        "a boolean" => "true or false",
        other => other,
    }
}

impl de::Error for OptionError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        OptionError::Value(message.to_string())
    }

    fn invalid_type(_found: de::Unexpected<'_>, wanted: &dyn de::Expected) -> Self {
        OptionError::Value(format!("expected {}", plain(&wanted.to_string())))
    }

    fn invalid_value(found: de::Unexpected<'_>, wanted: &dyn de::Expected) -> Self {
        OptionError::Value(format!("expected {}, found {found}", plain(&wanted.to_string())))
    }

    fn unknown_variant(_found: &str, wanted: &'static [&'static str]) -> Self {
        OptionError::Value(format!("expected one of {}", list(wanted)))
    }

    fn unknown_field(_field: &str, expected: &'static [&'static str]) -> Self {
        OptionError::Unknown(expected)
    }
}

impl<'de> IntoDeserializer<'de, OptionError> for &'de Node {
    type Deserializer = Self;
    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> de::Deserializer<'de> for &'de Node {
    type Error = OptionError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, OptionError> {
        match &self.kind {
            Kind::Str(s) => visitor.visit_str(s),
            Kind::Int(n) => match u64::try_from(*n) {
                Ok(n) => visitor.visit_u64(n),
                Err(_) => visitor.visit_i64(*n),
            },
            Kind::Float(n) if n.is_finite() => visitor.visit_f64(*n),
            Kind::Float(_) => Err(OptionError::Value("it must be finite".to_owned())),
            Kind::Bool(b) => visitor.visit_bool(*b),
            Kind::Array(items) => visitor.visit_seq(SeqDeserializer::new(items.iter())),
            Kind::Table(entries) => visitor
                .visit_map(MapDeserializer::new(entries.iter().map(|e| (e.key.as_str(), &e.node)))),
            Kind::Other(what) => Err(OptionError::Value(format!("it cannot be {what}"))),
            Kind::Poison => Err(OptionError::Value(String::new())),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, OptionError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, OptionError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, OptionError> {
        match &self.kind {
            Kind::Str(s) => visitor.visit_enum(s.as_str().into_deserializer()),
            Kind::Table(entries) => {
                let map = MapDeserializer::new(entries.iter().map(|e| (e.key.as_str(), &e.node)));
                visitor.visit_enum(de::value::MapAccessDeserializer::new(map))
            }
            _ => Err(OptionError::Value(format!("{name} is one of {}", variants.join(", ")))),
        }
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}
