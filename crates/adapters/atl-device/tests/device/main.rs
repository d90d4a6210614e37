//! Sources of link information: recordings, files, commands and the text form.

mod adapters;
mod command;
mod coverage;
mod file;
mod hwsim;
mod netlink;
mod recorded;
mod text;
