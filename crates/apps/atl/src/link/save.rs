//! Saving a link described by options as a scenario file.

use std::fs;
use std::path::Path;

use crate::args::OneLink;
use crate::failure::Failure;

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

/// Writes the link to a file, which must not exist yet.
///
/// # Errors
/// If it cannot be written.
pub(super) fn save(path: &Path, link: &OneLink) -> Result<(), Failure> {
    let failure = |error| Failure::file("write", path, &error);
    let mut file = fs::File::create_new(path).map_err(failure)?;
    std::io::Write::write_all(&mut file, text(link).as_bytes()).map_err(failure)
}

fn text(link: &OneLink) -> String {
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
    let ideal = "rate = \"unlimited\"\n";
    let kept = if limited { "" } else { ideal };
    BASE.replace(ideal, &format!("{kept}{forward}{back}"))
}

/// The text itself if it is a TOML value, otherwise a TOML string.
fn value(text: &str) -> String {
    let itself = text.parse::<f64>().is_ok()
        || matches!(text, "true" | "false")
        || text.starts_with(['{', '[', '"', '\'']);
    // A JSON string is also a TOML string.
    if itself { text.to_owned() } else { serde_json::Value::from(text).to_string() }
}
