//! Networks that everyone has a name for: `network = "starlink"` without a table of that name.
//!
//! Each is a table in TOML, as a file would have it, with the source and the licence of its
//! numbers. Where a file names one that it does not declare, the table joins the file's own.
//! `NAME-up` is the same network for a link that begins at the user.

use std::collections::BTreeSet;

use toml::de::DeTable;

use crate::tree::{Entry, Kind, Loc, Node, Sources, from_table};

/// A network with a name that people use.
#[derive(Clone, Copy, Debug)]
pub struct NamedNetwork {
    /// Its name, such as `starlink`. The link goes from the network's side to the user.
    pub name: &'static str,
    /// Other names for it.
    pub others: &'static [&'static str],
    /// Names that people have for it and that no key of a file can be.
    pub spoken: &'static [&'static str],
    /// Its table in TOML, with comments on sources and licences.
    pub text: &'static str,
}

impl NamedNetwork {
    /// The kind of network, in the words of its first comment.
    pub fn title(&self) -> &'static str {
        let first = self.text.lines().next().unwrap_or_default();
        first.trim_start_matches(['#', ' ']).trim_end_matches('.')
    }

    /// Its own name and all others.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        let others = self.others.iter().chain(self.spoken).copied();
        std::iter::once(self.name).chain(others)
    }

    /// True if this is one of its names.
    pub fn is_called(&self, name: &str) -> bool {
        self.names().any(|own| own == name)
    }
}

/// Embeds tables by name.
macro_rules! networks {
    ($($name:literal or [$($other:literal),*] $(spoken [$($spoken:literal),*])?),* $(,)?) => {
        &[$(NamedNetwork {
            name: $name,
            others: &[$($other),*],
            spoken: &[$($($spoken),*)?],
            text: include_str!(concat!("../networks/", $name, ".toml")),
        }),*]
    };
}

static NETWORKS: &[NamedNetwork] = networks![
    "wlan" or ["wifi", "wi-fi", "wifi-5", "wifi5"] spoken ["802.11", "802.11n", "802.11ac"],
    "hotel-wifi" or ["bad-wifi"],
    "lte" or ["4g", "4g-lte", "lte-a"],
    "5g" or ["nr", "5g-nr", "5gnr"],
    "3g" or ["umts", "hspa", "wcdma"] spoken ["hspa+"],
    "train" or ["railway", "trains", "high-speed-train"],
    "starlink" or ["leo", "low-orbit"],
    "geo" or ["geo-satellite", "geostationary", "gso", "viasat", "hughesnet"],
    "dsl" or ["vdsl"],
    "cable" or ["docsis"],
    "wifi-6" or ["wifi-ax", "wifi6"] spoken ["802.11ax"],
    "crowded-wifi" or ["wifi-20"],
    "lte-uplink-grants" or ["lte-grants"],
    "mmwave" or ["5g-mmwave"],
    "quicly-dsl" or [],
    "quicly-home-wifi" or [],
    "quicly-public-wifi" or [],
    "quicly-corporate-wifi" or [],
    "quicly-lte" or [],
    "quicly-5g" or [],
    "quicly-leo" or [],
    "quicly-geo" or [],
    "quicly-docomo-office" or [],
    "quicly-au-office" or [],
    "quicly-wifi-office" or [],
    "quicly-docomo-mall" or [],
    "quicly-congested" or [],
    "quicly-bdp20" or [],
    "quicly-bdp40" or [],
];

/// Ending of a name for a link that begins at the user.
const UP: &str = "-up";
/// Parts of a file in which links get their networks.
const NAMING: [&str; 4] = ["vars", "sweep", "link", "cell"];

/// Those that need no table in a file, in the order of their page.
pub fn named_networks() -> &'static [NamedNetwork] {
    NETWORKS
}

/// The network with this name or other name, and true if it is meant for a link from the user.
fn known(name: &str) -> Option<(&'static NamedNetwork, bool)> {
    let exact = |name: &str| {
        NETWORKS.iter().find(|network| network.name == name || network.others.contains(&name))
    };
    let up = || name.strip_suffix(UP).and_then(exact).map(|network| (network, true));
    exact(name).map(|network| (network, false)).or_else(up)
}

/// Adds the tables of the networks that a file names and does not declare.
pub(crate) fn add(tree: &mut Node, sources: &mut Sources) {
    let mut wanted = Wanted::default();
    for part in NAMING.iter().filter_map(|part| tree.get(part)) {
        wanted.visit(part);
    }
    if wanted.by_variable {
        // Any of their values may be a network; others have no such name, or their own table.
        for part in ["vars", "sweep"].iter().filter_map(|part| tree.get(part)) {
            texts(part, &mut wanted.names);
        }
    }
    let declared = tree.get("network");
    wanted.names.retain(|name| declared.is_none_or(|table| table.get(name).is_none()));
    let added: Vec<Entry> =
        wanted.names.into_iter().filter_map(|name| table(name, sources)).collect();
    let Kind::Table(entries) = &mut tree.kind else { return };
    if added.is_empty() {
        return;
    }
    match entries.iter_mut().find(|entry| entry.key == "network") {
        Some(Entry { node: Node { kind: Kind::Table(networks), .. }, .. }) => {
            networks.extend(added);
        }
        // Something else under that key is a mistake, which its reader reports.
        Some(_) => {}
        None => {
            let at = added[0].key_at;
            let node = Node { at, used: None, kind: Kind::Table(added) };
            entries.push(Entry { key: "network".to_owned(), key_at: at, node });
        }
    }
}

/// Names that stand where a network's does.
#[derive(Default)]
struct Wanted {
    names: BTreeSet<String>,
    /// True if a variable stands in such a place.
    by_variable: bool,
}

impl Wanted {
    fn visit(&mut self, node: &Node) {
        for entry in node.entries() {
            match &entry.node.kind {
                Kind::Str(name) if entry.key == "network" => {
                    self.by_variable |= name.starts_with('$');
                    self.names.insert(name.clone());
                }
                Kind::Array(_) if entry.key == "networks" => texts(&entry.node, &mut self.names),
                _ => self.visit(&entry.node),
            }
        }
        for item in node.items() {
            self.visit(item);
        }
    }
}

/// All texts below a node.
fn texts(node: &Node, out: &mut BTreeSet<String>) {
    if let Kind::Str(text) = &node.kind {
        out.insert(text.clone());
    }
    node.entries().iter().for_each(|entry| texts(&entry.node, out));
    node.items().iter().for_each(|item| texts(item, out));
}

/// The network with this name, whether a file may use it or people only say it.
pub fn network_named(name: &str) -> Option<&'static NamedNetwork> {
    NETWORKS.iter().find(|network| network.is_called(name))
}

/// The table of a named network, under the name that the file uses.
fn table(name: String, sources: &mut Sources) -> Option<Entry> {
    let (network, up) = known(&name)?;
    let source = sources.add(format!("the built-in network `{}`", network.name), network.text);
    // A test reads each of them.
    let parsed = DeTable::parse(network.text).ok()?;
    let mut node = from_table(source, &parsed);
    if up {
        turn(&mut node);
    }
    Some(Entry { key: name, key_at: Loc { source, start: 0, end: 0 }, node })
}

/// Exchanges the two directions: the reverse one's own keys, and those that they replace.
fn turn(node: &mut Node) {
    let Kind::Table(entries) = &mut node.kind else { return };
    let back = entries.iter().position(|entry| entry.key == "reverse");
    let Some(mut back) = back.map(|back| entries.remove(back)) else { return };
    if let Kind::Table(own) = &mut back.node.kind {
        let mut only_there = Vec::new();
        for entry in own.iter_mut() {
            match entries.iter_mut().find(|there| there.key == entry.key) {
                Some(there) => std::mem::swap(there, entry),
                None => only_there.push(entry.clone()),
            }
        }
        // The other direction now has the keys that only the reverse one had; a zero takes them
        // away there.
        for entry in &only_there {
            let zero = Node { kind: Kind::Str("0s".to_owned()), ..entry.node.clone() };
            own.retain(|kept| kept.key != entry.key);
            own.push(Entry { node: zero, ..entry.clone() });
        }
        entries.extend(only_there);
    }
    entries.push(back);
}
