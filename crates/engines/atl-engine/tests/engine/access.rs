//! News from the MACs of wireless links for the ends of flows.

use atl_core::path::{Handoff, LinkReport, PathId, PathSignal};
use atl_core::time::{Span, Time};
use atl_core::units::Probability;
use atl_core::window::End;
use atl_engine::flow::{Access, Hearing, Mobile, News, Wireless};
use atl_engine::setup::Setup;
use atl_link::{Cause, ChangeEvent};

use crate::scenario_of;

const SECOND: Time = Time::from_millis(1000);

fn link(ms: u64) -> LinkReport {
    LinkReport { loss: Probability::clamped(0.01), delay: Span::from_millis(ms) }
}

/// Two flows from a phone to a server over `air`, one that listens and one that does not, and a
/// third the other way, whose receiver reports.
fn phone() -> Access {
    let mut access = Access::new(2);
    let up = Wireless { access: Some(0), peer_access: None, first: Some(0) };
    let down = Wireless { access: None, peer_access: Some(1), first: Some(1) };
    access.add(Hearing { wireless: up, listens: true, reports: false }, None);
    access.add(Hearing { wireless: up, listens: false, reports: false }, None);
    access.add(Hearing { wireless: down, listens: true, reports: true }, None);
    access
}

fn heard(tell: impl FnOnce(&mut dyn FnMut(usize, News))) -> Vec<(usize, News)> {
    let mut all = Vec::new();
    tell(&mut |flow, news| all.push((flow, news)));
    all
}

#[test]
fn a_link_reports_to_senders_at_its_end_if_one_of_them_listens() {
    let access = phone();
    assert_eq!(access.reporting().collect::<Vec<_>>(), [0]);
    assert_eq!(access.read().collect::<Vec<_>>(), [1]);
    let report = News::Report(0, link(20));
    assert_eq!(heard(|t| access.on_report(0, link(20), t)), [(0, report), (1, report)]);
    assert_eq!(heard(|t| access.on_report(1, link(20), t)), []);
}

#[test]
fn a_change_is_a_handoff_and_a_report_to_senders_and_a_move_of_receivers() {
    let access = phone();
    let (old_delay, new_delay) = (Span::from_millis(20), Span::from_millis(150));
    let change = ChangeEvent { index: 0, old_delay, new_delay };
    let handoff = News::Handoff(Handoff::new(SECOND, End::Own, old_delay, new_delay));
    let report = News::Report(0, link(150));
    let up = heard(|t| access.on_change(SECOND, 0, &change, link(150), t));
    assert_eq!(up, [(0, handoff), (0, report), (1, handoff), (1, report)]);
    let down = heard(|t| access.on_change(SECOND, 1, &change, link(150), t));
    assert_eq!(down, [(2, News::ReceiverMoved)]);
}

#[test]
fn the_mac_tells_of_losses_on_the_senders_own_link_alone() {
    let access = phone();
    assert!(access.tells_loss(0, 0, true, Cause::Error));
    assert!(!access.tells_loss(0, 0, true, Cause::Congestion), "it has transmitted the packet");
    assert!(!access.tells_loss(0, 0, false, Cause::Error), "that is somebody else's packet");
    assert!(!access.tells_loss(0, 1, true, Cause::Error), "another link");
    assert!(!access.tells_loss(2, 1, true, Cause::Error), "its link is at the receiver's end");
}

#[test]
fn the_network_of_a_sample_is_the_number_of_changes_of_the_first_wireless_link() {
    let access = phone();
    assert_eq!(access.network(2, None, |link| link + 6), 7);
}

/// A car that drives from one cell to the next.
fn car(from: &str, to: &str) -> Setup {
    let cell = |name: &str, at: u32, delay: u32| {
        format!(
            "[[cell]]\nname = {name:?}\nat = [\"{at}m\", \"0m\"]\nradius = \"100m\"\n\
             behind = \"gateway\"\nrate = \"10Mb/s\"\ndelay = \"{delay}ms\"\n"
        )
    };
    let text = format!(
        r#"title = "A car"
duration = "20s"
[[link]]
name = "wire"
from = "server"
to = "gateway"
rate = "100Mb/s"
delay = "5ms"
{}{}
[[mobile]]
name = "car"
path = [["0m", "0m"], ["150m", "0m"]]
speed = "10m/s"
[[flow]]
name = "flow"
from = {from:?}
to = {to:?}
protocol = "tcp-atl"
"#,
        cell("old", 0, 10),
        cell("new", 150, 40),
    );
    scenario_of("car", &text).points.remove(0).setup
}

/// The news of a move to the second cell, with the links of both cells before and after.
fn moved(setup: &Setup, now: Time, keeps: bool) -> (Vec<News>, [Wireless; 2]) {
    let plan = &setup.flows[0];
    let steps = &setup.mobiles[0].steps;
    let mobile = Mobile::new(plan, steps, &setup.links).expect("one end moves");
    let mut access = Access::new(setup.links.len());
    let wireless = Wireless::of(plan.first_path(), &setup.links);
    access.add(Hearing { wireless, listens: true, reports: true }, Some(&mobile));
    let mut read = |link: usize| link_of(setup, link);
    let mut told = |access: &mut Access, signal| {
        access.on_signal((now, SECOND), 0, (&mobile, signal), keeps, &mut read).collect::<Vec<_>>()
    };
    let b = PathId::new(1);
    assert_eq!(told(&mut access, PathSignal::Imminent(b)), [], "it has not moved");
    assert_eq!(access.wireless(0).first, wireless.first);
    let news = told(&mut access, PathSignal::Done(b));
    // Each link reports to the flow in the lists of its own cell alone.
    let there = access.wireless(0);
    for (cell, hears) in [(wireless, 0), (there, 1)] {
        for link in [cell.access, cell.peer_access].into_iter().flatten() {
            let change = ChangeEvent { index: 0, old_delay: Span::ZERO, new_delay: Span::ZERO };
            let heard = heard(|t| access.on_change(now, link as usize, &change, read(0), t));
            assert_eq!(heard.is_empty(), hears == 0, "link {link}");
        }
    }
    (news, [wireless, there])
}

fn link_of(setup: &Setup, link: usize) -> LinkReport {
    match setup.links[link].config.initial.delay {
        atl_link::Delay::Constant(delay) => LinkReport { delay, ..LinkReport::NONE },
        ref other => panic!("{other:?}"),
    }
}

#[test]
fn a_mobile_sender_hears_of_its_new_link_and_of_a_shift_if_it_keeps_its_state() {
    let setup = car("car", "server");
    let now = Time::from_millis(7_500);
    let (news, [old, new]) = moved(&setup, now, true);
    let (old, new) = (old.access.expect("wireless"), new.access.expect("wireless"));
    assert_ne!(old, new);
    let (before, after) = (Span::from_millis(10), Span::from_millis(40));
    let report = News::Report(new as usize, LinkReport { delay: after, ..LinkReport::NONE });
    let handoff = News::Handoff(Handoff::new(now, End::Own, before, after));
    assert_eq!(news, [handoff, report]);
    assert_eq!(moved(&setup, now, false).0, [report], "nothing to shift");
    assert_eq!(moved(&setup, Time::ZERO, true).0, [], "no connection yet");
}

#[test]
fn a_mobile_receiver_hears_that_it_has_moved() {
    let setup = car("server", "car");
    let (news, [old, new]) = moved(&setup, Time::from_millis(7_500), true);
    assert_eq!(news, [News::ReceiverMoved]);
    assert_ne!(old.peer_access, new.peer_access);
    assert_eq!(moved(&setup, Time::ZERO, true).0, [], "no connection yet");
}
