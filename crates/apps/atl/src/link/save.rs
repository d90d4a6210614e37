//! Saving a link described by options as a scenario file.

use std::fs;
use std::path::Path;

use atl_scenario::network_named;

use crate::args::OneLink;
use crate::failure::Failure;

/// The line of the ideal link that others replace.
const IDEAL: &str = "rate = \"unlimited\"\n";
/// An ideal link, to which the options are applied.
pub(super) const BASE: &str = r#"title = "A link"
duration = "60s"

[[link]]
name = "link"
from = "client"
to = "server"
wireless = true
rate = "unlimited"

[[flow]]
name = "upload"
from = "client"
to = "server"
protocol = "sack"
"#;

/// A link of the network with this name, from its user to a server; `None` if there is no such
/// network, or a scenario has the name.
pub(super) fn base(spec: Option<&str>) -> Option<String> {
    let spec = spec?;
    let network = network_named(spec)?;
    let scenario = Path::new(spec).exists() || !atl_scenario::named(spec).is_empty();
    let named = format!("network = \"{}-up\"\n", network.name);
    (!scenario).then(|| BASE.replace(IDEAL, &named))
}

/// Writes the link to a file, which must not exist yet.
///
/// # Errors
/// If it cannot be written.
pub(super) fn save(path: &Path, spec: Option<&str>, link: &OneLink) -> Result<(), Failure> {
    let failure = |error| Failure::file("write", path, &error);
    let mut file = fs::File::create_new(path).map_err(failure)?;
    std::io::Write::write_all(&mut file, text(spec, link).as_bytes()).map_err(failure)
}

fn text(spec: Option<&str>, link: &OneLink) -> String {
    let (mut forward, mut back) = (String::new(), String::new());
    let mut limited = false;
    for option in link.options() {
        let (lines, key) = match option.option.strip_prefix("back-") {
            Some(key) => (&mut back, key),
            None => {
                limited |= matches!(option.option.as_str(), "rate" | "trace");
                (&mut forward, option.option.as_str())
            }
        };
        lines.push_str(&format!("{key} = {}\n", value(&option.value)));
    }
    if !back.is_empty() {
        back.insert_str(0, "[link.reverse]\n");
    }
    let (base, mark) = match base(spec) {
        // Its line of the network stays, and what follows changes it.
        Some(base) => (base, "wireless = true\n"),
        None => (BASE.to_owned(), IDEAL),
    };
    let kept = if limited && mark == IDEAL { "" } else { mark };
    base.replace(mark, &format!("{kept}{forward}{back}"))
}

/// The text itself if it is a TOML value, otherwise a TOML string.
fn value(text: &str) -> String {
    let itself = text.parse::<f64>().is_ok()
        || matches!(text, "true" | "false")
        || text.starts_with(['{', '[', '"', '\'']);
    // A JSON string is also a TOML string.
    if itself { text.to_owned() } else { serde_json::Value::from(text).to_string() }
}
