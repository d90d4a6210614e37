//! The engines `quic` and `kernel`, as others use them.

mod gaps;
mod kernel;
mod runs;
mod support;

/// A flow over a link of its own, of 5 Mb/s and 40 ms there and back.
fn lane(protocol: &str, loss: f64, wireless: bool) -> String {
    let conditions = format!("loss = {loss}\nreverse = {{ loss = 0 }}");
    support::lane(protocol, wireless, &format!("rate = \"5Mb/s\"\nqueue = 40\n{conditions}"))
}
