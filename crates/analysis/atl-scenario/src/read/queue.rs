//! The queue of a link.

use atl_link::{DisciplineConfig, Limit, QueueConfig, Shaper};

use super::{early, options};
use crate::keys::NO_LENGTH;
use crate::queue::{Discipline, ListedDiscipline, disciplines};
use crate::table::{Field, Table};
use crate::tree::{Entry, Kind};

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
    let chosen = chosen(&table);
    let mark = table.get("mark");
    let mark_at = mark.as_ref().and_then(Field::whole_as);
    let Chosen { discipline, field, options } = chosen?;
    let config = match &discipline {
        Discipline::Listed(listed) => Some(with_options(listed, &field, &options)?),
        _ => None,
    };
    let usual = config.as_ref().and_then(DisciplineConfig::usual_limit);
    let limit = limit(&table, usual)?;
    if let (Some(at), Some(mark), Limit::Packets(packets)) = (mark_at, &mark, limit)
        && at >= packets
    {
        return mark.bad("`mark` must be smaller than `packets`");
    }
    let queue = match (discipline, limit) {
        (Discipline::DropTail, Limit::Packets(packets)) => QueueConfig::DropTail { packets },
        (Discipline::DropTail, Limit::Bytes(bytes)) => QueueConfig::DropTailBytes { bytes },
        (Discipline::Priority, Limit::Packets(packets)) => QueueConfig::Priority { packets },
        (Discipline::Priority, Limit::Bytes(bytes)) => QueueConfig::PriorityBytes { bytes },
        (Discipline::Red, limit) => QueueConfig::Red(early::red(&table, limit)?),
        (Discipline::Wred, limit) => QueueConfig::Wred(early::wred(&table, limit)?),
        (Discipline::Listed(_), limit) => QueueConfig::Custom { limit, discipline: config? },
    };
    Some(Waiting { queue, mark_at })
}

/// The value of `discipline`: a name, or a table with a name and options.
struct Chosen<'a> {
    discipline: Discipline,
    field: Field<'a>,
    options: Vec<&'a Entry>,
}

fn chosen<'a>(table: &Table<'a>) -> Option<Chosen<'a>> {
    let priority = table.value("priority", Field::bool)?;
    let field = table.or_default("discipline")?;
    if !field.is_table() {
        let discipline =
            if priority { Discipline::Priority } else { field.one_of(disciplines())? };
        return Some(Chosen { discipline, field, options: Vec::new() });
    }
    let table = field.table()?;
    let name = table.get("name")?;
    let discipline = name.one_of(disciplines())?;
    let options: Vec<&Entry> = table.others().map(|(entry, _)| entry).collect();
    if !options.is_empty() && !matches!(discipline, Discipline::Listed(_)) {
        return name.bad("its options are keys of the queue, beside `discipline`");
    }
    Some(Chosen { discipline, field, options })
}

fn with_options(
    listed: &ListedDiscipline,
    field: &Field<'_>,
    options: &[&Entry],
) -> Option<DisciplineConfig> {
    let label = format!("`{}`", listed.name);
    options::read(field, (&label, &["name"]), options, |all| listed.with_options(all))
}

/// The capacity that the table gives, or else the discipline's usual one.
fn limit(table: &Table<'_>, usual: Option<Limit>) -> Option<Limit> {
    match (table.get("packets"), table.get("bytes")) {
        (Some(field), None) => field.whole_as().map(Limit::Packets),
        (None, Some(field)) => field.size().map(Limit::Bytes),
        (None, None) if usual.is_some() => usual,
        // A table without a discipline was reported by the rules.
        (None, None) if table.get("discipline").is_some() => {
            table.report(format!("`{}` has no length", table.path), NO_LENGTH);
            None
        }
        _ => None,
    }
}

/// A token bucket ahead of the transmitter.
pub(super) fn shaper(field: &Field<'_>) -> Option<Shaper> {
    let table = field.table()?;
    let (rate, burst) = (table.read("rate", Field::rate), table.read("burst", Field::size));
    Some(Shaper { rate: rate?, burst: burst? })
}
