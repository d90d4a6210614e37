//! Times of events in relation to the run's end.

use atl_core::time::Time;

use crate::table::Field;

/// End of the run, and whether the command line changed it.
pub(super) struct Clock {
    pub end: Time,
    pub moved: bool,
    /// The later of this end and the one that the file states; the end of time if the file's is
    /// not known.
    pub last: Time,
}

impl Clock {
    /// The clock of a run that ends at `end`; if the command line moved that end, the file stated
    /// `written`, where it is known.
    pub(super) fn new(end: Time, moved: bool, written: Option<Time>) -> Self {
        let last = if moved { written.unwrap_or(Time::MAX).max(end) } else { end };
        Clock { end, moved, last }
    }

    /// True if an event at this time takes place. A time after the end is an error, unless
    /// `--quick` or `--duration` has shortened the run and the file's own end is later still.
    pub(super) fn holds(&self, field: &Field<'_>, at: Time) -> bool {
        if at >= self.last {
            let run = if self.last > self.end { "even the full run" } else { "the run" };
            let seconds = self.last.secs();
            field.bad::<()>(format!("{run} ends at {seconds}s, before this happens"));
        }
        at < self.end
    }
}
