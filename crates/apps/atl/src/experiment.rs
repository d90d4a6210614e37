//! Shared by `run` and `reproduce`: from scenarios to outcomes, and from outcomes to files.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use atl_engine::store::{Results, Room};
use atl_engine::{Clock, Engine, Options, RunnerError};
use atl_experiment::shard::Shard;
use atl_experiment::{VERSION, engines, running as runs, write};
use atl_report::{Judged, Outcome, judge, results_page, store};
use atl_scenario::ablation::Ablation;
use atl_scenario::scenario::Scenario;
use atl_scenario::{Errors, Overrides};

use crate::args::{Changes, Running};
use crate::failure::Failure;
use crate::format::{counted, duration};
use crate::progress::Bar;
use crate::{interrupt, opening, output};

impl Changes {
    /// The changes as the scenario's reader takes them.
    pub(crate) fn overrides(&self) -> Overrides {
        Overrides {
            set: self.set.clone(),
            seeds: self.seeds.clone(),
            duration: self.duration.clone(),
            quick: self.quick,
            options: Vec::new(),
        }
    }
}

///
/// # Errors
/// All errors in any of them.
pub(crate) fn open<'a>(
    specs: impl IntoIterator<Item = &'a str>,
    changes: &Changes,
    json: bool,
) -> Result<Vec<Scenario>, Failure> {
    let overrides = changes.overrides();
    let mut scenarios = Vec::new();
    let mut errors: Vec<Errors> = Vec::new();
    for spec in specs {
        match opening::open(spec, &overrides) {
            Ok(scenario) => {
                output::error(&scenario.warnings.render(output::stderr_colour()));
                scenarios.push(scenario);
            }
            Err(e) => errors.push(e),
        }
    }
    if errors.is_empty() { Ok(scenarios) } else { Err(Failure::Scenarios { errors, json }) }
}

/// Scenarios, and engines that can run all of them.
#[derive(Debug)]
pub(crate) struct Plan {
    engines: Vec<&'static dyn Engine>,
    scenarios: Vec<Scenario>,
    /// Label in the progress bar for a plan with ablated protocols; empty otherwise.
    label: String,
}

impl Plan {
    /// Chooses the engines, reads the scenarios, and checks that each engine can run each scenario.
    ///
    /// # Errors
    /// If an engine is unknown, a scenario is wrong, or an engine has gaps.
    pub(crate) fn new<'a>(
        specs: impl IntoIterator<Item = &'a str>,
        changes: &Changes,
        running: &Running,
    ) -> Result<Plan, Failure> {
        let engines = engines::choose(&running.on)?;
        let scenarios = open(specs, changes, running.json)?;
        let plan = Plan::of(engines, scenarios, running)?;
        plan.warn_of_chance();
        Ok(plan)
    }

    /// Checks that each of these engines can run each of these scenarios.
    ///
    /// # Errors
    /// If an engine has gaps.
    pub(crate) fn of(
        engines: Vec<&'static dyn Engine>,
        scenarios: Vec<Scenario>,
        running: &Running,
    ) -> Result<Plan, Failure> {
        let all: Vec<&Scenario> = scenarios.iter().collect();
        match atl_engine::check(&engines, &all) {
            Ok(()) => Ok(Plan { engines, scenarios, label: String::new() }),
            Err(gaps) => Err(Failure::Gaps { gaps, json: running.json }),
        }
    }

    /// Warns about runs that differ each time although they are in virtual time.
    fn warn_of_chance(&self) {
        if self.engines.iter().all(|engine| engine.clock() == Clock::Real) {
            return;
        }
        for scenario in &self.scenarios {
            let flows = scenario.points.iter().flat_map(|point| &point.setup.flows);
            let protocols = flows.map(|flow| &flow.protocol);
            if let Some(protocol) = protocols.into_iter().find(|p| !p.is_repeatable()) {
                output::error(&format!(
                    "warning: {}: runs with `{}` differ each time, because it takes its randomness from the system and not from the seed\n",
                    scenario.name, protocol.name
                ));
            }
        }
    }

    pub(crate) fn scenarios(&self) -> &[Scenario] {
        &self.scenarios
    }

    /// The plan without a part of the protocols, at the points where that changes something.
    ///
    /// # Errors
    /// If it changes nothing anywhere, or if an engine cannot run the rest.
    pub(crate) fn without(&self, ablation: Ablation, running: &Running) -> Result<Plan, Failure> {
        let scenarios: Vec<Scenario> =
            self.scenarios.iter().filter_map(|scenario| ablation.of(scenario)).collect();
        if scenarios.is_empty() {
            let names: Vec<&str> = self.scenarios.iter().map(|s| s.name.as_str()).collect();
            return Err(Failure::Usage(format!(
                "--ablate {ablation}: `{}` has no {} that could be left out",
                names.join("`, `"),
                ablation.what(),
            )));
        }
        let plan = Plan::of(self.engines.clone(), scenarios, running)?;
        Ok(Plan { label: format!("without {ablation}  "), ..plan })
    }

    /// Runs everything, one engine after the other, so that they do not compete for processors.
    /// `commands` holds the command that repeats each scenario. Results that do not fit in memory
    /// go to a file without a name on the file system of the directory `spill`.
    ///
    /// # Errors
    /// If a run fails, the threads cannot be started, or results cannot be kept.
    pub(crate) fn run(
        self,
        commands: &[String],
        running: &Running,
        spill: &Path,
    ) -> Result<Experiment, Failure> {
        let labels: Vec<String> = self
            .engines
            .iter()
            .map(|engine| format!("{}{}", self.label, self.engine_label(*engine)))
            .collect();
        let Plan { engines, scenarios, .. } = self;
        let scenarios: Vec<Arc<Scenario>> = scenarios.into_iter().map(Arc::new).collect();
        let mut outcomes: Vec<Vec<Outcome>> = scenarios.iter().map(|_| Vec::new()).collect();
        let mut took = 0.0;
        for (&engine, label) in engines.iter().zip(&labels) {
            let room = Arc::new(Room::default());
            let run = |options: Options<'_>| runs::whole(engine, &scenarios, &room, spill, options);
            let (results, seconds) = watched(label, running, run)?;
            took += seconds;
            let each = outcomes.iter_mut().zip(&scenarios).zip(commands).zip(results);
            for (((outcomes, scenario), command), results) in each {
                outcomes.push(Outcome {
                    scenario: Arc::clone(scenario),
                    results,
                    engine: engine.id(),
                    version: VERSION.to_owned(),
                    command: command.clone(),
                });
            }
        }
        let outcomes: Vec<Outcome> = outcomes.into_iter().flatten().collect();
        let judged = outcomes.iter().map(judge).collect();
        Ok(Experiment { outcomes, judged, engines: engines.len(), took: Some(took) })
    }
}

impl Plan {
    /// Carries out a part of the runs of the plan's only scenario, one engine after the other.
    /// Gives the results by engine, each with a point for each run of the part. For `spill` see
    /// [`Plan::run`].
    ///
    /// # Errors
    /// If a run fails, the threads cannot be started, or results cannot be kept.
    pub(crate) fn run_shard(
        &self,
        shard: Shard,
        running: &Running,
        spill: &Path,
    ) -> Result<Vec<Results>, Failure> {
        let Some(scenario) = self.scenarios.first() else { return Ok(Vec::new()) };
        let room = Arc::new(Room::default());
        let of_engine = |engine: &&'static dyn Engine| {
            let label = format!("{}part {shard}  ", self.engine_label(*engine));
            let run =
                |options: Options<'_>| runs::part(*engine, scenario, shard, &room, spill, options);
            watched(&label, running, run).map(|(results, _)| results)
        };
        self.engines.iter().map(of_engine).collect()
    }

    pub(crate) fn engines(&self) -> &[&'static dyn Engine] {
        &self.engines
    }

    /// Name of an engine in the progress bar; empty if there is only one.
    fn engine_label(&self, engine: &dyn Engine) -> String {
        if self.engines.len() > 1 { format!("{}  ", engine.name()) } else { String::new() }
    }
}

/// Carries out runs under a progress bar until Ctrl-C cancels them. Also gives the duration in
/// seconds.
fn watched<T>(
    label: &str,
    running: &Running,
    run: impl FnOnce(Options<'_>) -> Result<T, RunnerError>,
) -> Result<(T, f64), Failure> {
    let bar = Bar::new(label, running.json || running.quiet);
    let results = interrupt::cancellable(|cancel| {
        let jobs = running.jobs.and_then(|jobs| NonZeroUsize::new(jobs.into()));
        run(Options { jobs, cancel, progress: &|all| bar.show(all) })
    });
    let took = bar.finish();
    match results {
        Ok(results) => Ok((results, took)),
        Err(RunnerError::Cancelled) => interrupt::wait_for_exit(),
        Err(error) => Err(Failure::Runtime(error.to_string())),
    }
}

/// Outcomes of scenarios with their verdicts.
#[derive(Debug)]
pub(crate) struct Experiment {
    /// Ordered by scenario, then by engine.
    pub outcomes: Vec<Outcome>,
    /// Verdicts on the quotes of each outcome.
    pub judged: Vec<Vec<Judged>>,
    /// Number of engines on which each scenario was run.
    pub engines: usize,
    /// Duration in seconds; `None` if not all was run at once.
    took: Option<f64>,
}

impl Experiment {
    /// An experiment from one scenario's results that were obtained earlier, an outcome for each
    /// engine.
    pub(crate) fn merged(outcomes: Vec<Outcome>) -> Experiment {
        let judged = outcomes.iter().map(judge).collect();
        Experiment { engines: outcomes.len(), judged, outcomes, took: None }
    }

    /// Outcomes of each scenario, one for each engine.
    pub(crate) fn by_scenario(&self) -> impl Iterator<Item = &[Outcome]> {
        self.outcomes.chunks(self.engines)
    }

    pub(crate) fn judged(&self) -> impl Iterator<Item = (&Outcome, &[Judged])> {
        self.outcomes.iter().zip(self.judged.iter().map(Vec::as_slice))
    }

    /// Heading of an outcome: the scenario's name, followed by the engine if there are several.
    pub(crate) fn heading(&self, outcome: &Outcome) -> String {
        let name = &outcome.scenario.name;
        if self.engines > 1 { format!("{name} on {}", outcome.engine.name) } else { name.clone() }
    }

    /// Such as `280 runs, 46 h 40 min of simulated time, in 12.3 s`.
    pub(crate) fn effort(&self) -> String {
        let all = self.outcomes.iter().map(|outcome| &outcome.scenario);
        let runs = counted(all.clone().map(|s| s.runs()).sum(), "run");
        let seconds: f64 = all.map(|s| s.simulated().secs()).sum();
        let work = format!("{runs}, {} of simulated time", duration(seconds));
        match self.took {
            Some(took) => format!("{work}, in {}", duration(took)),
            None => work,
        }
    }

    /// Writes the page of all outcomes.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn write_page(&self, dir: &Path) -> Result<(), Failure> {
        Ok(write::page(dir, &self.outcomes, &self.judged)?)
    }

    /// Writes claims, measurements and verdicts as Markdown.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn write_results_page(&self, path: &Path) -> Result<(), Failure> {
        store::write_text(path, &results_page::render(&self.outcomes, &self.judged))
            .map_err(|e| Failure::file("write", path, &e))
    }
}

#[cfg(test)]
mod tests {
    use atl_engine::result::RunResult;
    use atl_engine::setup::Setup;
    use atl_engine::{Clock, Gap, Stopped, Watch};
    use atl_report::{summary::Summary, table};
    use atl_sim::Sim;

    use super::*;

    /// An engine that runs like the simulator, but has another version and does not see what links
    /// lose.
    #[derive(Debug)]
    struct Blind;

    impl Engine for Blind {
        fn name(&self) -> &'static str {
            "blind"
        }

        fn version(&self) -> String {
            "7".to_owned()
        }

        fn about(&self) -> &'static str {
            "sees no losses"
        }

        fn clock(&self) -> Clock {
            Clock::Real
        }

        fn gaps(&self, setup: &Setup) -> Vec<Gap> {
            let media = |flow: &&atl_engine::setup::FlowSetup| flow.protocol.paces();
            let flows = setup.flows.iter().filter(media);
            flows.map(|flow| Gap::flow(flow, "protocol", "a paced flow", "only TCP")).collect()
        }

        fn run(&self, setup: &Setup, seed: u64, watch: &Watch<'_>) -> Result<RunResult, Stopped> {
            let mut result = Sim.run(setup, seed, watch)?;
            for flow in &mut result.flows {
                (flow.dropped, flow.lost) = (None, None);
            }
            Ok(RunResult { events: None, links: Vec::new(), ..result })
        }
    }

    static ENGINES: (Sim, Blind) = (Sim, Blind);

    fn running() -> Running {
        Running {
            on: vec!["sim".into(), "blind".into()],
            jobs: Some(2),
            json: true,
            csv: true,
            quiet: false,
        }
    }

    fn plan(specs: &[&str]) -> Result<Plan, Failure> {
        let changes = Changes {
            quick: true,
            seeds: Some("2".to_owned()),
            duration: Some("130s".to_owned()),
            set: vec![("warmup".to_owned(), "0s".to_owned())],
        };
        let scenarios = open(specs.iter().copied(), &changes, false)?;
        Plan::of(vec![&ENGINES.0, &ENGINES.1], scenarios, &running())
    }

    #[test]
    fn a_second_engine_needs_nothing_but_its_place_in_the_list() {
        let plan = plan(&["atl/table1", "atl/fig02"]).expect("no gaps");
        let commands = ["first".to_owned(), "second".to_owned()];
        let experiment =
            plan.run(&commands, &running(), &std::env::temp_dir()).expect("no failure");
        let of = |o: &Outcome| (o.scenario.name.clone(), o.engine.name.clone(), o.command.clone());
        let outcomes: Vec<_> = experiment.outcomes.iter().map(of).collect();
        let expected = [
            ("atl/table1", "sim", "first"),
            ("atl/table1", "blind", "first"),
            ("atl/fig02", "sim", "second"),
            ("atl/fig02", "blind", "second"),
        ];
        assert_eq!(outcomes, expected.map(|(a, b, c)| (a.into(), b.into(), c.into())));
        assert_eq!(experiment.heading(&experiment.outcomes[1]), "atl/table1 on blind");

        // Each engine has its table and verdicts; values that it cannot know are absent.
        let [sim, blind] =
            [0, 1].map(|i| Summary::new(&experiment.outcomes[i], &experiment.judged[i]));
        assert_eq!((&*sim.engine, &*blind.engine), ("sim", "blind"));
        assert!(sim.points[0].total.contains_key("loss"), "{:?}", sim.points[0].total.keys());
        assert!(!blind.points[0].total.contains_key("loss"));
        assert_eq!(
            sim.points[0].total["goodput_bps"].estimate,
            blind.points[0].total["goodput_bps"].estimate
        );
        let shown = |i: usize| {
            let style = table::Style { width: None, colour: false };
            table::terminal(&table::results(&experiment.outcomes[i]), style)
        };
        assert!(shown(1).contains(" – ") && !shown(0).contains(" – "), "{}{}", shown(0), shown(1));

        // The files hold the rows of both.
        let dir = tempfile::tempdir().expect("a directory");
        for outcomes in experiment.by_scenario() {
            assert_eq!(outcomes.len(), 2);
            write::data(&dir.path().join(&outcomes[0].scenario.name), outcomes, running().csv)
                .expect("written");
        }
        let runs = std::fs::read_to_string(dir.path().join("atl/table1/runs.csv")).expect("CSV");
        let count = |engine: &str| runs.lines().filter(|line| line.contains(engine)).count();
        assert_eq!(count(",sim,"), experiment.outcomes[0].scenario.runs());
        assert_eq!(count(",blind,"), count(",sim,"));
        experiment.write_page(dir.path()).expect("written");
        let page =
            std::fs::read_to_string(dir.path().join(atl_experiment::REPORT)).expect("a page");
        for text in [
            "2 scenarios – on 2 engines",
            " – on sim<",
            " – on blind<",
            "<dd>blind 7</dd>",
            "<dd>sim</dd>",
        ] {
            assert!(page.contains(text), "{text}");
        }
    }

    #[test]
    fn gaps_of_any_engine_end_it_before_anything_runs() {
        let failure = plan(&["atl/table1", "showcase/video-call"]).expect_err("gaps");
        let Failure::Gaps { gaps, json: true } = &failure else { panic!("{failure:?}") };
        assert!(
            gaps.reports()
                .iter()
                .all(|gap| gap.engine == "blind" && gap.scenario == "showcase/video-call")
        );
        assert!(
            gaps.to_string()
                .starts_with("engine `blind` cannot run `showcase/video-call`:\n  - flow `"),
            "{gaps}"
        );
        assert_eq!(crate::complaint::report(&failure), crate::status::Status::Usage);
    }
}
