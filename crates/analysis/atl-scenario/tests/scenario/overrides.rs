//! Changes on the command line.

use std::path::Path;

use atl_scenario::scenario::Scenario;
use atl_scenario::{Errors, Overrides, builtin, open, parse};

fn set(changes: &[(&str, &str)]) -> Overrides {
    let owned = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
    Overrides { set: changes.iter().map(owned).collect(), ..Overrides::default() }
}

/// A built-in scenario with a change of its text, as a file of a user.
fn changed(name: &str, from: &str, to: &str, overrides: &Overrides) -> Result<Scenario, Errors> {
    let found = builtin().iter().find(|b| b.name == name).expect("a built-in scenario");
    assert!(found.text.contains(from), "{from}");
    let text = found.text.replace(from, to);
    parse("mine", &text, Path::new("mine.toml"), &|_| Err(std::io::Error::other("none")), overrides)
}

fn values(scenario: &Scenario, variable: &str) -> Vec<String> {
    scenario.points.iter().map(|point| point.vars[variable].text.clone()).collect()
}

/// `[[sweep.also]]` would otherwise add points with the protocols that were replaced.
#[test]
fn a_variable_that_is_set_has_no_other_values_in_further_points() {
    let all = open("handover-contest", &Overrides::default()).expect("it is right");
    assert_eq!(all.points.len(), 8);
    let two = open("handover-contest", &set(&[("protocol", "cubic,bbr3")])).expect("it is right");
    assert_eq!(values(&two, "protocol"), ["cubic", "bbr3"]);

    // Further points that change something else beside it stay, with the values that were set.
    let text = "title = \"t\"\nduration = \"1s\"\nseeds = 1\n[vars]\nq = 10\n\
                [sweep]\np = [\"reno\", \"sack\"]\n[[sweep.also]]\np = \"cubic\"\nq = 20\n\
                [[sweep.also]]\np = \"bbr3\"\n\
                [[link]]\nname = \"l\"\nfrom = \"a\"\nto = \"b\"\nrate = \"1Mb/s\"\ndelay = \"1ms\"\nqueue = \"$q\"\n\
                [[flow]]\nname = \"f\"\nfrom = \"a\"\nto = \"b\"\nprotocol = \"$p\"\n";
    let read = |overrides: &Overrides| {
        let none = |_: &Path| Err(std::io::Error::other("none"));
        let read = parse("mine", text, Path::new("mine.toml"), &none, overrides);
        let read = read.unwrap_or_else(|errors| panic!("{errors}"));
        values(&read, "p").into_iter().zip(values(&read, "q")).collect::<Vec<_>>()
    };
    let pairs = |list: &[(&str, &str)]| {
        list.iter().map(|(p, q)| ((*p).to_owned(), (*q).to_owned())).collect::<Vec<_>>()
    };
    assert_eq!(
        read(&Overrides::default()),
        pairs(&[("reno", "10"), ("sack", "10"), ("cubic", "20"), ("bbr3", "10")])
    );
    assert_eq!(read(&set(&[("p", "vegas")])), pairs(&[("vegas", "10"), ("vegas", "20")]));
    assert_eq!(
        read(&set(&[("q", "50")])),
        pairs(&[("reno", "50"), ("sack", "50"), ("cubic", "50"), ("bbr3", "50")])
    );
}

/// A handoff after the end of the run never happens, which `--quick` must not hide where it leaves
/// the duration as it is.
#[test]
fn a_late_handoff_is_an_error_unless_the_run_was_shortened() {
    let quick = Overrides { quick: true, ..Overrides::default() };
    let late = |overrides: &Overrides| {
        changed("showcase/roaming", "second = \"80s\"", "second = \"400s\"", overrides)
    };
    for overrides in [&Overrides::default(), &quick] {
        let told = late(overrides).expect_err("400 s are beyond 120 s").to_string();
        assert!(told.contains("the run ends at 120s, before this happens"), "{told}");
    }
    let short = Overrides { duration: Some("60s".to_owned()), ..Overrides::default() };
    assert!(changed("showcase/roaming", "second = \"80s\"", "second = \"100s\"", &short).is_ok());
    let told = late(&short).expect_err("400 s are beyond the file's 120 s").to_string();
    assert!(told.contains("even the full run ends at 120s, before this happens"), "{told}");
    // This one's `[quick]` table shortens the run.
    assert!(open("handover-contest", &quick).is_ok());
}

#[test]
fn errors_are_counted_where_they_are() {
    let count = |errors: Errors| errors.to_string().lines().last().expect("a line").to_owned();
    let of = |changes: &[(&str, &str)]| {
        count(open("roaming", &set(changes)).expect_err("a loss of 2 is impossible"))
    };
    assert_eq!(of(&[("network.wifi.loss", "2")]), "1 error on the command line");
    assert_eq!(
        of(&[("network.wifi.loss", "2"), ("network.3g.loss", "3")]),
        "2 errors on the command line"
    );
    let both =
        changed("showcase/roaming", "delay = \"5ms\"", "delay = 5", &set(&[("queue", "-1")]));
    assert_eq!(
        count(both.expect_err("two are wrong")),
        "1 error in mine.toml, 1 on the command line"
    );
}
