//! Origins of quotes, and quotes that are readings of the same claim.

use crate::errors::Problem;
use crate::quote::Standing;
use crate::table::{Field, Table};
use crate::tree::Kind;

/// Reads the origin of a quote.
pub(super) fn standing(table: &Table<'_>, id: Option<&str>) -> Option<Standing> {
    let own = table.value("own", Field::bool)?;
    let fitted = match table.get("fitted") {
        Some(field) => Some(field.short_text()?.trim().to_owned()),
        None => None,
    };
    let claim = match table.get("claim") {
        Some(field) => field.name()?,
        None => id?,
    };
    Some(if own { Standing::Own } else { Standing::Paper { claim: claim.to_owned(), fitted } })
}

/// Checks the quotes of a file together: that `claim` names an existing one, and that no claim has
/// two readings as printed. Includes quotes left out because of the command line.
pub(super) fn check_readings(tables: &[Table<'_>]) {
    let readings: Vec<Reading<'_>> = tables.iter().filter_map(Reading::of).collect();
    for reading in &readings {
        reading.check_claim(&readings);
    }
    let printed: Vec<&Reading<'_>> = readings.iter().filter(|r| r.printed).collect();
    for (i, second) in printed.iter().enumerate() {
        let first = printed[..i].iter().find(|r| r.claim() == second.claim() && r.id != second.id);
        if let Some(first) = first {
            second.twice_printed(first);
        }
    }
}

/// The parts of a quote that matter here, which may be right even if others are not.
struct Reading<'a> {
    table: &'a Table<'a>,
    id: &'a str,
    claims: Option<&'a str>,
    own: bool,
    /// True for a paper's claim in the paper's set-up.
    printed: bool,
}

impl<'a> Reading<'a> {
    fn of(table: &'a Table<'a>) -> Option<Reading<'a>> {
        let id = text(table, "id")?;
        let own = table.get("own").is_some_and(|f| matches!(f.node.kind, Kind::Bool(true)));
        let printed = !own && table.get("fitted").is_none();
        Some(Reading { table, id, claims: text(table, "claim"), own, printed })
    }

    fn claim(&self) -> &str {
        self.claims.unwrap_or(self.id)
    }

    fn check_claim(&self, all: &[Reading<'_>]) {
        let (Some(claim), Some(field)) = (self.claims, self.table.get("claim")) else {
            return;
        };
        if claim == self.id {
            let label =
                "a quote without `claim` is the first reading of its own claim: leave it out";
            field.bad::<()>(format!("it is this quote's own `id`; {label}"));
            return;
        }
        let Some(named) = all.iter().find(|r| r.id == claim) else {
            let others = all.iter().map(|r| r.id).filter(|id| *id != self.id);
            let problem = field.problem(format!("there is no quote `{claim}`"), "unknown `id`");
            field.report(problem.nearest(claim, others));
            return;
        };
        if named.own {
            field.bad::<()>("that quote is our own check: it is no claim of a paper");
        } else if let Some(first) = named.claims {
            field.bad::<()>(format!("that quote is itself a reading of `{first}`: name that one"));
        }
    }

    fn twice_printed(&self, first: &Reading<'_>) {
        let at = |table: &Table<'_>| table.get("id").map_or(table.at, |field| field.node.at);
        let (this, claim) = (self.table, self.claim());
        let message =
            format!("`{}` and `{}` both read the claim `{claim}` as printed", first.id, self.id);
        this.cx.sink.report(
            Problem::new(message)
                .at(at(this))
                .key(this.path.clone())
                .label("the second one")
                .related(at(first.table), "the first one")
                .help("a claim has one reading as printed: say with `fitted` what was chosen for the other"),
        );
    }
}

fn text<'a>(table: &'a Table<'a>, key: &'static str) -> Option<&'a str> {
    match &table.get(key)?.node.kind {
        Kind::Str(text) => Some(text),
        _ => None,
    }
}
