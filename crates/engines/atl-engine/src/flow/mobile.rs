//! The mobile at one end of a flow: its paths, which of them it can be reached on, and what its
//! lower layers will signal.

use atl_core::path::{PathId, PathSignal};
use atl_core::time::Time;
use atl_endpoint::interruptions::Side;

use super::Wireless;
use crate::setup::{FlowSetup, LinkSetup, MobileStep};

/// The end of a flow that moves.
#[derive(Clone, Debug)]
pub struct Mobile {
    paths: Vec<Path>,
    /// Signals of its lower layers, the next one last.
    steps: Vec<MobileStep>,
    side: Side,
    current: PathId,
}

#[derive(Clone, Copy, Debug)]
struct Path {
    wireless: Wireless,
    present: bool,
}

impl Mobile {
    /// The mobile of a flow, which begins on the first path; `None` if neither end moves. `steps`
    /// are its signals in order of time.
    pub fn new(plan: &FlowSetup, steps: &[MobileStep], links: &[LinkSetup]) -> Option<Self> {
        let side = if plan.mobile?.sends { Side::Sender } else { Side::Receiver };
        let path = |(at, path)| Path { wireless: Wireless::of(path, links), present: at == 0 };
        Some(Mobile {
            paths: plan.paths.iter().enumerate().map(path).collect(),
            steps: steps.iter().rev().copied().collect(),
            side,
            current: PathId::FIRST,
        })
    }

    /// The end that moves.
    pub fn side(&self) -> Side {
        self.side
    }

    /// The path that it is on.
    pub fn current(&self) -> PathId {
        self.current
    }

    /// Signals still to come, in order of time.
    pub fn signals(&self) -> impl Iterator<Item = (Time, PathSignal)> {
        self.steps.iter().rev().map(|step| (step.at, step.signal))
    }

    /// When its lower layers signal next.
    pub fn next_step(&self) -> Option<Time> {
        self.steps.last().map(|step| step.at)
    }

    /// Takes the next signal if it is due, and follows it.
    pub fn step(&mut self, now: Time) -> Option<PathSignal> {
        let signal = self.steps.pop_if(|step| step.at <= now)?.signal;
        let id = signal.path();
        if let Some(path) = self.paths.get_mut(id.index()) {
            path.present = !matches!(signal, PathSignal::Gone(_));
            if let PathSignal::Done(_) = signal {
                self.current = id;
            }
        }
        Some(signal)
    }

    /// A path that the flow does not have, which no endpoint names, is taken for the current one.
    fn path(&self, path: PathId) -> &Path {
        self.paths.get(path.index()).unwrap_or(&self.paths[self.current.index()])
    }

    /// The wireless links of a path.
    pub fn wireless(&self, path: PathId) -> Wireless {
        self.path(path).wireless
    }

    /// True if it can be reached on this path.
    pub fn is_present(&self, path: PathId) -> bool {
        self.path(path).present
    }

    /// The wireless links at the source's own end, over all paths.
    pub fn own_links(&self) -> impl Iterator<Item = u32> {
        self.paths.iter().filter_map(|path| path.wireless.access)
    }

    /// The path of a mobile source that begins with this link.
    pub fn path_from(&self, link: u32) -> Option<PathId> {
        let first = |path: &Path| self.side == Side::Sender && path.wireless.access == Some(link);
        let index = self.paths.iter().position(first)?;
        u8::try_from(index).ok().map(PathId::new)
    }
}
