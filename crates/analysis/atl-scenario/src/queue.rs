//! Queue disciplines by their names in a scenario file.

use atl_engine::{RegisterError, Registry};
use atl_link::{BuildDiscipline, DisciplineConfig};
use serde::de::DeserializeOwned;

use crate::controller_options::{ControllerOption, options_of};
use crate::options::{OptionError, Options};
use crate::tree::Entry;

mod aqm;

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
        ("pie", Discipline::Listed(aqm::PIE)),
        ("dualpi2", Discipline::Listed(aqm::DUAL_PI2)),
        ("policer", Discipline::Listed(aqm::POLICER)),
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

/// A queue discipline with the name that scenarios call it by.
///
/// ```
/// # use atl_link::{BuildDiscipline, Limit, QueueConfig, QueueDiscipline, random::Stream};
/// use atl_scenario::queue::{ListedDiscipline, register};
///
/// #[derive(Clone, Debug, Default, PartialEq, serde::Deserialize)]
/// #[serde(default, deny_unknown_fields)]
/// struct Mine {
///     share: f64,
/// }
///
/// impl BuildDiscipline for Mine {
///     fn build(&self, limit: Limit, stream: Stream) -> Box<dyn QueueDiscipline + Send> {
///         // ... a queue of one's own; here one of the link's.
/// #       let _ = limit;
/// #       QueueConfig::DropTail { packets: 10 }.build(stream)
///     }
/// }
///
/// register(&[ListedDiscipline::new::<Mine>("mine")])?;
/// # Ok::<(), atl_scenario::RegisterError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ListedDiscipline {
    pub(crate) name: &'static str,
    read: fn(Options<'_>) -> Result<DisciplineConfig, OptionError>,
    options: fn() -> Vec<ControllerOption>,
}

impl ListedDiscipline {
    /// The discipline whose parameters are `C`. The fields of `C` are its options in a scenario
    /// file: `discipline = { name = "codel", target = "5ms" }`.
    pub const fn new<C>(name: &'static str) -> Self
    where
        C: BuildDiscipline + DeserializeOwned + PartialEq,
    {
        ListedDiscipline { name, read: read::<C>, options: options_of::<C> }
    }

    /// A discipline of the link's own with the parameters `C`, whose options in a scenario file are
    /// the fields of `O`.
    const fn ours<O, C>(name: &'static str) -> Self
    where
        O: Clone + DeserializeOwned + Into<C>,
        C: BuildDiscipline + PartialEq,
    {
        ListedDiscipline { name, read: read_ours::<O, C>, options: options_of::<O> }
    }

    /// The discipline with the options of a scenario file.
    pub(crate) fn with_options(&self, options: &[&Entry]) -> Result<DisciplineConfig, OptionError> {
        (self.read)(Options { entries: options, preset: &[] })
    }

    pub(crate) fn options(&self) -> Vec<ControllerOption> {
        (self.options)()
    }
}

fn read<C>(options: Options<'_>) -> Result<DisciplineConfig, OptionError>
where
    C: BuildDiscipline + DeserializeOwned + PartialEq,
{
    options.read(C::check).map(DisciplineConfig::from)
}

fn read_ours<O, C>(options: Options<'_>) -> Result<DisciplineConfig, OptionError>
where
    O: Clone + DeserializeOwned + Into<C>,
    C: BuildDiscipline + PartialEq,
{
    let options = options.read(|options: &O| options.clone().into().check())?;
    Ok(DisciplineConfig::from(options.into()))
}
