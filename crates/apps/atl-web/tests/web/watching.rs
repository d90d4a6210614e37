//! A run packet by packet: forwards, backwards, to a time, to the next loss.

use atl_scenario::builtin;
use atl_web::{Request, Session, Watcher};

fn watcher() -> Watcher {
    let scenario = builtin().iter().find(|b| b.name == "showcase/roaming").expect("built in");
    let request = Request {
        text: scenario.copy().to_owned(),
        from: scenario.name.to_owned(),
        quick: true,
        seeds: String::new(),
    };
    let (session, _) = Session::open(request).expect("it is right");
    assert!(session.watch(0, 1, 99, 0).is_err() && session.watch(0, 1, 0, 99).is_err());
    session.watch(0, 1, 0, 0).expect("there are a flow and a link")
}

#[test]
fn steps_forwards_and_back_pass_the_same_places() {
    let mut watcher = watcher();
    let mut places = vec![watcher.forwards(0)];
    for _ in 0..40 {
        places.push(watcher.forwards(25));
    }
    assert!(places.windows(2).all(|pair| pair[0].time_s <= pair[1].time_s));
    for place in places.iter().rev().skip(1) {
        let back = watcher.back(25);
        assert!(back.restarted);
        assert_eq!((back.steps, back.now, &back.recent), (place.steps, place.now, &place.recent));
        assert_eq!(back.counts, place.counts);
    }
    assert_eq!(watcher.back(u64::MAX).steps, 0);
}

#[test]
fn losses_are_found_one_by_one_up_to_the_end() {
    let mut watcher = watcher();
    let mut gone = 0;
    loop {
        let view = watcher.next_loss();
        let now = view.counts.dropped + view.counts.lost;
        if view.ended {
            assert_eq!(now, gone);
            break;
        }
        assert!(now > gone);
        let last = view.recent.iter().rev().find(|row| row.kind == "data").expect("a packet");
        assert!(matches!(last.what, "lost" | "dropped"), "{last:?}");
        gone = now;
    }
    assert!(gone > 20, "Wi-Fi, 3G and a satellite lose packets: {gone}");
    let end = watcher.forwards(0);
    let counts = end.counts;
    let ended = counts.arrived + counts.dropped + counts.lost;
    assert!(ended <= counts.sent + counts.dropped && ended > counts.sent / 2, "{counts:?}");
    assert!(counts.again > 0 && counts.again < counts.sent / 2, "{counts:?}");
}

#[test]
fn a_time_is_reached_from_both_sides() {
    let mut watcher = watcher();
    let first = watcher.go_to(50.0);
    assert!((first.time_s - 50.0).abs() < 1e-9 && !first.ended);
    let later = watcher.go_to(60.0);
    assert!(!later.restarted && later.points.iter().all(|point| point.time_s >= 50.0));
    let again = watcher.go_to(50.0);
    assert!(again.restarted);
    assert_eq!((again.now, again.counts, again.recent), (first.now, first.counts, first.recent));
    assert!(watcher.go_to(f64::NAN).time_s <= 120.0);
    assert!(watcher.go_to(1e9).ended);
}
