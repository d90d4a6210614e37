//! Choosing engines by name.

use atl_engine::result::RunResult;
use atl_engine::setup::Setup;
use atl_engine::{BadChoice, Clock, Engine, Engines, Gap, Stopped, Watch};

#[derive(Debug)]
struct Named(&'static str);

impl Engine for Named {
    fn name(&self) -> &str {
        self.0
    }

    fn version(&self) -> String {
        "7.1".to_owned()
    }

    fn about(&self) -> &'static str {
        "has a name"
    }

    fn clock(&self) -> Clock {
        Clock::Virtual
    }

    fn gaps(&self, _: &Setup) -> Vec<Gap> {
        Vec::new()
    }

    fn run(&self, _: &Setup, _: u64, _: &Watch<'_>) -> Result<RunResult, Stopped> {
        Err(Stopped::Cancelled)
    }
}

fn engines() -> Engines {
    Engines::new(&[&Named("sim"), &Named("udp"), &Named("quic-sim")])
}

#[test]
fn engines_come_in_the_order_in_which_they_are_named() {
    let engines = engines();
    let chosen = engines.choose(&["quic-sim", "sim"]).expect("known");
    let names: Vec<&str> = chosen.iter().map(|h| h.name()).collect();
    assert_eq!(names, ["quic-sim", "sim"]);
    let id = chosen[0].id();
    assert_eq!((&*id.name, &*id.version), ("quic-sim", "7.1"));
}

#[test]
fn an_unknown_engine_is_refused_with_a_near_one_and_all() {
    let message = |name: &str| engines().choose(&["sim", name]).expect_err("refused").to_string();
    assert_eq!(
        message("quik-sim"),
        "unknown engine `quik-sim`, did you mean `quic-sim`? (engines: sim, udp, quic-sim)"
    );
    assert_eq!(message("dpu"), "unknown engine `dpu` (engines: sim, udp, quic-sim)");
    assert_eq!(message(""), "unknown engine `` (engines: sim, udp, quic-sim)");
}

#[test]
fn a_program_adds_engines_under_names_of_their_own() {
    let engines = engines();
    let taken = engines.register(&[&Named("udp")]).expect_err("there is one");
    assert_eq!(taken.to_string(), "another engine is called `udp`: choose another name");
    engines.register(&[&Named("toy")]).expect("nobody else is called toy");
    assert_eq!(engines.choose(&["toy"]).expect("known").len(), 1);
    assert_eq!(
        engines.iter().map(|h| h.name()).collect::<Vec<_>>(),
        ["sim", "udp", "quic-sim", "toy"]
    );
}

#[test]
fn a_repeated_engine_is_refused() {
    let engines = engines();
    let bad = engines.choose(&["udp", "sim", "udp"]).expect_err("refused");
    assert_eq!(bad, BadChoice::Repeated { name: "udp".to_owned() });
    assert_eq!(bad.to_string(), "engine `udp` is named twice; name each engine once");
}
