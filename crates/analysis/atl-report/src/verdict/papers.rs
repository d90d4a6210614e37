//! The readings of each claim together, and the count of claims.

use std::iter::Sum;
use std::ops::Add;

use atl_scenario::quote::Standing;
use serde::Serialize;

use super::judged::{Judged, Verdict};

/// A claim of a paper with all its readings.
#[derive(Clone, Debug)]
pub struct PaperClaim<'a> {
    /// Its name: the `id` of the quote that states it.
    pub id: &'a str,
    /// The reading as printed.
    pub printed: Option<&'a Judged>,
    /// The readings on set-ups that are not the paper's, in the scenario's order. The first one counts.
    pub fitted: Vec<&'a Judged>,
}

/// The quotes of a scenario by whose claims they are.
#[derive(Clone, Debug, Default)]
pub struct Claims<'a> {
    /// The claims of papers, in the order of their first readings.
    pub papers: Vec<PaperClaim<'a>>,
    /// Our own checks and findings.
    pub own: Vec<&'a Judged>,
}

impl<'a> PaperClaim<'a> {
    /// The reading that states the claim: the one of its name, or else the first.
    pub fn stated(&self) -> Option<&'a Judged> {
        let mut all = self.readings();
        all.clone().find(|judged| judged.quote.id == self.id).or_else(|| all.next())
    }

    /// Every reading: as printed, then fitted.
    pub fn readings(&self) -> impl Iterator<Item = &'a Judged> + Clone + use<'a, '_> {
        self.printed.into_iter().chain(self.fitted.iter().copied())
    }
}

impl<'a> Claims<'a> {
    /// Sorts the judged quotes of one scenario.
    pub fn of(judged: &'a [Judged]) -> Claims<'a> {
        let mut claims = Claims::default();
        for one in judged {
            let Standing::Paper { claim, fitted } = &one.quote.standing else {
                claims.own.push(one);
                continue;
            };
            let at = claims.papers.iter().position(|known| known.id == claim);
            let at = at.unwrap_or_else(|| {
                let new = PaperClaim { id: claim, printed: None, fitted: Vec::new() };
                claims.papers.push(new);
                claims.papers.len() - 1
            });
            match fitted {
                None => claims.papers[at].printed = Some(one),
                Some(_) => claims.papers[at].fitted.push(one),
            }
        }
        claims
    }
}

/// How many claims of papers hold, and how many checks of our own. It is counted here and nowhere else: the results page,
/// the report, the terminal, `--json` and the README show these numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Claims of papers. A claim counts once, however many readings it has.
    pub claims: usize,
    /// Claims that are met as printed.
    pub met: usize,
    /// Claims that agree in direction as printed.
    pub same_direction: usize,
    /// Claims that are not met as printed.
    pub not_met: usize,
    /// Claims without a verdict as printed: undecided, not measured, too few seeds, or not run as printed.
    pub without_verdict: usize,
    /// Claims that are met in a fitted network, by the first fitted reading of each.
    pub met_fitted: usize,
    /// Checks of our own.
    pub own: usize,
    /// Those that are met.
    pub own_met: usize,
}

impl Tally {
    /// Counts the quotes of one scenario.
    pub fn of(judged: &[Judged]) -> Tally {
        let claims = Claims::of(judged);
        let mut tally =
            Tally { claims: claims.papers.len(), own: claims.own.len(), ..Tally::default() };
        for claim in &claims.papers {
            let counted = match claim.printed.map(|printed| printed.verdict) {
                Some(Verdict::Met) => &mut tally.met,
                Some(Verdict::SameDirection) => &mut tally.same_direction,
                Some(Verdict::NotMet) => &mut tally.not_met,
                Some(Verdict::Undecided | Verdict::TooFewSeeds | Verdict::NotMeasured) | None => {
                    &mut tally.without_verdict
                }
            };
            *counted += 1;
            let fitted = claim.fitted.first().map(|fitted| fitted.verdict);
            tally.met_fitted += usize::from(fitted == Some(Verdict::Met));
        }
        tally.own_met = claims.own.iter().filter(|own| own.verdict == Verdict::Met).count();
        tally
    }

    /// The claims of papers in a sentence; `None` if there are none.
    pub fn of_papers(&self) -> Option<String> {
        let Tally { claims, met, same_direction, not_met, without_verdict, met_fitted, .. } = self;
        let all = if *claims == 1 { "1 claim".to_owned() } else { format!("{claims} claims") };
        (*claims > 0).then(|| {
            format!(
                "Of {all} of papers, as printed: {met} met, {same_direction} same direction, {not_met} not met, \
                 {without_verdict} without a verdict; in a fitted network: {met_fitted} met."
            )
        })
    }

    /// Our own checks in a sentence; `None` if there are none.
    pub fn of_own(&self) -> Option<String> {
        let checks = if self.own == 1 { "check" } else { "checks" };
        let (own, met) = (self.own, self.own_met);
        (own > 0).then(|| format!("Of {own} {checks} of our own: {met} met."))
    }

    /// Both sentences; empty if there is nothing to count.
    pub fn sentences(&self) -> String {
        self.of_papers().into_iter().chain(self.of_own()).collect::<Vec<_>>().join(" ")
    }
}

impl Add for Tally {
    type Output = Tally;

    fn add(self, other: Tally) -> Tally {
        Tally {
            claims: self.claims + other.claims,
            met: self.met + other.met,
            same_direction: self.same_direction + other.same_direction,
            not_met: self.not_met + other.not_met,
            without_verdict: self.without_verdict + other.without_verdict,
            met_fitted: self.met_fitted + other.met_fitted,
            own: self.own + other.own,
            own_met: self.own_met + other.own_met,
        }
    }
}

impl Sum for Tally {
    fn sum<I: Iterator<Item = Tally>>(tallies: I) -> Tally {
        tallies.fold(Tally::default(), Tally::add)
    }
}
