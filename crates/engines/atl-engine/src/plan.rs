//! The runs that an engine is to carry out.

use crate::setup::Setup;

/// The points of a sweep, each to be run with every seed. A scenario file is one; a program that
/// makes its setups itself implements it in a few lines.
pub trait Plan: Sync {
    /// Name for messages.
    fn name(&self) -> &str;

    /// Number of points: at least one.
    fn points(&self) -> usize;

    /// The experiment at a point, counted from zero.
    fn setup(&self, point: usize) -> &Setup;

    /// The seeds, each run at each point: at least one.
    fn seeds(&self) -> &[u64];

    /// Values of a point's swept variables, such as `p_w = 1e-2, protocol = reno`; empty without a
    /// sweep.
    fn describe(&self, point: usize) -> String;

    /// Number of runs: points times seeds. Run `r` is point `r / seeds` with seed `r % seeds`.
    fn runs(&self) -> usize {
        self.points() * self.seeds().len()
    }
}
