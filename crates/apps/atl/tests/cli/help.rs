//! Help, lists and completions.

use std::io::Read as _;
use std::path::Path;
use std::process::Stdio;

use crate::{atl, command, err, fine, json, out};

const HERE: &str = ".";

fn help(args: &[&str]) -> String {
    fine(Path::new(HERE), args)
}

#[test]
fn every_command_has_help_with_examples() {
    let commands: &[&[&str]] = &[
        &["run"],
        &["reproduce"],
        &["link"],
        &["send"],
        &["recv"],
        &["list"],
        &["validate"],
        &["show"],
        &["schema"],
        &["completions"],
        &["path"],
        &["playground"],
        &["compare"],
        &["artefact"],
        &["attack", "receiver"],
        &["grid"],
        &["equivalence"],
        &["figure"],
        &["trace", "import"],
        &["man"],
        &["model", "tcp-atl"],
        &["model", "rcp-atl"],
        &["model", "throughput"],
        &["model", "arc"],
        &["model", "rate"],
        &["model", "aal-t"],
        &["model", "fading"],
        &["model", "battery"],
    ];
    for command in commands {
        let args: Vec<&str> = command.iter().copied().chain(["--help"]).collect();
        let text = help(&args);
        assert!(text.contains("Example"), "{command:?}: {text}");
        assert!(text.contains(&format!("atl {}", command.join(" "))), "{command:?}");
        // Comments on attributes must not become help texts.
        assert!(!text.contains("missing_docs"), "{command:?}");
    }
    let text = help(&["--help"]);
    for word in ["run", "reproduce", "model", "Exit status", "Units", "NO_COLOR"] {
        assert!(text.contains(word), "{word}");
    }
    let reproduce = help(&["reproduce", "--help"]);
    assert!(reproduce.contains("not a failure: the exit\nstatus is 0"), "{reproduce}");
    assert!(help(&["model", "tcp-atl", "--help"]).contains("[default: 1040]"));
}

#[test]
fn the_version_is_printed() {
    assert_eq!(help(&["--version"]), format!("atl {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn without_arguments_there_is_help_and_status_2() {
    let output = atl(Path::new(HERE), &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("Usage: atl"));
    assert_eq!(out(&output), "");
}

#[test]
fn a_list_names_every_scenario_and_protocol() {
    let text = help(&["list"]);
    for builtin in atl_scenario::builtin() {
        assert!(text.contains(builtin.name), "{}", builtin.name);
    }
    for protocol in atl_scenario::protocol::catalogue() {
        assert!(text.contains(protocol.name) && text.contains(protocol.label));
    }
    let document = json(Path::new(HERE), &["list", "--json"]);
    let scenarios = document["scenarios"].as_array().expect("a list");
    assert_eq!(scenarios.len(), atl_scenario::builtin().len());
    for scenario in scenarios {
        let (full, quick) = (&scenario["full"], &scenario["quick"]);
        assert!(full["simulated_s"].as_f64() > quick["simulated_s"].as_f64(), "{scenario}");
        assert!(scenario["title"].as_str().is_some_and(|t| !t.is_empty()));
    }
    assert_eq!(document["engines"][0]["name"], "sim");
    assert_eq!(document["engines"][0]["clock"], "virtual");
    assert!(text.contains("Engines: atl run NAME --on ENGINE"), "{text}");
    let protocols = document["protocols"].as_array().expect("a list");
    assert!(protocols.iter().any(|p| p["label"] == "TCP-ATL" && p["recovery"] == "sack"));
    // Each family has its own heading.
    let (tcps, rest) = text.split_once("QUIC protocols").expect("three headings");
    let (quic, rest) = rest.split_once("Paced protocols").expect("three headings");
    let (paced, _) = rest.split_once("Engines: ").expect("a heading");
    for protocol in protocols {
        let name = format!("  {} ", protocol["name"].as_str().expect("a name"));
        let under = match protocol["family"].as_str().expect("a family") {
            "tcp" => tcps,
            "quic" => quic,
            "paced" => paced,
            other => panic!("{other}"),
        };
        assert!(under.contains(&name), "{protocol}");
        assert_eq!(protocol["feedback"].is_string(), protocol["family"] == "paced", "{protocol}");
        assert_eq!(protocol["recovery"].is_string(), protocol["family"] == "tcp", "{protocol}");
    }
}

#[test]
fn a_built_in_scenario_is_shown_verbatim() {
    for builtin in atl_scenario::builtin() {
        assert_eq!(help(&["show", builtin.name]), builtin.copy());
        assert!(!builtin.copy().contains("#:schema"), "{}", builtin.name);
    }
}

#[test]
fn every_shell_gets_its_completions() {
    for (shell, word) in [
        ("bash", "complete -F"),
        ("zsh", "#compdef atl"),
        ("fish", "complete -c atl"),
        ("powershell", "Register-ArgumentCompleter"),
        ("elvish", "edit:completion"),
    ] {
        let script = help(&["completions", shell]);
        assert!(script.contains(word), "{shell}");
        assert!(script.contains("reproduce") && script.contains("access-rate"), "{shell}");
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    for args in
        [&["list"][..], &["show", "atl/fig06"], &["schema"], &["completions", "bash"], &["--help"]]
    {
        let mut child = command(Path::new(HERE), args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        drop(child.stdout.take());
        let status = child.wait().expect("it ends");
        let mut errors = String::new();
        let mut stderr = child.stderr.take().expect("piped");
        stderr.read_to_string(&mut errors).expect("UTF-8");
        assert_eq!((status.code(), errors.as_str()), (Some(0), ""), "{args:?}");
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let page = help(&["man"]);
    assert!(page.contains(".TH atl 1") && page.contains("Exit status"), "{page}");
    let dir = tempfile::tempdir().expect("a directory");
    fine(dir.path(), &["man", "--out", "man1"]);
    let pages = crate::names(&dir.path().join("man1"));
    for command in ["run", "path", "compare", "reproduce", "link", "model", "trace-import"] {
        assert!(pages.contains(&format!("atl-{command}.1")), "{command}: {pages:?}");
    }
}

#[test]
fn citation_and_manifests_name_one_version_and_one_repository() {
    const VERSION: &str = env!("CARGO_PKG_VERSION");
    let workspace = include_str!("../../../../../Cargo.toml");
    let after = workspace.split("\nrepository = \"").nth(1).expect("a repository");
    let repository = after.split('"').next().expect("the end of the text");
    assert!(repository.starts_with("https://"), "{repository}");
    let citation = include_str!("../../../../../CITATION.cff");
    assert!(citation.contains(&format!("\nversion: {VERSION}\n")));
    assert!(citation.contains(&format!("\nrepository-code: {repository}\n")));
    let python = include_str!("../../../../../pyproject.toml");
    assert!(python.contains(&format!("\nRepository = \"{repository}\"\n")));
    let page: serde_json::Value =
        serde_json::from_str(include_str!("../../../../../playground/package.json")).expect("JSON");
    assert_eq!((&page["version"], &page["repository"]), (&VERSION.into(), &repository.into()));
}
