//! Queue disciplines by their names in a scenario file.

mod aqm;
mod listed;

use atl_engine::{RegisterError, Registry};

pub use listed::ListedDiscipline;

/// A discipline and its name.
pub(crate) type Named = (&'static str, Discipline);

#[derive(Clone, Copy, Debug)]
pub(crate) enum Discipline {
    DropTail,
    Priority,
    Red,
    Wred,
    /// One whose options are a table of its own: ours since CoDel, and those that the program
    /// registered.
    Listed(ListedDiscipline),
}

static DISCIPLINES: Registry<Named> = Registry::new(
    "queue discipline",
    &[
        ("drop-tail", Discipline::DropTail),
        ("priority", Discipline::Priority),
        ("red", Discipline::Red),
        ("wred", Discipline::Wred),
        ("codel", Discipline::Listed(aqm::CODEL)),
        ("fq-codel", Discipline::Listed(aqm::FQ_CODEL)),
        ("cake", Discipline::Listed(aqm::CAKE)),
        ("pie", Discipline::Listed(aqm::PIE)),
        ("dualpi2", Discipline::Listed(aqm::DUAL_PI2)),
        ("policer", Discipline::Listed(aqm::POLICER)),
        ("ack-filter", Discipline::Listed(aqm::ACK_FILTER)),
    ],
    |(name, _)| name,
);

/// Every discipline, in the order in which lists show them.
pub(crate) fn disciplines() -> &'static [Named] {
    DISCIPLINES.all()
}

pub(crate) fn names() -> Vec<&'static str> {
    disciplines().iter().map(|(name, _)| *name).collect()
}

/// Lets scenarios name these disciplines, for the life of the process: all at once, and before
/// anything else is asked of this crate. To register the same names again changes nothing.
///
/// # Errors
/// If a name is taken, or a scenario has been read already.
pub fn register(disciplines: &[ListedDiscipline]) -> Result<(), RegisterError> {
    let named = |listed: &ListedDiscipline| (listed.name, Discipline::Listed(*listed));
    DISCIPLINES.register(&disciplines.iter().map(named).collect::<Vec<_>>())
}
