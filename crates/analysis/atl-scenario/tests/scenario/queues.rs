//! Queue disciplines with options of their own.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use atl_core::time::Span;
use atl_core::units::Rate;
use atl_link::{Cake, CoDel, Config, DualPi2, FqCoDel, Limit, Pie, Policer, QueueConfig, Shaper};
use atl_scenario::{Overrides, json_schema, no_files, parse};

/// The queue that this table gives to a link, or what is wrong with it.
fn read(queue: &str) -> Result<QueueConfig, String> {
    link(&format!("queue = {{ {queue} }}")).map(|config| config.queue.clone())
}

fn link(keys: &str) -> Result<Arc<Config>, String> {
    let text = format!(
        "title = \"t\"\nduration = \"60s\"\n[[link]]\nname = \"air\"\nfrom = \"a\"\nto = \"b\"\n\
         rate = \"2Mb/s\"\n{keys}\n[[flow]]\nname = \"up\"\nfrom = \"a\"\n\
         to = \"b\"\nprotocol = \"sack\"\n"
    );
    match parse("test", &text, Path::new("test.toml"), &no_files, &Overrides::default()) {
        Ok(scenario) => Ok(Arc::clone(&scenario.points[0].setup.links[0].config)),
        Err(errors) => Err(errors.to_string()),
    }
}

#[test]
fn options_have_units_and_defaults() {
    let packets = Limit::Packets;
    let codel = CoDel::default();
    let fq = FqCoDel::default();
    let ms = Span::from_millis;
    for (queue, limit, discipline) in [
        ("discipline = \"codel\"", packets(1000), codel.into()),
        ("discipline = { name = \"codel\" }, bytes = \"9kB\"", Limit::Bytes(9000), codel.into()),
        (
            "packets = 9, discipline = { name = \"codel\", target = \"10ms\", interval = \"200ms\", ecn = false, mtu = 600 }",
            packets(9),
            CoDel { target: ms(10), interval: ms(200), ecn: false, mtu: 600 }.into(),
        ),
        ("discipline = \"fq-codel\"", packets(10_240), fq.into()),
        (
            "discipline = { name = \"fq-codel\", quantum = 300, flows = 8, drop-batch = 1, memory-limit = \"4MB\" }",
            packets(10_240),
            FqCoDel { quantum: 300, flows: 8, drop_batch: 1, memory_limit: Some(4_000_000), ..fq }
                .into(),
        ),
        ("discipline = \"cake\"", packets(10_240), Cake::default().into()),
        (
            "discipline = { name = \"cake\", target = \"2ms\", interval = \"40ms\", rate = \"20Mb/s\", flows = 64 }",
            packets(10_240),
            Cake { target: ms(2), interval: ms(40), rate: Some(Rate::from_mbps(20.0)), flows: 64 }
                .into(),
        ),
        ("discipline = \"pie\"", packets(1000), Pie::default().into()),
        (
            "discipline = { name = \"pie\", target = \"20ms\", update = \"30ms\", max-burst = \"0s\", alpha = 1, beta = 2.5, ecn = false, mark-up-to = 0.2, mean-packet = 500 }",
            packets(1000),
            Pie {
                target: ms(20),
                update: ms(30),
                max_burst: ms(0),
                alpha: 1.0,
                beta: 2.5,
                ecn: false,
                mark_up_to: 0.2,
                mean_packet: 500,
            }
            .into(),
        ),
        ("discipline = \"dualpi2\"", packets(10_000), DualPi2::default().into()),
        (
            "packets = 99, discipline = { name = \"dualpi2\", step = \"2ms\", step-packets = 1, coupling = 1.5, protection = 0.2, drop-on-overload = false }",
            packets(99),
            DualPi2 {
                step: ms(2),
                step_packets: 1,
                coupling: 1.5,
                protection: 0.2,
                drop_on_overload: false,
                ..DualPi2::default()
            }
            .into(),
        ),
        (
            "discipline = { name = \"policer\", rate = \"1Mb/s\", burst = \"20kB\" }",
            packets(50),
            Policer { rate: Rate::from_mbps(1.0), burst: 20_000 }.into(),
        ),
    ] {
        assert_eq!(read(queue), Ok(QueueConfig::Custom { limit, discipline }), "{queue}");
    }
}

#[test]
fn mistakes_are_reported_at_their_places() {
    for (queue, message) in [
        ("discipline = \"red\"", "has no length"),
        ("discipline = \"code\"", "did you mean `codel`"),
        ("discipline = { name = \"codel\", tarjet = \"5ms\" }", "did you mean `target`"),
        (
            "discipline = { name = \"codel\", target = 5 }",
            "`link.air.queue.discipline.target` cannot be",
        ),
        ("discipline = { name = \"codel\", target = \"0s\" }", "`target` must be above 0"),
        ("discipline = { name = \"codel\", interval = \"1ms\" }", "longer than `target`"),
        (
            "discipline = { name = \"cake\", flows = 20 }",
            "`flows` must be from 1 to 65536, above 8 a multiple of 8",
        ),
        ("discipline = { name = \"cake\", rate = \"0Mb/s\" }", "it must be at least 1b/s"),
        ("discipline = { name = \"fq-codel\", flows = 70000 }", "`flows` must be from 1 to 65536"),
        ("discipline = \"codel\", min = 5", "drops early"),
        ("discipline = { name = \"pie\", mark-up-to = 2 }", "`mark-up-to` must be from 0 to 1"),
        ("discipline = { name = \"dualpi2\", coupling = 0 }", "`coupling` must be from 1 to 255"),
        ("discipline = \"policer\"", "lacks an option"),
        ("discipline = { name = \"policer\", burst = \"9kB\" }", "`rate` must be given"),
        (
            "discipline = { name = \"policer\", rate = \"1Mb/s\", burst = \"9B\" }",
            "at least 40 bytes",
        ),
    ] {
        let errors = read(queue).expect_err(queue);
        assert!(errors.contains(message), "{queue}: {errors}");
    }
}

#[test]
fn a_shaper_has_a_rate_and_a_burst() {
    let config = link("shaper = { rate = \"1Mb/s\", burst = \"30kB\" }").expect("it is right");
    assert_eq!(config.shaper, Some(Shaper { rate: Rate::from_mbps(1.0), burst: 30_000 }));
    assert_eq!(link("").expect("it is right").shaper, None);
    let errors = link("shaper = { rate = \"1Mb/s\" }").expect_err("no burst");
    assert!(errors.contains("`burst` is missing"), "{errors}");
}

/// Those with options of their own. Protocols have tables of the same form.
const OURS: [&str; 6] = ["codel", "fq-codel", "cake", "pie", "dualpi2", "policer"];

/// Every discipline that the schema knows stands in `docs/queues.md`, with all of its options.
#[test]
fn the_page_of_queues_is_complete() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/queues.md");
    let page = fs::read_to_string(page).expect("docs/queues.md");
    let schema: serde_json::Value = serde_json::from_str(&json_schema()).expect("JSON");
    let mut tables = 0;
    let mut open = vec![&schema];
    while let Some(value) = open.pop() {
        open.extend(value.as_object().into_iter().flat_map(|object| object.values()));
        open.extend(value.as_array().into_iter().flatten());
        let Some(name) = value["if"]["properties"]["name"]["const"].as_str() else { continue };
        let options = value["then"]["properties"].as_object().expect("options");
        if options.is_empty() || !OURS.contains(&name) {
            continue;
        }
        tables += 1;
        assert!(page.contains(&format!("| `\"{name}\"` |")), "{name}");
        for option in options.keys() {
            assert!(page.contains(&format!("`{option}`")), "{name}: {option}");
        }
    }
    assert_eq!(tables, OURS.len());
}
