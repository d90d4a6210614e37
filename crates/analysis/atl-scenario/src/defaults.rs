//! The declared defaults in the form in which the file's values are read.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use toml::de::DeValue;

use crate::keys::{self, Default, Section};
use crate::tree::{Node, from_value};

/// Defaults by section and key.
static DEFAULTS: LazyLock<BTreeMap<(&str, &str), Node>> = LazyLock::new(|| {
    let mut nodes = BTreeMap::new();
    for section in keys::ALL {
        for key in section.keys {
            if let Default::Value(toml) = key.default
                && let Ok(value) = DeValue::parse(toml)
            {
                nodes.insert((section.name, key.name), from_value(usize::MAX, 0, &value));
            }
        }
    }
    nodes
});

pub(crate) fn default_of(section: &Section, key: &'static str) -> Option<&'static Node> {
    DEFAULTS.get(&(section.name, key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_toml() {
        for section in keys::ALL {
            for key in section.keys.iter().filter(|k| matches!(k.default, Default::Value(_))) {
                assert!(default_of(section, key.name).is_some(), "{}.{}", section.name, key.name);
            }
        }
    }
}
