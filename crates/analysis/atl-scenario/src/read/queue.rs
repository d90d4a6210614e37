//! The queue of a link.

use atl_link::{Limit, QueueConfig};

use super::early;
use crate::keys::words::{self, Discipline};
use crate::table::{Field, Table};
use crate::tree::Kind;

/// A queue, and how long it is when it marks.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    pub queue: QueueConfig,
    pub mark_at: Option<u32>,
}

/// Packets, or a size in bytes, or a table with one of these and what else there is to say.
pub(super) fn read(field: &Field<'_>) -> Option<Waiting> {
    let queue = match field.node.kind {
        Kind::Str(_) => QueueConfig::DropTailBytes { bytes: field.size()? },
        Kind::Table(_) => return table(field),
        _ => QueueConfig::DropTail { packets: field.whole_as()? },
    };
    Some(Waiting { queue, mark_at: None })
}

fn table(field: &Field<'_>) -> Option<Waiting> {
    let table = field.table()?;
    let discipline = discipline(&table);
    let mark = table.get("mark");
    let mark_at = mark.as_ref().and_then(Field::whole_as);
    let limit = limit(&table)?;
    if let (Some(at), Some(mark), Limit::Packets(packets)) = (mark_at, &mark, limit)
        && at >= packets
    {
        return mark.bad("`mark` must be smaller than `packets`");
    }
    let queue = match (discipline?, limit) {
        (Discipline::DropTail, Limit::Packets(packets)) => QueueConfig::DropTail { packets },
        (Discipline::DropTail, Limit::Bytes(bytes)) => QueueConfig::DropTailBytes { bytes },
        (Discipline::Priority, Limit::Packets(packets)) => QueueConfig::Priority { packets },
        (Discipline::Priority, Limit::Bytes(bytes)) => QueueConfig::PriorityBytes { bytes },
        (Discipline::Red, limit) => QueueConfig::Red(early::red(&table, limit)?),
        (Discipline::Wred, limit) => QueueConfig::Wred(early::wred(&table, limit)?),
    };
    Some(Waiting { queue, mark_at })
}

fn discipline(table: &Table<'_>) -> Option<Discipline> {
    if table.value("priority", Field::bool)? {
        return Some(Discipline::Priority);
    }
    table.value("discipline", |f| f.one_of(words::DISCIPLINES))
}

fn limit(table: &Table<'_>) -> Option<Limit> {
    match (table.get("packets"), table.get("bytes")) {
        (Some(field), None) => field.whole_as().map(Limit::Packets),
        (None, Some(field)) => field.size().map(Limit::Bytes),
        _ => None,
    }
}
