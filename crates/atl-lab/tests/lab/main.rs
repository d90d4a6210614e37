//! A lab that finds what is wrong with a controller, and nothing else.

mod bugs;
mod cases;
mod libraries;
mod reno;
mod suites;
mod watching;
mod wrong;
