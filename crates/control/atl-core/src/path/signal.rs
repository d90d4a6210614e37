//! Cross-layer signals: the layers below tell a transport about the paths that it may use.
//!
//! They are plain events that a host's lower layers hand to its endpoints (Taleb et al., IEEE
//! Transactions on Vehicular Technology 57(6), 2008, sec. III-B, Fig. 1). A simulator compiles them
//! from a map; a real host raises them from its radio.

/// A path of a flow. A flow whose hosts stay where they are has only the first one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PathId(u8);

impl PathId {
    /// The path that a flow starts on.
    pub const FIRST: PathId = PathId(0);
    /// Limit on the paths of a flow.
    pub const MAX_PATHS: usize = u8::MAX as usize + 1;

    /// The path with this index, from 0.
    #[inline]
    pub const fn new(index: u8) -> Self {
        PathId(index)
    }

    /// Its index, from 0.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A signal of a mobile host's lower layers about one of its paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathSignal {
    /// The host now reaches a second network, and expects to move to it: this path can be used
    /// beside the current one.
    Imminent(PathId),
    /// The host has moved: this path is the current one.
    Done(PathId),
    /// The host has left this path's network: packets still on the path are lost.
    Gone(PathId),
}

impl PathSignal {
    /// The path that the signal is about.
    pub const fn path(self) -> PathId {
        match self {
            PathSignal::Imminent(path) | PathSignal::Done(path) | PathSignal::Gone(path) => path,
        }
    }
}
