//! `atl figure`: figures and tables of a report as files.

use crate::{fine, refused, with_tiny};

#[test]
fn figures_and_tables_of_a_report_become_files() {
    let dir = with_tiny();
    fine(dir.path(), &["run", "tiny.toml", "--out", "a", "--duration", "10s"]);
    let list = fine(dir.path(), &["figure", "a"]);
    assert!(list.contains("  1  ") && list.contains("/results  (table)"), "{list}");

    let svg = fine(dir.path(), &["figure", "a", "1", "--width", "500"]);
    assert!(svg.starts_with("<svg") && svg.contains("width=\"500\""), "{svg}");
    assert!(svg.contains("scenario_hash") && svg.contains("atl run tiny.toml"), "{svg}");
    // The report alone is enough, wherever it lies.
    std::fs::rename(dir.path().join("a/report.html"), dir.path().join("moved.html"))
        .expect("moved");
    let pgf = fine(dir.path(), &["figure", "moved.html", "1", "--as", "pgf"]);
    assert!(pgf.contains("\\begin{tikzpicture}"), "{pgf}");
    let csv = fine(dir.path(), &["figure", "moved.html", "1", "--as", "csv"]);
    assert!(csv.starts_with("series,"), "{csv}");
    fine(dir.path(), &["figure", "moved.html", "results", "--as", "tex", "--out", "t.tex"]);
    let table = std::fs::read_to_string(dir.path().join("t.tex")).expect("written");
    assert!(table.contains("\\toprule"), "{table}");

    for (args, text) in [
        (&["figure", "moved.html", "nothing"][..], "there is no figure `nothing`"),
        (&["figure", "moved.html", "0"], "there is no figure `0`"),
        (&["figure", "moved.html", "results"], "is a table: write it as csv or tex"),
        (&["figure", "tiny.toml"], "it is no report of atl"),
        (&["figure", "moved.html", "1", "--width", "10"], "200..=4000"),
    ] {
        let told = refused(dir.path(), args, 2);
        assert!(told.contains(text), "{text} in {told}");
    }
}
