//! A queue discipline with its name and its options.

use atl_link::{BuildDiscipline, DisciplineConfig};
use serde::de::DeserializeOwned;

use crate::controller_options::{ControllerOption, options_of};
use crate::options::{OptionError, Options};
use crate::tree::Entry;

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
    pub(super) const fn ours<O, C>(name: &'static str) -> Self
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
