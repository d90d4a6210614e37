//! Scenarios with other setups than their files say.

use atl_engine::setup::Setup;

use crate::hash::Fingerprint;
use crate::scenario::{Point, Scenario};

impl Scenario {
    /// The same scenario with the setup of each point rewritten; `name` enters its hash. It has
    /// neither figures nor quotes, which are about the scenario as written. `rewrite` says whether
    /// it changed anything; `None` if it did so at no point.
    pub fn rewritten(&self, name: &str, rewrite: impl Fn(&mut Setup) -> bool) -> Option<Scenario> {
        let mut changed = false;
        let mut point = |point: &Point| {
            let mut setup = point.setup.clone();
            changed |= rewrite(&mut setup);
            Point { vars: point.vars.clone(), setup }
        };
        let points = self.points.iter().map(&mut point).collect();
        let mut print = Fingerprint::new();
        print.text("scenario", &self.hash);
        print.text("rewritten", name);
        changed.then(|| Scenario {
            hash: print.hex(),
            points,
            figures: Vec::new(),
            quotes: Vec::new(),
            ..self.clone()
        })
    }
}
