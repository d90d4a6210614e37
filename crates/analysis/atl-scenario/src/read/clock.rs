//! Times of events in relation to the run's end.

use atl_core::time::Time;

use crate::table::Field;

/// End of the run, and whether the command line changed it.
pub(super) struct Clock {
    pub end: Time,
    pub moved: bool,
}

impl Clock {
    /// True if an event at this time takes place. A time after the end is an error, unless
    /// `--quick` or `--duration` may have shortened the run.
    pub(super) fn holds(&self, field: &Field<'_>, at: Time) -> bool {
        if at >= self.end && !self.moved {
            let seconds = self.end.secs();
            field.bad::<()>(format!("the run ends at {seconds}s, before this happens"));
        }
        at < self.end
    }
}
