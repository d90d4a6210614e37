//! A scenario in the fragment of the page's address, as `playground/src/share.ts` reads it.

use std::path::Path;

use atl_scenario::named;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::failure::Failure;

/// Limit on the text that the page reads, in bytes.
const LONGEST: usize = 1 << 20;

/// Fragment for a file or a built-in scenario, without `#`. Mistakes in the file are shown by the
/// page.
///
/// # Errors
/// If there is no such file or scenario, or it cannot be read.
pub(super) fn fragment(spec: &str) -> Result<String, Failure> {
    let path = Path::new(spec);
    if path.is_file() {
        let text = std::fs::read_to_string(path).map_err(|e| Failure::file("read", path, &e))?;
        if text.len() > LONGEST {
            let why = format!("a scenario has at most {LONGEST} bytes, it has {}", text.len());
            return Err(Failure::file("open", path, &why));
        }
        return Ok(packed(&text));
    }
    match named(spec)[..] {
        [scenario] => Ok(scenario.name.to_owned()),
        // The reader's error suggests names.
        _ => match atl_scenario::open(spec, &atl_scenario::Overrides::default()) {
            Ok(scenario) => Ok(scenario.name),
            Err(error) => Err(Failure::Scenarios { errors: vec![error], json: false }),
        },
    }
}

/// Compresses a text (RFC 1951) and encodes it for an address (RFC 4648, section 5).
fn packed(text: &str) -> String {
    let bytes = miniz_oxide::deflate::compress_to_vec(text.as_bytes(), 9);
    format!("t={}", URL_SAFE_NO_PAD.encode(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_survives() {
        let text = "title = \"Zwei Wege – 😀\"\n".repeat(20);
        let packed = packed(&text);
        let bytes = URL_SAFE_NO_PAD.decode(packed.strip_prefix("t=").expect("its mark"));
        let bytes = miniz_oxide::inflate::decompress_to_vec(&bytes.expect("letters"));
        assert_eq!(bytes.expect("compressed"), text.as_bytes());
        assert!(packed.len() < 120, "{packed}");
    }

    #[test]
    fn a_name_stands_for_itself_and_a_missing_one_is_an_error() {
        assert_eq!(fragment("roaming").ok().as_deref(), Some("showcase/roaming"));
        assert!(matches!(fragment("roamign"), Err(Failure::Scenarios { .. })));
        assert!(matches!(fragment("fig07"), Err(Failure::Scenarios { .. })), "of three papers");
    }
}
