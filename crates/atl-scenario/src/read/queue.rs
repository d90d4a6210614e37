//! The queue of a link.

use atl_link::QueueConfig;

use crate::keys;
use crate::table::Field;
use crate::tree::Kind;

/// Most packets that a queue may hold.
const MAX_PACKETS: u64 = 10_000_000;
/// What a link has unless the file says otherwise.
pub(super) const DEFAULT: Waiting =
    Waiting { queue: QueueConfig::DropTail { packets: 50 }, mark_at: None };

/// A queue, and how long it is when it marks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    pub queue: QueueConfig,
    pub mark_at: Option<u32>,
}

/// Packets, or a size in bytes, or a table with one of these and what else there is to say.
pub(super) fn read(field: &Field<'_>) -> Option<Waiting> {
    let queue = match field.node.kind {
        Kind::Str(_) => QueueConfig::DropTailBytes { bytes: bytes(field)? },
        Kind::Table(_) => return table(field),
        _ => QueueConfig::DropTail { packets: packets(field)? },
    };
    Some(Waiting { queue, mark_at: None })
}

fn table(field: &Field<'_>) -> Option<Waiting> {
    let table = field.table(&keys::QUEUE)?;
    let priority = table.read("priority", Field::bool).unwrap_or(false);
    let mark = table.get("mark");
    let mark_at = mark.as_ref().and_then(packets);
    let queue = match (table.get("packets"), table.get("bytes")) {
        (Some(field), None) => {
            let packets = packets(&field)?;
            if let (Some(at), Some(mark)) = (mark_at, &mark)
                && at >= packets
            {
                return mark.bad("one that finds so many waiting is dropped; mark from fewer on");
            }
            if priority {
                QueueConfig::Priority { packets }
            } else {
                QueueConfig::DropTail { packets }
            }
        }
        (None, Some(field)) => {
            let bytes = bytes(&field)?;
            if priority {
                QueueConfig::PriorityBytes { bytes }
            } else {
                QueueConfig::DropTailBytes { bytes }
            }
        }
        (packets, _) => {
            let label = if packets.is_some() { "has both" } else { "has neither" };
            table.report("a queue holds so many `packets`, or so many `bytes`", label);
            return None;
        }
    };
    Some(Waiting { queue, mark_at })
}

fn packets(field: &Field<'_>) -> Option<u32> {
    u32::try_from(field.whole(1, MAX_PACKETS)?).ok()
}

fn bytes(field: &Field<'_>) -> Option<u64> {
    match field.size()? {
        0 => field.bad("a queue holds at least one byte"),
        bytes => Some(bytes),
    }
}
