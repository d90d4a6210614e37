//! Time and rate scaled together: twice the rates and half of the times give the same packets at
//! half of the times, exactly, where no protocol has a time of its own.

use atl_link::random::Stream;
use atl_sim::Happening;
use toml::{Table, Value};

use super::bench::Bench;
use super::file::read;
use super::laws::hold;
use super::log::Log;

/// Laws and recoveries that are clocked by acknowledgments alone, but for the retransmission timer.
const CLOCKED: &[&str] = &["reno", "newreno", "sack", "tahoe"];

/// A plain case beside the bench's, from the same seed, and the same at twice the speed.
///
/// # Errors
/// What differs.
pub(super) fn scaled(bench: &Bench<'_>) -> Result<(), String> {
    if bench.engine.name() != "sim" {
        return Ok(());
    }
    let seed = bench.scenario.seeds[0];
    let mut stream = Stream::new(bench.setup().duration.nanos(), "swarm/scaled");
    let plain = plain(&mut stream);
    let logs = [plain.clone(), faster(&plain)].map(|tree| {
        let scenario = read(&tree)?;
        Ok::<_, String>(Log::of(&scenario.points[0].setup, seed))
    });
    let [slow, fast] = logs;
    let (slow, fast) = (slow?, fast?);
    // The retransmission timer has a floor and a first value of its own.
    let timed = |log: &Log| log.result.flows.iter().any(|flow| flow.timeouts != Some(0));
    if timed(&slow) || timed(&fast) {
        return Ok(());
    }
    let what = |happening: &Happening| {
        let Happening { what, link, flow, kind, seq, tx, bytes, .. } = *happening;
        (what, link, flow, kind, seq, tx, bytes)
    };
    for (one, other) in slow.happenings.iter().zip(&fast.happenings) {
        let same = what(one) == what(other) && one.at.nanos() == 2 * other.at.nanos();
        hold(same, || format!("at twice the speed {one:?} is {other:?}"))?;
    }
    hold(slow.happenings.len() == fast.happenings.len(), || {
        format!("{} and {} events", slow.happenings.len(), fast.happenings.len())
    })
}

/// A chain of links and ACK-clocked flows, with times that are whole at half of them.
fn plain(stream: &mut Stream) -> Table {
    let mut pick = |values: &[u64]| values[stream.below(values.len() as u64) as usize];
    let hops = pick(&[1, 2, 3]);
    let mut text = format!("title = \"A plain case\"\nduration = \"{}ms\"\n", pick(&[4000, 8000]));
    for hop in 0..hops {
        let (kbps, delay) = (pick(&[1000, 2000, 4000]), pick(&[2, 6, 20, 50]));
        let (queue, loss) = (pick(&[5, 20, 60, 300]), pick(&[0, 0, 0, 1]) as f64 / 1000.0);
        text += &format!(
            "[[link]]\nname = \"hop-{hop}\"\nfrom = \"n{hop}\"\nto = \"n{}\"\nrate = \"{kbps}kb/s\"\n\
             delay = \"{delay}ms\"\nqueue = {queue}\nloss = {loss:?}\nreverse = {{ queue = 1000, loss = 0 }}\n",
            hop + 1
        );
    }
    for flow in 0..pick(&[1, 2, 3]) {
        let law = CLOCKED[pick(&[0, 1, 2, 3]) as usize];
        let (start, window) = (pick(&[0, 100, 500]), pick(&[4, 12, 30, 1000]));
        text += &format!(
            "[[flow]]\nname = \"flow-{flow}\"\nfrom = \"n0\"\nto = \"n{hops}\"\nprotocol = \"{law}\"\n\
             start = \"{start}ms\"\ntcp = {{ receive-window = {window} }}\n"
        );
    }
    text.parse().expect("TOML")
}

/// The same with twice the rates and half of the times.
fn faster(tree: &Table) -> Table {
    let mut tree = Value::Table(tree.clone());
    scale(&mut tree);
    tree.as_table().cloned().unwrap_or_default()
}

fn scale(value: &mut Value) {
    match value {
        Value::Table(table) => table.iter_mut().for_each(|(_, value)| scale(value)),
        Value::Array(items) => items.iter_mut().for_each(scale),
        Value::String(text) => {
            let number = |unit: &str| text.strip_suffix(unit)?.parse::<u64>().ok();
            if let Some(kbps) = number("kb/s") {
                *text = format!("{}kb/s", 2 * kbps);
            } else if let Some(ms) = number("ms") {
                *text = format!("{}us", 500 * ms);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A case in which a timer expires says nothing: not all may.
    #[test]
    fn many_plain_cases_have_no_timeout_and_lose_packets() {
        let (mut calm, mut lossy) = (0, 0);
        for number in 0..20 {
            let tree = plain(&mut Stream::new(number, "calm"));
            let log = Log::of(&read(&tree).expect("valid").points[0].setup, 1);
            let flows = &log.result.flows;
            if flows.iter().all(|flow| flow.timeouts == Some(0)) {
                calm += 1;
                lossy += u32::from(flows.iter().any(|flow| flow.recoveries > Some(0)));
            }
        }
        assert!(calm >= 6 && lossy >= 4, "{calm} of 20, {lossy} with losses");
    }

    #[test]
    fn another_rate_is_noticed_by_its_times() {
        let tree = plain(&mut Stream::new(1, "calm"));
        let texts = [tree.clone(), faster(&tree)].map(|tree| crate::swarm::text(&tree));
        assert_ne!(texts[0], texts[1]);
        assert!(texts[1].contains("us\"") && !texts[1].contains("ms\""), "{}", texts[1]);
    }
}
