//! The points of a path's scenario: transports, one of them with less and less knowledge of its
//! link, and each beside a neighbour.

use std::fmt::Write as _;

use atl_core::time::Span;
use atl_scenario::near;
use atl_scenario::protocol::catalogue;

/// Sweep variable for the number of neighbours.
pub(crate) const NEIGHBOURS: &str = "neighbours";
/// Label of the points without one.
pub(crate) const ALONE: &str = "alone";
/// Label of the points of a sender that knows less of its link, which figures leave out.
pub(crate) const ALONE_LESS: &str = "alone, told less";
/// Label of the neighbour's protocol, which is one of the transports.
pub(crate) const NEIGHBOUR: &str = "CUBIC";
/// Flows begin at a random time up to this one.
pub(crate) const START_JITTER: Span = Span::from_millis(100);
/// Name of the neighbour's flow.
pub(crate) const NEIGHBOUR_FLOW: &str = "neighbour";

/// Label of the points beside this many neighbours.
pub(crate) fn beside(neighbours: u32) -> String {
    match neighbours {
        1 => "beside CUBIC".to_owned(),
        several => format!("beside {several} CUBIC"),
    }
}

/// The same for a sender that knows less of its link.
pub(crate) fn beside_less(neighbours: u32) -> String {
    format!("{}, told less", beside(neighbours))
}

/// A transport with its label and the options that it runs with, in TOML.
struct Transport {
    label: &'static str,
    options: &'static str,
}

/// The transports compared by default, all on a current loss recovery. The first uses link reports,
/// and is the one that they are taken from.
const USUAL: &[Transport] = &[
    Transport { label: KNOWING, options: "name = \"residual\"" },
    Transport { label: "TCP-ATL robust", options: "name = \"tcp-atl-robust\"" },
    Transport { label: "BBRv3", options: "name = \"bbr3\"" },
    Transport { label: NEIGHBOUR, options: "name = \"cubic\"" },
    Transport { label: "Reno", options: "name = \"reno\"" },
];

/// Label of the transport that uses link reports.
pub(crate) const KNOWING: &str = "Residual";

/// A step of [`KNOWING`] from no knowledge of its link to all: each rung knows what the one before
/// it knows, and one thing more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rung {
    /// The thing more, in a few words; absent on the first.
    pub(crate) input: Option<&'static str>,
    label: &'static str,
    options: &'static str,
}

/// The rungs below all.
pub(crate) const RUNGS: &[Rung] = &[
    Rung {
        input: None,
        label: "Residual, told nothing",
        options: "use-loss = false, use-delay = false, use-marks = false, use-rate = false",
    },
    Rung {
        input: Some("p_w"),
        label: "Residual, told p_w",
        options: "use-delay = false, use-marks = false, use-rate = false",
    },
    Rung {
        input: Some("d_w"),
        label: "Residual, told p_w and d_w",
        options: "use-marks = false, use-rate = false",
    },
    Rung {
        input: Some("which packets its MAC lost"),
        label: "Residual, all but the rate",
        options: "use-rate = false",
    },
];
/// The knowledge that the last rung adds.
const LAST: &str = "the link's rate";

/// The labels of the rungs, from nothing to all, each with what it adds.
pub(crate) fn rungs() -> impl Iterator<Item = (Option<&'static str>, &'static str)> {
    RUNGS.iter().map(|rung| (rung.input, rung.label)).chain([(Some(LAST), KNOWING)])
}

impl Transport {
    fn toml(label: &str, options: &str) -> String {
        format!(
            "{{ label = \"{label}\", value = {{ {options}, recovery = \"rack\", label = \"{label}\" }} }}"
        )
    }

    fn written(&self) -> String {
        Transport::toml(self.label, self.options)
    }
}

/// Checks names of protocols, which the scenario's reader would blame on a file that nobody wrote.
///
/// # Errors
/// A message with the name that is not known or comes twice.
pub(crate) fn check(named: &[String]) -> Result<(), String> {
    let names: Vec<&str> = catalogue().iter().map(|listed| listed.name).collect();
    for (i, name) in named.iter().enumerate() {
        if !names.contains(&&**name) {
            let near = near(name, &names).first().map(|near| format!("did you mean `{near}`? "));
            let near = near.unwrap_or_default();
            return Err(format!(
                "`--protocols`: there is no protocol `{}`; {near}`atl list` shows their names",
                name.escape_debug()
            ));
        }
        if named[..i].contains(name) {
            return Err(format!(
                "`--protocols`: `{name}` is there twice; each transport is compared once"
            ));
        }
    }
    Ok(())
}

/// Writes `[sweep]`: the protocols named, or the usual ones, alone and beside neighbours.
pub(crate) fn sweep(
    out: &mut String,
    named: &[String],
    neighbours: u32,
    quoted: impl Fn(&str) -> String,
) {
    let usual = |label: &str| USUAL.iter().find(|known| known.label == label);
    let own = |name: &str| USUAL.iter().find(|known| known.options == format!("name = \"{name}\""));
    let mut values: Vec<String> = Vec::new();
    let mut labels: Vec<String> = Vec::new();
    for name in named {
        // A file may be written before its names are checked; a quote would end the string here.
        let known = own(name);
        values.push(known.map_or_else(|| quoted(name), Transport::written));
        labels.push(known.map_or_else(|| quoted(name), |known| format!("\"{}\"", known.label)));
    }
    if named.is_empty() {
        values = USUAL.iter().map(Transport::written).collect();
        labels = USUAL.iter().map(|known| format!("\"{}\"", known.label)).collect();
    }
    // A neighbour is judged against what a second one of its own kind leaves it.
    let missing = [KNOWING, NEIGHBOUR]
        .map(|label| usual(label).filter(|_| !labels.contains(&format!("\"{label}\""))));
    for known in missing.into_iter().flatten() {
        values.push(known.written());
        labels.push(format!("\"{}\"", known.label));
    }
    out.push_str("[sweep]\nprotocol = [\n");
    for value in &values {
        let _ = writeln!(out, "    {value},");
    }
    let rung = |rung: &Rung| {
        Transport::toml(rung.label, &format!("name = \"residual\", {}", rung.options))
    };
    let rungs: String = RUNGS.iter().map(|each| format!("    {},\n", rung(each))).collect();
    let first = RUNGS[0].label;
    let _ = write!(
        out,
        "]\n\n\
         # The same sender that knows less of its link.\n\
         [[sweep.also]]\n\
         protocol = [\n{rungs}]\n\
         {NEIGHBOURS} = [{{ label = \"{ALONE_LESS}\", value = 0 }}]\n\n"
    );
    if neighbours == 0 {
        return;
    }
    let (beside, beside_less) = (beside(neighbours), beside_less(neighbours));
    let each = match neighbours {
        1 => "a neighbour, a flow".to_owned(),
        several => format!("{several} neighbours, flows"),
    };
    let _ = write!(
        out,
        "# Each beside {each} through the same queue.\n\
         [[sweep.also]]\n\
         protocol = [{}]\n\
         {NEIGHBOURS} = [{{ label = \"{beside}\", value = {neighbours} }}]\n\n\
         [[sweep.also]]\n\
         protocol = [\"{first}\"]\n\
         {NEIGHBOURS} = [{{ label = \"{beside_less}\", value = {neighbours} }}]\n\n",
        labels.join(", ")
    );
}
