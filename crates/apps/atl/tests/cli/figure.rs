//! `atl figure`: figures and tables of a report as files.

use crate::{atl, command, fine, out, path_text, refused, with_tiny};

#[test]
fn figures_and_tables_of_a_report_become_files() {
    let dir = with_tiny();
    fine(dir.path(), &["run", "tiny.toml", "--out", "a", "--duration", "10s"]);
    let list = fine(dir.path(), &["figure", "a"]);
    assert!(list.contains("  1  ") && list.contains("/results  (table)"), "{list}");

    let svg = fine(dir.path(), &["figure", "a", "1", "--width", "500"]);
    assert!(svg.starts_with("<svg") && svg.contains("width=\"500\""), "{svg}");
    assert!(svg.contains("scenario_hash") && svg.contains("atl run tiny.toml"), "{svg}");
    // The report alone suffices, in any place.
    std::fs::rename(dir.path().join("a/report.html"), dir.path().join("moved.html"))
        .expect("moved");
    let pgf = fine(dir.path(), &["figure", "moved.html", "1", "--as", "pgf"]);
    assert!(pgf.contains("\\begin{tikzpicture}"), "{pgf}");
    let csv = fine(dir.path(), &["figure", "moved.html", "1", "--as", "csv"]);
    assert!(csv.starts_with("series,"), "{csv}");
    fine(dir.path(), &["figure", "moved.html", "results", "--as", "tex", "--out", "t.tex"]);
    let table = std::fs::read_to_string(dir.path().join("t.tex")).expect("written");
    assert!(table.contains("\\toprule"), "{table}");

    let plot = fine(dir.path(), &["figure", "moved.html", "over-time", "--as", "txt"]);
    assert!(plot.starts_with("Goodput over time\ngoodput (Mb/s)\n"), "{plot}");
    assert!(plot.contains("time (s)") && plot.ends_with(" ● TCP-ATL   ▲ NewReno\n"), "{plot}");

    // PNG whose bytes depend only on the report: signature, 2 x 300 dots across, and equal when
    // repeated.
    let args = ["figure", "moved.html", "1", "--as", "png", "--width", "300", "--scale", "2"];
    let png = atl(dir.path(), &args).stdout;
    assert_eq!((&png[..8], &png[16..20]), (&b"\x89PNG\r\n\x1a\n"[..], &600_u32.to_be_bytes()[..]));
    let text = |what: &[u8]| png.windows(what.len()).any(|w| w == what);
    assert!(text(b"atl run tiny.toml") && text(b"scenario_hash"), "where it comes from");
    fine(dir.path(), &[&args[..], &["--out", "1.png"]].concat());
    assert!(std::fs::read(dir.path().join("1.png")).expect("written") == png, "the same bytes");

    // The ending names the format unless --as does.
    for (args, begin) in [
        (&["--out", "by-ending.png"][..], &b"\x89PNG"[..]),
        (&["--out", "by-ending.PGF"], b"%"),
        (&["--out", "by-ending"], b"<svg"),
        (&["--as", "svg", "--out", "by-name.png"], b"<svg"),
    ] {
        fine(dir.path(), &[&["figure", "moved.html", "1"][..], args].concat());
        let written = std::fs::read(dir.path().join(args[args.len() - 1])).expect("written");
        assert!(written.starts_with(begin), "{args:?}");
    }

    for (args, text) in [
        (
            &["figure", "moved.html", "1", "--out", "a.jpeg"][..],
            "--out a.jpeg: the ending names no format of figures (.svg, .png, .txt, .csv, .pgf, .tex)",
        ),
        (&["figure", "moved.html", "nothing"][..], "there is no figure `nothing`"),
        (&["figure", "moved.html", "0"], "there is no figure `0`"),
        (&["figure", "moved.html", "results"], "is a table: write it as csv or tex"),
        (&["figure", "tiny.toml"], "it is not a report of atl"),
        (&["figure", "moved.html", "results", "--as", "txt"], "is a table: write it as csv or tex"),
        (&["figure", "moved.html", "results", "--as", "png"], "is a table: write it as csv or tex"),
        (&["figure", "moved.html", "1", "--width", "10"], "200..=4000"),
        (&["figure", "moved.html", "1", "--as", "png", "--scale", "9"], "1..=8"),
        (
            &[
                "figure",
                "moved.html",
                "1",
                "--as",
                "png",
                "--width",
                "4000",
                "--height",
                "4000",
                "--scale",
                "8",
            ],
            "32000 x 32000 dots is too large",
        ),
    ] {
        let told = refused(dir.path(), args, 2);
        assert!(told.contains(text), "{text} in {told}");
    }
}

#[test]
fn plots_are_shown_when_they_are_asked_for() {
    let dir = with_tiny();
    let run =
        |args: &[&str]| fine(dir.path(), &[&["run", "tiny.toml", "--out", "a"], args].concat());
    run(&[]);
    // The first run replaces nothing, and has a line less.
    let plain = run(&[]);
    assert!(!plain.contains("●"), "no terminal, no plot: {plain}");
    assert_eq!(run(&["--plot=auto"]).lines().count(), plain.lines().count());
    let plotted = run(&["--plot"]);
    assert!(plotted.starts_with("Goodput over time\ngoodput (Mb/s)\n"), "{plotted}");
    let plot = plotted.split("\n\n").next().expect("the plot");
    assert!(plot.lines().all(|line| line.chars().count() <= 80), "{plot}");
    assert!(!plot.contains('\u{1b}'), "no colours outside a terminal");
    for other in ["--json", "--quiet"] {
        let told = refused(dir.path(), &["run", "tiny.toml", "--plot", other], 2);
        assert!(told.contains("cannot be used with"), "{told}");
    }
}

#[test]
fn the_answer_about_a_path_has_its_plot() {
    let dir = with_tiny();
    let path = ["path", "3g", "--then", "wifi@2s", "--protocols", "reno", "--seeds", "1"];
    assert!(!path_text(dir.path(), &path).contains('┤'));
    // A width says nothing of a terminal.
    let output = command(dir.path(), &path).env("COLUMNS", "60").output().expect("it runs");
    assert!(output.status.success() && !out(&output).contains('┤'), "{}", out(&output));
    let plotted = path_text(dir.path(), &[&path[..], &["--plot"]].concat());
    assert!(plotted.starts_with("Goodput over time\n") && plotted.contains("┊"), "{plotted}");
    assert!(plotted.contains("3g ") && plotted.contains(" wifi"), "events have names: {plotted}");
}
