//! Grouping the readings of each claim, and counting claims.

use std::iter::Sum;
use std::ops::Add;

use atl_scenario::quote::Standing;
use serde::Serialize;

use super::judged::{Judged, Verdict};

/// A paper's claim with all its readings.
#[derive(Clone, Debug)]
pub struct PaperClaim<'a> {
    /// `id` of the quote that states it.
    pub id: &'a str,
    /// Reading as printed, if there is one.
    pub printed: Option<&'a Judged>,
    /// Readings on set-ups that differ from the paper's, in the scenario's order. The first one
    /// counts.
    pub fitted: Vec<&'a Judged>,
}

/// Quotes of a scenario, grouped by claim.
#[derive(Clone, Debug, Default)]
pub struct Claims<'a> {
    /// Claims of papers, in the order of their first readings.
    pub papers: Vec<PaperClaim<'a>>,
    /// Our own checks and findings.
    pub own: Vec<&'a Judged>,
}

impl<'a> PaperClaim<'a> {
    /// The reading that states the claim: the one with its name, otherwise the first.
    pub fn stated(&self) -> Option<&'a Judged> {
        let mut all = self.readings();
        all.clone().find(|judged| judged.quote.id == self.id).or_else(|| all.next())
    }

    /// All readings: as printed, then fitted.
    pub fn readings(&self) -> impl Iterator<Item = &'a Judged> + Clone + use<'a, '_> {
        self.printed.into_iter().chain(self.fitted.iter().copied())
    }
}

impl<'a> Claims<'a> {
    /// Groups the judged quotes of one scenario.
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

/// Number of papers' claims that hold, and of our own checks. They are counted only here, for the
/// results page, the report, the terminal, `--json` and the README.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Number of papers' claims. A claim counts once, however many readings it has.
    pub claims: usize,
    /// Claims met as printed.
    pub met: usize,
    /// Claims met as printed by the mean, but not by its whole interval.
    pub met_uncertain: usize,
    /// Claims that agree in direction as printed.
    pub same_direction: usize,
    /// Claims not met as printed.
    pub not_met: usize,
    /// Claims without a verdict as printed: undecided, not measured, too few seeds, or not run as
    /// printed.
    pub without_verdict: usize,
    /// Claims met in a fitted network, by the first fitted reading of each.
    pub met_fitted: usize,
    /// Claims met in a fitted network by the mean, but not by its whole interval.
    pub met_uncertain_fitted: usize,
    /// Number of our own checks.
    pub own: usize,
    /// Own checks that are met.
    pub own_met: usize,
    /// Own checks met by the mean, but not by its whole interval.
    pub own_met_uncertain: usize,
    /// Own checks without a verdict: undecided, not measured, or too few seeds.
    pub own_without_verdict: usize,
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
                Some(Verdict::MetUncertain) => &mut tally.met_uncertain,
                Some(Verdict::SameDirection) => &mut tally.same_direction,
                Some(Verdict::NotMet) => &mut tally.not_met,
                Some(Verdict::Undecided | Verdict::TooFewSeeds | Verdict::NotMeasured) | None => {
                    &mut tally.without_verdict
                }
            };
            *counted += 1;
            let fitted = claim.fitted.first().map(|fitted| fitted.verdict);
            tally.met_fitted += usize::from(fitted == Some(Verdict::Met));
            tally.met_uncertain_fitted += usize::from(fitted == Some(Verdict::MetUncertain));
        }
        let own =
            |which: fn(Verdict) -> bool| claims.own.iter().filter(|own| which(own.verdict)).count();
        tally.own_met = own(|verdict| verdict == Verdict::Met);
        tally.own_met_uncertain = own(|verdict| verdict == Verdict::MetUncertain);
        tally.own_without_verdict = own(|verdict| !verdict.decides());
        tally
    }

    /// Sentence on the claims of papers; `None` if there are none.
    pub fn of_papers(&self) -> Option<String> {
        let Tally { claims, met, met_uncertain, same_direction, not_met, without_verdict, .. } =
            self;
        let Tally { met_fitted, met_uncertain_fitted, .. } = self;
        let all = if *claims == 1 { "1 claim".to_owned() } else { format!("{claims} claims") };
        (*claims > 0).then(|| {
            format!(
                "Of {all} of papers, as printed: {met} met, {met_uncertain} met but uncertain, {same_direction} same direction, \
                 {not_met} not met, {without_verdict} without a verdict; in a fitted network: {met_fitted} met, \
                 {met_uncertain_fitted} met but uncertain."
            )
        })
    }

    /// Sentence on our own checks; `None` if there are none.
    pub fn of_own(&self) -> Option<String> {
        let checks = if self.own == 1 { "check" } else { "checks" };
        let (own, met, uncertain) = (self.own, self.own_met, self.own_met_uncertain);
        let judged =
            format!("Of {own} {checks} of our own: {met} met, {uncertain} met but uncertain");
        (own > 0).then(|| match self.own_without_verdict {
            0 => format!("{judged}."),
            open if open < own => format!("{judged}, {open} without a verdict."),
            _ if own == 1 => "Our own check has no verdict.".to_owned(),
            _ => format!("None of our {own} own checks has a verdict."),
        })
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
            met_uncertain: self.met_uncertain + other.met_uncertain,
            same_direction: self.same_direction + other.same_direction,
            not_met: self.not_met + other.not_met,
            without_verdict: self.without_verdict + other.without_verdict,
            met_fitted: self.met_fitted + other.met_fitted,
            met_uncertain_fitted: self.met_uncertain_fitted + other.met_uncertain_fitted,
            own: self.own + other.own,
            own_met: self.own_met + other.own_met,
            own_met_uncertain: self.own_met_uncertain + other.own_met_uncertain,
            own_without_verdict: self.own_without_verdict + other.own_without_verdict,
        }
    }
}

impl Sum for Tally {
    fn sum<I: Iterator<Item = Tally>>(tallies: I) -> Tally {
        tallies.fold(Tally::default(), Tally::add)
    }
}
