//! Tests of the report over synthetic outcomes.

mod browser;
mod cells;
mod data;
mod delays;
mod engines;
mod figures;
mod maps;
mod page;
mod parts;
mod printed;
mod ranking;
mod rates;
mod results_page;
mod stats;
mod support;
mod text;
mod totals;
mod unfinished;
mod vendor;
mod verdict_means;
mod verdict_words;
mod verdicts;
