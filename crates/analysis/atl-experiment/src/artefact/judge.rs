//! The results of a scenario as written beside those in other forms.

use atl_report::Outcome;
use atl_report::ranking::{Duels, ranking};
use atl_scenario::scenario::Scenario;
use serde::Serialize;

use super::claim::{Claim, Under};
use super::form::Form;
use super::own_words::OwnWords;
use super::sentence::sentence;

/// The claims of a scenario on one engine, and whether they stand in each form.
#[derive(Clone, Debug, Serialize)]
pub struct Artefact {
    /// Name of the scenario.
    pub scenario: String,
    /// Title of the scenario.
    pub title: String,
    /// Hash of all that decides the results of the scenario as written.
    pub scenario_hash: String,
    /// Name of the engine.
    pub engine: String,
    /// The ranked quantity, such as `goodput of upload`.
    pub ranked: String,
    /// The seeds by which all is paired.
    pub seeds: Vec<u64>,
    /// A claim for each contender but the leader of the scenario as written, from best to worst.
    pub claims: Vec<Claim>,
}

impl Artefact {
    /// Judges the results of the scenario as `written` beside those in other forms. `None` if it
    /// compares nothing: there is only one contender, or none was measured.
    pub fn of(written: &Outcome, others: &[(&'static Form, &Outcome)]) -> Option<Artefact> {
        let ranking = ranking(written)?;
        let (first, rest) = ranking.places.split_first()?;
        let base = Duels::of(written);
        let duels: Vec<(&'static Form, Duels)> =
            others.iter().map(|(form, outcome)| (*form, Duels::of(outcome))).collect();
        let own = OwnWords::of_scenario(&written.scenario);
        let claim = |name: &String| {
            let duel = base.duel(name, &first.name)?;
            let mut claim = Claim::new(name, &first.name, &duel);
            let under = |(form, duels): &(&'static Form, Duels)| {
                Some(Under::new(form, &duels.duel(name, &first.name)?, &duel))
            };
            claim.forms = duels.iter().filter_map(under).collect();
            claim.sentence = sentence(&claim, &own);
            Some(claim)
        };
        let claims: Vec<Claim> = rest.iter().filter_map(|place| claim(&place.name)).collect();
        let Scenario { name, title, hash, seeds, .. } = (*written.scenario).clone();
        (!claims.is_empty()).then(|| Artefact {
            scenario: name,
            title,
            scenario_hash: hash,
            engine: written.engine.name.clone(),
            ranked: ranking.what(),
            seeds,
            claims,
        })
    }
}
