//! Networks with a queue of their own.

use atl_engine::setup::LinkSetup;
use atl_link::{Config, QueueConfig};
use atl_scenario::scenario::Scenario;

use super::roams::{WRONG, bytes, packets, queues};
use super::{file, read};

/// Two with a queue, of which one has another on the way back, and one without.
const NETWORKS: &str = r#"
[network.seven]
rate = "8Mb/s"
queue = 7
[network.ways]
rate = "8Mb/s"
queue = "200ms"
reverse = { rate = "4Mb/s", queue = 3 }
[network.plain]
rate = "8Mb/s"
"#;

/// A file with these keys of its link, its network among them.
fn text(link: &str) -> String {
    file(NETWORKS, link, "protocol = \"sack\"").replace("network = \"wlan\"\n", "")
}

fn scenario(text: &str) -> Scenario {
    read(text, &[]).unwrap_or_else(|errors| panic!("{errors}"))
}

fn links(link: &str) -> Vec<LinkSetup> {
    scenario(&text(link)).points[0].setup.links.clone()
}

/// The queue in each phase of one way.
fn all(config: &Config) -> Vec<QueueConfig> {
    let mut all = vec![config.queue.clone()];
    for change in &config.schedule {
        let own = change.to.queue.as_ref().map(|buffer| buffer.queue.clone());
        all.push(own.unwrap_or_else(|| all[all.len() - 1].clone()));
    }
    all
}

/// Those of both ways of a link with these keys.
fn both(link: &str) -> [Vec<QueueConfig>; 2] {
    let links = links(link);
    [all(&links[0].config), all(&links[1].config)]
}

/// The same packets both ways.
fn same(of: &[u32]) -> [Vec<QueueConfig>; 2] {
    let way: Vec<QueueConfig> = of.iter().copied().map(packets).collect();
    [way.clone(), way]
}

#[test]
fn a_link_has_the_queue_of_its_network_unless_it_states_one() {
    assert_eq!(both("network = \"seven\""), same(&[7]));
    assert_eq!(both("network = \"plain\""), same(&[50]));
    assert_eq!(both("network = \"seven\"\nqueue = 12"), same(&[12]));
    assert_eq!(both("network = \"plain\"\nqueue = 12"), same(&[12]));
    // The usual length, stated, is the link's own.
    assert_eq!(both("network = \"seven\"\nqueue = 50"), same(&[50]));
    // At the link's rate, if that replaces the network's.
    assert_eq!(both("network = \"ways\"")[0], [bytes(200_000)]);
    assert_eq!(both("network = \"ways\"\nrate = \"2Mb/s\"")[0], [bytes(50_000)]);
}

#[test]
fn a_roam_brings_the_queue_of_its_network_unless_it_states_one() {
    let roam =
        |link: &str, keys: &str| both(&format!("{link}\nroam = [{{ at = \"9s\", {keys} }}]"));
    let link = "network = \"plain\"\nqueue = 12";
    assert_eq!(roam(link, "network = \"seven\""), same(&[12, 7]));
    assert_eq!(roam(link, "network = \"seven\", queue = 9"), same(&[12, 9]));
    assert_eq!(roam("network = \"plain\"", "network = \"seven\""), same(&[50, 7]));
    assert_eq!(roam("network = \"seven\"", "network = \"ways\"")[0], [packets(7), bytes(200_000)]);
    // A change within the network leaves its queue, in bytes.
    let within = "delay = \"9ms\", rate = \"1Mb/s\"";
    assert_eq!(roam("network = \"seven\"", within), same(&[7, 7]));
    assert_eq!(roam("network = \"ways\"", within)[0], [bytes(200_000), bytes(200_000)]);
    assert_eq!(roam("network = \"seven\"", "delay = \"9ms\", queue = 9"), same(&[7, 9]));
}

#[test]
fn networks_without_a_queue_have_that_which_was_stated_last() {
    let journey = |link: &str, of: &[&str]| {
        let change = |(i, keys): (usize, &&str)| format!("{{ at = \"{}s\", {keys} }}", 9 * (i + 1));
        let roam: Vec<String> = of.iter().enumerate().map(change).collect();
        both(&format!("{link}\nroam = [{}]", roam.join(", ")))
    };
    let (seven, plain) = ("network = \"seven\"", "network = \"plain\"");
    assert_eq!(journey(seven, &[plain, seven]), same(&[7, 50, 7]));
    assert_eq!(journey("network = \"plain\"\nqueue = 12", &[seven, plain]), same(&[12, 7, 12]));
    // The link's goes before that of the network only where it starts.
    assert_eq!(journey("network = \"seven\"\nqueue = 12", &[plain, seven]), same(&[12, 12, 7]));
    let stated = "network = \"plain\", queue = 9";
    assert_eq!(journey(seven, &[stated, seven, plain]), same(&[7, 9, 7, 9]));
    // A time is one at the rate of the start, as on a link without networks.
    let found =
        journey("network = \"plain\"\nrate = \"2Mb/s\"\nqueue = \"200ms\"", &[seven, plain]);
    assert_eq!(found[0], [bytes(50_000), packets(7), bytes(50_000)]);
}

#[test]
fn a_change_at_the_start_brings_the_queue_of_its_network() {
    let start =
        |link: &str, keys: &str| both(&format!("{link}\nroam = [{{ at = \"0s\", {keys} }}]"));
    assert_eq!(start("queue = 12", "network = \"seven\""), same(&[7]));
    assert_eq!(start("queue = 12", "network = \"plain\""), same(&[12]));
    assert_eq!(start("", "network = \"seven\", queue = 9"), same(&[9]));
    // Conditions alone change what the link starts with.
    assert_eq!(start("network = \"seven\"", "delay = \"9ms\""), same(&[7]));
    assert_eq!(start("network = \"seven\"\nqueue = 12", "delay = \"9ms\""), same(&[12]));
}

#[test]
fn networks_that_take_turns_have_their_queues_each_time() {
    let turns = |link: &str, networks: &str| {
        both(&format!("{link}\nroam = {{ every = \"20s\", networks = [{networks}] }}"))
    };
    assert_eq!(turns("queue = 12", "\"seven\", \"plain\""), same(&[7, 12, 7, 12]));
    assert_eq!(turns("", "\"plain\", \"seven\""), same(&[50, 7, 50, 7]));
    let [there, back] = turns("", "\"seven\", \"ways\"");
    assert_eq!(there, [packets(7), bytes(200_000), packets(7), bytes(200_000)]);
    assert_eq!(back, [packets(7), packets(3), packets(7), packets(3)]);
}

#[test]
fn a_queue_of_a_networks_reverse_direction_is_that_of_the_way_back() {
    // As its other keys, it stands against those of both ways.
    assert_eq!(both("network = \"ways\"")[1], [packets(3)]);
    assert_eq!(both("network = \"ways\"\nqueue = 12"), [[packets(12)], [packets(3)]]);
    let roam = "network = \"plain\"\nroam = [{ at = \"9s\", network = \"ways\", queue = 9 }]";
    assert_eq!(both(roam), [[packets(50), packets(9)], [packets(50), packets(3)]]);
    let within = "network = \"ways\"\nroam = [{ at = \"9s\", delay = \"9ms\", queue = 9 }]";
    assert_eq!(both(within), [[bytes(200_000), packets(9)], [packets(3), packets(3)]]);
    // It stays in bytes, whatever the change does to the rate.
    let time = text("network = \"ways\"\nroam = [{ at = \"9s\", rate = \"1Mb/s\", queue = 9 }]")
        .replace("rate = \"4Mb/s\", queue = 3", "queue = \"100ms\"");
    assert_eq!(queues(&scenario(&time).points[0].setup.links[1]), (bytes(100_000), vec![None]));
    // That of the link's own `reverse` stays in every network.
    let own = "network = \"ways\"\nreverse = { queue = 5 }\nroam = [{ at = \"9s\", network = \"seven\" }]";
    assert_eq!(both(own), [[bytes(200_000), packets(7)], [packets(5), packets(5)]]);
    // Without it, a time is one at the rate of the way back.
    let time = text("network = \"ways\"").replace(", queue = 3", "");
    assert_eq!(all(&scenario(&time).points[0].setup.links[1].config), [bytes(100_000)]);
}

#[test]
fn a_mark_and_a_discipline_go_with_the_network() {
    let text = text("network = \"seven\"\nroam = [{ at = \"9s\", network = \"plain\" }]");
    let codel = text.replace("queue = 7", "queue = \"codel\"");
    let config = &scenario(&codel).points[0].setup.links[0].config;
    assert!(matches!(all(config)[..], [QueueConfig::Custom { .. }, QueueConfig::DropTail { .. }]));
    let marked = text.replace("queue = 7", "queue = { packets = 7, mark = 2 }");
    let config = &scenario(&marked).points[0].setup.links[0].config;
    let later = config.schedule[0].to.queue.as_ref().map(|buffer| buffer.mark_at);
    assert_eq!((config.mark_at, later), (Some(2), Some(None)));
}

#[test]
fn a_change_that_leaves_the_queue_as_it_is_brings_none() {
    let roam =
        "roam = [{ at = \"9s\", network = \"seven\" }, { at = \"19s\", network = \"plain\" }]";
    let links = links(&format!("network = \"plain\"\nqueue = 7\n{roam}"));
    assert_eq!(queues(&links[0]), (packets(7), vec![None, None]));
}

#[test]
fn a_cell_has_the_queue_of_its_network_unless_it_states_one() {
    let cell = |queue: &str| {
        let text = format!(
            "title = \"t\"\nduration = \"60s\"\n{NETWORKS}[[link]]\nname = \"core\"\nfrom = \"server\"\n\
             to = \"edge\"\nrate = \"9Mb/s\"\n[[cell]]\nname = \"wlan\"\nat = [0, 0]\nradius = \"500m\"\n\
             behind = \"edge\"\nnetwork = \"ways\"\n{queue}\n[[flow]]\nname = \"down\"\nfrom = \"server\"\n\
             to = \"wlan\"\nprotocol = \"sack\"\n"
        );
        let links = scenario(&text).points[0].setup.links.clone();
        let of = |name: &str| {
            let link = links.iter().find(|link| link.name == name).expect("a link");
            link.config.queue.clone()
        };
        [of("wlan"), of("wlan.back")]
    };
    assert_eq!(cell(""), [bytes(200_000), packets(3)]);
    assert_eq!(cell("queue = 12"), [packets(12), packets(3)]);
    assert_eq!(cell("reverse = { queue = 5 }"), [bytes(200_000), packets(5)]);
}

#[test]
fn a_links_queue_that_its_networks_replace_is_told() {
    let told = |link: &str| -> Vec<String> {
        let all = scenario(&text(link)).warnings.reports().into_iter().map(|told| told.message);
        all.filter(|message| message.contains("link.air.queue")).collect()
    };
    let replaced =
        "`link.air.queue` has no effect: the networks of `roam` bring others from the start on";
    let turns = |networks: &str, link: &str| {
        told(&format!("queue = 12\n{link}\nroam = {{ every = \"9s\", networks = [{networks}] }}"))
    };
    let none: [String; 0] = [];
    assert_eq!(turns("\"seven\", \"ways\"", ""), [replaced]);
    assert_eq!(turns("\"seven\", \"plain\"", ""), none);
    let start = "queue = 12\nroam = [{ at = \"0s\", network = \"seven\" }, { at = \"9s\"";
    assert_eq!(told(&format!("{start}, network = \"ways\" }}]")), [replaced]);
    assert_eq!(told(&format!("{start}, network = \"plain\", queue = 9 }}]")), [replaced]);
    assert_eq!(told(&format!("{start}, network = \"plain\" }}]")), none);
    assert_eq!(told("network = \"seven\"\nqueue = 12"), none);
}

#[test]
fn a_networks_queue_that_cannot_be_is_refused_with_its_place_and_what_is_allowed() {
    for (queue, allowed) in WRONG {
        for (key, from, to) in [
            ("network.seven.queue", "queue = 7", format!("queue = {queue}")),
            ("network.ways.reverse.queue", "queue = 3", format!("queue = {queue}")),
        ] {
            // Networks that no link uses are judged too.
            let text = text("network = \"plain\"").replace(from, &to);
            let place = 1 + text.lines().position(|line| line.contains(&to)).expect("a line");
            let told = read(&text, &[]).map(|_| ()).expect_err(queue).to_string();
            assert!(told.contains(&format!("test.toml:{place}:")), "{queue}: {told}");
            assert!(told.contains(&format!("`{key}")), "{queue}: {told}");
            assert!(told.contains(allowed), "{queue}: {told}");
        }
    }
    let twice = text("network = \"seven\"").replace("queue = 7", "queue = \"$long\"");
    let swept = twice.replace("[[link]]", "[sweep]\nlong = [5, \"100ms\"]\n[[link]]");
    let points = scenario(&swept).points;
    let found = points.iter().map(|point| point.setup.links[0].config.queue.clone());
    assert_eq!(found.collect::<Vec<_>>(), [packets(5), bytes(100_000)]);
}

/// `--set` reaches it, and a mistake there is told as any other.
#[test]
fn the_command_line_reaches_a_networks_queue() {
    let text = text("network = \"seven\"");
    let set = |value: &str| read(&text, &[("network.seven.queue", value)]);
    let found = set("9").unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(found.points[0].setup.links[0].config.queue, packets(9));
    let told = set("0").map(|_| ()).expect_err("an error").to_string();
    assert!(told.contains("`network.seven.queue` cannot be 0"), "{told}");
}
