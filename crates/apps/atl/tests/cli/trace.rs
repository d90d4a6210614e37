//! `atl trace import`.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use crate::json::holds;
use crate::{atl, command, err, fine, json, names, out, refused};

const PAGE: &str = include_str!("../../../../../docs/traces.md");

/// The content of the page's first block in a language.
fn block(language: &str) -> &'static str {
    let opening = format!("```{language}\n");
    let begin = PAGE.find(&opening).unwrap_or_else(|| panic!("no block of {language}"));
    let rest = &PAGE[begin + opening.len()..];
    &rest[..rest.find("```").expect("an end")]
}

fn with(file: &str, text: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    fs::write(dir.path().join(file), text).expect("writable");
    dir
}

#[test]
fn the_example_of_the_page_runs() {
    let dir = with("drive.csv", block("csv"));
    let mut told = Vec::new();
    for line in block("console").lines() {
        let (words, file) = line.split_once(" > ").map_or((line, None), |(w, f)| (w, Some(f)));
        let words: Vec<&str> = words.split(' ').skip(1).collect();
        let output = atl(dir.path(), &words);
        assert_eq!(output.status.code(), Some(0), "{line}: {}", err(&output));
        if let Some(file) = file {
            // The built-in trace of the scenario is not beside a copy of it.
            fs::write(dir.path().join(file), out(&output)).expect("writable");
        }
        told.push(err(&output));
    }
    let shown: Vec<&str> = block("text").split_whitespace().collect();
    assert_eq!(told[0].split_whitespace().collect::<Vec<_>>(), shown);
    let scenario = format!(
        "title = \"A drive\"\nduration = \"10s\"\nseeds = 1\n{}{}",
        block("toml"),
        "[[link]]\nname = \"air\"\nfrom = \"server\"\nto = \"phone\"\nnetwork = \"drive\"\n\
         trace-offset = \"0s\"\n[[flow]]\nname = \"down\"\nfrom = \"server\"\nto = \"phone\"\n\
         protocol = \"cubic\"\n"
    );
    fs::write(dir.path().join("drive.toml"), scenario).expect("writable");
    let document = json(dir.path(), &["run", "drive.toml", "--json"]);
    let goodput = document["points"][0]["total"]["goodput_bps"]["mean"].as_f64().expect("measured");
    // Less than the 13.35 Mb/s of the recording, with its silence of two seconds.
    assert!((4e6..13.35e6).contains(&goodput), "{goodput}");
}

#[test]
fn the_page_names_every_format() {
    for format in atl_experiment::recording::FORMATS {
        assert!(PAGE.contains(&format!("| `{}` |", format.name())), "{}", format.name());
    }
}

#[test]
fn a_trace_goes_to_standard_output_and_what_was_read_to_standard_error() {
    let dir = with("link.trace", "1\n2\n2\n4\n");
    let output = atl(dir.path(), &["trace", "import", "link.trace", "--begin", "1ms"]);
    assert_eq!((output.status.code(), out(&output).as_str()), (Some(0), "1\n1\n3\n"));
    let told = err(&output);
    assert!(told.contains("link.trace, as mahimahi") && !told.contains("Use "), "{told}");
    assert!(told.contains("0.003 s, 3 opportunities of 1500 bytes: 12.00 Mb/s"), "{told}");
    assert_eq!(fine(dir.path(), &["trace", "import", "link.trace", "-q"]), "1\n2\n2\n4\n");
}

#[test]
fn what_was_read_is_a_document_too() {
    let dir = with("drive.csv", block("csv"));
    let import = |columns: [&str; 2], file: &str| {
        let columns = columns.map(|column| format!("--column={column}"));
        let args = ["trace", "import", "drive.csv", &columns[0], &columns[1], "--out", file];
        let document = json(dir.path(), &[&args[..], &["--json", "--quiet"]].concat());
        holds(&document, "atl-trace/1");
        document
    };
    let rate = import(["time=t_s", "rate=capacity_mbps"], "drive.down");
    assert_eq!((&rate["read_as"], &rate["key"]), (&"csv".into(), &"trace".into()));
    assert_eq!((&rate["out"], &rate["opportunities"]), (&"drive.down".into(), &11125.into()));
    assert_eq!((&rate["duration_s"], &rate["longest_gap_s"]), (&10.0.into(), &2.002.into()));
    assert_eq!((&rate["least_bps"], &rate["most_bps"]), (&0.0.into(), &24e6.into()));
    assert_eq!(rate["blank_rows"], 0, "{rate}");
    assert!(rate.get("mean_s").is_none() && rate["pauses"]["count"] == 0, "{rate}");
    // The delays are halves of the table's: 62, 58, 85, (85, 85,) 140, 75, 60, 55, 57 ms.
    let delay = import(["time=t_s", "rtt=rtt_ms"], "drive.delay");
    assert_eq!((&delay["key"], &delay["most_s"]), (&"delay-trace".into(), &0.07.into()));
    assert_eq!((&delay["least_s"], delay.get("mean_bps")), (&0.0275.into(), None));
    assert_eq!(delay["blank_rows"], 2, "{delay}");
    let args = ["trace", "import", "drive.csv", "--column=time=t_s", "--json"];
    assert!(refused(dir.path(), &args, 2).contains("--out <FILE>"), "the document has its place");
    assert_eq!(names(dir.path()), ["drive.csv", "drive.delay", "drive.down"]);
}

#[test]
fn a_recording_may_come_from_standard_input() {
    let mut child = command(Path::new("."), &["trace", "import", "-", "--quiet"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("piped");
    input.write_all(b"link_scenario: 2000:D0.012:L1000\n").expect("it reads");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), out(&output).as_str()), (Some(0), "1\n2\n"));
}

#[test]
fn a_mistake_names_file_line_and_value_and_leaves_what_is_there() {
    let dir = with("drive.csv", "t_s,rate_mbps\n0,12\n1,fast\n");
    fs::write(dir.path().join("drive.down"), "7\n").expect("writable");
    let arguments = ["--column", "time=t_s", "--column", "rate=rate_mbps", "--out", "drive.down"];
    let arguments = [&["trace", "import", "drive.csv"][..], &arguments].concat();
    assert_eq!(
        refused(dir.path(), &arguments, 2),
        "error: drive.csv: line 3: `fast` in column rate_mbps is not a rate, 0 or more, or empty\n"
    );
    assert_eq!(fs::read_to_string(dir.path().join("drive.down")).ok().as_deref(), Some("7\n"));
    assert_eq!(names(dir.path()), ["drive.csv", "drive.down"]);
}

#[test]
fn no_file_is_written_over() {
    let dir = with("a.down", "1\n2\n");
    fs::write(dir.path().join("my.down"), "notes\n").expect("writable");
    let told = refused(dir.path(), &["trace", "import", "a.down", "--out", "my.down"], 2);
    let says = "--out my.down: the file exists; remove it first, or choose another name";
    assert!(told.contains(says), "{told}");
    assert_eq!(fs::read_to_string(dir.path().join("my.down")).ok().as_deref(), Some("notes\n"));
    let told = refused(dir.path(), &["trace", "import", "a.down", "--out", "./a.down"], 2);
    assert!(told.contains("the recording itself"), "{told}");
    let told = refused(dir.path(), &["trace", "import", "none.down"], 1);
    assert!(told.contains("cannot read none.down"), "{told}");
    let told = refused(dir.path(), &["trace", "import", "a.down", "--from", "netem"], 2);
    assert!(told.contains("mahimahi") && told.contains("csv"), "{told}");
    let told = refused(dir.path(), &["trace", "import", "a.down", "--column", "speed=x"], 2);
    assert!(told.contains("ROLE=NAME"), "{told}");
}

/// Real files, where they lie beside the workspace.
#[test]
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn real_recordings_are_read() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/traces");
    for (file, format, key) in [
        ("verizon-lte-short.down", "mahimahi", "trace"),
        ("starlink.down", "mahimahi", "trace"),
        ("starlink.delay", "leoreplayer", "delay-trace"),
    ] {
        let path = shared.join(file);
        let Ok(whole) = fs::read_to_string(&path) else {
            eprintln!("skipped: {} is missing", path.display());
            continue;
        };
        let dir = tempfile::tempdir().expect("a directory");
        let path = path.display().to_string();
        let output = atl(dir.path(), &["trace", "import", &path, "--out", "it"]);
        // Where a line is wrapped depends on how long the checkout's own path is.
        let told = err(&output).split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(output.status.code(), Some(0), "{told}");
        assert!(told.contains(&format!("as {format}")), "{told}");
        assert!(told.contains(&format!("{key} = \"it\"")), "{told}");
        assert_eq!(fs::read_to_string(dir.path().join("it")).ok(), Some(whole), "{file}");
    }
}
