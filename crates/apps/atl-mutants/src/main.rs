//! `make mutants`: see the library.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "it tells what it found")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

use atl_mutants::args::Args;
use atl_mutants::catalogue::{Catalogue, Key, sources};
use atl_mutants::choice::{changed_lines, drawn, sample};
use atl_mutants::compile::{Built, Program, build};
use atl_mutants::explained::{Explained, LIST};
use atl_mutants::judge::{Judge, Verdict};
use atl_mutants::suite::measure;
use atl_mutants::table;
use atl_mutants::tree::{TREE, Tree, redirected};
use atl_mutants::workspace::Workspace;

fn main() -> ExitCode {
    // Cargo calls it as the compiler's wrapper.
    if let Some(tree) = std::env::var_os(TREE) {
        let mut arguments: Vec<_> = std::env::args_os().skip(1).collect();
        if arguments.is_empty() {
            return ExitCode::from(2);
        }
        let compiler = arguments.remove(0);
        let status = Command::new(compiler).args(redirected(arguments, Path::new(&tree))).status();
        let code = status.ok().and_then(|status| status.code());
        return ExitCode::from(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(101));
    }
    let args = match Args::read(std::env::args()) {
        Ok(args) => args,
        Err(error) => error.exit(),
    };
    match run(&args) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

/// The mutants of the files, and those of them that are to be judged.
fn chosen(args: &Args, workspace: &Workspace) -> Result<(Catalogue, BTreeSet<u32>), String> {
    let files = sources(workspace, &args.files)?;
    let mut catalogue = Catalogue::of(workspace, &files)?;
    // Other lines than the changed ones will not be asked for again.
    if let Some(since) = &args.changed_since {
        let lines = changed_lines(&workspace.root, since)
            .map_err(|e| format!("--changed-since {since}: {e}"))?;
        catalogue.retain(|mutant| {
            let (first, last) = mutant.change.lines;
            let changed = lines.get(&mutant.file).into_iter().flatten();
            changed.into_iter().any(|range| first <= *range.end() && *range.start() <= last)
        });
    }
    let mut judged: BTreeSet<u32> = catalogue.mutants.keys().copied().collect();
    let file = |number: &u32| &catalogue.mutants[number].file;
    if let Some(only) = &args.only {
        let only = sources(workspace, only)?;
        judged.retain(|number| only.contains(file(number)));
    }
    if let Some(path) = &args.survivors {
        let at = |e: &dyn std::fmt::Display| format!("--survivors {}: {e}", path.display());
        let text = fs::read_to_string(path).map_err(|e| at(&e))?;
        let alive = table::alive(&text).map_err(|e| at(&e))?;
        judged.retain(|number| alive.contains(&catalogue.mutants[number].key()));
    }
    if let Some(shard) = args.shard {
        judged.retain(|number| u64::from(*number) % shard.of == shard.part - 1);
    }
    if let Some(count) = args.sample {
        let all: Vec<u32> = judged.iter().copied().collect();
        judged = sample(args.seed, all.len(), count).into_iter().map(|at| all[at]).collect();
    }
    Ok((catalogue, judged))
}

/// Builds until the compiler accepts what is left.
fn built(
    catalogue: &mut Catalogue,
    workspace: &Workspace,
    tree: &Tree,
    own: &BTreeSet<String>,
    tests: &BTreeSet<String>,
) -> Result<Vec<Program>, String> {
    loop {
        catalogue.write(workspace, tree)?;
        match build(workspace, tree, own, tests)? {
            Built::Programs(programs) => return Ok(programs),
            Built::Mistakes(mistakes) => {
                catalogue.drop_refused(&mistakes)?;
                eprintln!("{} mutants are no valid programs", catalogue.refused.len());
            }
        }
    }
}

fn run(args: &Args) -> Result<bool, String> {
    let begun = Instant::now();
    let workspace = Workspace::read()?;
    let explained = Explained::read(LIST)?;
    for test in &args.beyond {
        if workspace.of_test(test).is_none() {
            return Err(format!("--beyond {test}: there is no such integration test"));
        }
    }
    let (mut catalogue, judged) = chosen(args, &workspace)?;
    let keys: BTreeMap<Key, u32> =
        catalogue.mutants.values().map(|mutant| (mutant.key(), mutant.number)).collect();
    if args.list {
        for number in &judged {
            let mutant = &catalogue.mutants[number];
            println!("{}", table::row(mutant));
        }
        eprintln!("{} mutants", judged.len());
        return Ok(true);
    }
    if judged.is_empty() {
        println!("there is nothing to change in the lines that were chosen");
        return Ok(true);
    }
    let own = catalogue.crates(&workspace);
    let own_tests = own.iter().flat_map(|name| workspace.crates[name].tests.iter().cloned());
    let tests: BTreeSet<String> = own_tests.chain(args.beyond.iter().cloned()).collect();
    let tree = Tree::copy(&workspace, &catalogue.files(&workspace))?;
    let refused = tree.folder.join("refused.tsv");
    if let Ok(text) = fs::read_to_string(&refused) {
        catalogue.drop_known(&table::keys(&text));
    }
    eprintln!("building {} mutants", catalogue.mutants.len());
    let mut programs = built(&mut catalogue, &workspace, &tree, &own, &tests)?;
    // Written again with all of them, the files would be built anew.
    let keys_refused: Vec<Key> = catalogue.refused.iter().cloned().collect();
    write(&tree.folder, "refused.tsv", &table::of_keys(&keys_refused))?;
    let is_own = |program: &Program| {
        program.unit || own.iter().any(|name| workspace.crates[name].tests.contains(&program.name))
    };
    programs.sort_by_key(|program| (!is_own(program), !program.unit, program.name.clone()));
    let owned = programs.iter().filter(|program| is_own(program)).count();
    eprintln!("built after {:.0} s; measuring the tests", begun.elapsed().as_secs_f64());

    let (tests, broken) = measure(&programs, &tree.folder, args.jobs, &args.skip_tests)?;
    for name in &broken {
        eprintln!("left out, as it fails or takes more than 30 s without a mutant: {name}");
    }
    eprintln!(
        "{} tests measured after {:.0} s; judging {} mutants",
        tests.len(),
        begun.elapsed().as_secs_f64(),
        judged.len()
    );
    let judge = Judge {
        programs: &programs,
        own: owned,
        tests: &tests,
        beyond: args.beyond_time,
        until: args.time.map(|time| Instant::now() + time),
    };
    // In an order of its own, so that what the time allows is a sample of all.
    let mut numbers: Vec<u32> =
        judged.into_iter().filter(|number| catalogue.mutants.contains_key(number)).collect();
    numbers.sort_by_key(|number| (drawn(args.seed, u64::from(*number)), *number));
    let done = std::sync::atomic::AtomicUsize::new(0);
    let told = |number: u32, verdict: &Verdict| {
        let done = done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
        if matches!(verdict, Verdict::Survived { .. } | Verdict::Unreached) {
            let mutant = &catalogue.mutants[&number];
            if explained.why(&mutant.key()).is_none() {
                let change = &mutant.change;
                println!(
                    "alive: {}:{}: {}: {} -> {}",
                    mutant.file.display(),
                    change.lines.0,
                    change.operator,
                    change.before,
                    change.after
                );
            }
        }
        if done.is_multiple_of(200) {
            eprintln!("{done} judged after {:.0} s", begun.elapsed().as_secs_f64());
        }
    };
    let verdicts = judge.all(&numbers, args.jobs, &told)?;

    let own_programs = programs[..owned].iter().map(|program| program.name.clone()).collect();
    let (files, all) = table::counts(&catalogue.mutants, &verdicts, &explained, &own_programs);
    let left_out = catalogue.left_out();
    let mut summary = table::summary(&files, &all);
    summary += &format!(
        "\n{:.1} % of {} mutants are alive and not explained; {} s. Left out: {} that are no valid programs, {} in constant \
         functions, the insides of {} macros.\n",
        all.alive_percent(),
        all.judged(),
        begun.elapsed().as_secs(),
        catalogue.refused.len(),
        left_out.in_const_functions,
        left_out.macros
    );
    let whole = args.changed_since.is_none();
    for stale in explained.stale(&files.keys().cloned().collect(), &keys).iter().filter(|_| whole) {
        summary += &format!("explained.toml: no mutant fits {stale}\n");
    }
    print!("\n{summary}");
    write(&args.out, "table.tsv", &table::table(&catalogue.mutants, &verdicts, &explained))?;
    write(&args.out, "summary.txt", &summary)?;
    println!("{}", args.out.join("table.tsv").display());
    Ok(all.alive_percent() <= args.allow)
}

fn write(folder: &Path, name: &str, text: &str) -> Result<(), String> {
    let path: PathBuf = folder.join(name);
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(&path, text))
        .map_err(|e| format!("{}: {e}", path.display()))
}
