//! Queue disciplines with options of their own.

use std::fs;
use std::io;
use std::path::Path;

use atl_core::time::Span;
use atl_link::{CoDel, FqCoDel, Limit, QueueConfig};
use atl_scenario::{Overrides, json_schema, parse};

/// The queue that this table gives to a link, or what is wrong with it.
fn read(queue: &str) -> Result<QueueConfig, String> {
    let text = format!(
        "title = \"t\"\nduration = \"60s\"\n[[link]]\nname = \"air\"\nfrom = \"a\"\nto = \"b\"\n\
         rate = \"2Mb/s\"\nqueue = {{ {queue} }}\n[[flow]]\nname = \"up\"\nfrom = \"a\"\n\
         to = \"b\"\nprotocol = \"sack\"\n"
    );
    let missing = |_: &Path| Err(io::Error::from(io::ErrorKind::NotFound));
    match parse("test", &text, Path::new("test.toml"), &missing, &Overrides::default()) {
        Ok(scenario) => Ok(scenario.points[0].setup.links[0].config.queue.clone()),
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
        ("discipline = { name = \"fq-codel\", flows = 70000 }", "`flows` must be from 1 to 65536"),
        ("discipline = \"codel\", min = 5", "drops early"),
    ] {
        let errors = read(queue).expect_err(queue);
        assert!(errors.contains(message), "{queue}: {errors}");
    }
}

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
        if name != "codel" && !options.contains_key("mtu") {
            continue;
        }
        tables += 1;
        assert!(page.contains(&format!("| `\"{name}\"` |")), "{name}");
        for option in options.keys() {
            assert!(page.contains(&format!("`{option}`")), "{name}: {option}");
        }
    }
    assert!(tables > 1, "{tables}");
}
