//! Points and commas in numbers, which mean two things in two parts of the world.

/// A number of decimals that may be a group of thousands.
const GROUP: usize = 3;

/// Refuses a comma between digits.
pub(super) fn commas(text: &str) -> Result<(), String> {
    let part = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',');
    for number in text.split(|c: char| !part(c)) {
        let number = number.trim_matches(['.', ',']);
        let Some((whole, rest)) = number.split_once(',') else { continue };
        if whole.is_empty() || !rest.starts_with(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let decimals = rest.chars().take_while(char::is_ascii_digit).count();
        let written = match decimals {
            GROUP => format!("`{whole}{}` or `{whole}`", rest.replace(',', "")),
            _ => format!("`{whole}.{}`, or a space behind the comma", &rest[..decimals]),
        };
        return Err(format!("`{number}` has two readings: write {written}"));
    }
    Ok(())
}

/// The reason for which digits with several points are no number.
pub(super) fn groups(digits: &str) -> Option<String> {
    let parts: Vec<&str> = digits.split('.').collect();
    let grouped = parts.len() > 2 && parts[1..].iter().all(|part| part.len() == GROUP);
    grouped.then(|| format!("`{digits}` is no number: write `{}`", parts.concat()))
}

/// Refuses three decimals that may be thousands: those of units as small as kb/s, and those that
/// end in a zero, which nobody writes behind a decimal point. `1.544Mb/s` is a T1.
pub(super) fn thousands(text: &str, unit: &str) -> Result<(), String> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let Some((whole, decimals)) = text[..end].split_once('.') else { return Ok(()) };
    let small = unit.to_lowercase().starts_with(['k', 'b']);
    let may_group = decimals.len() == GROUP && (1..=GROUP).contains(&whole.len());
    if may_group && !whole.starts_with('0') && (small || decimals.ends_with('0')) {
        let plain = decimals.trim_end_matches('0');
        let point = if plain.is_empty() { "" } else { "." };
        return Err(format!(
            "`{}{unit}` has two readings: write `{whole}{decimals}{unit}` or `{whole}{point}{plain}{unit}`",
            &text[..end]
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_thousands_is_refused_with_both_readings() {
        for (number, unit, wanted) in [
            ("1.000", "kbit", "write `1000kbit` or `1kbit`"),
            ("1.500", "mbit", "write `1500mbit` or `1.5mbit`"),
            ("16.384", "kbit", "write `16384kbit` or `16.384kbit`"),
        ] {
            let told = thousands(number, unit).unwrap_err();
            assert!(told.ends_with(wanted), "{told}");
        }
        for (number, unit) in [
            ("1.544", "Mb/s"),
            ("0.500", "kb/s"),
            ("1.5", "mbit"),
            ("1234.500", "kbit"),
            ("23.456", "ms"),
        ] {
            assert_eq!(thousands(number, unit), Ok(()), "{number}{unit}");
        }
        assert!(commas("1,000 kbit").unwrap_err().ends_with("write `1000` or `1`"));
        assert!(commas("loss 1,5%").unwrap_err().contains("write `1.5`, or a space"));
        assert_eq!(commas("wifi, 4g,5g"), Ok(()));
        assert_eq!(
            groups("1.000.000").as_deref(),
            Some("`1.000.000` is no number: write `1000000`")
        );
        assert_eq!(groups("1.5"), None);
    }
}
