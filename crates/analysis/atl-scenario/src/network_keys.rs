//! The keys of a named network, for programs that change and write them.

use std::path::Path;

use atl_core::units::Rate;
use atl_link::{Conditions, Service};
use toml::de::DeTable;

use crate::errors::Errors;
use crate::networks::NamedNetwork;
use crate::overrides::Overrides;
use crate::tree::{Kind, Node, Sources, from_table};

/// A value in the words of TOML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetworkValue {
    /// A text with its quotes, a number, or a truth value.
    One(String),
    /// The keys of a table, each with its value.
    Table(Vec<(String, String)>),
}

impl NetworkValue {
    /// The value under a key of a table.
    pub fn get(&self, key: &str) -> Option<&str> {
        let NetworkValue::Table(items) = self else { return None };
        items.iter().find(|(own, _)| own == key).map(|(_, value)| value.as_str())
    }

    /// The mean rate of a station of Wi-Fi, as the value of a key `wifi`; `None` for a value that
    /// this key does not take.
    pub fn airtime(&self) -> Option<Rate> {
        let [air, _] = conditions(&format!("wifi = {self}\ndelay = \"1ms\"")).ok()?;
        match air.service {
            Service::Wifi(wifi) => Some(wifi.mean_rate()),
            _ => None,
        }
    }
}

/// The conditions in both directions of a link with these keys.
fn conditions(link: &str) -> Result<[Conditions; 2], Errors> {
    let text = format!(
        "title = \"t\"\nduration = \"1s\"\nseeds = 1\n\
         [[link]]\nname = \"air\"\nfrom = \"a\"\nto = \"b\"\n{link}\n\
         [[flow]]\nname = \"f\"\nfrom = \"a\"\nto = \"b\"\nprotocol = \"reno\"\n"
    );
    let read = crate::load::parse(
        "link",
        &text,
        Path::new("link"),
        &crate::load::no_files,
        &Overrides::default(),
    )?;
    let setup = &read.points[0].setup;
    Ok([0, 1].map(|link| setup.links[link].config.initial.clone()))
}

/// TOML, as a file has it behind `KEY = `.
impl std::fmt::Display for NetworkValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NetworkValue::One(value) => f.write_str(value),
            NetworkValue::Table(items) => {
                let items: Vec<String> =
                    items.iter().map(|(key, value)| format!("{key} = {value}")).collect();
                write!(f, "{{ {} }}", items.join(", "))
            }
        }
    }
}

/// A key of a network with its value in each direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkKey {
    /// The key, such as `jitter`.
    pub key: String,
    /// Towards the user.
    pub down: Option<NetworkValue>,
    /// From the user.
    pub up: Option<NetworkValue>,
}

impl NamedNetwork {
    /// Its keys, in the order of its table. What the table's `reverse` does not say goes both
    /// ways.
    pub fn keys(&self) -> Vec<NetworkKey> {
        let mut sources = Sources::default();
        let source = sources.add(self.name, self.text);
        // A test reads each of them.
        let Ok(parsed) = DeTable::parse(self.text) else { return Vec::new() };
        let node = from_table(source, &parsed);
        let mut keys: Vec<NetworkKey> = Vec::new();
        for entry in node.entries().iter().filter(|entry| entry.key != "reverse") {
            let value = value(&entry.node, &sources);
            let (key, down, up) = (entry.key.clone(), Some(value.clone()), Some(value));
            keys.push(NetworkKey { key, down, up });
        }
        for entry in node.get("reverse").map(Node::entries).unwrap_or_default() {
            let up = Some(value(&entry.node, &sources));
            match keys.iter_mut().find(|key| key.key == entry.key) {
                Some(key) => key.up = up,
                None => keys.push(NetworkKey { key: entry.key.clone(), down: None, up }),
            }
        }
        keys
    }

    /// The conditions of its link towards the user and from it.
    ///
    /// # Errors
    /// None for those of the list.
    pub fn conditions(&self) -> Result<[Conditions; 2], Errors> {
        conditions(&format!("network = \"{}\"", self.name))
    }
}

/// The value as it is written.
fn value(node: &Node, sources: &Sources) -> NetworkValue {
    let text = |node: &Node| sources.slice(node.at).to_owned();
    match &node.kind {
        Kind::Table(entries) => NetworkValue::Table(
            entries.iter().map(|entry| (entry.key.clone(), text(&entry.node))).collect(),
        ),
        _ => NetworkValue::One(text(node)),
    }
}

#[cfg(test)]
mod tests {
    use super::NetworkValue;
    use crate::networks::network_named;

    /// Key, value down and up, of a network.
    fn keys(name: &str) -> Vec<(String, Option<String>, Option<String>)> {
        let text = |value: Option<NetworkValue>| value.map(|value| value.to_string());
        let keys = network_named(name).expect("a network").keys();
        keys.into_iter().map(|key| (key.key, text(key.down), text(key.up))).collect()
    }

    #[test]
    fn a_station_has_its_share_of_the_airtime() {
        let wifi = |stations: u32| {
            let items = [("rate", "\"65Mb/s\"".to_owned()), ("stations", stations.to_string())];
            NetworkValue::Table(items.map(|(key, text)| (key.to_owned(), text)).to_vec())
        };
        let alone = wifi(1).airtime().expect("a station").mbps();
        let ten = wifi(10).airtime().expect("a station").mbps();
        assert!(alone < 65.0 && ten < alone / 10.0 && ten > alone / 20.0, "{alone} {ten}");
        assert_eq!(wifi(0).airtime(), None);
        assert_eq!(NetworkValue::One("3".to_owned()).airtime(), None);
    }

    #[test]
    fn each_way_has_its_own_and_those_that_it_shares() {
        let some = |text: &str| Some(text.to_owned());
        let cable = [
            ("rate", some("\"150Mb/s\""), some("\"10Mb/s\"")),
            ("delay", some("\"10ms\""), some("\"10ms\"")),
            ("loss", some("0.0001"), some("0.0001")),
            ("jitter", None, some("\"3ms\"")),
        ];
        assert_eq!(keys("cable"), cable.map(|(key, down, up)| (key.to_owned(), down, up)));
        let jitter = some("{ spread = \"8ms\", shape = \"harq\" }");
        assert!(keys("4g").contains(&("jitter".to_owned(), jitter.clone(), jitter)));
        let (_, down, up) = keys("mmwave").remove(4);
        assert!(down.is_some_and(|down| down.starts_with("{ rate = \"40Mb/s\", clear-for")));
        assert!(up.is_some_and(|up| up.starts_with("{ rate = \"8Mb/s\", clear-for")));
    }
}
