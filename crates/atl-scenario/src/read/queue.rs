//! The queue of a link.

use atl_link::QueueConfig;

use crate::table::Field;
use crate::tree::Kind;

/// A queue, and how long it is when it marks.
#[derive(Clone, Copy, Debug)]
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
    let priority = table.value("priority", Field::bool)?;
    let mark = table.get("mark");
    let mark_at = mark.as_ref().and_then(Field::whole_as);
    let queue = match (table.get("packets"), table.get("bytes")) {
        (Some(field), None) => {
            let packets = field.whole_as()?;
            if let (Some(at), Some(mark)) = (mark_at, &mark)
                && at >= packets
            {
                return mark.bad("`mark` must be smaller than `packets`");
            }
            if priority {
                QueueConfig::Priority { packets }
            } else {
                QueueConfig::DropTail { packets }
            }
        }
        (None, Some(field)) => {
            let bytes = field.size()?;
            if priority {
                QueueConfig::PriorityBytes { bytes }
            } else {
                QueueConfig::DropTailBytes { bytes }
            }
        }
        _ => return None,
    };
    Some(Waiting { queue, mark_at })
}
