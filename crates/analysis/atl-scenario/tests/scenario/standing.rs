//! Origins of quotes: a paper's, as printed or fitted, or our own; and several readings of one
//! claim.

use std::path::Path;

use atl_scenario::quote::Standing;
use atl_scenario::{Errors, Overrides, no_files, parse};

const HEAD: &str = r#"title = "t"
duration = "60s"
[[link]]
name = "air"
from = "phone"
to = "server"
rate = "2Mb/s"
[[flow]]
name = "up"
from = "phone"
to = "server"
protocol = "sack"
"#;

/// A file with quotes of these `id`s and keys for the origin.
fn read(quotes: &[(&str, &str)]) -> Result<Vec<Standing>, Errors> {
    let quote = |(id, keys): &(&str, &str)| {
        format!(
            "[[quote]]\nid = \"{id}\"\ntext = \"t\"\nsource = \"s\"\nmetric = \"goodput\"\n\
             value = {{ of = {{}}, expect = \"2Mb/s\", within = 0.1 }}\n{keys}\n"
        )
    };
    let text = HEAD.to_owned() + &quotes.iter().map(quote).collect::<String>();
    let scenario = parse("test", &text, Path::new("test.toml"), &no_files, &Overrides::default())?;
    Ok(scenario.quotes.into_iter().map(|quote| quote.standing).collect())
}

fn paper(claim: &str, fitted: Option<&str>) -> Standing {
    Standing::Paper { claim: claim.to_owned(), fitted: fitted.map(str::to_owned) }
}

#[test]
fn a_quote_is_a_papers_as_printed_unless_it_says_otherwise() {
    let standings = read(&[
        ("a", ""),
        ("b", "own = false"),
        ("c", "fitted = \" the queue, to Table II \""),
        ("d", "own = true"),
    ]);
    let expected = [
        paper("a", None),
        paper("b", None),
        paper("c", Some("the queue, to Table II")),
        Standing::Own,
    ];
    assert_eq!(standings.unwrap_or_else(|errors| panic!("{errors}")), expected);
}

#[test]
fn readings_of_one_claim_share_its_id_in_any_order() {
    let standings = read(&[
        ("queue-12", "claim = \"a\"\nfitted = \"queue 12\""),
        ("a", ""),
        ("queue-20", "claim = \"a\"\nfitted = \"queue 20\""),
        ("b", "fitted = \"the target\""),
        ("printed-b", "claim = \"b\""),
    ]);
    let expected = [
        paper("a", Some("queue 12")),
        paper("a", None),
        paper("a", Some("queue 20")),
        paper("b", Some("the target")),
        paper("b", None),
    ];
    assert_eq!(standings.unwrap_or_else(|errors| panic!("{errors}")), expected);
}

#[test]
fn a_wrong_standing_is_one_error_that_says_what_is_allowed() {
    #[rustfmt::skip]
    let cases: [(&[(&str, &str)], &str); 10] = [
        (&[("a", ""), ("b", "claim = \"c\"")], "there is no quote `c`"),
        (&[("alpha", ""), ("b", "claim = \"alhpa\"\nfitted = \"x\"")], "did you mean `alpha`?"),
        (&[("a", "claim = \"a\"")], "this quote's own `id`"),
        (&[("a", ""), ("b", "claim = \"a\"\nfitted = \"x\""), ("c", "claim = \"b\"\nfitted = \"y\"")], "a reading of `a`"),
        (&[("a", "own = true"), ("b", "claim = \"a\"")], "our own check"),
        (&[("a", ""), ("b", "own = true\nclaim = \"a\"")], "only a claim of a paper takes it"),
        (&[("a", "own = true\nfitted = \"x\"")], "only a claim of a paper takes it"),
        (&[("a", "fitted = \"\"")], "must not be empty"),
        (&[("a", "fitted = true")], "is not a text"),
        (&[("a", "own = \"yes\"")], "is not true or false"),
    ];
    for (quotes, message) in cases {
        let errors = read(quotes).expect_err(message);
        let text = errors.to_string();
        assert!(errors.len() == 1 && text.contains(message), "wanted {message:?}, got\n{text}");
    }
}

#[test]
fn two_printed_readings_of_one_claim_are_an_error_that_names_both() {
    for quotes in [
        vec![("first", ""), ("second", "claim = \"first\"")],
        vec![
            ("base", "fitted = \"x\""),
            ("first", "claim = \"base\""),
            ("second", "claim = \"base\""),
        ],
    ] {
        let errors = read(&quotes).expect_err("two printed readings");
        let text = errors.to_string();
        assert_eq!(errors.len(), 1, "{text}");
        assert!(text.contains("`first` and `second` both read the claim"), "{text}");
        assert!(text.contains("`fitted`"), "{text}");
    }
}
