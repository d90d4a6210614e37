//! Applications: the amount of data that a sender has and its timing, and applications that talk
//! over a connection in both directions ([`Application`]).

mod application;
mod config;
pub(crate) mod contract;
mod conversation;
mod dash;
mod files;
mod flow_sizes;
mod on_off;
mod pause;
mod request_response;
mod sizes;
mod source;
mod web_page;
mod writes;

pub use application::{App, Stops};
pub use config::ApplicationConfig;
pub use contract::{Actions, Application, BuildApplication, MOST_CONNECTIONS, Player};
pub use conversation::Conversation;
pub use dash::{Dash, MOST_RATES, RateChoice};
pub use files::Files;
pub use flow_sizes::{FlowSizes, SizeShape};
pub use on_off::OnOff;
pub use request_response::RequestResponse;
pub use sizes::Sizes;
pub use source::Source;
pub use web_page::{MOST_OBJECTS, WebPage};
pub use writes::Writes;
