//! Writes the seeds in `fuzz/corpus/`: valid PDUs, files and event sequences from which a fuzzer
//! starts. `cargo run -p atl-fuzz --example seeds`

use std::fs;
use std::path::PathBuf;

use atl_aal::aalt::control::{BitMap, Control};
use atl_aal::aalt::{Connection, SequenceNumber, Tag, cp_arq, cpcs};
use atl_aal::cell::{Cell, Header, PayloadType};
use atl_aal::sar::segment;
use atl_core::path::{LinkReport, PathId, PathSignal};
use atl_core::time::Span;
use atl_core::units::Probability;
use atl_endpoint::handoff::{HandoffReport, Notice};
use atl_engine::result::{EngineId, FlowResult, RunResult};
use atl_engine::store::Results;
use atl_experiment::shard::{Changes, Header as PartHeader, Shard};
use atl_fuzz::corpus_folder;
use atl_fuzz::swarm::{draw, text};
use atl_wire::encode;
use atl_wire::rtcp::{Packet, encode as encode_rtcp};
use atl_wire::{PeerInfo, PeerLinkReport};

fn write(target: &str, name: &str, data: &[u8]) {
    let folder = corpus_folder(target);
    fs::create_dir_all(&folder).expect("a folder for seeds");
    fs::write(folder.join(name), data).expect("a seed");
}

fn line(cells: impl IntoIterator<Item = Cell>) -> Vec<u8> {
    cells.into_iter().flat_map(|cell| *cell.octets()).collect()
}

fn atm() {
    let mut pdu = Vec::new();
    for length in [1, 40, 41, 1000] {
        let sdu: Vec<u8> = (0..length).map(|i| (i * 7) as u8).collect();
        atl_aal::aal5::encode(&sdu, 3, &mut pdu).expect("short");
        write("aal5", &format!("sdu-{length}"), &pdu);
        let cells: Vec<Cell> = segment(1, 77, &pdu).expect("whole cells").collect();
        write("cells", &format!("pdu-{length}"), &line(cells.iter().copied()));
        let mut wrong = cells;
        wrong[0].flip(17);
        wrong.push(Cell::idle());
        wrong.push(Cell::new(Header::user(1, 77, true), &[0; 48]));
        write("cells", &format!("damaged-{length}"), &line(wrong));
        let (connection, tag) = (Connection(0x0201), Tag(3));
        let whole = cpcs::encode(tag, &sdu).expect("short");
        let front = [1, 2, 3];
        write("aalt_pdus", &format!("cpcs-{length}"), &[&front[..], &whole].concat());
        cp_arq::encode(SequenceNumber(9), &whole, connection, &mut pdu);
        write("aalt_pdus", &format!("cp-arq-{length}"), &[&front[..], &pdu].concat());
    }
    for (name, octets, bits) in [("none", &[][..], 0), ("some", &[0b0110_1000, 0b1000_0000][..], 9)]
    {
        let bitmap = BitMap::new(octets, bits).expect("a map");
        let status = Control { tag: Tag(3), msn: SequenceNumber(65_000), bitmap };
        status.encode(Connection(0x0201), &mut pdu);
        write("aalt_pdus", &format!("control-{name}"), &[&[1, 2, 3][..], &pdu].concat());
    }
}

/// Cells for the switch from all three connections: intact, damaged before and after the switch, of
/// other connections, and marked.
fn switched() {
    let [data, control, other] = atl_fuzz::SWITCHED_LABELS;
    let connection = atl_fuzz::SWITCHED_CONNECTION;
    let (mut pdu, mut cells) = (Vec::new(), Vec::new());
    let whole = cpcs::encode(Tag(0), &[0x42; 130]).expect("short");
    cp_arq::encode(SequenceNumber(0), &whole, connection, &mut pdu);
    cells.extend(segment(data.0, data.1, &pdu).expect("whole cells"));
    cp_arq::encode(SequenceNumber(3), b"behind a gap", connection, &mut pdu);
    cells.extend(segment(data.0, data.1, &pdu).expect("whole cells"));
    let bitmap = BitMap::new(&[0b0110_0000], 3).expect("a map");
    Control { tag: Tag(0), msn: SequenceNumber(1), bitmap }.encode(connection, &mut pdu);
    cells.extend(segment(control.0, control.1, &pdu).expect("whole cells"));
    atl_aal::aal5::encode(&[7; 60], 0, &mut pdu).expect("short");
    cells.extend(segment(other.0, other.1, &pdu).expect("whole cells"));
    let octets = |cells: &[Cell], behind: &dyn Fn(usize) -> u8| -> Vec<u8> {
        let with = |(i, cell): (usize, &Cell)| [&[behind(i)][..], cell.octets()].concat();
        cells.iter().enumerate().flat_map(with).collect()
    };
    write("switch", "clean", &octets(&cells, &|_| 0));
    write("switch", "damaged-behind", &octets(&cells, &|i| (i * 40 % 256) as u8));
    let mut wrong = cells.clone();
    wrong.iter_mut().step_by(2).for_each(|cell| cell.flip(12));
    wrong[3].flip(20);
    wrong.push(Cell::idle());
    let mut marked = Header::user(data.0, data.1, true);
    marked.payload_type = PayloadType::User { congested: true, aau: true };
    marked.low_priority = true;
    wrong.push(Cell::new(marked, &[0; 48]));
    marked.payload_type = PayloadType::OamEndToEnd;
    wrong.push(Cell::new(marked, &[1; 48]));
    write("switch", "damaged-before", &octets(&wrong, &|_| 0));
    // A cell of another connection inside a PDU.
    cells.swap(1, 5);
    cells[1] = cells[1].relabelled(Header::user(data.0, data.1, false));
    write("switch", "misinserted", &octets(&cells, &|_| 0));
}

fn estimated() {
    let mut data: Vec<u8> = (0..60).flat_map(|i| [i % 2, i, 0]).collect();
    write("estimates", "outcomes", &data);
    let pdu: Vec<u8> = (0..48).collect();
    // A damaged PDU, then the correct one with the number that the damaged one has.
    let mut wrong = pdu.clone();
    wrong[20] ^= 0x11;
    let of_48_octets = 24 << 3 | 2;
    data = [&[of_48_octets][..], &wrong, &[of_48_octets | 4], &pdu, &[1, 0]].concat();
    write("estimates", "comparison", &data);
    let ratios = [0.0, 1e-300, 1e-9, 1e-5, 0.3, 1.0, f64::NAN, -1.0];
    data = ratios.iter().flat_map(|x: &f64| [&[3][..], &x.to_le_bytes()].concat()).collect();
    write("estimates", "ratios", &data);
}

fn events() {
    let submit = [0, 200, 0, 7];
    let quiet = [15; 60];
    write("s_arq", "clean", &[&submit[..], &submit, &quiet].concat());
    write("s_arq", "losses", &[&submit[..], &[15, 2, 15, 3, 2, 15, 15], &quiet].concat());
    write("s_arq", "damage", &[&submit[..], &[4, 9, 0, 1, 15, 5, 3, 0, 128], &quiet].concat());
    write("s_arq", "order", &[&submit[..], &submit, &[8, 6, 9, 7, 15, 15], &quiet].concat());
    let strange: Vec<u8> = (0..48).collect();
    write("s_arq", "strange", &[&submit[..], &[10], &strange, &[11], &strange, &quiet].concat());
    for controller in 0..12 {
        let mut data = vec![controller];
        for seq in 0..40_u16 {
            data.extend([0x14, 0, 100, 0, 1, 0]);
            data.push(6);
            data.extend(seq.to_le_bytes());
            data.extend((u32::from(seq) * 65_000).to_le_bytes());
            data.extend(if seq % 9 == 0 { [0; 4] } else { [0xff; 4] });
            data.push(14);
        }
        data.extend([12, 5, 1, 2, 0, 0, 13, 16, 39, 0, 0, 160, 134, 1, 0]);
        data.extend([9; 70]);
        write("paced", &format!("controller-{controller}"), &data);
    }
}

fn texts() {
    let top = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../..");
    for name in ["atl/fig02", "atl/table2", "showcase/roaming", "showcase/train", "atl/liar"] {
        let text = fs::read(top.join(format!("scenarios/{name}.toml"))).expect("a scenario");
        write("scenario", &name.replace('/', "-"), &text);
    }
    write("scenario", "wrong", b"title = 3\n[[link]]\nrate = \"fast\"\n[[flow]]\nfrom = \"$x\"\n");
    write("traces", "rate", b"0\n1\n1\n3\n10\n");
    write("traces", "delay", b"12.5\n13\n\n11\n");
    write("traces", "wrong", b"5\n4\nx\n-1\n99999999999999999999\n");
}

/// A recording of each format behind two bytes, its place in `recording::FORMATS` and the choices;
/// and two whose format is to be recognised.
fn recordings() {
    let wetlinks = "timestamp_start,timestamp_end,download,upload,ping_avg\n\
                    2023-09-14 15:12:22,2023-09-14 15:12:23,200000000,10000000,50\n\
                    2023-09-14 15:12:23,2023-09-14 15:12:24,100000000,20000000,60\n";
    let pantheon = "# init timestamp: 0\n1 # 1504\n1 + 1504\n3 - 1504 2\n4 # 1504\n";
    let seeds: [(&str, u8, u8, &str); 10] = [
        ("leoreplayer", 0, 0, "1\n2\n2\n4\n"),
        ("leoreplayer-delay", 0, 1, "25.5\n26\n40\n"),
        ("mahimahi", 1, 0, "0\n5\n5\n9\n"),
        ("pantheon", 2, 0, pantheon),
        ("pantheon-delay", 2, 2, pantheon),
        ("picoquic", 3, 4, "link_scenario: 500000:U0.01:D0.05:L20000;100000:L20000\n"),
        ("wetlinks", 4, 0, wetlinks),
        ("csv", 5, 0b0001_1000, "t,mbps,ms\n0,18.5,62\n0.5,,58\n1,9.7,85\n"),
        ("found", 6, 0, wetlinks),
        ("none", 6, 0, "root:x:0:0\n\n1,2,3\n"),
    ];
    for (name, format, choices, text) in seeds {
        write("recordings", name, &[&[format, choices], text.as_bytes()].concat());
    }
}

/// Receivers' reports: an empty one, one with each part alone, one with all parts.
fn reports() {
    let link = LinkReport { loss: Probability::clamped(0.01), delay: Span::from_millis(50) };
    let link_report = Some(PeerLinkReport { epoch: 3, link });
    let seeds = [
        ("nothing", PeerInfo::NONE),
        ("link", PeerInfo { link_report, ..PeerInfo::NONE }),
        ("rate", PeerInfo { rate: Some(120.5), ..PeerInfo::NONE }),
        ("closed", PeerInfo { window_open: Some(false), ..PeerInfo::NONE }),
        ("all", PeerInfo { link_report, rate: Some(1e6), window_open: Some(true) }),
    ];
    for (name, info) in seeds {
        write("wire", name, encode(&info).as_ref());
    }
}

/// A notification, a report, a BYE with a reason, and a compound packet of them.
fn rtcp() {
    let notice = Notice { sequence: 7, signal: PathSignal::Imminent(PathId::new(1)), tag: 9 };
    let report = HandoffReport {
        path: PathId::new(1),
        probe: 1,
        highest: 1249,
        received: 126,
        bytes: 63_000,
        span: Span::from_millis(500),
        window: Span::from_millis(500),
        ..HandoffReport::default()
    };
    let notice = encode_rtcp(&Packet::Notice { ssrc: 1, notice });
    let report = encode_rtcp(&Packet::Report { ssrc: 1, stream: 2, report });
    let bye = [0x81, 203, 0, 3, 0, 0, 0, 9, 4, b'm', b'o', b'v', b'e', 0, 0, 0];
    write("rtcp", "notification", notice.as_ref());
    write("rtcp", "report", report.as_ref());
    write("rtcp", "bye", &bye);
    write("rtcp", "compound", &[notice.as_ref(), report.as_ref(), &bye].concat());
}

/// Handoffs of each kind: announced, validated on a guess, done, gone.
fn handoffs() {
    let wait = |ms: u16| [&[0][..], &ms.to_le_bytes()].concat();
    for (name, how) in [("keep", 0), ("reset", 1), ("probe", 2), ("validated", 6)] {
        let mut data = vec![1, how];
        data.extend(wait(1000));
        // Notices on path 1: number 1, imminent; later number 2, done; number 3, path 0 is gone.
        for (code, kind) in [(0x16, 1 << 2), (0x16, 2 << 2 | 1), (0x06, 3 << 2 | 2)] {
            data.extend([code, kind]);
            data.extend([0; 8]);
            data.extend(64_u16.to_le_bytes());
            data.extend(wait(700));
            // A packet on each path, and an ACK.
            data.extend([0x0c, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
            data.extend([0x1c, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
            data.extend([0x1e, 1, 0, 0, 0x80, 0x1e, 9, 0, 0, 0x80]);
            data.push(15);
        }
        data.extend(wait(3000));
        write("paced_handoff", name, &data);
    }
}

/// A transfer of one file, the answers that it may get, and a link report.
fn transfers() {
    use atl_transfer::ticket::{Fingerprint, Ticket};
    use atl_transfer::wire::{
        Hello, Limits, Message, Modified, Offer, Pieces, Reason, Welcome, encode,
    };

    let hello = Hello { session: [1; 16], secret: [2; 16], features: 1, bytes: 70_000 };
    let path = vec![b"a".to_vec(), b"b.txt".to_vec()];
    let offer =
        Offer { size: 70_000, mode: 0o755, modified: Modified::default(), path: path.clone() };
    let pieces = Pieces::new(65_537, 16, vec![[3; 32]; 2]).expect("two pieces");
    let sender = [
        Message::Hello(hello),
        Message::Offer(offer),
        Message::From(65_536),
        Message::Digest([4; 32]),
        Message::Folder { path },
        Message::Load { bytes: Some(9) },
        Message::Bye,
    ];
    let text = "no room".to_owned();
    let receiver = [
        Message::Welcome(Welcome { instance: 5, features: 1, limits: Limits::NONE }),
        Message::Have(pieces),
        Message::Progress(6),
        Message::Refused { reason: Reason::Storage, text },
        Message::Done,
        Message::Loaded { bytes: 9, nanos: 10 },
    ];
    write("transfer", "sender", &sender.iter().flat_map(encode).collect::<Vec<u8>>());
    write("transfer", "receiver", &receiver.iter().flat_map(encode).collect::<Vec<u8>>());
    let addresses = vec![([192, 0, 2, 1], 5000).into(), ([0; 16], 1).into()];
    let ticket = Ticket { addresses, fingerprint: Fingerprint([7; 32]), secret: [8; 16] };
    write("transfer", "ticket", ticket.to_string().as_bytes());
    let link = LinkReport { loss: Probability::clamped(0.01), delay: Span::from_millis(50) };
    let info = PeerInfo { link_report: Some(PeerLinkReport { epoch: 3, link }), ..PeerInfo::NONE };
    let message = atl_wire::encode(&info);
    write("transfer", "report", &[&[1, 0, 0, 0, 9][..], message.as_ref()].concat());
}

fn parts() {
    let run = RunResult { flows: vec![FlowResult::default()], ..RunResult::default() };
    let header = PartHeader {
        version: "0.1.0".to_owned(),
        build: "0123456789abcdef".to_owned(),
        spec: "s.toml".to_owned(),
        changes: Changes::default(),
        command: "atl run s.toml".to_owned(),
        scenario: "s".to_owned(),
        hash: "00ff".to_owned(),
        runs: 2,
        engines: vec![EngineId { name: "sim".to_owned(), version: "0.1.0".to_owned() }],
        shard: Shard::new(1, 1).expect("the whole"),
    };
    let results = Results::from(vec![vec![run.clone()], vec![run]]);
    let mut part = Vec::new();
    atl_experiment::shard::write(&mut part, &header, &[results]).expect("a short header");
    write("shard_file", "part", &part);
    // The target puts the first line and the checksum around this one.
    let first_line = part.iter().position(|byte| *byte == b'\n').expect("a line") + 1;
    write("shard_file", "content", &part[first_line..part.len() - 32]);
    write("shard_file", "later", b"atl-shard 9\nof a later version");
}

/// Options of a command, one in each line: of every kind, right and wrong.
fn overrides() {
    let seeds = [
        ("variables", "queue=400\nloss=0.01,0.02\nfirst=2s"),
        ("paths", "network.wifi.rate=2Mb/s\nlink.air.queue=64kB\nlink.0.roam.0.at=3s"),
        ("protocols", "protocol=tcp-atl,cubic\nflow.upload.tcp.initial-window=4"),
        ("table", "protocol={ name = \"reno\", recovery = \"sack\" }\nflow.upload.count=2"),
        ("alternatives", "network.3g.delay-trace=none.txt\nnetwork.3g.delay=60ms"),
        ("run", "--seeds 3,5\n--duration 1.5min\n--quick"),
        ("quote", "quote.carries.value.at-least=2Mb/s\nrecord.every=1s"),
        ("wrong", "quue=1\nlink.air.queue.x=3\nfirst=soon\n--duration 0s\nnetwork.lte.rate=1Mb/s"),
        ("values", "queue=[1, 2]\nloss=1%\nseeds=4294967296\nduration=\"20s\""),
    ];
    for (name, text) in seeds {
        write("overrides", name, text.as_bytes());
    }
}

/// A quantity of each unit.
fn quantities() {
    let seeds = [
        "12.5 ms",
        "1e-3s",
        "2min",
        "0.25h",
        "18446744073709551615ns",
        "2Mb/s",
        "16MB/s",
        "250kbps",
        "64kB",
        "1.5MiB",
        "1e15B",
        "10Hz",
        "1.5 kHz",
        "-3dB",
        "730mAh",
        "2.5mAmin",
        "-1.2km",
        "50km/h",
        "1%",
        "0.000000001s",
        "1e",
        "+5ms",
        "5 parsecs",
        "",
    ];
    for (at, text) in seeds.into_iter().enumerate() {
        write("units", &format!("{at:02}"), text.as_bytes());
    }
}

/// Lives of TCP senders: each recovery, with losses, a handshake, other paths, pauses, and answers
/// that no receiver gives.
fn lives() {
    // An ACK of the next three for the newest transmission; one with a block behind a hole.
    let (next, hole) = ([2, 24, 0, 0, 0], [2, 0, 0, 1, 0, 2, 9]);
    let wait = |ms: u8| [ms << 4];
    for how in 0..11 {
        let mut data = vec![0, how, 0];
        for turn in 0..12 {
            data.extend(wait(14));
            data.extend(if turn % 3 == 2 { hole.to_vec() } else { next.to_vec() });
            data.extend(hole);
        }
        data.extend([1, 0, 0, 0, 0xff]);
        data.extend([next, next, next].concat());
        write("acks", &format!("recovery-{how}"), &data);
    }
    let connect = [&[15][..], &[0; 8]].concat();
    let answers = [next.to_vec(), hole.to_vec(), hole.to_vec(), wait(9).to_vec()].concat();
    for law in 0..40 {
        let data = [&[law, 3, 1][..], &connect, &answers, &answers, &answers].concat();
        write("acks", &format!("law-{law}"), &data);
    }
    let frozen = [12, 12 | 32, 12 | 16, 12 | 48];
    let told = [&[10 | 16][..], &[0; 8], &[0, 225, 245, 5, 0, 0, 0, 0], &[1, 0, 0, 0]].concat();
    let wild = [7, 0x80, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 9, 0, 0, 0, 0xff, 0xff, 0xff, 0xff];
    let mixed = [&[2, 2, 0][..], &answers, &frozen, &answers, &told, &wild, &answers];
    write("acks", "told", &mixed.concat());
    let moves = [14 | 16, 0, 14 | 16, 1, 14, 2];
    for roams in 0..4 {
        let how = 2 | (roams << 1 | 1) << 4;
        let moved = [&[0, how, 0][..], &answers, &moves, &answers, &[9, 0, 0, 0, 0], &answers];
        write("acks", &format!("roams-{roams}"), &moved.concat());
    }
    let announced = [&[0, 3, 32][..], &answers, &[13 | 16, 9, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0]];
    write("acks", "announced", &[&announced.concat()[..], &answers, &answers].concat());
}

/// Paths with claims for each window controller: honest, of everything, and of handoffs.
fn claimed() {
    for law in 0..40 {
        let mut data = vec![law];
        for turn in 0..24_u8 {
            data.extend([0x50, 0, 80, 0x52, 0, 80, 0x32, 0, 90]);
            if turn % 4 == 3 {
                data.extend([0x46, 0, 80, 0x0d, 0, 80, 0x1d, 0, 80]);
            }
            match turn % 6 {
                1 => data.extend([8, 0, 60, 3]),
                2 => data.extend([0x48, 0, 0, 255]),
                4 => data.extend([11, 0, 60, 10, 0, 200, 0]),
                _ => data.extend([14, 0, 200]),
            }
        }
        write("claims", &format!("law-{law}"), &data);
    }
}

/// Measurements: of five seeds and more, plain ones, ones with gaps, and ones that are no numbers.
fn measured() {
    let numbers = 9 * 6 * 2 * 12;
    let spread = |at: usize| 30 + (at * 37 % 90) as u8;
    let plain: Vec<u8> = (0..numbers).map(spread).collect();
    let gaps: Vec<u8> = (0..numbers).map(|at| if at % 7 == 0 { 0 } else { spread(at) }).collect();
    let strange: Vec<u8> = (0..numbers)
        .map(|at| if at % 50 == 0 { 1 + (at % 16) as u8 } else { spread(at) })
        .collect();
    for (name, seeds, runs) in [
        ("plain", 8, &plain),
        ("gaps", 8, &gaps),
        ("strange", 5, &strange),
        ("few", 2, &plain),
        ("none", 6, &Vec::new()),
        ("same", 7, &vec![99; numbers]),
    ] {
        write("verdicts", name, &[&[seeds][..], runs].concat());
    }
}

/// Scenario files to run: small cases of the swarm.
fn runnable() {
    for seed in 0..60 {
        write("accepted", &format!("swarm-{seed}"), text(&draw(seed)).as_bytes());
    }
}

/// Messages after the greeting: a file, one in two connections, one that exists already, and some
/// at the wrong time.
fn receptions() {
    use atl_transfer::wire::{Message, Modified, Offer, encode};

    let path = vec![b"album".to_vec(), b"photo.raw".to_vec()];
    let offer = |size| {
        let path = path.clone();
        encode(&Message::Offer(Offer { size, mode: 0o640, modified: Modified::default(), path }))
    };
    let from = |at| encode(&Message::From(at));
    let bytes = |content: &[u8]| {
        let load = Message::Load { bytes: Some(content.len() as u64) };
        [&encode(&load)[..], content].concat()
    };
    let right = encode(&Message::Digest([0xff; 32]));
    let wrong = encode(&Message::Digest([3; 32]));
    let bye = encode(&Message::Bye);
    let make = encode(&Message::Folder { path: vec![b"album".to_vec(), b"empty".to_vec()] });
    let whole = [offer(6), from(0), bytes(b"abc"), bytes(b"def"), right.clone()].concat();
    let cut = [offer(6), from(0), bytes(b"abc"), bye.clone()].concat();
    let rest = [offer(6), from(3), bytes(b"def"), right.clone()].concat();
    let again = [offer(6), from(6), right.clone()].concat();
    let longer = [offer(9), from(0), bytes(b"abcdefghi"), right.clone()].concat();
    let up = encode(&Message::Folder { path: vec![b"..".to_vec()] });
    for (name, options, messages) in [
        ("whole", 0, vec![&whole, &again]),
        ("resumed", 0, vec![&cut, &rest]),
        ("replaced", 1, vec![&whole, &longer, &cut, &whole]),
        ("kept", 0, vec![&whole, &longer]),
        ("wrong", 0, vec![&cut, &wrong, &right, &rest, &up, &make]),
        ("folders", 1, vec![&make, &whole, &make, &bye]),
    ] {
        let all: Vec<u8> = messages.into_iter().flatten().copied().collect();
        write("reception", name, &[&[options][..], &all].concat());
    }
}

fn main() {
    overrides();
    quantities();
    lives();
    claimed();
    measured();
    runnable();
    receptions();
    parts();
    atm();
    reports();
    rtcp();
    handoffs();
    switched();
    estimated();
    events();
    texts();
    recordings();
    transfers();
}
