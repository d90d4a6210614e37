//! The options of a controller with their types. A deserializer without data records what the
//! controller's `Config` asks for, so that schema and reader have the same options by construction.

use std::cell::{Cell, RefCell};
use std::fmt;

use serde::de::{self, DeserializeOwned, DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde::forward_to_deserialize_any;

/// An option of a controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ControllerOption {
    /// Name in a scenario file.
    pub name: &'static str,
    /// Type of its value.
    pub kind: OptionKind,
}

/// Type of an option's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OptionKind {
    /// A floating-point number.
    Number,
    /// A whole number that is not negative.
    Whole,
    Bool,
    /// One of a list of words.
    Words(&'static [&'static str]),
    /// A value of any other type.
    Other,
}

/// Options of a configuration, in its order.
pub(crate) fn options_of<C: DeserializeOwned>() -> Vec<ControllerOption> {
    let fields = Cell::new(&[][..]);
    // Always an error; the fields' names are recorded on the way.
    let _ = C::deserialize(Fields(&fields));
    let kind = |name| {
        let kind = Cell::new(OptionKind::Other);
        let _ = C::deserialize(Field { name, kind: &kind });
        ControllerOption { name, kind: kind.get() }
    };
    fields.get().iter().map(|name| kind(name)).collect()
}

/// The error that ends the recording.
#[derive(Debug)]
struct Nothing;

impl fmt::Display for Nothing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nothing was read")
    }
}

impl std::error::Error for Nothing {}

impl de::Error for Nothing {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Nothing
    }
}

/// Records the names of a struct's fields.
struct Fields<'a>(&'a Cell<&'static [&'static str]>);

impl<'de> Deserializer<'de> for Fields<'_> {
    type Error = Nothing;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Nothing> {
        Err(Nothing)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Nothing> {
        self.0.set(fields);
        Err(Nothing)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

/// Offers one field and records the type requested for its value.
struct Field<'a> {
    name: &'static str,
    kind: &'a Cell<OptionKind>,
}

impl<'de> Deserializer<'de> for Field<'_> {
    type Error = Nothing;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Nothing> {
        visitor.visit_map(OneEntry { name: RefCell::new(Some(self.name)), kind: self.kind })
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

struct OneEntry<'a> {
    name: RefCell<Option<&'static str>>,
    kind: &'a Cell<OptionKind>,
}

impl<'de> MapAccess<'de> for OneEntry<'_> {
    type Error = Nothing;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Nothing> {
        match self.name.take() {
            Some(name) => seed.deserialize(de::value::StrDeserializer::new(name)).map(Some),
            None => Ok(None),
        }
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Nothing> {
        seed.deserialize(Asked(self.kind))
    }
}

/// Records the requested type.
struct Asked<'a>(&'a Cell<OptionKind>);

impl Asked<'_> {
    fn note<T>(&self, kind: OptionKind) -> Result<T, Nothing> {
        self.0.set(kind);
        Err(Nothing)
    }
}

/// Implements methods that record a type.
macro_rules! note {
    ($($kind:ident: $($method:ident)*;)*) => {
        $($(fn $method<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Nothing> {
            self.note(OptionKind::$kind)
        })*)*
    };
}

impl<'de> Deserializer<'de> for Asked<'_> {
    type Error = Nothing;

    note! {
        Other: deserialize_any;
        Bool: deserialize_bool;
        Number: deserialize_f32 deserialize_f64;
        Whole: deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64;
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Nothing> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Nothing> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        words: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Nothing> {
        self.note(OptionKind::Words(words))
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u128 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct
        identifier ignored_any
    }
}
