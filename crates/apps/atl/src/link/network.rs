//! Finding the links between two hosts.

use atl_engine::setup::{LinkSetup, Path, Setup};
use atl_scenario::scenario::Scenario;
use atl_scenario::{Overrides, read_from};

use super::save;
use crate::args::Link;
use crate::failure::Failure;
use crate::{opening, output};

/// The links between two hosts in both directions.
#[derive(Clone, Debug)]
pub(crate) struct Network {
    /// Name of the scenario; `None` for a link described by options.
    pub scenario: Option<String>,
    /// The two hosts: clients are at the first, the server at the second.
    pub hosts: [String; 2],
    /// Hosts with programs and their nodes: the two ends, and those of `--at`.
    pub places: Vec<(String, usize)>,
    /// Number of nodes in the whole scenario.
    pub nodes: usize,
    /// The links between the hosts in both directions.
    pub links: Vec<LinkSetup>,
    /// Links from the first host to the second, as indices.
    pub up: Vec<usize>,
    /// Links from the second host to the first, as indices.
    pub down: Vec<usize>,
    /// Seed of the links' random numbers.
    pub seed: u64,
}

impl Network {
    /// Reads the scenario or the options.
    ///
    /// # Errors
    /// All mistakes in them; features that real packets cannot experience; points whose links
    /// differ.
    pub(crate) fn open(args: &Link) -> Result<Network, Failure> {
        let scenario = read(args)?;
        let name = args.scenario.is_some().then(|| scenario.name.clone());
        let seed = args.running.seed.or(scenario.seeds.first().copied()).unwrap_or(1);
        let networks = scenario.points.iter().map(|p| between(&p.setup, args, name.clone(), seed));
        let mut networks: Vec<Network> = networks.collect::<Result<_, _>>()?;
        if networks.iter().any(|other| !same(&networks[0], other)) {
            return Err(several(&scenario, &networks));
        }
        let network = networks.pop();
        let refused: Vec<String> =
            network.iter().flat_map(|network| &network.links).filter_map(gap).collect();
        if !refused.is_empty() {
            return Err(Failure::Usage(refused.join("\nerror: ")));
        }
        network.ok_or_else(|| Failure::Usage("the scenario has no points".to_owned()))
    }

    /// Names of a route's links.
    pub(crate) fn names<'a>(&'a self, route: &'a [usize]) -> impl Iterator<Item = &'a str> {
        route.iter().map(|link| self.links[*link].name.as_str())
    }
}

fn read(args: &Link) -> Result<Scenario, Failure> {
    let options = args.one.options();
    let base = save::base(args.scenario.as_deref());
    if let (Some(spec), None, Some(option)) = (&args.scenario, &base, options.first()) {
        return Err(Failure::Usage(format!(
            "--{} describes one link, and cannot be used with the scenario {spec}: change that with --set",
            option.option
        )));
    }
    let overrides = Overrides { set: args.set.clone(), options, ..Overrides::default() };
    let read = match (&args.scenario, base) {
        (Some(_), Some(network)) => read_from(&mut network.as_bytes(), "the link", &overrides),
        (Some(spec), None) => opening::open(spec, &overrides),
        (None, _) if overrides.options.is_empty() && overrides.set.is_empty() => {
            return Err(Failure::Usage(
                "nothing to emulate: name a scenario, or describe a link, as in --rate 2Mb/s \
                 --delay 50ms (see `atl link --help`)"
                    .to_owned(),
            ));
        }
        (None, _) => read_from(&mut save::BASE.as_bytes(), "the link", &overrides),
    };
    let scenario = read
        .map_err(|errors| Failure::Scenarios { errors: vec![errors], json: args.running.json })?;
    output::error(&scenario.warnings.render(output::stderr_colour()));
    Ok(scenario)
}

/// The links between the two hosts at one point.
fn between(
    setup: &Setup,
    args: &Link,
    scenario: Option<String>,
    seed: u64,
) -> Result<Network, Failure> {
    if !setup.mobiles.is_empty() {
        return Err(Failure::Usage(
            "the scenario has hosts that move between cells, which `atl link` cannot carry: its \
             hosts stay where they are; a link that changes networks (`roam`) can be carried"
                .to_owned(),
        ));
    }
    let (from, to) = ends(setup, args)?;
    let hosts = [setup.nodes[from].clone(), setup.nodes[to].clone()];
    let Some(path) = setup.path(from, to) else {
        let [from, to] = hosts;
        return Err(Failure::Usage(format!(
            "there is no path from `{from}` to `{to}` and back; packets need both"
        )));
    };
    let mut hosts_used = vec![from, to];
    for (name, _) in &args.program.at {
        let node = node(setup, name, "--at")?;
        if !hosts_used.contains(&node) {
            hosts_used.push(node);
        }
    }
    let pairs = hosts_used.iter().flat_map(|from| hosts_used.iter().map(move |to| (*from, *to)));
    let paths = pairs.filter(|(from, to)| from < to).filter_map(|(from, to)| setup.path(from, to));
    let mut used: Vec<usize> =
        paths.chain([path.clone()]).flat_map(|path| [path.forward, path.back].concat()).collect();
    used.sort_unstable();
    used.dedup();
    let place = |route: &[usize]| -> Vec<usize> {
        route.iter().filter_map(|link| used.iter().position(|other| other == link)).collect()
    };
    let Path { forward, back } = &path;
    let (up, down) = (place(forward), place(back));
    let links = used.iter().map(|link| setup.links[*link].clone()).collect();
    let places = hosts_used.iter().map(|node| (setup.nodes[*node].clone(), *node)).collect();
    Ok(Network { scenario, hosts, places, nodes: setup.nodes.len(), links, up, down, seed })
}

/// Nodes of the two hosts, as indices.
fn ends(setup: &Setup, args: &Link) -> Result<(usize, usize), Failure> {
    if let Some((from, to)) = &args.between {
        return Ok((node(setup, from, "--between")?, node(setup, to, "--between")?));
    }
    let forward = setup.flows.first().map(|flow| &flow.first_path().forward);
    let ends = forward.and_then(|path| {
        let (first, last) = (path.first()?, path.last()?);
        Some((setup.links[*first].from, setup.links[*last].to))
    });
    ends.ok_or_else(|| {
        Failure::Usage("the scenario has no flow: name two hosts with --between".to_owned())
    })
}

/// The node with the name given in an option.
fn node(setup: &Setup, name: &str, option: &str) -> Result<usize, Failure> {
    setup.nodes.iter().position(|node| node == name).ok_or_else(|| {
        Failure::Usage(format!(
            "{option}: there is no host `{name}` in the scenario (hosts: {})",
            setup.nodes.join(", ")
        ))
    })
}

/// A feature of a simulated link that real packets cannot experience.
fn gap(link: &LinkSetup) -> Option<String> {
    let what = if link.adaptation.is_some() {
        "carries packets in cells (`adaptation`)"
    } else if link.agent.is_some() {
        "has an agent at its access point (`agent`)"
    } else {
        return None;
    };
    let LinkSetup { name, .. } = link;
    Some(format!(
        "link `{name}` {what}, which exists in the simulator only; --set turns it off where it is a variable or a key"
    ))
}

fn same(one: &Network, other: &Network) -> bool {
    let like = |a: &LinkSetup, b: &LinkSetup| {
        a.name == b.name
            && a.config == b.config
            && a.trace_start == b.trace_start
            && a.agent == b.agent
            && a.adaptation.is_some() == b.adaptation.is_some()
    };
    one.hosts == other.hosts
        && one.links.len() == other.links.len()
        && one.links.iter().zip(&other.links).all(|(a, b)| like(a, b))
}

/// The error for a sweep whose points have different links.
fn several(scenario: &Scenario, networks: &[Network]) -> Failure {
    let values = |name: &str| -> Vec<&str> {
        let mut values = Vec::new();
        for value in scenario.points.iter().filter_map(|point| point.vars.get(name)) {
            if !values.contains(&value.text.as_str()) {
                values.push(value.text.as_str());
            }
        }
        values
    };
    // Variables that change the links by themselves.
    let first = &scenario.points[0].vars;
    let decides = |name: &&String| {
        scenario.points.iter().zip(networks).any(|(point, network)| {
            let changed = point.vars.iter().filter(|(key, value)| first.get(*key) != Some(*value));
            changed.map(|(key, _)| key).eq([*name]) && !same(&networks[0], network)
        })
    };
    let mut names: Vec<&String> = scenario.swept.iter().filter(decides).collect();
    if names.is_empty() {
        names.extend(&scenario.swept);
    }
    let choices = names.iter().map(|name| {
        let values = values(name);
        let shown: Vec<&str> = values.iter().take(8).copied().collect();
        let more = if values.len() > shown.len() { ", ..." } else { "" };
        format!("  --set '{name}=...' with one of {}{more}", shown.join(", "))
    });
    Failure::Usage(format!(
        "the links differ between the points of the scenario's sweep: choose\n{}",
        choices.collect::<Vec<_>>().join("\n")
    ))
}
