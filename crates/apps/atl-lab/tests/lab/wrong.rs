//! Mistakes in a case itself, and the messages about them.

use atl_lab::{Case, Failure, metric, scenario, scenario_text, suite};
use noq_proto::congestion::NewRenoConfig;

use crate::cases::PATH;

fn path() -> Case {
    scenario_text("path", PATH).with(NewRenoConfig::default())
}

fn told(case: Case) -> String {
    match case.check() {
        Err(Failure::Wrong(problem)) => problem,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_case_says_what_is_wrong_with_it() {
    let cases: [(Case, &[&str]); 13] = [
        (scenario_text("path", PATH), &["path", "use `with`"]),
        (
            scenario("showcase/raoming").with(NewRenoConfig::default()),
            &["showcase/raoming", "showcase/roaming"],
        ),
        (path().set("link.air.rate", "fast"), &["--set link.air.rate=fast"]),
        (path().on("older"), &["no flow `older`", "new, old"]),
        (path().expect(metric("gooodput").at_least(1)), &["no metric `gooodput`", "goodput"]),
        (path().expect(metric("goodput")), &["`at-least`, `at-most`, or both"]),
        (path().expect(metric("goodput").at_least("5s")), &["`at-least` is `5s`", "b/s"]),
        (path().expect(metric("goodput").than("cubik").at_least(1)), &["no protocol `cubik`"]),
        (path().expect(metric("goodput").of("x").at_least("1Mb/s")), &["no flow `x`"]),
        (
            path().expect(metric("goodput").at("los", 0).at_least("1Mb/s")),
            &["no point of the sweep"],
        ),
        (
            path().expect(metric("rtt-p95").during("1s", "2s").at_most("1s")),
            &["`during`", "rtt-p95"],
        ),
        (
            path().expect(metric("goodput").at_least("2Mb/s").at_most("1Mb/s")),
            &["more than `at-most`"],
        ),
        (path().known("no-such-rule", "x"), &["no rule `no-such-rule`", "no-reaction"]),
    ];
    for (case, parts) in cases {
        let problem = told(case);
        for part in parts {
            assert!(problem.contains(part), "{part} is not in {problem}");
        }
    }
}

#[test]
fn a_file_of_expectations_is_wrong_at_a_line() {
    let cases = [
        ("[[expect]]\nmetric = \"goodput\"\nat-leest = 1\n", "line 3"),
        ("[[expect]]\nmetric = 5\n", "line 2"),
        ("under-test = \"new\"\n", "line 1"),
        (
            "\n[[expect]]\nmetric = \"goodput\"\nat-least = \"1Mb/s\"\n\n[[expect]]\nmetric = \"x\"\nat-least = 1\n",
            "line 6",
        ),
        ("[[expect]]\nmetric = \"goodput\"\nat-least = [1]\n", "line 3"),
    ];
    for (text, place) in cases {
        let problem = told(path().expect_text("mine/expect.toml", text));
        assert!(problem.starts_with("mine/expect.toml"), "{problem}");
        assert!(problem.contains(place), "{place} is not in {problem}");
    }
    let problem = told(path().expect_file("/nowhere/expect.toml"));
    assert!(problem.contains("cannot read /nowhere/expect.toml"), "{problem}");
}

#[test]
fn what_quic_cannot_carry_is_said() {
    let text = PATH.replace("rate = \"10Mb/s\"", "rate = \"10Mb/s\"\nadaptation = \"aal5\"");
    let problem = told(scenario_text("cells", &text).with(NewRenoConfig::default()));
    assert!(problem.contains("cells") && problem.contains("cannot be had in QUIC"), "{problem}");
}

#[test]
fn a_suite_says_what_is_wrong_with_it() {
    let told = |suite: atl_lab::Suite| match suite.with(NewRenoConfig::default()).check() {
        Err(Failure::Wrong(problem)) => problem,
        other => panic!("{other:?}"),
    };
    assert!(told(suite("rfc9742")).contains("rfc9743, rfc9002"));
    assert!(told(suite("rfc9002").only("dirty")).contains("no case `dirty`"));
    assert!(told(suite("rfc9002").known("x", "y")).contains("no rule and no case `x`"));
    let empty = tempfile::tempdir().expect("a directory");
    assert!(told(suite(empty.path().to_str().expect("UTF-8"))).contains("no folder with a case"));
    assert!(matches!(suite("rfc9002").check(), Err(Failure::Wrong(p)) if p.contains("use `with`")));
}
