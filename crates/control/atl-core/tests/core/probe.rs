//! Surveys of all kinds, on paths that answer sooner, later or never: a digest of all that each
//! answers. Times are multiples of five milliseconds, so that comparisons often meet equal ones.

use atl_core::probe::{Item, Plan, Survey};
use atl_core::time::{Span, Time};

use crate::support::digest::Digest;
use crate::support::draws::Draws;

fn ms(ms: u64) -> Span {
    Span::from_millis(ms)
}

/// A survey, in which the sender is late or held back now and then. Returns the dummies' ACKs.
fn survey(draws: &mut Draws, seen: &mut Digest) -> u32 {
    let rtt = [None, Some(ms(0)), Some(ms(10)), Some(ms(40)), Some(ms(200))];
    let rtt = rtt[draws.below(5) as usize];
    let over = [None, None, Some(ms(0)), Some(ms(100))][draws.below(4) as usize];
    let dummies = [0, 1, 3, 4, 10, 20][draws.below(6) as usize];
    let plan = Plan { dummies, over, rtt, challenge: draws.chance() };
    let begins = 5 * draws.below(3);
    let mut survey = Survey::new(Time::from_millis(begins), plan);
    let (answers, answered_after) = (draws.below(4) > 0, 5 * draws.below(40));
    let mut flying: Vec<(u64, Item)> = Vec::new();
    for at in (begins..3000).step_by(5) {
        let now = Time::from_millis(at);
        if draws.below(40) == 0 {
            survey.hold(now);
        }
        if draws.below(20) == 0 {
            survey.retry(now);
        }
        if draws.below(8) > 0 {
            survey.on_timer(now);
        }
        if let Some(item) = survey.due(now) {
            seen.note(item);
            if draws.below(10) > 0 {
                survey.on_sent(now);
                flying.push((at, item));
            }
        } else if draws.below(100) == 0 {
            survey.on_sent(now);
        }
        while let Some((sent, item)) = flying.first().copied()
            && sent + answered_after <= at
        {
            flying.remove(0);
            match item {
                _ if !answers || draws.below(9) == 0 => {}
                Item::Challenge => survey.on_challenge_ack(now, ms(at - sent)),
                Item::Dummy => seen.note(survey.on_dummy_ack(now, ms(at - sent))),
            }
        }
        let found = survey.found(now);
        seen.note((survey.next_timer(), survey.is_over(), survey.is_challenging()));
        seen.note((found, found.carried(), found.window()));
    }
    survey.found(Time::from_millis(3000)).acks
}

#[test]
fn surveys() {
    let mut draws = Draws(5);
    let text: String = (0..20)
        .map(|_| {
            let mut seen = Digest::new();
            let acks: u32 = (0..10).map(|_| survey(&mut draws, &mut seen)).sum();
            format!("{acks} {:016x}\n", seen.0)
        })
        .collect();
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("surveys", text);
    });
}
