//! The headline: what it ranks, on which flows, and when it names a winner.

use atl_report::Outcome;
use atl_report::ranking::{Standing, comparison, headline, ranking};
use atl_report::table::{Cell, ranked, results};
use atl_scenario::scenario::Metric;
use atl_scenario::{Overrides, builtin, open};

use crate::support::host::outcome_of;
use crate::support::{Builder, protocols, run};

fn said(outcome: &Outcome) -> String {
    headline(outcome).expect("a headline")
}

/// Five seeds around a mean, with the same relative deviations for every mean.
fn around(mean: f64) -> [f64; 5] {
    [0.98, 1.0, 1.02, 0.99, 1.01].map(|luck| mean * luck)
}

/// Web pages, a backup whose protocol the sweep changes, and cross traffic with one of these
/// protocols.
fn roles() -> Outcome {
    let mut builder = Builder::new(5, &["protocol", "p_w"]);
    for (loss, factor) in [("1e-3", 1.0), ("1e-2", 0.5)] {
        for (name, backup) in [("tcp-atl", 1.2), ("cubic", 0.8), ("sack", 0.6)] {
            let flows =
                [("pages", "newreno"), ("pages", "newreno"), ("backup", name), ("cross", "cubic")];
            builder = builder.point(&[("protocol", name), ("p_w", loss)], &flows, |seed| {
                let luck = 1.0 + 0.01 * seed as f64;
                // The cross traffic takes what the backup leaves. It must not be ranked, nor count
                // as CUBIC.
                run(&[0.1 * luck, 0.2, backup * factor * luck, 5.0 - backup])
            });
        }
    }
    builder.done()
}

#[test]
fn the_headline_ranks_what_the_sweep_varies_on_the_flows_that_it_varies() {
    let text = said(&roles());
    assert_eq!(
        text,
        "TCP-ATL has the highest goodput of backup: 0.918 ± 0.018 Mb/s, a mean over 2 conditions. CUBIC comes second \
         with 0.612 ± 0.012 Mb/s, 0.6667 ± 0 of that. TCP-ATL leads in 2 of the 2 conditions."
    );
    let words = comparison(&roles());
    assert!(
        words.starts_with("Compared: TCP-ATL, CUBIC and SACK over p_w = 1e-3, 1e-2: 6 points"),
        "{words}"
    );
}

#[test]
fn the_headline_says_which_flows_were_averaged_or_summed() {
    let what = |flows: fn(&'static str) -> Vec<(&'static str, &'static str)>| {
        let mut builder = Builder::new(5, &["protocol"]);
        for name in ["atl", "reno"] {
            let vars = [("protocol", name)];
            let flows = flows(name);
            builder = builder.point(&vars, &flows, |_| run(&vec![1.0; flows.len()]));
        }
        ranking(&builder.done()).expect("a ranking").what()
    };
    assert_eq!(what(|p| vec![("a", p)]), "goodput");
    assert_eq!(what(|p| vec![("a", p), ("cross", "cubic")]), "goodput of a");
    assert_eq!(
        what(|p| vec![("a", p), ("a", p), ("cross", "cubic")]),
        "mean goodput per flow of a"
    );
    assert_eq!(what(|p| vec![("a", p), ("b", p)]), "total goodput of all flows");
    let some = what(|p| vec![("a", p), ("b", p), ("cross", "cubic")]);
    assert_eq!(some, "total goodput of a and b");
    let many = what(|p| vec![("a", p), ("b", p), ("c", p), ("d", p), ("cross", "cubic")]);
    assert_eq!(many, "total goodput of the 4 flow groups whose design the sweep changes");
}

/// Every number of the headline is in the ranking, and under a single condition also in the
/// results.
#[test]
fn the_number_stands_in_a_table() {
    let outcome = roles();
    let table = ranked(&ranking(&outcome).expect("a ranking"));
    assert_eq!(table.columns[1].title, "goodput of backup (Mb/s)");
    let (Cell::Number(first), Cell::Number(second)) = (&table.rows[0][1], &table.rows[1][1]) else {
        panic!("{:?}", table.rows)
    };
    assert!((first.mean - 0.918e6).abs() < 1.0 && (second.mean - 0.612e6).abs() < 1.0);
    // All flows change, so their total counts, which is a row of the results.
    let both = [("a", "atl"), ("b", "atl")];
    let other = [("a", "reno"), ("b", "reno")];
    let outcome = Builder::new(5, &["protocol"])
        .point(&[("protocol", "atl")], &both, |seed| run(&[around(1.0)[seed], around(2.0)[seed]]))
        .point(&[("protocol", "reno")], &other, |seed| run(&[around(0.5)[seed], around(1.0)[seed]]))
        .done();
    let text = said(&outcome);
    assert!(
        text.starts_with("ATL has the highest total goodput of all flows: 3.000 ± 0.059 Mb/s."),
        "{text}"
    );
    let table = results(&outcome);
    let goodput = table.columns.iter().position(|c| c.key == Metric::Goodput.descriptor().key);
    let Cell::Number(total) = &table.rows[2][goodput.expect("a column")] else { panic!("a total") };
    assert_eq!(*total, ranking(&outcome).expect("a ranking").places[0].goodput);
}

#[test]
fn a_tie_and_nothing_at_all_have_no_winner() {
    let tied = protocols(&[("up", &around(1.0)), ("down", &around(1.0))]).done();
    let text = said(&tied);
    assert!(
        text.starts_with("UP (1.000 ± 0.020 Mb/s) and DOWN (1.000 ± 0.020 Mb/s) are level in"),
        "{text}"
    );
    let close =
        protocols(&[("up", &[1.0, 1.4, 1.2, 1.1, 1.3]), ("down", &[1.3, 1.1, 1.3, 1.2, 1.0])]);
    let text = said(&close.done());
    assert!(text.contains("are level in") && !text.contains("highest"), "{text}");
    let nothing = protocols(&[("up", &[0.0; 5]), ("down", &[0.0; 5])]).done();
    assert_eq!(said(&nothing), "Nothing arrived: the goodput is 0.");
    let alone = protocols(&[("up", &around(1.0)), ("down", &[0.0; 5])]).done();
    let text = said(&alone);
    assert!(
        text.contains("UP has the highest goodput") && text.ends_with(" DOWN got nothing."),
        "{text}"
    );
}

#[test]
fn those_level_with_the_first_are_all_named_and_the_rest_is_behind() {
    let outcome = protocols(&[
        ("a", &[1.0, 1.1, 1.2, 1.05, 1.15]),
        ("b", &[1.15, 1.05, 1.1, 1.2, 1.0]),
        ("c", &[0.5, 0.55, 0.6, 0.52, 0.58]),
    ])
    .done();
    let text = said(&outcome);
    assert!(text.contains("are level in") && !text.contains("C ("), "{text}");
    let standings: Vec<Standing> =
        ranking(&outcome).expect("a ranking").places.iter().map(|p| p.standing).collect();
    assert_eq!(standings, [Standing::First, Standing::Level, Standing::Behind]);
}

#[test]
fn too_few_seeds_give_no_ranking_and_equal_seeds_are_one_run() {
    let few = protocols(&[("atl", &[1.8, 1.9]), ("reno", &[1.0, 1.1])]).done();
    let text = said(&few);
    assert_eq!(
        text,
        "After 2 seeds, ATL (1.850 Mb/s) and RENO (1.050 Mb/s) have the highest goodput. A ranking takes at least 5 seeds."
    );
    let same = protocols(&[("atl", &[1.8; 5]), ("reno", &[1.0; 5])]).done();
    let text = said(&same);
    assert!(text.contains("All seeds gave the same numbers") && !text.contains("± 0"), "{text}");
}

#[test]
fn contenders_under_other_conditions_are_left_out() {
    let mut builder = Builder::new(5, &["protocol", "d_w"]);
    for (name, delay, mbps) in
        [("atl", "10ms", 1.0), ("reno", "10ms", 0.8), ("atl", "50ms", 0.9), ("sack", "99ms", 3.0)]
    {
        let vars = [("protocol", name), ("d_w", delay)];
        builder = builder.point(&vars, &[("flow", name)], |seed| run(&[around(mbps)[seed]]));
    }
    let text = said(&builder.done());
    assert!(text.starts_with("ATL has the highest goodput: 1.000"), "{text}");
    assert!(text.ends_with("Not ranked, because they ran in other conditions: SACK."), "{text}");
}

/// A variable whose values name protocols ("CUBIC (RACK)") makes a column for protocols redundant.
#[test]
fn a_variable_that_names_the_protocols_is_their_only_column() {
    let overrides = Overrides { seeds: Some("1".to_owned()), ..Overrides::default() };
    for name in ["wifi-5g-starlink", "arq-tunnel", "train", "both-ways-lossy", "roaming"] {
        let read = open(&format!("showcase/{name}"), &overrides);
        let outcome = outcome_of(read.unwrap_or_else(|errors| panic!("{name}: {errors}")));
        let titles = results(&outcome).columns.into_iter().map(|c| c.title);
        let naming: Vec<String> = titles.filter(|title| title.starts_with("protocol")).collect();
        assert_eq!(naming, ["protocol"], "{name}");
    }
    // No variable names the cross traffic's protocol, so there is a column for it, with a name of
    // its own.
    let columns = results(&roles()).columns;
    let naming = columns.iter().filter(|c| c.key.starts_with("protocol"));
    let naming: Vec<&str> = naming.map(|c| c.key.as_str()).collect();
    assert_eq!(naming, ["protocol", "protocol_of_the_flow"]);
}

/// The first sentence of each built-in scenario's page, on an engine whose numbers follow from
/// names.
#[test]
fn headlines_of_the_built_in_scenarios() {
    let overrides = Overrides { seeds: Some("5".to_owned()), ..Overrides::default() };
    let mut all = String::new();
    let mut wrong = Vec::new();
    for scenario in builtin() {
        let read = open(scenario.name, &overrides);
        let outcome =
            outcome_of(read.unwrap_or_else(|errors| panic!("{}: {errors}", scenario.name)));
        let Some(text) = headline(&outcome) else {
            wrong.push(format!("{} has no headline", scenario.name));
            continue;
        };
        let titles: Vec<String> = results(&outcome).columns.into_iter().map(|c| c.title).collect();
        for (i, title) in titles.iter().enumerate() {
            if titles[..i].contains(title) {
                wrong.push(format!("{} has two columns `{title}`", scenario.name));
            }
        }
        all.push_str(&format!("{}\n  {text}\n", scenario.name));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    insta::assert_snapshot!("headlines", all);
}

/// The handling of a new path is a design, whatever the variable is called.
#[test]
fn what_is_done_with_a_new_path_is_compared() {
    use atl_engine::protocol::NewPath;
    let mut builder = Builder::new(5, &["new-path"]);
    for (name, how, mean) in [("keep", NewPath::Keep, 1.0), ("reset", NewPath::Reset, 2.0)] {
        let goodputs = around(mean);
        builder = builder
            .point(&[("new-path", name)], &[("flow", "newreno")], |seed| run(&[goodputs[seed]]))
            .setup(|setup| setup.flows[0].protocol.new_path = how);
    }
    let text = said(&builder.done());
    assert!(text.contains("reset"), "{text}");
}

/// A sender that needs two radios competes with others that have one: the radios belong to the
/// designs, and all share the conditions. One sender with two numbers of radios makes two
/// contenders.
#[test]
fn how_a_mobile_changes_cells_belongs_to_the_design() {
    use atl_core::time::Span;
    use atl_engine::setup::{FlowMobile, Handoff, MobileSetup, Rules};
    let outcome = |cases: &[(&str, &str, f64)]| {
        let mut builder = Builder::new(5, &["protocol", "rate", "radios"]);
        for (rate, factor) in [("1", 1.0), ("2", 2.0)] {
            for (name, radios, mean) in cases {
                let goodputs = around(mean * factor);
                let vars = [("protocol", *name), ("rate", rate), ("radios", *radios)];
                let gap = (*radios == "one radio").then_some(Span::ZERO);
                let handoff =
                    Handoff { rules: Rules { gap, ..Rules::default() }, ..Handoff::default() };
                builder = builder
                    .point(&vars, &[("flow", name)], |seed| run(&[goodputs[seed]]))
                    .setup(|setup| {
                        setup.flows[0].mobile =
                            Some(FlowMobile { mobile: 0, sends: false, card: None });
                        let name = "phone".to_owned();
                        setup.mobiles = vec![MobileSetup {
                            name,
                            cells: Vec::new(),
                            steps: Vec::new(),
                            handoff,
                            card: None,
                        }];
                    });
            }
        }
        builder.done()
    };
    let follows = outcome(&[("newreno", "one radio", 1.0), ("sack", "two radios", 3.0)]);
    let text = said(&follows);
    assert!(text.starts_with("SACK has the highest goodput"), "{text}");
    assert!(text.contains("2 conditions") && !text.contains("Not ranked"), "{text}");
    let both = outcome(&[
        ("newreno", "one radio", 1.0),
        ("newreno", "two radios", 2.0),
        ("sack", "two radios", 3.0),
    ]);
    let ranked = ranking(&both).expect("a ranking");
    let names: Vec<&str> = ranked.places.iter().map(|place| place.name.as_str()).collect();
    assert_eq!(names, ["SACK, two radios", "NEWRENO, two radios", "NEWRENO, one radio"]);
    assert!(ranked.left_out.is_empty() && ranked.conditions == 2);
    // If only mobiles change, the flows at their ends are compared.
    let alone = outcome(&[("newreno", "one radio", 1.0), ("newreno", "two radios", 2.0)]);
    let text = said(&alone);
    assert!(text.starts_with("two radios has the highest goodput"), "{text}");
}
