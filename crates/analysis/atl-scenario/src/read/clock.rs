//! When things happen in a run.

use atl_core::time::Time;

use crate::table::Field;

/// When the run ends, and whether the command line has moved that.
pub(super) struct Clock {
    pub end: Time,
    pub moved: bool,
}

impl Clock {
    /// Whether something at this time still happens. A time after the end is an error, unless `--quick` or `--duration`
    /// cut the run short: then it does not happen.
    pub(super) fn holds(&self, field: &Field<'_>, at: Time) -> bool {
        if at >= self.end && !self.moved {
            let seconds = self.end.secs();
            field.bad::<()>(format!("the run ends at {seconds}s, before this happens"));
        }
        at < self.end
    }
}
