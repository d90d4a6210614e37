//! Link information from recordings, files and commands.

mod command;
mod coverage;
mod file;
mod netlink;
mod recorded;
mod text;
