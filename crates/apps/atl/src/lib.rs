//! `atl`, the command line of the adaptive transport suite: runs scenarios, compares them with the
//! papers' claims, and evaluates the equations. Protocols, engines and statistics are in the crates
//! below; this one holds arguments, files, progress and messages.
//!
//! [`App`] carries out a command line. The program `atl` runs it, and so does the command that
//! the Python package installs. [`described`] parses the words of `atl path`, for callers with
//! another form of output.

#![cfg_attr(
    not(target_os = "linux"),
    allow(dead_code, reason = "what `atl equivalence` and COMMAND of `atl link` alone use")
)]

mod ablation;
mod args;
mod artefact;
mod attack;
mod compare;
mod complaint;
mod document;
mod documents;
#[cfg(target_os = "linux")]
mod equivalence;
mod experiment;
mod failure;
mod figure;
mod folder;
mod format;
mod grid;
mod interrupt;
mod itself;
mod journeys;
mod link;
mod link_info;
mod link_socket;
mod list;
mod man;
mod merge;
mod model;
mod new_file;
mod opening;
mod output;
mod packets;
mod path;
mod picture;
mod playground;
mod plot;
mod progress;
mod repeat;
mod reproduce;
mod run;
mod schema;
mod shard;
mod show;
mod status;
mod trace;
mod transfer;
mod validate;
mod verdicts;
mod written;

use std::ffi::OsString;
use std::io::{self, Write as _};

use clap::{CommandFactory as _, Parser as _};

pub use atl_engine::Engine;
pub use atl_engine::protocol::Recovery;
use atl_experiment::engines;
use atl_experiment::path::Description;
pub use atl_scenario::application::ListedApplication;
pub use atl_scenario::protocol::Listed;
pub use atl_scenario::queue::ListedDiscipline;
use atl_scenario::{application, protocol, queue};

use args::{Cli, Command};
use failure::Failure;
use status::Status;

/// The command line, with what a program adds to it. The program `atl` is
/// `App::new().run(env::args_os())`.
///
/// A program with a controller of its own is a line longer; lists, keys, suggestions and the schema
/// know it then:
///
/// ```no_run
/// use std::env;
/// use std::process::ExitCode;
///
/// use atl::{App, Listed, Recovery};
/// use atl_core::window::reno;
///
/// fn main() -> ExitCode {
///     let (about, source) = ("Reno again", "RFC 5681");
///     let mine = Listed::window::<reno::Config>("mine", "Mine", Recovery::Rack, about, source);
///     App::new().protocol(mine).run(env::args_os()).into()
/// }
/// ```
#[derive(Clone, Debug, Default)]
pub struct App {
    protocols: Vec<Listed>,
    queues: Vec<ListedDiscipline>,
    applications: Vec<ListedApplication>,
    engines: Vec<&'static dyn Engine>,
    itself: Vec<OsString>,
}

impl App {
    /// Nothing but what the suite brings along.
    pub fn new() -> Self {
        App::default()
    }

    /// Scenarios can name this protocol.
    #[must_use]
    pub fn protocol(mut self, listed: Listed) -> Self {
        self.protocols.push(listed);
        self
    }

    /// Scenarios can name this queue discipline.
    #[must_use]
    pub fn queue(mut self, listed: ListedDiscipline) -> Self {
        self.queues.push(listed);
        self
    }

    /// Scenarios can name this application as the `source` of a flow.
    #[must_use]
    pub fn application(mut self, listed: ListedApplication) -> Self {
        self.applications.push(listed);
        self
    }

    /// `--on` can name this engine. Commands for links in real time do not ask for it.
    #[must_use]
    pub fn engine(mut self, engine: &'static dyn Engine) -> Self {
        self.engines.push(engine);
        self
    }

    /// The words that start this program again, for work in a process of its own, unless the
    /// process's own file does so.
    #[must_use]
    pub fn started_by(mut self, itself: Vec<OsString>) -> Self {
        self.itself = itself;
        self
    }

    /// Carries out a command line whose first word is the program's name, and gives the exit
    /// status.
    ///
    /// It owns the process: it handles SIGINT and SIGTERM, which end the process with status 130,
    /// and writes to standard output and standard error.
    pub fn run(self, arguments: impl IntoIterator<Item = OsString>) -> u8 {
        let arguments: Vec<OsString> = arguments.into_iter().collect();
        // Before anything else, since a supervisor must have no other threads and no signal
        // handlers.
        if let Some(status) = link::supervise(&arguments) {
            return status;
        }
        itself::is_started_by(self.itself);
        let registered = protocol::register(&self.protocols)
            .and_then(|()| queue::register(&self.queues))
            .and_then(|()| application::register(&self.applications))
            .and_then(|()| engines::register(&self.engines));
        if let Err(error) = registered {
            return complaint::report(&Failure::Usage(error.to_string())).into();
        }
        #[cfg(unix)]
        let as_given = arguments.clone();
        let cli = match Cli::try_parse_from(args::readable(arguments)) {
            Ok(cli) => cli,
            Err(message) => {
                // A closed pipe (`atl --help | head -1`) is no error.
                let _ = message.print();
                let _ = io::stdout().flush();
                let wrong = message.use_stderr();
                return (if wrong { Status::Usage } else { Status::Success }).into();
            }
        };
        #[cfg(unix)]
        if let Command::Send(send) = &cli.command
            && let Err(error) = transfer::wipe::ticket(&as_given, send)
        {
            output::error(&format!(
                "warning: other users can see the ticket in the list of processes: {error}\n"
            ));
        }
        interrupt::clean_up_on_signals();
        match dispatch(cli.command) {
            Ok(status) => status.into(),
            Err(failure) => complaint::report(&failure).into(),
        }
    }
}

/// Parses the words after `atl path`.
///
/// # Errors
/// The text of the command line's error, without `error:` in front.
pub fn described(words: impl IntoIterator<Item = OsString>) -> Result<Description, String> {
    args::described(words)
}

fn dispatch(command: Command) -> Result<Status, Failure> {
    match command {
        Command::Path(args) => path::path(&args),
        Command::Run(args) => run::run(&args),
        Command::Reproduce(args) => reproduce::reproduce(&args),
        Command::Link(args) => link::link(&args),
        #[cfg(target_os = "linux")]
        Command::Equivalence(args) => equivalence::equivalence(&args),
        #[cfg(not(target_os = "linux"))]
        Command::Equivalence(_) => Err(Failure::Usage(
            "`atl equivalence` needs Linux: its sockets, namespaces and devices".to_owned(),
        )),
        Command::Trace(args) => trace::trace(&args),
        Command::Merge(args) => merge::merge(&args),
        Command::Send(args) => transfer::send(&args),
        Command::Recv(args) => transfer::recv(&args),
        Command::LinkInfo(args) => link_info::link_info(&args),
        Command::Artefact(args) => artefact::artefact(&args),
        Command::Attack(args) => attack::attack(&args.by),
        Command::Grid(args) => grid::grid(&args),
        Command::Compare(args) => compare::compare(&args),
        Command::Figure(args) => figure::figure(&args),
        Command::Playground(args) => playground::playground(&args),
        Command::List(args) => list::list(&args),
        Command::Validate(args) => validate::validate(&args),
        Command::Show(args) => show::show(&args),
        Command::Schema => schema::schema(),
        Command::Model(args) => model::model(&args.what),
        Command::Man(args) => man::man(&args),
        Command::Completions(args) => {
            let mut script = Vec::new();
            clap_complete::generate(args.shell, &mut Cli::command(), "atl", &mut script);
            output::bytes(&script)
        }
    }
}
