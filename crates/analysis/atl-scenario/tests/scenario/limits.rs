//! Large and odd files are read in time proportional to their size, or refused.

use std::fmt::Write as _;
use std::path::Path;

use atl_scenario::scenario::Scenario;
use atl_scenario::{Errors, Overrides, no_files, open, parse};

const LINK: &str = "[[link]]\nname = \"air\"\nfrom = \"a\"\nto = \"b\"\nrate = \"2Mb/s\"\n";
const FLOW: &str = "[[flow]]\nname = \"up\"\nfrom = \"a\"\nto = \"b\"\nprotocol = \"sack\"\n";

fn read(body: &str) -> Result<Scenario, Errors> {
    let text = format!("title = \"t\"\nduration = \"60s\"\n{body}");
    parse("t", &text, Path::new("t.toml"), &no_files, &Overrides::default())
}

fn errors(body: &str) -> String {
    read(body).expect_err("it is wrong").to_string()
}

#[test]
fn a_scenario_without_links_or_flows_is_refused() {
    let text = errors(&format!("flow = []\n{LINK}"));
    assert!(text.contains("`flow` cannot be []") && text.contains("must not be empty"), "{text}");
    let text = errors("link = []\nflow = []\n");
    assert!(text.contains("`link` cannot be []") && text.contains("`flow` cannot be []"), "{text}");
}

/// The documented limit of `count`. Comparing every name with every other would take minutes.
#[test]
fn as_many_flows_as_the_documents_allow() {
    let scenario = read(&format!("{LINK}{FLOW}count = 100000\n")).expect("valid");
    assert_eq!(scenario.points[0].setup.flows.len(), 100_000);
    assert_eq!(scenario.points[0].setup.flows[99_999].name, "up-100000");
    let text = errors(&format!("{LINK}{FLOW}count = 2\n{}", FLOW.replace("up", "up-2")));
    assert!(text.contains("there are two flows called `up-2`"), "{text}");
}

/// Refused before any point is read, since the flows would fill the memory.
#[test]
fn too_many_flows_of_all_points_are_refused_at_once() {
    let sweep = format!(
        "[vars]\nn = 101\n[sweep]\nq = [{}]\nd = [{}]\n",
        (1..=100).map(|i| i.to_string()).collect::<Vec<_>>().join(","),
        (1..=100).map(|i| format!("\"{i}ms\"")).collect::<Vec<_>>().join(",")
    );
    let link = format!("{LINK}queue = \"$q\"\ndelay = \"$d\"\n");
    // The protocol is wrong as well, but has not been read.
    let flow = FLOW.replace("sack", "sock");
    let text = errors(&format!("{sweep}{link}{flow}count = \"$n\"\n"));
    assert!(text.contains("all points together have more than 1000000 flows"), "{text}");
    assert!(text.contains("1 error in"), "{text}");
}

#[test]
fn points_beside_a_sweep_count_once() {
    let mut text = String::from("[vars]\nd = \"1ms\"\n[sweep]\nq = [1, 2, 3]\n");
    for i in 1..=2_500 {
        // Each value twice, in two notations.
        let _ = write!(
            text,
            "[[sweep.also]]\nq = {i}\nd = \"2ms\"\n[[sweep.also]]\nq = {i}.0\nd = \"0.002s\"\n"
        );
    }
    let flow = FLOW.replace("\"sack\"", "{ name = \"fixed-window\", window = \"$q\" }");
    let text = format!("{text}{LINK}delay = \"$d\"\n{flow}");
    let Ok(scenario) = read(&text) else { panic!("{}", errors(&text)) };
    assert_eq!(scenario.points.len(), 3 + 2_500);
}

#[test]
fn every_unknown_key_is_reported_once() {
    let mut text = String::new();
    for i in 0..20_000 {
        let _ = writeln!(text, "key-{i} = 1");
    }
    let found = read(&format!("{text}{LINK}{FLOW}")).expect_err("unknown keys");
    let reports = found.reports();
    assert_eq!(reports.len(), 20_000);
    assert_eq!(reports[19_999].line, Some(20_002));
    assert_eq!(reports[19_999].key, "key-19999");
}

#[test]
fn what_recurs_has_a_period_that_can_be_simulated() {
    for (link, flow, key) in [
        ("blackout = [{ at = \"1s\", lasts = \"1ns\", every = \"2ns\" }]", "", "every"),
        ("", "source = { on = \"1ns\", off = \"1s\", rate = \"1Mb/s\" }", "on"),
        ("", "source = { on = \"1s\", off = \"1ns\", rate = \"1Mb/s\" }", "off"),
        ("", "tcp = { min-rto = \"1ns\" }", "min-rto"),
        ("", "tcp = { min-rto = \"1ms\", max-rto = \"1ns\" }", "max-rto"),
        ("wireless = true\nagent = { name = \"snoop\", min-timeout = \"1ns\" }", "", "min-timeout"),
        ("", "adaptation = { name = \"aal-t\", status-interval = \"1ns\" }", "status-interval"),
        ("", "adaptation = { name = \"aal-t\", quench = { every = \"1ns\" } }", "every"),
    ] {
        let text = errors(&format!("{LINK}{link}\n{FLOW}{flow}\n"));
        assert!(
            text.contains(&format!("{key}` cannot be")) && text.contains("at least 1"),
            "{text}"
        );
    }
}

#[test]
fn there_are_at_most_100000_blackouts() {
    let blackout = "blackout = [{ at = \"0s\", lasts = \"1us\", every = \"1ms\" }]";
    let long = format!("{LINK}{blackout}\n{FLOW}");
    assert!(read(&long).is_ok());
    let text = format!("title = \"t\"\nduration = \"200s\"\n{long}");
    let found = parse("t", &text, Path::new("t.toml"), &no_files, &Overrides::default());
    let text = found.expect_err("200000 blackouts").to_string();
    assert!(text.contains("more than 100000 blackouts"), "{text}");
}

#[test]
fn no_control_character_reaches_a_terminal() {
    let head = "[vars]\nq = { label = \"one\\u0007\", value = 1 }\n";
    let names = LINK.replace("\"air\"", "\"a\\u001b[31mir\"");
    let flow = FLOW.replace("\"sack\"", "{ name = \"sack\", label = \"\\u001b]0;mine\\u0007\" }");
    for body in [
        format!("source = \"\\u001b[2J\"\n{LINK}{FLOW}"),
        format!("\"k\\u0007ey\" = 1\n{LINK}{FLOW}"),
        format!("{head}{LINK}queue = \"$q\"\n{FLOW}"),
        format!("{names}{FLOW}"),
        format!("{LINK}{flow}"),
        format!(
            "{LINK}{FLOW}[[figure]]\ntitle = \"\\u009b\"\nkind = \"time\"\ny = \"cwnd\"\nseries = \"flow\"\n"
        ),
    ] {
        let text = errors(&body);
        assert!(text.contains("a text has a control character"), "{text}");
        assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
    }
    let fine = format!("about = \"\"\"\none\n\ttwo\n\"\"\"\n{LINK}{FLOW}");
    assert!(read(&fine).is_ok());
}

#[test]
fn a_number_out_of_range_is_called_that() {
    for vars in ["[vars]\nq = 1e400\n", "[sweep]\nq = [1, 1e400]\n", "[vars]\nq = -1e400\n"] {
        let text = errors(&format!("{vars}{LINK}queue = \"$q\"\n{FLOW}"));
        assert!(text.contains("the number is out of range"), "{text}");
        assert!(text.contains("1 error in"), "{text}");
    }
}

#[cfg(unix)]
#[test]
fn traces_are_regular_files_of_limited_size() {
    let dir = std::env::temp_dir().join(format!("atl-limits-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("made");
    let fifo = dir.join("fifo");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status();
    assert!(made.is_ok_and(|status| status.success()));
    let long = dir.join("long");
    let file = std::fs::File::create(&long).expect("made");
    file.set_len((64 << 20) + 1).expect("a hole");
    for (path, why) in [
        (Path::new("/dev/zero"), "not a regular file"),
        (fifo.as_path(), "not a regular file"),
        (dir.as_path(), "not a regular file"),
        (long.as_path(), "longer than 67108864 bytes"),
    ] {
        let scenario = dir.join("t.toml");
        let link = LINK.replace("rate = \"2Mb/s\"", &format!("trace = \"{}\"", path.display()));
        let text = format!("title = \"t\"\nduration = \"60s\"\n{link}{FLOW}");
        std::fs::write(&scenario, text).expect("written");
        let set = vec![("link.air.trace".to_owned(), path.display().to_string())];
        let overrides = Overrides { set, ..Overrides::default() };
        for overrides in [Overrides::default(), overrides] {
            let text = open(&scenario.display().to_string(), &overrides).expect_err("no trace");
            assert!(text.to_string().contains(why), "{text}");
        }
    }
    let text = open(&long.display().to_string(), &Overrides::default()).expect_err("too long");
    assert!(text.to_string().contains("longer than"), "{text}");
    std::fs::remove_dir_all(&dir).expect("removed");
}

/// `n` values of a variable, from 1.
fn list(n: usize) -> String {
    (1..=n).map(|i| i.to_string()).collect::<Vec<_>>().join(",")
}

/// Refused before any point is read: the wrong protocol is not noticed.
#[test]
fn too_many_runs_are_refused_at_once() {
    let sweep = format!("[sweep]\nq = [{}]\n", list(10_000));
    let link = format!("{LINK}queue = \"$q\"\n");
    let text = errors(&format!("seeds = 10000\n{sweep}{link}{}", FLOW.replace("sack", "sock")));
    let told =
        "10000 points with 10000 seeds each are 100000000 runs: at most 10000000 are allowed";
    assert!(text.contains(told), "{text}");
    assert!(text.contains("lower `seeds` to 1000, or list fewer values in `sweep`"), "{text}");
    assert!(text.contains("t.toml:3:9") && text.contains("1 error in"), "{text}");
    let fine = read(&format!("seeds = 1000\n{sweep}{link}{FLOW}")).expect("just as many as may be");
    assert_eq!(fine.cost().runs, 10_000_000);
}

/// Words are compared for as many problems as are shown.
#[test]
fn of_many_unknown_keys_the_first_have_suggestions() {
    let keys: String = (0..20_000).map(|i| format!("protocl{i} = 1\n")).collect();
    let errors = read(&format!("{LINK}{FLOW}{keys}")).expect_err("unknown keys");
    assert_eq!(errors.len(), 20_000);
    let helped = errors.reports().iter().filter(|report| !report.help.is_empty()).count();
    assert_eq!(helped, 50);
    assert!(errors.to_string().contains("did you mean `protocol`?"));
}

#[test]
fn too_many_variables_are_refused() {
    let vars: String = (0..20_000).map(|i| format!("v{i} = 1\n")).collect();
    let text = errors(&format!("[vars]\n{vars}{LINK}{FLOW}"));
    assert!(text.contains("`vars` has 20000 variables: at most 1000 are allowed"), "{text}");
}

#[test]
fn the_cost_is_known_before_anything_runs() {
    let of = |body: &str| read(body).expect("valid").cost();
    let small = of(&format!("seeds = 3\n{LINK}{FLOW}"));
    // 60 s of 2 Mb/s in packets of 1500 bytes, three times.
    assert_eq!((small.runs, small.flows, small.packets), (3, 1, 30_000.0));
    let shared = of(&format!("seeds = 3\n{LINK}{FLOW}count = 10\n"));
    assert_eq!((shared.flows, shared.packets), (10, 30_000.0));
    assert!(shared.memory > small.memory && shared.results == 10 * small.results);
    let window = "tcp = { receive-window = 10 }\n";
    let slow = of(&format!("seeds = 1\n{LINK}delay = \"500ms\"\n{FLOW}{window}"));
    assert!((slow.packets - 600.0).abs() < 1e-6, "ten packets in each second: {slow:?}");
    let sampled = of(&format!("seeds = 3\n[record]\nevery = \"1s\"\n{LINK}{FLOW}"));
    assert_eq!(sampled.results, small.results + 3 * 60 * 100);
}
