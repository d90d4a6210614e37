//! Agents at the access points of wireless links.

use crate::keys;
use crate::keys::words::AGENTS;
use crate::table::{Field, Table};
use atl_engine::setup::{Agent, Snoop};

/// Reads the agent of a link, if there is one.
pub(super) fn read(link: &Table<'_>, wireless: bool, one_way: bool) -> Option<Agent> {
    let field = link.get("agent")?;
    if field.is_off() {
        return None;
    }
    let agent = agent(&field);
    if !wireless {
        return field.bad("only a wireless link has an agent: add `wireless = true`");
    }
    if one_way {
        return field
            .bad("an agent needs data in one direction and ACKs in the other: the link cannot be one-way");
    }
    agent
}

/// Reads an agent's name, or a table with its name and parameters.
fn agent(field: &Field<'_>) -> Option<Agent> {
    let table = if field.is_text() {
        field.one_of(AGENTS)?;
        Table::empty_of(field, &keys::AGENT)
    } else {
        let table = field.table()?;
        table.read("name", |f| f.one_of(AGENTS))?;
        table
    };
    let window = table.value("window", Field::whole_as);
    let min_timeout = table.value("min-timeout", Field::time);
    let delay = table.value("delay", Field::time);
    Some(Agent::Snoop(Snoop { window: window?, min_timeout: min_timeout?, delay: delay? }))
}
