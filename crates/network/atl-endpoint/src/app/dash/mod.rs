//! Adaptive streaming of a stored video over HTTP, as DASH (ISO/IEC 23009-1) and HLS do it: a
//! player that asks for one segment after the other, each at a rate of its choice.

mod choice;
mod chooser;
mod player;
mod video;

use atl_link::random::Stream;

pub use choice::RateChoice;
use player::{Client, Server};
pub use video::{Dash, MOST_RATES};

use super::contract::{Application, BuildApplication};

impl BuildApplication for Dash {
    fn check(&self) -> Result<(), &'static str> {
        self.checked()
    }

    fn plays(&self) -> bool {
        true
    }

    fn client(&self, _stream: Stream) -> Box<dyn Application + Send> {
        Box::new(Client::new(self.clone()))
    }

    fn server(&self, _stream: Stream) -> Box<dyn Application + Send> {
        Box::new(Server::new(self.clone()))
    }
}
