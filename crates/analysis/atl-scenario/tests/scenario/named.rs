//! Networks that everyone has a name for.

use std::path::Path;

use atl_core::time::Span;
use atl_core::units::Probability;
use atl_link::{Conditions, Delay, Loss, Service};
use atl_scenario::scenario::Scenario;
use atl_scenario::{Errors, Overrides, named_networks, parse};

fn read(text: &str, changes: &[(&str, &str)]) -> Result<Scenario, Errors> {
    let owned = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
    let overrides = Overrides { set: changes.iter().map(owned).collect(), ..Overrides::default() };
    let none = |_: &Path| Err(std::io::Error::other("none"));
    parse("mine", text, Path::new("mine.toml"), &none, &overrides)
}

/// A link with this network, given as TOML, and what else the file has.
fn file(network: &str, more: &str) -> String {
    format!(
        "title = \"t\"\nduration = \"1s\"\nseeds = 1\n{more}\n\
         [[link]]\nname = \"air\"\nfrom = \"server\"\nto = \"phone\"\nnetwork = {network}\n\
         [[flow]]\nname = \"f\"\nfrom = \"server\"\nto = \"phone\"\nprotocol = \"reno\"\n"
    )
}

/// Conditions at the start towards the phone, and from it.
fn conditions(scenario: &Scenario) -> [Conditions; 2] {
    [0, 1].map(|link| scenario.points[0].setup.links[link].config.initial.clone())
}

fn mbps(conditions: &Conditions) -> f64 {
    match conditions.service {
        Service::Constant(rate) => rate.mbps(),
        Service::Wifi(wifi) => wifi.mean_rate().mbps(),
        Service::Blocked(sight) => sight.mean().mbps(),
        _ => f64::NAN,
    }
}

#[test]
fn every_name_is_one_line() {
    for network in named_networks() {
        for name in [network.name].iter().chain(network.others) {
            let read_one = |name: &str| {
                let read = read(&file(&format!("\"{name}\""), ""), &[]);
                read.unwrap_or_else(|errors| panic!("{name}: {errors}"))
            };
            let down = read_one(name);
            assert_eq!(down.warnings.render(false), "", "{name}");
            let [there, back] = conditions(&down);
            let down_and_up = mbps(&there) > mbps(&back);
            let as_fast_both_ways = name.starts_with("quicly-") && there == back;
            assert!(down_and_up || as_fast_both_ways, "{name}: more comes down than goes up");
            assert_eq!(&*there.name, *name);
            // A link that begins at the phone has the same two directions, the other way round.
            let [up, away] = conditions(&read_one(&format!("{name}-up")));
            let same = |one: &Conditions, other: &Conditions| {
                Conditions { name: other.name.clone(), ..one.clone() } == *other
            };
            assert!(same(&up, &back) && same(&away, &there), "{name}: {up:?} {back:?}");
        }
    }
    assert!(named_networks().len() >= 9);
}

#[test]
fn each_states_its_sources_and_its_licence() {
    let page = include_str!("../../../../../docs/networks.md");
    for network in named_networks() {
        let comments = network.text.lines().filter(|line| line.starts_with('#'));
        let comments: String = comments.collect::<Vec<_>>().join("\n");
        assert!(comments.contains("\n# Licence: "), "{}", network.name);
        for key in ["Rates", "Losses"] {
            assert!(comments.to_lowercase().contains(&key.to_lowercase()), "{}", network.name);
        }
        assert!(page.contains(network.text.trim_end()), "docs/networks.md lacks {}", network.name);
        for name in network.names() {
            assert!(page.contains(&format!("`{name}`")), "docs/networks.md lacks `{name}`");
        }
    }
}

#[test]
fn a_table_of_the_file_comes_first() {
    let own = "[network.lte]\nrate = \"7Mb/s\"";
    let scenario = read(&file("\"lte\"", own), &[]).expect("it is right");
    assert!((mbps(&conditions(&scenario)[0]) - 7.0).abs() < 1e-9);
    // Keys of the link replace the network's.
    let text = file("\"lte\"\ndelay = \"99ms\"", "");
    let [there, _] = conditions(&read(&text, &[]).expect("it is right"));
    assert_eq!(there.delay, Delay::Constant(Span::from_millis(99)));
    assert!(there.jitter.is_some());
}

#[test]
fn the_command_line_changes_and_names_them() {
    let text = file("\"starlink\"", "");
    let loss = |changes: &[(&str, &str)]| {
        conditions(&read(&text, changes).unwrap_or_else(|errors| panic!("{errors}")))[0].loss
    };
    let quarter = Loss::Bernoulli(Probability::clamped(0.25));
    assert_ne!(loss(&[]), quarter);
    assert_eq!(loss(&[("network.starlink.loss", "0.25")]), quarter);
    let geo = read(&text, &[("link.air.network", "geo")]).expect("it is right");
    assert_eq!(conditions(&geo)[0].delay, Delay::Constant(Span::from_millis(300)));
    // Other numbers under the same name are another scenario.
    let plain = read(&text, &[]).expect("it is right");
    assert_ne!(plain.hash, geo.hash);
    assert_eq!(plain.hash, read(&text, &[]).expect("it is right").hash);
}

#[test]
fn a_sweep_goes_over_them_and_a_roam_leads_through_them() {
    let sweep = "[sweep]\nwhere = [\"dsl\", { label = \"up\", value = \"cable-up\" }]\n\
                 roam = [{ label = \"away\", value = [{ at = \"0.5s\", network = \"hotel-wifi\" }] }]";
    let text = file("\"$where\"\nroam = \"$roam\"", sweep);
    let scenario = read(&text, &[]).unwrap_or_else(|errors| panic!("{errors}"));
    let rates: Vec<f64> = scenario
        .points
        .iter()
        .flat_map(|point| {
            let config = &point.setup.links[0].config;
            [mbps(&config.initial), mbps(&config.schedule[0].to)]
        })
        .collect();
    assert_eq!(rates, [25.0, 8.0, 10.0, 8.0]);
}

#[test]
fn an_unknown_name_is_told_with_the_nearest() {
    let told = read(&file("\"starlnk\"", ""), &[]).expect_err("no such network").to_string();
    assert!(
        told.contains("there is no network `starlnk`") && told.contains("`starlink`"),
        "{told}"
    );
}
