//! The plan of a lab: its hosts, and the links between them.

use atl_engine::setup::{LinkSetup, Setup};

use super::address::MAX_HOSTS;
use super::error::Error;

/// The namespace of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A network namespace of the host's own.
    Namespace,
    /// The namespace of this program: servers on the machine are reachable at the host's address.
    Machine,
}

/// The plan of a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostPlan {
    /// Its name, which programs in the namespaces can use as its address.
    pub name: String,
    /// Index of its node in the network.
    pub node: usize,
    /// The namespace that it lives in.
    pub place: Place,
}

/// Nodes, links between them, and the nodes that are hosts. Other nodes only forward packets.
#[derive(Clone, Debug)]
pub struct Network {
    /// The number of nodes.
    pub nodes: usize,
    /// All links, each in one direction.
    pub links: Vec<LinkSetup>,
    /// The nodes that are hosts, in the order of their addresses.
    pub hosts: Vec<HostPlan>,
}

impl Network {
    /// The network of a scenario's setup. Every node is a host with a namespace of its own.
    pub fn of(setup: &Setup) -> Network {
        let hosts = setup.nodes.iter().enumerate().map(|(node, name)| HostPlan {
            name: name.clone(),
            node,
            place: Place::Namespace,
        });
        Network { nodes: setup.nodes.len(), links: setup.links.clone(), hosts: hosts.collect() }
    }

    /// An error if the network cannot be a lab.
    pub(super) fn check(&self) -> Result<(), Error> {
        if self.hosts.len() > MAX_HOSTS {
            return Err(Error::TooManyHosts(self.hosts.len()));
        }
        for link in &self.links {
            let what = match (&link.agent, &link.adaptation) {
                (Some(_), _) => "an agent at the access point",
                (_, Some(_)) => "an adaptation layer",
                _ => continue,
            };
            return Err(Error::Unsupported { link: link.name.clone(), what });
        }
        Ok(())
    }

    /// The routes between hosts: from, to, links by index. Hosts without a connection have none.
    pub(super) fn routes(&self) -> Vec<(usize, usize, Vec<usize>)> {
        let ends: Vec<(usize, usize)> =
            self.links.iter().map(|link| (link.from, link.to)).collect();
        let mut routes = Vec::new();
        for (from, source) in self.hosts.iter().enumerate() {
            for (to, sink) in self.hosts.iter().enumerate() {
                if from == to {
                    continue;
                }
                let links = atl_engine::route::route(self.nodes, &ends, source.node, sink.node);
                routes.extend(links.map(|links| (from, to, links)));
            }
        }
        routes
    }
}
