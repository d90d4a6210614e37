//! The option `--plot` of several commands.

use clap::ValueEnum;

/// When figures are plotted in the terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlotWhen {
    /// If standard output is a terminal.
    #[default]
    Auto,
    /// Always: into files and pipes too, in lines of 80 characters without colours.
    Always,
    /// No plots, in a terminal either.
    Never,
}
