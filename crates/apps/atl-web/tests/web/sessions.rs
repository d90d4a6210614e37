//! Scenarios from an editor: opened, run and reported; or refused with each mistake at its place.

use atl_report::data::Format;
use atl_scenario::builtin;
use atl_web::{Problem, Request, Session};

const SMALL: &str = r#"title = "Zwei Wege – 😀"
duration = "2s"
seeds = 3
[sweep]
protocol = ["tcp-atl", "reno"]
[[link]]
name = "air"
from = "phone"
to = "server"
rate = "2Mb/s"
delay = "20ms"
loss = 1e-2
queue = 20
[[flow]]
name = "up"
from = "phone"
to = "server"
protocol = "$protocol"
"#;

fn request(text: &str) -> Request {
    Request { text: text.to_owned(), ..Request::default() }
}

fn mistakes(text: &str) -> Vec<Problem> {
    Session::open(request(text)).expect_err("it is wrong").errors
}

fn units(text: &str, problem: &Problem) -> String {
    let units: Vec<u16> = text.encode_utf16().collect();
    String::from_utf16(&units[problem.from..problem.to]).expect("whole characters")
}

#[test]
fn runs_of_other_sessions_make_the_same_report() {
    let (mut whole, opened) = Session::open(request(SMALL)).expect("it is right");
    assert_eq!((opened.name.as_str(), opened.command.as_str()), ("mine", "atl run mine.toml"));
    assert_eq!((opened.points.len(), &opened.seeds[..]), (2, &[1, 2, 3][..]));
    assert_eq!(opened.points[1].label, "reno");
    let (worker, _) = Session::open(request(SMALL)).expect("it is right");
    assert!(whole.page(1).is_err(), "nothing has been run");
    for seed in opened.seeds {
        for point in [1, 0] {
            let bytes = worker.run(point, seed).expect("there is such a point");
            whole.put(point, seed, &bytes).expect("a result");
        }
        let page = whole.page(seed as usize).expect("all runs with these seeds are there");
        let command = if seed == 3 { "atl run mine.toml<" } else { "atl run mine.toml --seeds " };
        assert!(page.contains(command), "{seed}");
    }
    assert!(whole.page(0).is_err() && whole.page(4).is_err());
    let files = whole.data(3, Format::Csv).expect("data");
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names[..3], ["runs.csv", "flows.csv", "links.csv"]);
    assert_eq!(files[0].1.split(|b| *b == b'\n').count(), 1 + 6 + 1);
}

#[test]
fn a_result_of_another_scenario_is_refused() {
    let (mut session, _) = Session::open(request(SMALL)).expect("it is right");
    assert!(session.put(0, 1, b"").is_err());
    assert!(session.put(0, 1, &[0xff; 40]).is_err());
    let bytes = session.run(0, 1).expect("a run");
    assert!(session.put(2, 1, &bytes).is_err(), "there are two points");
    assert!(session.run(2, 1).is_err());
    for cut in 0..bytes.len() {
        assert!(session.put(0, 1, &bytes[..cut]).is_err(), "{cut}");
    }
}

#[test]
fn a_mistake_has_its_place_in_units_of_a_browser() {
    let text = SMALL.replace("\"20ms\"", "\"20 parsec\"").replace("queue", "qeue");
    let mistakes = mistakes(&text);
    let places: Vec<String> = mistakes.iter().map(|problem| units(&text, problem)).collect();
    assert!(places.iter().any(|place| place.contains("20 parsec")), "{mistakes:?}");
    assert!(places.iter().any(|place| place.contains("qeue")), "{mistakes:?}");
    assert!(mistakes.iter().any(|m| m.help.iter().any(|help| help.contains("`queue`"))));
}

#[test]
fn what_is_not_toml_is_marked_where_it_stands() {
    let mistakes = mistakes("title = \"😀\"\nseeds = = 3\n");
    assert_eq!(mistakes[0].from, 21, "{mistakes:?}");
}

#[test]
fn what_the_simulator_cannot_run_is_named() {
    let mistakes = mistakes(&SMALL.replace("\"reno\"", "\"noq-cubic\""));
    assert_eq!(mistakes.len(), 1);
    assert!(mistakes[0].message.contains("QUIC"), "{mistakes:?}");
}

#[test]
fn a_built_in_scenario_keeps_its_name_until_it_is_changed() {
    let from = "showcase/recorded-trace";
    let found = builtin().iter().find(|b| b.name == from).expect("built in");
    let open = |text: &str| {
        let request = Request { from: from.to_owned(), quick: true, ..request(text) };
        Session::open(request).expect("its traces are built in").1
    };
    let (copy, whole) = (open(found.copy()), open(found.text));
    assert_eq!((copy.name.as_str(), &copy.hash), (from, &whole.hash));
    assert_eq!(copy.command, format!("atl run {from} --quick"));
    let changed = open(&format!("{}\n# mine\n", found.copy()));
    assert_eq!((changed.name.as_str(), &changed.hash), ("mine", &whole.hash));
}

#[test]
fn every_built_in_scenario_opens() {
    for scenario in builtin() {
        let from = scenario.name.to_owned();
        let request = Request { from, quick: true, ..request(scenario.copy()) };
        let opened = Session::open(request).map(|(_, opened)| opened.name);
        assert_eq!(opened.as_deref(), Ok(scenario.name));
    }
}
