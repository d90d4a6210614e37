//! Keys of a scenario file and the setups they lead to.

mod flows;
mod links;
mod network_queues;
mod points;
mod roams;

use atl_engine::setup::Setup;
use atl_scenario::scenario::Scenario;
use atl_scenario::{Errors, Overrides, no_files, parse};
use std::path::Path;

const HEAD: &str = r#"title = "t"
duration = "60s"
[network.wlan]
rate = "2Mb/s"
[network.3g]
rate = "2Mb/s"
delay = "50ms"
"#;

/// A file of one link and one flow with the given lines in their tables.
fn file(variables: &str, link: &str, flow: &str) -> String {
    format!(
        "{HEAD}{variables}\n[[link]]\nname = \"air\"\nfrom = \"a\"\nto = \"b\"\nwireless = true\n\
         network = \"wlan\"\n{link}\n[[flow]]\nname = \"up\"\nfrom = \"a\"\nto = \"b\"\n{flow}\n"
    )
}

fn read(text: &str, set: &[(&str, &str)]) -> Result<Scenario, Errors> {
    let set = set.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let overrides = Overrides { set, ..Overrides::default() };
    parse("test", text, Path::new("test.toml"), &no_files, &overrides)
}

fn setup(link: &str, flow: &str) -> Setup {
    let flow = if flow.contains("protocol") {
        flow.to_owned()
    } else {
        format!("protocol = \"sack\"\n{flow}")
    };
    let scenario = read(&file("", link, &flow), &[]).unwrap_or_else(|errors| panic!("{errors}"));
    scenario.points[0].setup.clone()
}
