//! The generator: a seed makes a valid scenario.

mod dice;
mod flow;
mod link;
mod mobile;
mod network;

use toml::Table;

use self::dice::Dice;
use super::engines::able;
use super::file::read;

/// Draws before a seed is given up: one in two is accepted.
const ATTEMPTS: u32 = 200;

/// The scenario of a seed, which the reader accepts and an engine in virtual time can carry out.
///
/// # Panics
/// Panics if none of many draws is valid, which is a mistake of the generator.
pub fn draw(seed: u64) -> Table {
    for attempt in 0..ATTEMPTS {
        let tree = network::scenario(&mut Dice::new(seed, attempt));
        if let Ok(scenario) = read(&tree)
            && scenario.points.iter().all(|point| !able(&point.setup).is_empty())
        {
            return tree;
        }
    }
    panic!("seed {seed}: no draw is a valid scenario");
}

/// The reason why the first draw of a seed is no valid scenario, if it is none.
pub fn refusal(seed: u64) -> Option<String> {
    read(&network::scenario(&mut Dice::new(seed, 0))).err()
}
