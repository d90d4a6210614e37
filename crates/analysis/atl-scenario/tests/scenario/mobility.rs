//! Cells and mobiles: the setups they lead to, and mistakes.

use std::path::Path;

use atl_core::path::{PathId, PathSignal};
use atl_core::roaming::{FromReport, Meanwhile, NewPath, Pad, Probe, Resume};
use atl_core::time::{Span, Time};
use atl_core::units::Rate;
use atl_engine::result::FlowResult;
use atl_engine::setup::{FlowMobile, Point, Setup};
use atl_link::Service;
use atl_scenario::metric::Value;
use atl_scenario::scenario::{Metric, Scenario};
use atl_scenario::{Errors, Overrides, no_files, parse};

/// Two cells of 500 m, 850 m apart, and a bus at 25 m/s from one to the other.
pub(crate) const TWO_CELLS: &str = r#"
title = "t"
duration = "60s"
seeds = 1
[network.umts]
rate = "1Mb/s"
delay = "50ms"
[[link]]
name = "wire"
from = "server"
to = "gateway"
rate = "155Mb/s"
delay = "10ms"
[[cell]]
name = "wlan"
at = ["0m", "0m"]
radius = "500m"
behind = "gateway"
rate = "6Mb/s"
reverse = { rate = "2Mb/s" }
[[cell]]
name = "umts"
at = [850, 0]
radius = "0.5km"
behind = "gateway"
network = "umts"
[[mobile]]
name = "bus"
path = [[0, 0], [850, 0]]
speed = "90km/h"
[[flow]]
name = "download"
from = "server"
to = "bus"
protocol = "newreno"
"#;

fn read(text: &str) -> Result<Scenario, Errors> {
    parse("mobility", text, Path::new("mobility.toml"), &no_files, &Overrides::default())
}

fn setup(text: &str) -> Setup {
    read(text).unwrap_or_else(|errors| panic!("{errors}")).points.remove(0).setup
}

/// The file with one text replaced by another.
fn with(old: &str, new: &str) -> String {
    assert!(TWO_CELLS.contains(old), "{old}");
    TWO_CELLS.replacen(old, new, 1)
}

fn refused(old: &str, new: &str) -> String {
    read(&with(old, new)).expect_err(new).to_string()
}

#[test]
fn a_cell_is_a_node_with_a_wireless_link_pair() {
    let setup = setup(TWO_CELLS);
    assert_eq!(setup.nodes, ["server", "gateway", "wlan", "umts"]);
    let names: Vec<&str> = setup.links.iter().map(|l| l.name.as_str()).collect();
    assert_eq!(names, ["wire", "wire.back", "wlan", "wlan.back", "umts", "umts.back"]);
    let ends: Vec<_> = setup.links[2..].iter().map(|l| (l.from, l.to, l.wireless)).collect();
    assert_eq!(ends, [(1, 2, true), (2, 1, true), (1, 3, true), (3, 1, true)]);
    let service = |link: usize| setup.links[link].config.initial.service.clone();
    let constant = |mbps: f64| Service::Constant(Rate::from_mbps(mbps));
    assert_eq!([2, 3, 4, 5].map(service), [6.0, 2.0, 1.0, 1.0].map(constant));
}

#[test]
fn a_flow_of_a_mobile_has_a_path_for_each_cell() {
    let setup = setup(TWO_CELLS);
    let flow = &setup.flows[0];
    let paths: Vec<_> = flow.paths.iter().map(|p| (&p.forward[..], &p.back[..])).collect();
    assert_eq!(paths, [(&[0, 2][..], &[3, 1][..]), (&[0, 4][..], &[5, 1][..])]);
    assert_eq!(flow.mobile, Some(FlowMobile { mobile: 0, sends: false, card: None }));
    let up = with("from = \"server\"\nto = \"bus\"", "from = \"bus\"\nto = \"server\"");
    let setup = self::setup(&up);
    let flow = &setup.flows[0];
    assert_eq!((&flow.paths[1].forward[..], &flow.paths[1].back[..]), (&[5, 1][..], &[0, 4][..]));
    assert_eq!(flow.mobile, Some(FlowMobile { mobile: 0, sends: true, card: None }));
    // 2 Mb/s in one cell and 1 Mb/s in the other, so the interface has no single rate.
    assert_eq!(flow.tcp.access_rate, None);
}

const CARD: &str =
    "name = \"bus\"\ncard = { receiving = \"300mA\", transmitting = \"500mA\", rate = \"10Mb/s\" }";

/// 100 dummies of 1000 bytes take 80 ms at 10 Mb/s, and their answers of 40 bytes 3.2 ms.
#[test]
fn probes_draw_what_the_card_draws_while_they_are_in_the_air() {
    let charge = |text: &str, probe_bytes| {
        let setup = setup(text);
        let result = FlowResult { probe_bytes, ..FlowResult::default() };
        let Value::Flow(value) = Metric::ProbeCharge.descriptor().value else {
            panic!("a value of a flow")
        };
        value(&setup.flows[0], &result)
    };
    let tcp = "to = \"bus\"\ntcp = { segment = 960, header = 40, ack = 40 }";
    let carded = with("name = \"bus\"", CARD).replacen("to = \"bus\"", tcp, 1);
    let near = |found: Option<f64>, expected: f64| {
        assert!(found.is_some_and(|f| (f - expected).abs() < 1e-9), "{found:?}, not {expected}");
    };
    near(charge(&carded, Some(100_000)), 0.08 * 0.3 + 0.0032 * 0.5);
    near(charge(&carded, Some(0)), 0.0);
    assert_eq!(charge(&carded, None), None, "no probes");
    assert_eq!(charge(TWO_CELLS, Some(100_000)), None, "no card");
    // A mobile sender transmits dummies and receives their answers.
    let up =
        carded.replacen("from = \"server\"\nto = \"bus\"", "from = \"bus\"\nto = \"server\"", 1);
    near(charge(&up, Some(100_000)), 0.08 * 0.5 + 0.0032 * 0.3);
}

#[test]
fn the_steps_are_where_the_circles_are_crossed() {
    let setup = setup(TWO_CELLS);
    let [bus] = &setup.mobiles[..] else { panic!("one mobile") };
    assert_eq!(bus.cells, ["wlan", "umts"]);
    let (first, second) = (PathId::new(0), PathId::new(1));
    let steps: Vec<_> = bus.steps.iter().map(|step| (step.at, step.signal)).collect();
    let at = Time::from_millis;
    assert_eq!(
        steps,
        [
            (at(14_000), PathSignal::Imminent(second)),
            (at(17_000), PathSignal::Done(second)),
            (at(20_000), PathSignal::Gone(first)),
        ]
    );
    let map = setup.map.expect("a map");
    assert_eq!(map.cells[1].downlink, 4);
    assert_eq!(map.tracks[0].position(at(10_000)), Point::new(250.0, 0.0));
}

#[test]
fn what_happens_after_the_end_does_not_happen() {
    let setup = setup(&with("duration = \"60s\"", "duration = \"15s\""));
    assert_eq!(setup.mobiles[0].steps.len(), 1);
    assert_eq!(setup.flows[0].paths.len(), 2);
    // The mobile never reaches the second cell, so has no path through it.
    let setup = self::setup(&with("duration = \"60s\"", "duration = \"10s\""));
    assert_eq!(setup.flows[0].paths.len(), 1);
}

#[test]
fn a_flow_of_a_cell_is_a_user_who_stays_in_it() {
    let setup = setup(&with("to = \"bus\"", "to = \"umts\""));
    assert_eq!(setup.flows[0].paths.len(), 1);
    assert_eq!(setup.flows[0].paths[0].forward, [0, 4]);
    assert_eq!(setup.flows[0].mobile, None);
}

#[test]
fn bad_maps_are_refused_with_their_place() {
    for (old, new, what) in [
        ("\"500m\"", "\"0m\"", "cell.wlan.radius` cannot be \"0m\""),
        ("at = [850, 0]", "at = [nan, 0]", "cell.umts.at.0` cannot be nan"),
        ("at = [850, 0]", "at = [850]", "must have 2 items"),
        ("at = [850, 0]", "at = [\"850\", 0]", "the unit is missing"),
        ("name = \"umts\"", "name = \"wlan\"", "two nodes called `wlan`"),
        ("name = \"umts\"", "name = \"gateway\"", "two nodes called `gateway`"),
        ("name = \"umts\"", "name = \"wire\"", "two links called `wire`"),
        ("behind = \"gateway\"", "behind = \"gatevay\"", "did you mean `gateway`?"),
        ("behind = \"gateway\"", "behind = \"umts\"", "there is no node `umts`"),
        ("network = \"umts\"", "", "`cell.umts` has no rate"),
        ("network = \"umts\"", "network = \"umts\"\nroam = []", "unknown key `roam`"),
        ("name = \"bus\"", "name = \"server\"", "two nodes called `server`"),
        ("\"90km/h\"", "\"0km/h\"", "let the flow end in the cell"),
        ("\"90km/h\"", "90", "a number needs a unit: write \"90km/h\" or \"90m/s\""),
        ("\"90km/h\"", "\"90mph\"", "`mph` is not one of the units m/s, km/h"),
        ("[[0, 0], [850, 0]]", "[[0, 0], [0, 0]]", "give that one a `wait`"),
        ("[[0, 0], [850, 0]]", "[[0, 0]]", "from 2 to 10000 items"),
        ("name = \"bus\"", &CARD.replace("300mA", "300mV"), "`mV` is not one of the units A, mA"),
        ("name = \"bus\"", &CARD.replace("\"500mA\"", "1"), "a number needs a unit"),
        ("name = \"bus\"", &CARD.replace(", rate = \"10Mb/s\"", ""), "`rate` is missing"),
        ("[[0, 0], [850, 0]]", "[[0, 2000], [850, 2000]]", "it never enters a cell"),
        ("speed = \"90km/h\"", "speed = \"90km/h\"\nhandoff = \"midle\"", "did you mean `middle`?"),
        (
            "speed = \"90km/h\"",
            "speed = \"90km/h\"\nhandoff = { predict = \"history\", history = [[\"wlan\", \"utms\"]] }",
            "there is no cell `utms`",
        ),
        (
            "from = \"server\"\nto = \"bus\"",
            "from = \"bus\"\nto = \"bus\"",
            "between two different nodes",
        ),
        (
            "from = \"server\"\nto = \"bus\"",
            "from = \"umts\"\nto = \"bus\"",
            "`bus` visits the cell `umts`",
        ),
        (
            "protocol = \"newreno\"",
            "protocol = \"newreno\"\nadaptation = \"aal5\"",
            "a mobile has several",
        ),
        ("to = \"bus\"", "to = \"buss\"", "did you mean `bus`?"),
    ] {
        let errors = refused(old, new);
        assert!(errors.contains(what), "{new}: {errors}");
    }
    let two = TWO_CELLS.replace(
        "[[flow]]",
        "[[mobile]]\nname = \"tram\"\npath = [[0, 0], [9, 0]]\nspeed = \"1m/s\"\n[[flow]]",
    );
    let errors = read(&two.replace("\"server\"\nto = \"bus\"", "\"tram\"\nto = \"bus\""))
        .expect_err("two")
        .to_string();
    assert!(errors.contains("only one end of a flow can be a mobile"), "{errors}");
    let errors = read(&two.replace("\"tram\"", "\"bus\"")).expect_err("two").to_string();
    assert!(errors.contains("two mobiles called `bus`"), "{errors}");
}

#[test]
fn what_nobody_uses_is_warned_of() {
    let warnings =
        |text: &str| read(text).unwrap_or_else(|errors| panic!("{errors}")).warnings.render(false);
    assert_eq!(warnings(TWO_CELLS), "");
    let unused = warnings(&with("to = \"bus\"", "to = \"umts\""));
    assert!(unused.contains("the mobile `bus` has no effect"), "{unused}");
    let far = warnings(&with("at = [850, 0]", "at = [8500, 0]"));
    assert!(far.contains("the cell `umts` has no effect"), "{far}");
    for (handoff, key) in [
        ("{ at = \"middle\", hysteresis = \"1dB\" }", "hysteresis"),
        ("{ exponent = 2 }", "exponent"),
        ("{ history = [[\"wlan\", \"umts\"]] }", "history"),
    ] {
        let speed = "speed = \"90km/h\"";
        let text = with(speed, &format!("{speed}\nhandoff = {handoff}"));
        let expected = format!("`mobile.bus.handoff.{key}` has no effect");
        assert!(warnings(&text).contains(&expected), "{handoff}");
    }
    let waits = warnings(&with("[850, 0]]", "{ at = [850, 0], wait = \"1s\" }]"));
    assert!(waits.contains("has no effect"), "{waits}");
}

#[test]
fn all_of_it_can_be_swept() {
    let text = with(
        "speed = \"90km/h\"",
        "speed = \"$v\"\nhandoff = { at = \"$where\", binding = \"$b\" }",
    )
    .replacen("radius = \"500m\"", "radius = \"$r\"", 1)
        + "[sweep]\nv = [\"10km/h\", \"36km/h\"]\nwhere = [\"entry\", \"exit\"]\nb = [\"0s\", \"100ms\"]\nr = [450, \"0.5km\"]\n";
    let scenario = read(&text).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(scenario.points.len(), 16);
    let v: Vec<_> = scenario.points.iter().filter_map(|p| p.vars["v"].number).collect();
    assert!((v[0] - 10.0 / 3.6).abs() < 1e-12 && v.contains(&10.0), "{v:?}");
}

#[test]
fn the_command_line_reaches_cells_and_mobiles() {
    let set = |key: &str, value: &str| {
        let set = vec![(key.to_owned(), value.to_owned())];
        let overrides = Overrides { set, ..Overrides::default() };
        parse("mobility", TWO_CELLS, Path::new("mobility.toml"), &no_files, &overrides)
            .unwrap_or_else(|errors| panic!("{errors}"))
            .points
            .remove(0)
            .setup
    };
    let handoff = |setup: &Setup| setup.mobiles[0].steps[1].at;
    assert_eq!(handoff(&set("mobile.bus.speed", "180km/h")), Time::from_millis(8_500));
    assert_eq!(handoff(&set("mobile.bus.handoff", "exit")), Time::from_millis(20_000));
    // Between leaving at 500 m and entering at 550 m there is no coverage, from 20 s to 22 s.
    let hole = set("cell.umts.radius", "300m");
    assert_eq!(handoff(&hole), Time::from_millis(22_000));
    let shorter = Overrides { duration: Some("15s".to_owned()), ..Overrides::default() };
    assert!(parse("m", TWO_CELLS, Path::new("m.toml"), &no_files, &shorter).is_ok());
}

#[test]
fn a_variable_may_be_called_like_a_later_key() {
    let text = with("speed = \"90km/h\"", "speed = \"$mobile\"") + "[vars]\nmobile = \"10m/s\"\n";
    assert!(read(&text).is_ok());
}

#[test]
fn what_a_sender_does_with_a_new_path_is_a_word_or_a_table() {
    let of = |text: &str| {
        let file =
            with("protocol = \"newreno\"", &format!("protocol = {{ name = \"newreno\", {text} }}"));
        setup(&file).flows.remove(0).protocol.new_path
    };
    assert_eq!(setup(TWO_CELLS).flows[0].protocol.new_path, NewPath::Keep);
    assert_eq!(of("new-path = \"reset\""), NewPath::Reset);
    assert_eq!(of("new-path = \"probe\""), NewPath::Probe(Probe::default()));
    let frozen = of("new-path = \"probe\", freeze = \"200ms\"");
    assert_eq!(frozen, NewPath::Probe(Probe::default()), "a frozen sender surveys too");
    let probe = Probe {
        dummies: Some(64),
        over: Some(Span::from_millis(80)),
        validate: false,
        meanwhile: Meanwhile::Old,
        from_report: FromReport::LdaPlus,
    };
    assert_eq!(
        of(
            "new-path = { how = \"probe\", dummies = 64, over = \"80ms\", validate = false, meanwhile = \"old\", from-report = \"lda-plus\" }"
        ),
        NewPath::Probe(probe)
    );
    assert_eq!(of("new-path = \"resume\""), NewPath::Resume(Resume::default()));
    assert_eq!(
        of("new-path = { how = \"resume\", lifetime = \"20s\", most = 50 }"),
        NewPath::Resume(Resume { lifetime: Span::from_secs(20), most: Some(50) })
    );
    assert_eq!(of("new-path = { how = \"pad\" }"), NewPath::Pad(Pad::default()));
    assert_eq!(
        of("new-path = { how = \"pad\", target = 100, budget = 0 }"),
        NewPath::Pad(Pad { target: 100, budget: 0 })
    );
    for (wrong, message) in [
        ("new-path = { how = \"reset\", dummies = 3 }", "belongs to"),
        ("new-path = \"guess\"", "`keep`"),
        ("new-path = { how = \"reset\", most = 3 }", "belongs to `how = \"resume\"`"),
        ("new-path = { how = \"resume\", target = 3 }", "belongs to `how = \"pad\"`"),
        ("new-path = { how = \"pad\", lifetime = \"1s\" }", "belongs to `how = \"resume\"`"),
        ("new-path = { how = \"resume\", lifetime = \"0s\" }", "greater than zero"),
        ("new-path = { how = \"probe\", dummies = 0 }", "1"),
    ] {
        let text = with(
            "protocol = \"newreno\"",
            &format!("protocol = {{ name = \"newreno\", {wrong} }}"),
        );
        let errors = read(&text).expect_err(wrong).to_string();
        assert!(errors.contains(message) && errors.contains("new-path"), "{errors}");
    }
}

#[test]
fn only_tcp_resumes_and_pads() {
    for how in ["\"resume\"", "{ how = \"pad\" }"] {
        let protocol = format!("protocol = {{ name = \"rap\", new-path = {how} }}");
        let errors = read(&with("protocol = \"newreno\"", &protocol)).expect_err(how).to_string();
        assert!(errors.contains("only TCP resumes and pads"), "{errors}");
    }
}

#[test]
fn a_host_with_one_radio_leaves_its_cell_before_it_has_the_next() {
    let hard = with(
        "speed = \"90km/h\"",
        "speed = \"90km/h\"\nhandoff = { break-before-make = \"40ms\" }",
    );
    let steps = setup(&hard).mobiles.remove(0).steps;
    let new = PathId::new(1);
    let signals: Vec<PathSignal> = steps.iter().map(|step| step.signal).collect();
    assert_eq!(signals, [PathSignal::Gone(PathId::FIRST), PathSignal::Done(new)]);
    assert_eq!(steps[1].at.since(steps[0].at), Span::from_millis(40));
}

#[test]
fn notices_are_signed_unless_the_file_says_otherwise_and_an_attacker_names_a_path_of_the_flow() {
    use atl_core::path::{PathId, PathSignal};
    use atl_core::time::Time;
    use atl_engine::setup::{Forged, Forgery, Notices};
    let file = |notices: &str| {
        with("protocol = \"newreno\"", &format!("protocol = \"newreno\"\nnotices = {notices}"))
    };
    let of = |notices: &str| setup(&file(notices)).flows.remove(0).notices;
    assert_eq!(setup(TWO_CELLS).flows[0].notices, Notices { signed: true, forged: None });
    assert_eq!(of("{ signed = false, forged = false }"), Notices { signed: false, forged: None });
    let forged =
        |says| Forged { says, start: Time::from_millis(2000), every: Span::from_millis(500) };
    for (says, signal) in [
        ("says = \"imminent\"", PathSignal::Imminent(PathId::FIRST)),
        ("says = \"moved\", cell = \"CELL\"", PathSignal::Done(PathId::new(1))),
        ("says = \"gone\", cell = \"CELL\"", PathSignal::Gone(PathId::new(1))),
    ] {
        let says = says.replace("CELL", &setup(TWO_CELLS).mobiles[0].cells[1]);
        let text = format!("{{ forged = {{ {says}, every = \"500ms\", start = \"2s\" }} }}");
        let expected = Notices { signed: true, forged: Some(forged(Forgery::Signal(signal))) };
        assert_eq!(of(&text), expected);
    }
    let replay = of("{ forged = { says = \"replay\", every = \"500ms\", start = \"2s\" } }");
    assert_eq!(replay.forged, Some(forged(Forgery::Replay)));
    for (wrong, message) in [
        (
            "{ forged = { says = \"moved\", cell = \"nowhere\", every = \"1s\" } }",
            "never uses a cell `nowhere`",
        ),
        (
            "{ forged = { says = \"replay\", cell = \"nowhere\", every = \"1s\" } }",
            "the cell that the mobile named",
        ),
        ("{ forged = { says = \"moved\", every = \"0s\" } }", "greater than zero"),
        ("{ forged = { says = \"moved\" } }", "`every` is missing"),
        (
            "{ forged = { says = \"moved\", every = \"1s\", start = \"1h\" } }",
            "before this happens",
        ),
        ("{ forged = { says = \"lies\", every = \"1s\" } }", "`imminent`"),
    ] {
        let errors = read(&file(wrong)).expect_err(wrong).to_string();
        assert!(errors.contains(message), "{wrong}: {errors}");
    }
}
