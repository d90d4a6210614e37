//! A claim and its forms as one sentence.

use super::claim::{Claim, Under, Verdict};
use super::form::Impairment;
use super::own_words::OwnWords;

/// Such as `BBRv3 behind CUBIC: only with jitter that overtakes.`
pub(super) fn sentence(claim: &Claim, own: &OwnWords) -> String {
    let mut impairments: Vec<&'static Impairment> = Vec::new();
    for under in &claim.forms {
        if !impairments.contains(&under.form.of) {
            impairments.push(under.form.of);
        }
    }
    let (mut limits, mut unclear) = (Vec::new(), Vec::new());
    for impairment in impairments {
        let forms = claim.forms.iter().filter(|under| under.form.of == impairment);
        let (off, others): (Vec<&Under>, Vec<&Under>) = forms.partition(|u| u.form.is_off);
        limits.extend(limit(&off, &others, impairment, own));
        let all = others.into_iter().chain(off);
        unclear.extend(all.filter(|u| u.verdict == Verdict::Unclear).map(|u| u.words));
    }
    let claimed = claim.words();
    let mut said = match (claim.forms.len(), limits.as_slice()) {
        (0, _) => return format!("{claimed}: nothing here has another form."),
        (_, []) if unclear.is_empty() => format!("{claimed}: in every form"),
        (_, []) => format!("{claimed}: in every form that tells"),
        (_, limits) => format!("{claimed}: {}", limits.join("; ")),
    };
    if !unclear.is_empty() {
        said.push_str(&format!("; unclear {}", unclear.join(", ")));
    }
    said + "."
}

/// The limit that one impairment puts on a claim, if any.
fn limit(
    off: &[&Under],
    others: &[&Under],
    impairment: &'static Impairment,
    own: &OwnWords,
) -> Option<String> {
    let falls = |under: &&&Under| under.verdict == Verdict::Falls;
    let fallen: Vec<&str> = others.iter().filter(falls).map(|under| under.words).collect();
    let falls_without = off.iter().any(|under| under.verdict == Verdict::Falls);
    let stands_without = off.iter().find(|under| under.verdict == Verdict::Stands);
    match (fallen.len(), falls_without) {
        (0, false) => None,
        (0, true) => Some(format!("only {}", impairment.with)),
        (n, _) if n == others.len() => {
            let or = stands_without.map(|under| format!(" or {}", under.words));
            Some(format!("only {}{}", own.of(impairment), or.unwrap_or_default()))
        }
        _ => {
            let without = off.iter().filter(falls).map(|under| under.words);
            Some(format!(
                "not {}",
                fallen.into_iter().chain(without).collect::<Vec<_>>().join(", ")
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use atl_report::ranking::Relation;
    use atl_report::stats::Estimate;

    use super::super::form_named;
    use super::*;

    fn claim(forms: &[(&str, Verdict)]) -> Claim {
        let goodput = Estimate::of(&[1e6; 5]).expect("five values");
        let under = |(name, verdict): &(&str, Verdict)| {
            let form = form_named(name).expect("a form");
            Under {
                form,
                words: form.words,
                relation: Relation::Level,
                ratio: None,
                goodputs_bps: [goodput; 2],
                shift: None,
                verdict: *verdict,
            }
        };
        Claim {
            of: "BBRv3".to_owned(),
            beside: "CUBIC".to_owned(),
            relation: Relation::Behind,
            ratio: None,
            goodputs_bps: [goodput; 2],
            sentence: String::new(),
            forms: forms.iter().map(under).collect(),
        }
    }

    #[test]
    fn a_claim_is_limited_to_the_forms_in_which_it_stands() {
        use Verdict::{Falls, Stands, Unclear};
        let jitter = form_named("no-jitter").expect("a form").of;
        let own = OwnWords::new(&[(jitter, "with jitter that overtakes")]);
        let said = |forms: &[(&str, Verdict)]| sentence(&claim(forms), &own);
        let cases: [(&[(&str, Verdict)], &str); 8] = [
            (&[], "nothing here has another form."),
            (&[("jitter-in-order", Stands), ("no-jitter", Stands)], "in every form."),
            (
                &[("jitter-in-order", Falls), ("no-jitter", Falls)],
                "only with jitter that overtakes.",
            ),
            (
                &[("jitter-in-order", Falls), ("no-jitter", Stands)],
                "only with jitter that overtakes or without jitter.",
            ),
            (&[("jitter-in-order", Stands), ("no-jitter", Falls)], "only with jitter."),
            (
                &[("jitter-in-order", Stands), ("no-jitter", Unclear)],
                "in every form that tells; unclear without jitter.",
            ),
            (
                &[("loss-independent", Falls), ("loss-per-second", Stands), ("no-loss", Falls)],
                "not with independent losses, without losses of links.",
            ),
            (
                &[("no-reordering", Falls), ("queue-in-time", Unclear)],
                "only with packets that come late; unclear with queues in time.",
            ),
        ];
        for (forms, expected) in cases {
            assert_eq!(said(forms), format!("BBRv3 behind CUBIC: {expected}"));
        }
    }
}
