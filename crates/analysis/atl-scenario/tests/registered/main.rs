//! A queue discipline and an application that the program registered. That happens once in a
//! process, before anything is read, hence a binary of its own.

use std::path::Path;

use atl_core::time::{Span, Time};
use atl_endpoint::app::{Actions, Application, BuildApplication};
use atl_engine::setup::Source;
use atl_link::random::Stream;
use atl_link::{BuildDiscipline, DropTail, Limit, QueueConfig, QueueDiscipline, Queued};
use atl_scenario::application::{self, ListedApplication};
use atl_scenario::queue::{ListedDiscipline, register};
use atl_scenario::scenario::Scenario;
use atl_scenario::{Overrides, RegisterError, json_schema, no_files, parse};

/// DropTail with options that have no effect.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Config {
    #[serde(deserialize_with = "atl_scenario::units::time_option")]
    target: Span,
    share: f64,
}

impl Default for Config {
    fn default() -> Self {
        Config { target: Span::from_millis(5), share: 0.5 }
    }
}

impl BuildDiscipline for Config {
    fn check(&self) -> Result<(), &'static str> {
        if self.share <= 1.0 { Ok(()) } else { Err("share must be at most 1") }
    }

    fn build(&self, limit: Limit, _stream: Stream) -> Box<dyn QueueDiscipline + Send> {
        Box::new(Plain(DropTail::new(limit)))
    }
}

struct Plain(DropTail);

impl QueueDiscipline for Plain {
    fn enqueue(&mut self, _now: Time, packet: Queued, dropped: &mut Vec<Queued>) {
        dropped.extend(self.0.push(packet).err());
    }

    fn dequeue(&mut self, _now: Time, _dropped: &mut Vec<Queued>) -> Option<Queued> {
        self.0.pop()
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn bytes(&self) -> u64 {
        self.0.bytes()
    }
}

const PLAIN: ListedDiscipline = ListedDiscipline::new::<Config>("plain");

/// An application that sends back what it gets.
#[derive(Clone, Debug, Default, PartialEq, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Echo {
    first: u64,
}

struct End(u64);

impl Application for End {
    fn on_start(&mut self, _now: Time, actions: &mut Actions) {
        actions.write(self.0);
    }

    fn on_delivered(&mut self, _now: Time, bytes: u64, actions: &mut Actions) {
        actions.write(bytes);
    }
}

impl BuildApplication for Echo {
    fn client(&self, _stream: Stream) -> Box<dyn Application + Send> {
        Box::new(End(self.first))
    }

    fn server(&self, _stream: Stream) -> Box<dyn Application + Send> {
        Box::new(End(0))
    }
}

const ECHO: ListedApplication = ListedApplication::new::<Echo>("echo");

/// The queue that this table gives to a link, or what is wrong with it.
fn read(queue: &str) -> Result<QueueConfig, String> {
    let scenario = scenario(queue, "\"greedy\"")?;
    Ok(scenario.points[0].setup.links[0].config.queue.clone())
}

fn scenario(queue: &str, source: &str) -> Result<Scenario, String> {
    register(&[PLAIN]).expect("nothing was read before");
    application::register(&[ECHO]).expect("nothing was read before");
    let text = format!(
        "title = \"t\"\nduration = \"60s\"\n[[link]]\nname = \"air\"\nfrom = \"a\"\nto = \"b\"\n\
         rate = \"2Mb/s\"\nqueue = {{ {queue} }}\n[[flow]]\nname = \"up\"\nfrom = \"a\"\n\
         to = \"b\"\nprotocol = \"sack\"\nsource = {source}\n"
    );
    parse("test", &text, Path::new("test.toml"), &no_files, &Overrides::default())
        .map_err(|errors| errors.to_string())
}

#[test]
fn a_scenario_names_it_with_and_without_options() {
    let plain = |config: Config, limit| QueueConfig::Custom { limit, discipline: config.into() };
    let usual = Config::default();
    let target = Span::from_millis(20);
    for (queue, expected) in [
        ("packets = 7, discipline = \"plain\"", plain(usual.clone(), Limit::Packets(7))),
        ("bytes = \"9kB\", discipline = \"plain\"", plain(usual.clone(), Limit::Bytes(9000))),
        (
            "packets = 7, discipline = { name = \"plain\", target = \"20ms\" }",
            plain(Config { target, ..usual }, Limit::Packets(7)),
        ),
        (
            "packets = 7, discipline = { name = \"drop-tail\" }",
            QueueConfig::DropTail { packets: 7 },
        ),
    ] {
        assert_eq!(read(queue), Ok(expected), "{queue}");
    }
}

#[test]
fn a_flow_names_an_application_with_and_without_options() {
    let source = |source: &str| {
        let scenario = scenario("packets = 7", &format!("{{ application = {source} }}"));
        scenario.map(|scenario| scenario.points[0].setup.flows[0].source.clone())
    };
    let echo = |first| Ok(Source::Application(Echo { first }.into()));
    assert_eq!(source("\"echo\""), echo(0));
    assert_eq!(source("{ name = \"echo\", first = 9 }"), echo(9));
    let errors = source("{ name = \"echo\", frist = 9 }").expect_err("misspelt");
    assert!(errors.contains("did you mean `first`"), "{errors}");
    let taken = ListedApplication::new::<Echo>("request-response");
    let (entry, name) = ("application", "request-response");
    assert_eq!(application::register(&[taken]), Err(RegisterError::Taken { entry, name }));
}

#[test]
fn wrong_options_are_reported_at_their_places() {
    for (queue, message) in [
        ("packets = 7, discipline = \"plane\"", "did you mean `plain`"),
        ("discipline = \"plain\"", "has no length"),
        ("packets = 7, discipline = { target = \"5ms\" }", "`name` is missing"),
        ("packets = 7, discipline = { name = \"plain\", tarjet = 5 }", "did you mean `target`"),
        (
            "packets = 7, discipline = { name = \"plain\", target = \"5\" }",
            "`link.air.queue.discipline.target` cannot be",
        ),
        ("packets = 7, discipline = { name = \"plain\", share = 2 }", "share must be at most 1"),
        ("packets = 7, min = 3, discipline = \"plain\"", "drops early"),
        ("packets = 7, min = 3, discipline = { name = \"plain\" }", "drops early"),
        ("packets = 7, low = { min = 3 }, discipline = \"plain\"", "two precedences"),
        ("packets = 7, discipline = { name = \"red\", gentle = true }", "keys of the queue"),
    ] {
        let errors = read(queue).expect_err(queue);
        assert!(errors.contains(message), "{queue}: {errors}");
    }
}

#[test]
fn the_schema_has_its_options() {
    read("packets = 7").expect("it is registered");
    let schema = json_schema();
    for part in ["\"plain\"", "\"target\"", "\"share\"", "\"echo\"", "\"first\""] {
        assert!(schema.contains(part), "{part}");
    }
}

#[test]
fn a_name_is_taken_once() {
    let entry = "queue discipline";
    for name in ["red", "drop-tail"] {
        let taken = register(&[ListedDiscipline::new::<Config>(name)]);
        assert_eq!(taken, Err(RegisterError::Taken { entry, name }));
    }
    read("packets = 7").expect("it is registered");
    let late = register(&[PLAIN, ListedDiscipline::new::<Config>("later")]);
    assert_eq!(late, Err(RegisterError::InUse { entry }));
}
