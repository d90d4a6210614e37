//! Tests of the public interface, in one binary: it links once, and helpers are compiled once.
#![warn(unnameable_types, unreachable_pub)]

mod ack_filter;
mod bits;
mod cake;
mod changes;
mod codel;
mod conformance;
mod departure;
mod dual_pi2;
mod fading;
mod fq_codel;
mod jitter;
mod loss;
mod ns3;
mod path_chain;
mod pie;
mod priority;
mod properties;
mod ramps;
mod red;
mod support;
mod throttled;
mod timing;
mod traces;
mod wred;
