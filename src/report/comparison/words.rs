//! The result of a comparison in words: its tiles and first lines.

use super::runs::RunComparison;
use crate::bench::{BenchSideBySide, RateVerdict, RowRatio};
use crate::recognize::{PhotoVerdict, RecognizeSideBySide};
use crate::report::number::{counted, grouped, percent, rate};
use crate::training::{ModelVerdict, TrainingSideBySide, Weakness};

/// Largest number of labels and sources named in an answer.
const MOST_WEAK: usize = 3;

/// Text where no two runs are of one kind.
pub(super) const ALONE: &str =
    "each run is the only one of its kind, so there is nothing to compare it with";

/// A result in short.
pub(super) struct Answer {
    /// A number or a word.
    pub(super) short: String,
    /// Its explanation: a sentence that begins with the name of a run.
    pub(super) sentence: String,
    /// Reservations.
    pub(super) caveats: Vec<String>,
    /// Whether it is good or bad, if either.
    pub(super) good: Option<bool>,
}

/// Returns a line for each run but the first of its kind.
pub fn comparison_terminal(comparison: &RunComparison) -> String {
    let line = |kind: &str, answer: &Answer| match &*answer.caveats {
        [] => format!("{kind}: {}\n", answer.sentence),
        caveats => format!(
            "{kind}: {}\n  note: {}\n",
            answer.sentence,
            caveats.join("\n  note: ")
        ),
    };
    let bench = comparison.bench.iter().flat_map(bench_answers);
    let recognize = comparison.recognize.iter().flat_map(recognize_answers);
    let train = comparison.train.iter().flat_map(train_answers);
    let lines = bench.map(|answer| line("bench", &answer));
    let text: String = lines
        .chain(recognize.map(|answer| line("recognize", &answer)))
        .chain(train.map(|answer| line("train", &answer)))
        .collect();
    if text.is_empty() && comparison.runs.len() > 1 {
        return format!("{ALONE}\n");
    }
    text
}

/// Returns the comparison of the rates of each run but the first.
pub(super) fn bench_answers(runs: &BenchSideBySide) -> Vec<Answer> {
    let caveats = |run: usize| {
        let name = &runs.runs[run];
        let caveats = runs.caveats[run].iter();
        caveats.map(move |caveat| format!("{name}: {caveat}"))
    };
    let verdicts = runs.verdicts.iter().zip(1..);
    verdicts
        .map(|(verdict, run)| {
            let caveats: Vec<String> = caveats(0).chain(caveats(run)).collect();
            bench_answer(&runs.runs[0], verdict, caveats)
        })
        .collect()
}

fn bench_answer(first: &str, verdict: &RateVerdict, caveats: Vec<String>) -> Answer {
    let run = &verdict.run;
    let Some(mean) = verdict.mean_ratio else {
        let sentence = match verdict.apart {
            0 => format!("{run} and {first} have no corpus and solver in common"),
            apart => format!(
                "{run} and {first} have {} in common, but with different measurements",
                counted(apart as u64, "row")
            ),
        };
        return Answer {
            short: "not comparable".to_owned(),
            sentence,
            caveats,
            good: None,
        };
    };
    let even = verdict.faster + verdict.slower == 0;
    let rows = counted(verdict.compared as u64, "row");
    let mut sentence = if even {
        format!("{run} is as fast as {first}, within the noise, in {rows}")
    } else {
        format!(
            "{run} is {} times as fast as {first} over {rows}: {} faster, {} slower beyond the noise",
            rate(mean),
            verdict.faster,
            verdict.slower
        )
    };
    if let (Some(lowest), Some(highest)) = (&verdict.lowest, &verdict.highest)
        && verdict.faster > 0
        && verdict.slower > 0
    {
        sentence += &format!("; from {} to {}", described(lowest), described(highest));
    }
    if verdict.apart > 0 {
        let apart = counted(verdict.apart as u64, "more row");
        sentence += &format!("; {apart} cannot be compared");
    }
    Answer {
        short: format!("{}×", rate(mean)),
        sentence,
        good: (!even && caveats.is_empty()).then_some(mean > 1.0),
        caveats,
    }
}

fn described(row: &RowRatio) -> String {
    format!("{}× ({} on {})", rate(row.ratio), row.solver, row.corpus)
}

/// Returns the comparison of the photos of each run but the first.
pub(super) fn recognize_answers(runs: &RecognizeSideBySide) -> Vec<Answer> {
    let has_truth = runs.summaries.iter().all(|run| run.accuracy.is_some());
    let verdicts = runs.verdicts.iter();
    verdicts
        .map(|verdict| recognize_answer(&runs.runs[0], verdict, has_truth))
        .collect()
}

fn recognize_answer(first: &str, verdict: &PhotoVerdict, has_truth: bool) -> Answer {
    let PhotoVerdict {
        run,
        compared,
        better,
        worse,
        other,
    } = verdict;
    if *compared == 0 {
        return Answer {
            short: "not comparable".to_owned(),
            sentence: format!("{run} and {first} have no photo in common"),
            caveats: Vec::new(),
            good: None,
        };
    }
    let photos = counted(*compared as u64, "photo");
    if better + worse + other == 0 {
        return Answer {
            short: "the same".to_owned(),
            sentence: format!("{run} and {first} agree: {photos} in both, no difference"),
            caveats: Vec::new(),
            good: None,
        };
    }
    let number = |count: &usize| grouped(*count as u64);
    let mut sentence = format!(
        "{run} reads {} better and {} worse than {first}, of {photos} in both",
        number(better),
        number(worse)
    );
    if *other > 0 {
        sentence += &format!("; {} differ, without ground truth", number(other));
    }
    if !has_truth {
        sentence += "; without ground truth in some runs, results are compared by status";
    }
    Answer {
        short: format!("+{} −{}", number(better), number(worse)),
        sentence,
        caveats: Vec::new(),
        good: (better != worse).then_some(better > worse),
    }
}

/// Returns the comparison of the model of each run but the first.
pub(super) fn train_answers(runs: &TrainingSideBySide) -> Vec<Answer> {
    let verdicts = runs.verdicts.iter();
    verdicts
        .map(|verdict| train_answer(&runs.runs[0], verdict))
        .collect()
}

fn train_answer(first: &str, verdict: &ModelVerdict) -> Answer {
    let run = &verdict.run;
    if let Some(why) = verdict.apart {
        return Answer {
            short: "not comparable".to_owned(),
            sentence: format!("{run} and {first} were not measured on the same crops: {why}"),
            caveats: Vec::new(),
            good: None,
        };
    }
    let points = 100.0 * verdict.accuracy;
    let mut sentence = match verdict.accuracy {
        0.0 => format!("{run} reads as many held-out crops correctly as {first}"),
        more if more > 0.0 => {
            format!(
                "{run} reads {points:.2} percentage points more of the held-out crops correctly than {first}"
            )
        }
        _ => format!(
            "{run} reads {:.2} percentage points fewer of the held-out crops correctly than {first}",
            -points
        ),
    };
    let way = if verdict.loss > 0.0 { "more" } else { "less" };
    sentence += &format!(", at {:.4} {way} held-out loss", verdict.loss.abs());
    let described = |weak: &Weakness| {
        let [own, first] = [weak.own, weak.first].map(percent);
        format!("{} ({own} against {first})", weak.what)
    };
    let weaker: Vec<String> = verdict
        .weaker
        .iter()
        .take(MOST_WEAK)
        .map(described)
        .collect();
    if !weaker.is_empty() {
        sentence += &format!("; worse at {}", weaker.join(", "));
    }
    let more = verdict.weaker.len().saturating_sub(MOST_WEAK);
    if more > 0 {
        sentence += &format!(" and {more} more");
    }
    Answer {
        short: format!("{points:+.2} points"),
        sentence,
        caveats: Vec::new(),
        good: (verdict.accuracy != 0.0).then_some(verdict.accuracy > 0.0),
    }
}
