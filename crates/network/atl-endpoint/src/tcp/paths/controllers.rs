//! The controller of each path, and what is kept of paths that were left.

use atl_core::path::PathId;
use atl_core::roaming::{NewPath, Pad};
use atl_core::time::Time;
use atl_core::window::resume::{self, PathToken, Saved, Store};
use atl_core::window::{Controller, ControllerConfig, Start, WindowController, pad};

/// Builds controllers. A mobile host that returns to a cell returns to the same path, so a path's
/// number is its token.
#[derive(Debug)]
pub(in crate::tcp) struct Controllers {
    how: NewPath,
    config: ControllerConfig,
    store: Store,
}

fn token(path: PathId) -> PathToken {
    PathToken(path.index() as u64)
}

impl Controllers {
    pub(in crate::tcp) fn new(how: NewPath, config: ControllerConfig) -> Self {
        let store = match how {
            NewPath::Resume(resume) => Store::new(resume.lifetime),
            _ => Store::default(),
        };
        Controllers { how, config, store }
    }

    /// The controller of the first path, if it is not the plain one.
    pub(in crate::tcp) fn first(&self, start: &Start) -> Option<Controller> {
        match self.how {
            NewPath::Resume(_) | NewPath::Pad(_) => Some(self.build(start, None)),
            NewPath::Keep | NewPath::Reset | NewPath::Probe(_) => None,
        }
    }

    /// The controller of a path after that of another. What was observed of the path `to` counts
    /// unless more is known of it.
    pub(in crate::tcp) fn change(
        &mut self,
        now: Time,
        (from, left): (PathId, &Controller),
        (to, fresh): (PathId, bool),
        start: &Start,
    ) -> Controller {
        if let Some(observed) = left.observed() {
            self.store.save(token(from), observed);
        }
        let saved = if fresh { self.store.take(now, token(to)) } else { None };
        self.build(start, saved)
    }

    fn build(&self, start: &Start, saved: Option<Saved>) -> Controller {
        match self.how {
            NewPath::Resume(resume) => {
                let most = resume.most.map_or(f64::INFINITY, f64::from);
                let plain = resume::Config::new(self.config.clone());
                let config = resume::Config { saved, most, ..plain };
                Controller::Boxed(Box::new(resume::Resume::new(&config, start)))
            }
            NewPath::Pad(Pad { target, budget }) => {
                let config = pad::Config { controller: self.config.clone(), target, budget };
                Controller::Boxed(Box::new(pad::Pad::new(&config, start)))
            }
            NewPath::Keep | NewPath::Reset | NewPath::Probe(_) => self.config.build(start),
        }
    }
}
