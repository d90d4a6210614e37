//! Recorded links of others as traces of ours. The files are made up; their forms are those of the
//! sources that each format names.

mod csv;
mod leoreplayer;
mod mahimahi;
mod pantheon;
mod picoquic;
mod wetlinks;

use atl_experiment::recording::{
    Choice, FORMATS, Imported, Of, Request, Wanted, format_named, import,
};
use atl_link::trace::{DelayTrace, RateTrace};
use proptest::prelude::*;

/// A request for a file with this name, whose format is not named.
fn named(name: &str) -> Request {
    Request { wanted: Wanted { name: name.to_owned(), ..Wanted::default() }, ..Request::default() }
}

/// A request for delays.
fn delays() -> Request {
    Request { wanted: Wanted { delay: true, ..Wanted::default() }, ..Request::default() }
}

/// A request for these columns.
fn columns(columns: &[&str]) -> Request {
    let columns = columns.iter().map(|column| column.parse().expect("a column")).collect();
    Request { wanted: Wanted { columns, ..Wanted::default() }, ..Request::default() }
}

fn made(text: &str, request: &Request) -> Imported {
    import(text.as_bytes(), request).unwrap_or_else(|problem| panic!("{problem} in {text}"))
}

fn refused(text: &str, request: &Request) -> String {
    import(text.as_bytes(), request).expect_err(text).to_string()
}

/// The numbers of a trace.
fn numbers(made: &Imported) -> Vec<&str> {
    made.text.lines().collect()
}

#[test]
fn every_format_is_found_by_its_name_and_only_by_that() {
    for format in FORMATS {
        assert_eq!(format_named(format.name()).map(|found| found.name()), Some(format.name()));
        assert!(format.about().len() < 84, "{}: lists have no room", format.name());
    }
    assert!(format_named("netem").is_none());
}

#[test]
fn a_choice_that_means_nothing_is_refused() {
    let request =
        Request { wanted: Wanted { up: true, ..Wanted::default() }, ..Request::default() };
    let told = refused("1\n2\n", &request);
    assert_eq!(
        told,
        "--direction means nothing for the format mahimahi; it is for picoquic, wetlinks"
    );
    for (choice, option) in [(Choice::Gap, "--gap"), (Choice::Columns, "--column")] {
        assert!(!format_named("wetlinks").expect("known").choices().contains(&choice));
        let mut request = columns(&["rate=x"]);
        request.wanted.gap = (choice == Choice::Gap).then_some(1);
        request.wanted.columns.retain(|_| choice == Choice::Columns);
        request.format = format_named("wetlinks");
        assert!(refused("x", &request).starts_with(option));
    }
}

#[test]
fn what_is_no_text_is_refused_with_what_to_do() {
    let told = |bytes: &[u8]| import(bytes, &named("x")).expect_err("no text").to_string();
    assert_eq!(told(b"\x1f\x8b\x08\0"), "it is compressed: unpack it first, with gunzip");
    assert_eq!(
        told(b"1\n2\xff\n"),
        "line 2: it is not text in UTF-8; iconv converts other encodings"
    );
    assert_eq!(told(b""), "it is empty");
    assert_eq!(told(b"\xef\xbb\xbf\n \n"), "it is empty");
    let unknown = told(b"hello\n");
    let prose = "main_cc_algo: bbr\nmain_start_time: 0\n";
    assert_eq!(told(prose.as_bytes()), unknown);
    assert_eq!(told(b"Words, and more of them,\nand again, and so on,\n"), unknown);
    assert!(unknown.contains("--from") && unknown.contains("picoquic, wetlinks, csv"), "{unknown}");
}

#[test]
fn a_part_is_cut_out_and_its_numbers_are_those_of_the_part() {
    let second = 1_000_000_000;
    let request =
        |begin, duration| Request { begin, duration, ..columns(&["time=t:s", "rate=r:Mb/s"]) };
    let text = "t,r\n0,12\n1,24\n2,0\n3,12\n";
    let all = made(text, &request(0, None));
    let Of::Rate { opportunities, mean_bps, bounds_bps, pause } = all.summary.of else {
        panic!("rates")
    };
    assert_eq!((opportunities, mean_bps, pause), (4000, 12e6, second + 1_000_000));
    assert_eq!((bounds_bps, all.summary.nanos), ([0.0, 24e6], 4 * second));
    let part = made(text, &request(second, Some(2 * second)));
    assert_eq!(part.summary.nanos, 2 * second);
    // One more than 2000, since the part ends in silence, and its end must be told.
    assert_eq!((numbers(&part).len(), numbers(&part)[0]), (2001, "1"));
    assert_eq!(numbers(&part)[2000], "2000");
    let told = refused(text, &request(5 * second, None));
    assert!(told.contains("begins after 5 s, and the recording lasts 4 s"), "{told}");
}

/// A small file of each format, with a request that it fulfils.
fn samples() -> Vec<(&'static str, &'static str, Request)> {
    let sample = |format, text, request: Request| {
        (format, text, Request { format: format_named(format), ..request })
    };
    vec![
        sample("mahimahi", mahimahi::TRACE, Request::default()),
        sample("mahimahi", mahimahi::LOG, Request::default()),
        sample("leoreplayer", leoreplayer::RATES, named("bw_1.txt")),
        sample("leoreplayer", leoreplayer::DELAYS, delays()),
        sample("pantheon", pantheon::EMULATED, Request::default()),
        sample("pantheon", pantheon::REAL, delays()),
        sample("picoquic", picoquic::SPEC, Request::default()),
        sample("picoquic", picoquic::SPEC, delays()),
        sample("wetlinks", wetlinks::SECONDS, Request::default()),
        sample("wetlinks", wetlinks::PINGS, delays()),
        sample("csv", csv::RATES, columns(&["time=t_s", "rate=capacity_mbps"])),
        sample("csv", csv::PINGS, columns(&["time=timestamp:s", "rtt=rtt:ms"])),
    ]
}

#[test]
fn every_sample_gives_the_same_trace_each_time_and_links_take_it() {
    let samples = samples();
    for format in FORMATS {
        assert!(samples.iter().any(|(name, ..)| *name == format.name()), "{}", format.name());
    }
    for (format, text, request) in samples {
        let once = made(text, &request);
        assert_eq!(once, made(text, &request), "{format}");
        assert_eq!(once.format, format);
        match once.key {
            "trace" => {
                let trace = RateTrace::parse(&once.text).expect("a trace");
                assert_eq!(trace.duration().nanos(), once.summary.nanos, "{format}");
            }
            key => {
                assert_eq!(key, "delay-trace");
                let trace = DelayTrace::parse(&once.text).expect("a trace");
                assert_eq!(trace.duration().nanos(), once.summary.nanos, "{format}");
            }
        }
    }
}

/// The text with a part of it exchanged for another.
fn changed(text: &str, at: usize, length: usize, by: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let at = at % (chars.len() + 1);
    let end = (at + length).min(chars.len());
    chars[..at].iter().chain(by.chars().collect::<Vec<_>>().iter()).chain(&chars[end..]).collect()
}

proptest! {
    // Each of the twelve samples some fifty times.
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    /// Whatever a file holds, a format gives a trace that links take, or says what is wrong.
    #[test]
    fn no_text_makes_a_format_panic(
        which in 0_usize..12,
        edits in proptest::collection::vec(
            (
                any::<usize>(),
                0_usize..30,
                prop_oneof![
                    "\\PC{0,8}",
                    "[-+0-9.eE:,;#\"\n ]{0,24}",
                    Just("18446744073709551615".to_owned()),
                    Just("-9223372036854775808".to_owned()),
                ],
            ),
            0..4,
        ),
        begin in 0_u64..3_000_000_000,
        duration in proptest::option::of(1_u64..3_000_000_000),
        gap in proptest::option::of(1_u64..100_000_000),
    ) {
        let (_, text, mut request) = samples().swap_remove(which);
        let text = edits.iter().fold(text.to_owned(), |text, (at, length, by)| {
            changed(&text, *at, *length, by)
        });
        (request.begin, request.duration) = (begin % 20_000_000, duration);
        if request.format.is_some_and(|format| format.choices().contains(&Choice::Gap)) {
            request.wanted.gap = gap;
        }
        match import(text.as_bytes(), &request) {
            Ok(made) if made.key == "trace" => prop_assert!(RateTrace::parse(&made.text).is_ok()),
            Ok(made) => prop_assert!(DelayTrace::parse(&made.text).is_ok()),
            Err(problem) => prop_assert!(!problem.message.is_empty()),
        }
    }

    #[test]
    fn no_text_at_all_makes_any_format_panic(text in "\\PC{0,60}", which in 0..FORMATS.len()) {
        let _ = import(text.as_bytes(), &Request { format: Some(FORMATS[which]), ..delays() });
        let _ = import(text.as_bytes(), &named("delay_1.txt"));
    }
}
