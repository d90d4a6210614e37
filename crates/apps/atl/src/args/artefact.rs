//! Arguments of `atl artefact`.

use std::sync::LazyLock;

use atl_experiment::artefact::{Form, form_named, forms};
use atl_experiment::engines;
use clap::builder::NonEmptyStringValueParser;
use clap::{Args, ValueHint};

use super::Changes;

/// The list of forms comes from the forms themselves.
static AFTER: LazyLock<String> = LazyLock::new(|| {
    let mut out = String::from(
        "\
Runs the scenario as written, and once more for each form that an impairment in it
can have beside its own: jitter that overtakes or keeps order, losses one by one or
in bursts, one way or both, queues in packets or in time, ... All runs are paired by
seed. Says for each contender whether its place beside the leader stands:

  BBRv3 behind CUBIC: only with jitter that overtakes.

A verdict falls in a form if it is another one there, and the ratio of the two
goodputs has moved by more than chance (a paired 95 % interval); it is unclear if
only the first is so. With many forms one in twenty looks so by chance. A verdict
that stands in every form may still hang on a number, such as a queue's length: try
others (`--set link.path.queue=50`). The conditions of a sweep count as a mean.

Examples:
  atl artefact showcase/noq-819
  atl artefact mine.toml --seeds 20
  atl artefact mine.toml --forms jitter-in-order,no-jitter
  atl artefact noq-819 --on quic-sim --set protocol=noq-cubic,noq-bbr3
  atl artefact mine.toml --json | jq -r '.results[].claims[].sentence'

Forms:
",
    );
    for form in forms() {
        let options =
            textwrap::Options::new(96).initial_indent("      ").subsequent_indent("      ");
        out.push_str(&format!("  {}\n{}\n", form.name, textwrap::fill(form.about, options)));
    }
    out.truncate(out.trim_end().len());
    out
});

/// Arguments of `atl artefact`.
#[derive(Args, Debug)]
#[command(after_help = AFTER.as_str())]
pub(crate) struct Artefact {
    /// Scenario file, name of a built-in scenario (see `atl list`; its last part is enough), or `-`
    /// for standard input.
    #[arg(value_name = "FILE|NAME", value_hint = ValueHint::FilePath, value_parser = NonEmptyStringValueParser::new())]
    pub scenario: String,
    /// Try only these forms, separated by commas [default: all that change the scenario].
    #[arg(long, value_name = "FORM[,FORM]", value_delimiter = ',', value_parser = form_named)]
    pub forms: Vec<&'static Form>,
    #[command(flatten)]
    pub changes: Changes,
    /// Engine that carries out the runs, or several separated by commas (see `atl list`).
    #[arg(long, value_name = "ENGINE[,ENGINE]", value_delimiter = ',', default_value = engines::DEFAULT)]
    pub on: Vec<String>,
    /// Number of parallel runs [default: number of processors]. Results do not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Print one JSON document instead of text.
    #[arg(long)]
    pub json: bool,
}
