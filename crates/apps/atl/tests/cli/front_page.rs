//! README's comparison of senders on lossy paths, which `make front-page` writes.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use crate::{json, path_json};

const PROTOCOLS: [(&str, &str); 5] = [
    ("residual", "Residual"),
    ("bbr3", "BBRv3"),
    ("tcp-atl-robust", "TCP-ATL robust"),
    ("tcp-atl", "TCP-ATL"),
    ("cubic", "CUBIC"),
];
const DOWN: [&str; 7] = ["wifi", "5g", "4g", "train", "leo", "3g", "geo"];
const UP: [&str; 3] = ["wifi", "leo", "geo"];
/// Paths where the receiver's claims are believed as they are, for comparison.
const BELIEVED: [&str; 2] = ["wifi", "leo"];
/// Rows that every run of the tests measures: they take about two seconds each.
const QUICK: [(&str, &str); 3] = [("3g", "down"), ("train", "down"), ("geo", "up")];
const BEGIN: &str = "<!-- generated: lossy paths, `make front-page` -->\n";
const END: &str = "<!-- end generated -->\n";

fn readme() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../README.md"))
}

/// One path: what its link carries, and the goodput of each protocol in Mb/s.
struct Row {
    network: &'static str,
    link: f64,
    goodput: [f64; 5],
    /// Half of a 95 % interval over the mean.
    uncertain: [f64; 5],
}

impl Row {
    fn measure(network: &'static str, send: &str) -> Row {
        let dir = tempfile::tempdir().expect("a directory");
        let names: Vec<&str> = PROTOCOLS.iter().map(|(name, _)| *name).collect();
        let told = path_json(
            dir.path(),
            &[
                "path",
                network,
                "--loss=1%",
                "--send",
                send,
                "--protocols",
                &names.join(","),
                "--json",
            ],
        );
        let place = |title: &str, key: &str| {
            let places = told["all"]["places"].as_array().expect("places");
            let place = places.iter().find(|place| place["protocol"] == title);
            let place = place.unwrap_or_else(|| panic!("{title} in {told}"));
            place["goodput_bps"][key].as_f64().expect("a number")
        };
        let goodput = PROTOCOLS.map(|(_, title)| place(title, "mean"));
        let uncertain = PROTOCOLS.map(|(_, title)| {
            (place(title, "high") - place(title, "low")) / (2.0 * place(title, "mean"))
        });
        let link = told["all"]["rate_bps"].as_f64().expect("a number") / 1e6;
        Row { network, link, goodput: goodput.map(|bps| bps / 1e6), uncertain }
    }

    /// BBRv3's goodput over TCP-ATL's.
    fn ratio(&self) -> f64 {
        self.goodput[1] / self.goodput[3]
    }

    fn line(&self) -> String {
        let places = if self.link < 10.0 { 2 } else { 1 };
        let mut line = format!("| `{}` | {} |", self.network, self.link);
        for goodput in self.goodput {
            write!(line, " {goodput:.places$} |").expect("a string");
        }
        line + &format!(" {} |\n", ratio(self.ratio()))
    }
}

fn ratio(ratio: f64) -> String {
    if ratio < 10.0 { format!("{ratio:.1}") } else { format!("{ratio:.0}") }
}

/// Goodput in Mb/s of TCP-ATL robust where the receiver's claims are believed as they are.
fn believed(network: &str) -> f64 {
    let dir = tempfile::tempdir().expect("a directory");
    let save = ["path", network, "--loss", "1%", "--protocols", "tcp-atl-robust"];
    path_json(dir.path(), &[&save[..], &["--save", "path.toml", "--json"]].concat());
    let file = dir.path().join("path.toml");
    let text = fs::read_to_string(&file).expect("readable");
    let name = "name = \"tcp-atl-robust\",";
    assert!(text.contains(name), "{text}");
    let text = text.replace(name, &format!("{name} check-claims = false,"));
    fs::write(&file, text).expect("writable");
    let told = json(dir.path(), &["run", "path.toml", "--json"]);
    let points = told["points"].as_array().expect("points");
    let point = points.iter().find(|point| {
        point["vars"]["protocol"] == "TCP-ATL robust" && point["vars"]["neighbours"] == "alone"
    });
    let groups = point.expect("alone")["groups"].as_array().expect("groups");
    let download = groups.iter().find(|group| group["group"] == "download").expect("its flow");
    download["metrics"]["goodput_bps"]["mean"].as_f64().expect("a number") / 1e6
}

fn table(head: &str, rows: &[Row]) -> String {
    let titles = PROTOCOLS.map(|(_, title)| title).join(" | ");
    let mut table = format!("| {head} | link | {titles} | BBRv3 : TCP-ATL |\n");
    table += "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";
    table.extend(rows.iter().map(Row::line));
    table
}

/// The largest of some protocols' uncertainty, in whole per cent.
fn worst(rows: &[&Row], of: std::ops::Range<usize>) -> u32 {
    let all = rows.iter().flat_map(|row| &row.uncertain[of.clone()]);
    (100.0 * all.copied().fold(0.0, f64::max)).ceil() as u32
}

fn fresh() -> String {
    let down = DOWN.map(|network| Row::measure(network, "down"));
    let up = UP.map(|network| Row::measure(network, "up"));
    let ratios = down.each_ref().map(Row::ratio);
    let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    let most = ratios.iter().copied().fold(0.0, f64::max);
    let all: Vec<&Row> = down.iter().chain(&up).collect();
    // As the text below the tables says.
    for row in &all {
        assert!(row.goodput.iter().all(|rival| row.goodput[0] > 0.99 * rival), "{}", row.line());
    }
    let mut text = format!(
        "**On a lossy download, BBRv3 carries {} to {} times as much as TCP-ATL, without any link \
         reports.** Goodput in Mb/s of `atl path NETWORK --loss 1%` with the protocols above, means \
         over five seeds of 20 s\n(half of a 95 % interval is at most {} % of the mean for the \
         first two, {} % for the others):\n\n",
        ratio(least),
        ratio(most),
        worst(&all, 0..2),
        worst(&all, 2..5),
    );
    text += &table("network, download", &down);
    text += "\n";
    text += &table("network, upload (`--send up`)", &up);
    let believed = BELIEVED.map(|network| {
        let row = down.iter().find(|row| row.network == network).expect("a download");
        format!("{:.1} Mb/s instead of {:.1} over `{network}`", believed(network), row.goodput[2])
    });
    writeln!(text, "\nWith `check-claims = false` TCP-ATL robust has {}.", believed.join(", and "))
        .expect("a string");
    text
}

fn block(page: &str) -> (usize, usize) {
    let start = page.find(BEGIN).expect("the block in README.md") + BEGIN.len();
    (start, start + page[start..].find(END).expect("its end"))
}

#[test]
fn the_front_page_has_the_numbers_of_today() {
    let page = fs::read_to_string(readme()).expect("readable");
    let (start, end) = block(&page);
    for (network, send) in QUICK {
        let line = Row::measure(network, send).line();
        assert!(page[start..end].contains(&line), "stale, `make front-page` writes it: {line}");
    }
}

#[test]
#[ignore = "writes README.md; a minute: `make front-page`"]
fn write_the_front_page() {
    let page = fs::read_to_string(readme()).expect("readable");
    let (start, end) = block(&page);
    let page = format!("{}{}{}", &page[..start], fresh(), &page[end..]);
    fs::write(readme(), page).expect("writable");
}
