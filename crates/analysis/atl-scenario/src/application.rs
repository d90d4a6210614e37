//! Applications by their names in a scenario file.

mod dash;
mod distribution;
mod request_response;
mod web_page;

use atl_endpoint::app::{ApplicationConfig, BuildApplication};
use atl_engine::{RegisterError, Registry};
use serde::de::DeserializeOwned;

use crate::controller_options::{ControllerOption, options_of};
use crate::options::{OptionError, Options};
use crate::tree::Entry;

static APPLICATIONS: Registry<ListedApplication> = Registry::new(
    "application",
    &[
        ListedApplication::new::<request_response::Config>("request-response"),
        ListedApplication::new::<web_page::Config>("web-page"),
        ListedApplication::new::<dash::Config>("dash"),
    ],
    |listed| listed.name,
);

/// Every application, in the order in which lists show them.
pub(crate) fn applications() -> &'static [ListedApplication] {
    APPLICATIONS.all()
}

pub(crate) fn names() -> Vec<&'static str> {
    applications().iter().map(|listed| listed.name).collect()
}

/// Lets scenarios name these applications, for the life of the process: all at once, and before
/// anything else is asked of this crate. To register the same names again changes nothing.
///
/// # Errors
/// If a name is taken, or a scenario has been read already.
pub fn register(applications: &[ListedApplication]) -> Result<(), RegisterError> {
    APPLICATIONS.register(applications)
}

/// An application with the name that scenarios call it by.
///
/// ```
/// use atl_core::time::Time;
/// use atl_endpoint::app::{Actions, Application, BuildApplication};
/// use atl_link::random::Stream;
/// use atl_scenario::application::{ListedApplication, register};
///
/// #[derive(Clone, Debug, Default, PartialEq, serde::Deserialize)]
/// #[serde(default, deny_unknown_fields)]
/// struct Echo {
///     bytes: u64,
/// }
///
/// struct End {
///     first: u64,
/// }
///
/// impl Application for End {
///     fn on_start(&mut self, _now: Time, actions: &mut Actions) {
///         actions.write(self.first);
///     }
///     fn on_delivered(&mut self, _now: Time, bytes: u64, actions: &mut Actions) {
///         actions.write(bytes);
///     }
/// }
///
/// impl BuildApplication for Echo {
///     fn client(&self, _stream: Stream) -> Box<dyn Application + Send> {
///         Box::new(End { first: self.bytes })
///     }
///     fn server(&self, _stream: Stream) -> Box<dyn Application + Send> {
///         Box::new(End { first: 0 })
///     }
/// }
///
/// register(&[ListedApplication::new::<Echo>("echo")])?;
/// # Ok::<(), atl_scenario::RegisterError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ListedApplication {
    pub(crate) name: &'static str,
    read: fn(Options<'_>) -> Result<ApplicationConfig, OptionError>,
    options: fn() -> Vec<ControllerOption>,
}

impl ListedApplication {
    /// The application whose parameters are `C`. The fields of `C` are its options in a scenario
    /// file: `source = { application = { name = "echo", bytes = 1000 } }`.
    pub const fn new<C>(name: &'static str) -> Self
    where
        C: BuildApplication + DeserializeOwned + PartialEq,
    {
        ListedApplication { name, read: read::<C>, options: options_of::<C> }
    }

    /// The application with the options of a scenario file.
    pub(crate) fn with_options(
        &self,
        options: &[&Entry],
    ) -> Result<ApplicationConfig, OptionError> {
        (self.read)(Options { entries: options, preset: &[] })
    }

    pub(crate) fn options(&self) -> Vec<ControllerOption> {
        (self.options)()
    }
}

fn read<C>(options: Options<'_>) -> Result<ApplicationConfig, OptionError>
where
    C: BuildApplication + DeserializeOwned + PartialEq,
{
    options.read(C::check).map(ApplicationConfig::from)
}
