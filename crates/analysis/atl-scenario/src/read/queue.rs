//! The queue of a link.

use atl_core::time::Span;
use atl_core::units::Rate;
use atl_link::{Buffer, DisciplineConfig, Limit, QueueConfig, Shaper};

use super::{early, options};
use crate::keys::NO_LENGTH;
use crate::queue::{Discipline, ListedDiscipline, disciplines};
use crate::table::{Field, Table};
use crate::tree::{Entry, Kind};
use crate::units::TIMES;

/// A queue, and how long it is when it marks.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    length: Length,
    mark_at: Option<u32>,
}

#[derive(Clone, Debug)]
enum Length {
    Known(QueueConfig),
    /// As many bytes as the link transmits in this time.
    Lasts(Span),
}

impl Waiting {
    /// The queue ahead of a transmitter of this rate, or of an unlimited one.
    pub(super) fn buffer(&self, rate: Option<Rate>) -> Buffer {
        let queue = match &self.length {
            Length::Known(queue) => queue.clone(),
            Length::Lasts(time) => {
                // Whole bytes; more than an integer holds is the largest integer.
                let bytes = rate.map_or(f64::INFINITY, |rate| rate.bps() * time.secs() / 8.0);
                QueueConfig::DropTailBytes { bytes: (bytes.round() as u64).max(LONGEST_PACKET) }
            }
        };
        Buffer { queue, mark_at: self.mark_at }
    }
}

/// A queue of a time holds one such packet at least.
const LONGEST_PACKET: u64 = 1500;

/// Packets, a size in bytes, a time at the link's rate, the name of a discipline with its usual
/// length, or a table with what else there is to say.
pub(super) fn read(field: &Field<'_>) -> Option<Waiting> {
    let length = match &field.node.kind {
        Kind::Str(text) if is_name(text) => Length::Known(named(field, text)?),
        Kind::Str(text) if is_time(text) => Length::Lasts(field.time()?),
        Kind::Str(_) => Length::Known(QueueConfig::DropTailBytes { bytes: field.size()? }),
        Kind::Table(_) => return table(field),
        _ => Length::Known(QueueConfig::DropTail { packets: field.whole_as()? }),
    };
    Some(Waiting { length, mark_at: None })
}

/// True for a text with a unit of time; no unit of sizes ends like one.
fn is_time(text: &str) -> bool {
    TIMES.iter().any(|(unit, _)| text.trim_end().ends_with(unit))
}

/// True for a text that can be no size and no time, which begin with a number.
fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// The queue of a discipline that is only named.
fn named(field: &Field<'_>, name: &str) -> Option<QueueConfig> {
    let usual = match field.one_of(disciplines())? {
        Discipline::Listed(listed) => {
            let discipline = with_options(&listed, field, &[])?;
            discipline.usual_limit().map(|limit| QueueConfig::Custom { limit, discipline })
        }
        _ => None,
    };
    if usual.is_none() {
        field.report(field.problem(
            format!("`{}` has no length", field.path),
            format!("give one, as in `{{ discipline = \"{name}\", packets = 100 }}`"),
        ));
    }
    usual
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
    Some(Waiting { length: Length::Known(queue), mark_at })
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
