//! Each form of an impairment is offered where a scenario has another, and changes what it says.

use std::path::Path as File;

use atl_core::time::Span;
use atl_core::units::Probability;
use atl_engine::setup::{LinkSetup, TraceStart};
use atl_experiment::artefact::{form_named, variants};
use atl_link::{AtChange, Limit, Loss, QueueConfig};
use atl_scenario::Overrides;
use atl_scenario::scenario::Scenario;

/// A form, a link that has its impairment in another one, and what is true of every link, in both
/// directions, that has this one.
struct Case {
    form: &'static str,
    link: &'static str,
    has_it: fn(&LinkSetup) -> bool,
}

const CASES: &[Case] = &[
    Case {
        form: "no-reordering",
        link: "reorder = { share = \"1%\", by = \"5ms\" }",
        has_it: |link| link.config.initial.reorder.is_none(),
    },
    Case {
        form: "no-reconfiguration",
        link: "reconfiguration = { every = \"15s\", step = \"8ms\", outage = \"60ms\" }",
        has_it: |link| link.config.initial.reconfiguration.is_none(),
    },
    Case {
        form: "loss-both-ways",
        link: "loss = \"1%\"\nreverse = { loss = 0 }",
        has_it: |link| link.config.initial.loss == Loss::Bernoulli(Probability::clamped(0.01)),
    },
    Case {
        form: "loss-independent",
        // A hundredth of the time, half of the packets.
        link: "loss = { good-for = \"9.9s\", bad-for = \"100ms\", loss-bad = 0.5 }",
        has_it: |link| match link.config.initial.loss {
            Loss::Bernoulli(p) => (p.get() - 0.005).abs() < 1e-12,
            _ => false,
        },
    },
    Case {
        form: "no-ingress-loss",
        link: "ingress-loss = \"1%\"",
        has_it: |link| link.config.initial.ingress == Loss::None,
    },
    Case {
        form: "no-duplication",
        link: "duplicate = \"1%\"",
        has_it: |link| link.config.initial.duplicate == Probability::ZERO,
    },
    Case {
        form: "queue-in-packets",
        link: "queue = \"60kB\"\nroam = [{ at = \"2s\", queue = \"90kB\" }]",
        has_it: |link| {
            let later = link.config.schedule.iter().filter_map(|change| change.to.queue.as_ref());
            let all: Vec<_> = std::iter::once(&link.config.queue)
                .chain(later.map(|buffer| &buffer.queue))
                .map(QueueConfig::limit)
                .collect();
            all == [Limit::Packets(40), Limit::Packets(60)]
        },
    },
    Case {
        form: "trace-from-start",
        link: "trace = \"air.trace\"",
        has_it: |link| link.trace_start == Some(TraceStart::At(Span::ZERO)),
    },
    Case {
        form: "trace-random-offset",
        link: "trace = \"air.trace\"\ntrace-offset = \"0s\"",
        has_it: |link| matches!(link.trace_start, Some(TraceStart::Random { .. })),
    },
    Case {
        form: "blackout-loses",
        link: "blackout = [{ at = \"2s\", lasts = \"1s\", hold = true }]",
        has_it: |link| link.config.blackouts.iter().all(|blackout| !blackout.hold),
    },
    Case {
        form: "blackout-holds",
        link: "blackout = [{ at = \"2s\", lasts = \"1s\" }]",
        has_it: |link| link.config.blackouts.iter().all(|blackout| blackout.hold),
    },
    Case {
        form: "change-delivers",
        link: "roam = [{ at = \"2s\", rate = \"5Mb/s\" }]\nat-change = \"lose\"",
        has_it: |link| link.config.at_change == AtChange::Deliver,
    },
    Case {
        form: "change-loses",
        link: "roam = [{ at = \"2s\", rate = \"5Mb/s\" }]",
        has_it: |link| link.config.at_change == AtChange::Lose,
    },
];

fn scenario(link: &str) -> Scenario {
    let rate = if link.contains("trace =") { "" } else { "rate = \"10Mb/s\"\n" };
    let text = format!(
        "title = \"t\"\nduration = \"9s\"\nseeds = 5\n\
         [[link]]\nname = \"air\"\nfrom = \"a\"\nto = \"b\"\ndelay = \"20ms\"\n{rate}{link}\n\
         [[flow]]\nname = \"f\"\nfrom = \"a\"\nto = \"b\"\nprotocol = \"cubic\"\n"
    );
    let files = |_: &File| Ok("1\n2\n4\n7\n".into());
    let read = atl_scenario::parse("t", &text, File::new("t.toml"), &files, &Overrides::default());
    read.unwrap_or_else(|errors| panic!("{link}: {errors}"))
}

#[test]
fn each_form_is_offered_for_another_and_changes_what_it_says() {
    for Case { form: name, link, has_it } in CASES {
        let form = form_named(name).expect("a form");
        let links = |scenario: &Scenario| scenario.points[0].setup.links.clone();
        let written = scenario(link);
        assert!(!links(&written).iter().all(has_it), "{name}: {link} has it already");
        let offered = variants(&written, [form]);
        let [variant] = &offered[..] else { panic!("{name} is not offered for {link}") };
        assert_eq!(variant.form.name, *name);
        let changed = links(&variant.scenario);
        assert_eq!(changed.len(), 2, "both directions");
        assert!(changed.iter().all(has_it), "{name}: {changed:?}");
        assert_ne!(variant.scenario.hash, written.hash, "{name}");
        // A link that has this form, or nothing of its kind, is not offered it.
        assert!(variants(&variant.scenario, [form]).is_empty(), "{name} of itself");
        assert!(variants(&scenario(""), [form]).is_empty(), "{name} without the impairment");
    }
}
