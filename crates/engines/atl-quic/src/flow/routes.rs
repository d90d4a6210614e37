//! Routes: one for each direction of each path of each flow.

use atl_endpoint::interruptions::Side;
use atl_engine::setup::FlowSetup;
use atl_link::relay::RouteId;

/// Whose datagram it is, and which path of its flow it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    /// Index of the flow.
    pub(crate) flow: usize,
    /// Index of the path.
    pub(crate) path: usize,
    /// The end that sends it.
    pub(crate) from: Side,
}

/// The numbers of routes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Routes {
    /// The most paths that a flow has.
    paths: usize,
}

impl Routes {
    /// The routes of these flows, and the links of each.
    pub(crate) fn of(flows: &[FlowSetup]) -> (Self, Vec<Vec<usize>>) {
        let paths = flows.iter().map(|flow| flow.paths.len()).max().unwrap_or(1);
        let mut links = Vec::new();
        for flow in flows {
            for index in 0..paths {
                let path = flow.paths.get(index).cloned();
                // A flow with fewer paths does not use these.
                let (forward, back) =
                    path.map_or_else(Default::default, |path| (path.forward, path.back));
                links.extend([forward, back]);
            }
        }
        (Routes { paths }, links)
    }

    /// The route of what comes from here.
    pub(crate) fn id(self, origin: Origin) -> RouteId {
        let back = origin.from == Side::Receiver;
        RouteId(2 * (origin.flow * self.paths + origin.path) + usize::from(back))
    }

    /// Where what takes this route comes from.
    pub(crate) fn origin(self, RouteId(route): RouteId) -> Origin {
        let from = if route % 2 == 0 { Side::Sender } else { Side::Receiver };
        Origin { flow: route / 2 / self.paths, path: route / 2 % self.paths, from }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_route_has_one_origin() {
        for paths in [1, 3] {
            let routes = Routes { paths };
            for route in 0..30 {
                let origin = routes.origin(RouteId(route));
                assert_eq!(routes.id(origin), RouteId(route), "{origin:?}");
            }
        }
        let origin = Origin { flow: 4, path: 2, from: Side::Receiver };
        assert_eq!(Routes { paths: 3 }.origin(RouteId(29)), origin);
    }
}
