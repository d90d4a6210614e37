//! The agent at the access point of a wireless link.

use crate::keys;
use crate::setup::{Agent, Snoop};
use crate::table::{Field, Table};
use crate::tree::Kind;

/// Most packets of a flow that an agent may keep.
const MAX_WINDOW: u64 = 1_000_000;

/// Agents by their names in a scenario file.
const AGENTS: &[(&str, ())] = &[("snoop", ())];

/// The agent of a link, if it has one.
pub(super) fn read(link: &Table<'_>, wireless: bool, one_way: bool) -> Option<Agent> {
    let field = link.get("agent")?;
    if matches!(field.node.kind, Kind::Bool(false)) {
        return None;
    }
    let agent = agent(&field);
    if !wireless {
        return field.bad("an agent stands at a wireless link: add `wireless = true`");
    }
    if one_way {
        return field
            .bad("an agent sees data one way and ACKs the other: the link cannot be one-way");
    }
    agent
}

/// An agent's name, or a table with its name and parameters.
fn agent(field: &Field<'_>) -> Option<Agent> {
    if matches!(field.node.kind, Kind::Str(_)) {
        field.one_of(AGENTS)?;
        return Some(Agent::Snoop(Snoop::default()));
    }
    let table = field.table(&keys::AGENT)?;
    let name = table.need("name").and_then(|f| f.one_of(AGENTS));
    let default = Snoop::default();
    let window = table.read("window", |f| f.whole(1, MAX_WINDOW));
    let min_timeout = table.read("min-timeout", |f| match f.time()? {
        t if t.is_zero() => f.bad("it must be above zero"),
        t => Some(t),
    });
    let delay = table.read("delay", Field::time);
    name?;
    Some(Agent::Snoop(Snoop {
        window: window.and_then(|n| u32::try_from(n).ok()).unwrap_or(default.window),
        min_timeout: min_timeout.unwrap_or(default.min_timeout),
        delay: delay.unwrap_or(default.delay),
    }))
}
