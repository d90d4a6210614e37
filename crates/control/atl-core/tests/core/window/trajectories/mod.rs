//! Every window controller on paths of many kinds, so that a change of its behaviour shows: to the
//! last bit, in a hash of all that it answers, and to a reader, in its window at ten instants. Each
//! line has the course's name, the hash, packets delivered and lost, timeouts, probes, and the
//! windows ([`trajectory`]).
//!
//! After an intended change `INSTA_UPDATE=always cargo test -p atl-core trajectories` records them
//! anew; the commit says why they changed.

mod courses;
mod laws;
mod options;
mod residual;
mod told;

use atl_core::window::ControllerConfig;

use crate::support::course::{Course, trajectory};

/// Holds the trajectories of one controller against its snapshot.
#[track_caller]
fn hold(
    name: &str,
    config: impl Into<ControllerConfig>,
    courses: impl IntoIterator<Item = Course>,
) {
    let config = config.into();
    let text: String = courses.into_iter().map(|course| trajectory(&config, &course)).collect();
    let storms: String = courses::storms().map(|course| trajectory(&config, &course)).collect();
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(format!("storm-{name}"), storms);
        insta::assert_snapshot!(name, text);
    });
}
