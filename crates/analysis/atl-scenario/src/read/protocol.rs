//! Reading a protocol with its options.

use atl_engine::protocol::Protocol;

use super::{new_path, options};
use crate::keys;
use crate::protocol::{RECOVERIES, catalogue};
use crate::table::Field;
use crate::tree::Entry;

/// Reads a protocol's name, or a table with its name and options.
pub(super) fn protocol(field: &Field<'_>) -> Option<Protocol> {
    if field.is_text() {
        return built(field, field, &[]);
    }
    let table = field.table()?;
    let name = table.get("name")?;
    let options: Vec<&Entry> = table.others().map(|(entry, _)| entry).collect();
    let mut protocol = built(&name, field, &options)?;
    if let Some(label) = table.read("label", Field::text) {
        protocol.label = label.to_owned();
    }
    if let Some(field) = table.get("new-path") {
        protocol.new_path = new_path::read(&field, protocol.tcp().is_some())?;
    }
    let paces = protocol.paces();
    let Some(tcp) = protocol.tcp_mut() else {
        for key in ["recovery", "freeze"] {
            if let Some(f) = table.get(key) {
                return f.bad(match paces {
                    true => "this protocol repairs nothing: the key belongs to TCP",
                    false => "QUIC repairs losses as RFC 9002 says: the key belongs to TCP",
                });
            }
        }
        return Some(protocol);
    };
    if let Some(recovery) = table.read("recovery", |f| f.one_of(RECOVERIES)) {
        tcp.recovery = recovery;
    }
    match table.get("freeze") {
        Some(f) if f.is_off() => tcp.freeze = None,
        Some(f) => tcp.freeze = Some(f.time()?),
        None => {}
    }
    Some(protocol)
}

fn built(name: &Field<'_>, field: &Field<'_>, options: &[&Entry]) -> Option<Protocol> {
    let text = name.text()?;
    let Some(listed) = catalogue().iter().find(|p| p.name == text) else {
        let names: Vec<&str> = catalogue().iter().map(|p| p.name).collect();
        let problem = name.problem(format!("there is no protocol `{text}`"), "unknown protocol");
        name.report(problem.nearest(text, names));
        return None;
    };
    let keys: Vec<&str> = keys::PROTOCOL.names().collect();
    options::read(field, (listed.label, &keys), options, |all| listed.with_options(all))
}
