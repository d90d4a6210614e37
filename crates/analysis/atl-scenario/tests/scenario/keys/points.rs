//! Values of a sweep by their labels, and the quotes that name them.

use super::{file, read};
use atl_scenario::quote::{Bound, Claim};
use atl_scenario::scenario::{Point, Scenario};
use atl_scenario::{Overrides, no_files, parse};
use std::path::Path;

/// A sweep over two ways to roam, one more outside it, and claims that name them.
const ROAMING: &str = r#"[vars]
d = { label = "near", value = "1ms" }
[sweep]
way = [
    { label = "to 3G", value = [{ at = "20s", network = "3g" }] },
    { label = "there and back", value = [{ at = "20s", network = "3g" }, { at = "40s", network = "wlan" }] },
]
[[sweep.also]]
way = "to 3G"
d = { label = "far", value = "100ms" }
[quick.sweep]
way = ["there and back"]
[[quote]]
id = "q"
text = "t"
source = "s"
metric = "goodput"
order = [{ way = "to 3G" }, { way = "there and back" }, { way = "to 3G", d = "far" }]
"#;

fn roaming() -> String {
    file(ROAMING, "roam = \"$way\"\ndelay = \"$d\"", "protocol = \"sack\"")
}

fn shown(scenario: &Scenario) -> Vec<(String, String, usize, f64)> {
    let point = |p: &Point| {
        let config = &p.setup.links[0].config;
        let delay = match &config.initial.delay {
            atl_link::Delay::Constant(delay) => delay.millis(),
            other => panic!("{other:?}"),
        };
        let text = |name: &str| p.vars[name].text.clone();
        (text("way"), text("d"), config.schedule.len(), delay)
    };
    scenario.points.iter().map(point).collect()
}

#[test]
fn a_value_with_a_label_is_put_in_and_called_by_its_label() {
    let scenario = read(&roaming(), &[]).unwrap_or_else(|errors| panic!("{errors}"));
    let point = |way: &str, d: &str, n, ms| (way.to_owned(), d.to_owned(), n, ms);
    assert_eq!(
        shown(&scenario),
        [
            point("to 3G", "near", 1, 1.0),
            point("there and back", "near", 2, 1.0),
            point("to 3G", "far", 1, 100.0)
        ]
    );
    assert_eq!(scenario.points[0].vars["d"].number, None);
    assert_eq!(scenario.quotes.len(), 1);
}

#[test]
fn the_command_line_and_quick_name_values_by_their_labels() {
    let scenario = read(&roaming(), &[("way", "there and back"), ("d", "far")]);
    let scenario = scenario.unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(shown(&scenario)[0], ("there and back".to_owned(), "far".to_owned(), 2, 100.0));
    // A text that is no label is taken as a value, and a labelled value can be given as well.
    let set = [("d", "7ms"), ("way", "{ label = \"none\", value = [] }")];
    let scenario = read(&roaming(), &set).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(shown(&scenario)[0], ("none".to_owned(), "7ms".to_owned(), 0, 7.0));
    let errors = read(&roaming(), &[("way", "to 4G")]).expect_err("neither label nor list");
    assert!(errors.to_string().contains("is not a list"), "{errors}");

    let quick = Overrides { quick: true, ..Overrides::default() };
    let scenario = parse("test", &roaming(), Path::new("test.toml"), &no_files, &quick)
        .unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(shown(&scenario)[0].0, "there and back");
    assert_eq!(scenario.points.len(), 2);
}

#[test]
fn a_label_means_one_value() {
    let text =
        roaming().replace("way = \"to 3G\"\nd", "way = { label = \"to 3G\", value = [] }\nd");
    let errors = read(&text, &[]).expect_err("two things of one name").to_string();
    assert!(errors.contains("two values with the label `to 3G`"), "{errors}");
    assert!(errors.contains("write \"to 3G\""), "{errors}");
}

/// Two labels may be equal as numbers, such as error rates of cells and of bits. Both points run,
/// and quotes refer to each as it is written.
#[test]
fn labels_that_are_one_number_are_two_values() {
    let text = |named: &str| {
        format!(
            "title = \"t\"\nduration = \"5s\"\n[vars]\nq = {{ label = \"1e-3\", value = 10 }}\n\
             [sweep]\nq = [\"1e-3\"]\nalso = [{{ q = {{ label = \"1.0e-3\", value = 20 }} }}]\n\
             [[link]]\nname = \"l\"\nfrom = \"a\"\nto = \"b\"\nrate = \"1Mb/s\"\nqueue = \"$q\"\n\
             [[flow]]\nname = \"f\"\nfrom = \"a\"\nto = \"b\"\nprotocol = \"sack\"\n\
             [[quote]]\nid = \"x\"\nown = true\nsource = \"s\"\ntext = \"t\"\nmetric = \"goodput\"\n\
             value = {{ of = {{ q = {named} }}, expect = \"1Mb/s\", within = \"5%\" }}\n"
        )
    };
    for named in ["\"1e-3\"", "\"1.0e-3\""] {
        let scenario = read(&text(named), &[]).unwrap_or_else(|errors| panic!("{errors}"));
        let texts: Vec<&str> = scenario.points.iter().map(|p| p.vars["q"].text.as_str()).collect();
        assert_eq!(texts, ["1e-3", "1.0e-3"]);
        let Claim::Value { of, .. } = &scenario.quotes[0].claim else { panic!("a value") };
        let named_by = |p: &Point| of.at.iter().all(|(name, value)| p.vars[name].matches(value));
        let at: Vec<bool> = scenario.points.iter().map(named_by).collect();
        assert_eq!(at, [named == "\"1e-3\"", named == "\"1.0e-3\""], "{named}");
    }
    let errors = read(&text("\"2e-3\""), &[]).expect_err("no such label").to_string();
    assert!(errors.contains("`q` is never `2e-3`"), "{errors}");
}

#[test]
fn a_quote_states_a_number_or_a_bound() {
    let text = |number: &str| {
        format!(
            "title = \"t\"\nduration = \"5s\"\n\
             [[link]]\nname = \"l\"\nfrom = \"a\"\nto = \"b\"\nrate = \"1Mb/s\"\nqueue = 10\n\
             [[flow]]\nname = \"f\"\nfrom = \"a\"\nto = \"b\"\nprotocol = \"sack\"\n\
             [[quote]]\nid = \"x\"\nown = true\nsource = \"s\"\ntext = \"t\"\nmetric = \"goodput\"\n\
             value = {{ of = {{ flow = \"f\" }}, {number} }}\n"
        )
    };
    let claim = |number: &str| {
        let scenario = read(&text(number), &[]).unwrap_or_else(|errors| panic!("{errors}"));
        let Claim::Value { expect, bound, tolerance, .. } = &scenario.quotes[0].claim else {
            panic!("a value")
        };
        (*expect, *bound, *tolerance)
    };
    assert_eq!(claim("expect = \"1Mb/s\", within = \"5%\""), (1e6, Bound::Equal, 0.05));
    assert_eq!(claim("at-most = \"1Mb/s\""), (1e6, Bound::AtMost, 0.0));
    assert_eq!(claim("at-least = \"1Mb/s\", within = \"5%\""), (1e6, Bound::AtLeast, 0.05));
    for (number, wrong) in [
        ("within = \"5%\"", "states no number"),
        ("expect = \"1Mb/s\"", "within"),
        ("at-most = \"1Mb/s\", at-least = \"2Mb/s\"", "a claim states one number"),
        ("at-most = \"1s\"", "at-most"),
    ] {
        let errors = read(&text(number), &[]).expect_err(number).to_string();
        assert!(errors.contains(wrong), "{number}: {errors}");
    }
}
