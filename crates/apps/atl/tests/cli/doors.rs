//! Doors for those who test other programs: named networks, and the action of GitHub.
#![cfg(unix)]

use std::fs;
use std::net::UdpSocket;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::link::received;
use crate::{atl, command, err, out};

/// The step of the action, as GitHub runs it.
#[test]
fn the_action_starts_a_link_for_the_rest_of_a_job() {
    let dir = tempfile::tempdir().expect("a folder");
    let server = UdpSocket::bind("127.0.0.1:0").expect("loopback");
    server.set_read_timeout(Some(Duration::from_secs(20))).expect("set");
    let outputs = dir.path().join("outputs");
    let step = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../.github/actions/link/start");
    let start = |words: &str| {
        Command::new("sh")
            .arg(&step)
            .current_dir(dir.path())
            .env("ATL", env!("CARGO_BIN_EXE_atl"))
            .env("WORDS", words)
            .env("TO", server.local_addr().expect("bound").to_string())
            .env("LISTEN", "127.0.0.1:0")
            .env("GITHUB_OUTPUT", &outputs)
            .env("TMPDIR", dir.path())
            .output()
            .expect("a shell")
    };
    let begun = start("wifi --loss 0 --delay 30ms");
    assert!(begun.status.success(), "{}", err(&begun));
    let text = fs::read_to_string(&outputs).expect("outputs");
    let output = |key: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
        line.unwrap_or_else(|| panic!("{key} in {text}")).to_owned()
    };
    let client = UdpSocket::bind("127.0.0.1:0").expect("loopback");
    let began = Instant::now();
    client.send_to(b"question", output("address")).expect("sent");
    let length = received(&server, &mut [0; 100]).expect("over the link");
    assert!(length == 8 && began.elapsed() >= Duration::from_millis(25));
    let ended = Command::new("kill").args(["-INT", &output("pid")]).status();
    assert!(ended.is_ok_and(|status| status.success()));
    let log = output("log");
    let summary = || fs::read_to_string(&log).unwrap_or_default().contains("\"type\":\"summary\"");
    while !summary() {
        assert!(began.elapsed() < Duration::from_secs(20), "no summary in {log}");
        std::thread::sleep(Duration::from_millis(20));
    }
    let wrong = start("no-such-network");
    assert!(!wrong.status.success() && err(&wrong).contains("no-such-network"), "{}", err(&wrong));
}

/// A network is a link that options change, and a scenario is not.
#[test]
fn a_network_is_one_link() {
    let dir = tempfile::tempdir().expect("a folder");
    let fixed = ["--listen", "127.0.0.1:0", "--to", "127.0.0.1:9", "--duration", "100ms", "--json"];
    let link = |words: &[&str]| atl(dir.path(), &[&["link"][..], words, &fixed].concat());
    for network in ["wifi", "lte", "starlink", "leo", "5g"] {
        let output = link(&[network, "--loss", "2%"]);
        assert_eq!(output.status.code(), Some(0), "{network}: {}", err(&output));
        assert!(out(&output).contains("\"up\":[\"link\"]"), "{}", out(&output));
    }
    let saved = link(&["wifi", "--loss", "2%", "--save", "mine.toml"]);
    assert_eq!(saved.status.code(), Some(0), "{}", err(&saved));
    let text = fs::read_to_string(dir.path().join("mine.toml")).expect("written");
    assert!(text.contains("network = \"wlan-up\"") && text.contains("loss = "), "{text}");
    let valid = atl(dir.path(), &["validate", "mine.toml"]);
    assert_eq!(valid.status.code(), Some(0), "{text} {}", err(&valid));
    let both = link(&["showcase/roaming", "--loss", "2%"]);
    assert_eq!(both.status.code(), Some(2));
    assert!(
        err(&both).contains("--loss describes one link, and cannot be used with"),
        "{}",
        err(&both)
    );
}

/// The example with Playwright, in a folder of its own. Needs root, Node.js, npm and Chromium;
/// reports when skipped.
#[cfg(target_os = "linux")]
#[test]
fn a_browser_s_test_runs_behind_a_link() {
    use crate::program::skip;

    if crate::program::skipped() {
        return;
    }
    let runs = |program: &str| {
        let asked = Command::new(program).arg("--version").output();
        asked.is_ok_and(|output| output.status.success())
    };
    if let Some(missing) = ["node", "npm", "chromium"].iter().find(|program| !runs(program)) {
        return skip(&format!("there is no {missing} for the example with Playwright"));
    }
    let dir = tempfile::tempdir().expect("a folder");
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/playwright");
    for file in ["package.json", "serve.mjs", "page.test.mjs"] {
        fs::copy(example.join(file), dir.path().join(file)).expect("copied");
    }
    let install = ["install", "--silent", "--no-audit", "--no-fund", "--no-package-lock"];
    let installed = Command::new("npm").args(install).current_dir(dir.path()).output();
    if !installed.expect("npm runs").status.success() {
        return skip("npm cannot install Playwright");
    }
    let which = Command::new("sh").args(["-c", "command -v chromium"]).output().expect("a shell");
    let link = "link --rate 4Mb/s --delay 40ms --server-wait 1min --server";
    let output = command(dir.path(), &link.split(' ').collect::<Vec<_>>())
        .args(["node serve.mjs", "--", "npm", "test"])
        .env("CHROMIUM", out(&which).trim())
        .output()
        .expect("atl runs");
    assert!(output.status.success(), "{}{}", out(&output), err(&output));
    assert!(out(&output).contains("the page comes over the link"), "{}", out(&output));
}

/// The page on doors for test writers names the inputs and outputs that the action has.
#[test]
fn the_page_uses_the_action_as_it_is() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let read = |path: &str| fs::read_to_string(root.join(path)).expect(path);
    let (page, action) = (read("docs/test-writers.md"), read(".github/actions/link/action.yml"));
    let keys = |section: &str| -> Vec<&str> {
        let lines = action.lines().skip_while(|line| *line != section).skip(1);
        let lines = lines.take_while(|line| line.starts_with(' '));
        let keys = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
        keys.map(|line| line.trim().trim_end_matches(':')).collect()
    };
    let (inputs, outputs) = (keys("inputs:"), keys("outputs:"));
    assert!(inputs.contains(&"words") && outputs.contains(&"address"), "{inputs:?} {outputs:?}");
    let block = page.split("```yaml\n").nth(1).and_then(|rest| rest.split("```").next());
    let block = block.expect("a block of YAML");
    let with = block.lines().skip_while(|line| line.trim() != "with:").skip(1);
    let with = with.take_while(|line| line.starts_with("    "));
    let given: Vec<&str> =
        with.filter_map(|line| line.trim().split_once(':')).map(|(key, _)| key).collect();
    assert!(!given.is_empty() && given.iter().all(|key| inputs.contains(key)), "{given:?}");
    assert!(["words", "to"].iter().all(|required| given.contains(required)), "{given:?}");
    let mut used = page
        .split("outputs.")
        .skip(1)
        .map(|rest| rest.split(|c: char| !c.is_ascii_lowercase()).next().expect("a part"));
    assert!(used.all(|output| outputs.contains(&output)), "{outputs:?}");
}
