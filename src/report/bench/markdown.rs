//! `report.md`: a measurement to paste into a README.

use std::fmt::Write;

use super::table::{
    CHANGE_TITLES, METHOD, THROUGHPUT_TITLES, TITLES, asked, cells, change_cells, machine, ranked,
    throughput_cells,
};
use crate::bench::BenchSummary;
use crate::report::number::counted;

/// Returns the report as Markdown: conditions, a table per corpus, all threads, the comparison, and
/// warnings.
pub fn bench_markdown(summary: &BenchSummary) -> String {
    let mut text = String::from("# Sudoku solvers, measured\n\n");
    line(
        &mut text,
        &format!("{}. {}.", escape(&machine(summary)), asked(summary)),
    );
    if summary.interrupted {
        line(&mut text, "\n**Stopped before the end.**");
    }
    for corpus in &summary.corpora {
        line(&mut text, &format!("\n## {}\n", escape(&corpus.name)));
        let mut about = counted(corpus.reading.puzzles, "puzzle");
        if corpus.reading.bad_lines > 0 {
            about += &format!(", {}", counted(corpus.reading.bad_lines, "bad line"));
        }
        line(&mut text, &format!("{about}.\n"));
        head(&mut text, &TITLES, &[1, 2, 3, 4, 5, 6, 7, 8]);
        for ranked in ranked(&summary.rows, &corpus.name) {
            let mut cells = cells(ranked.row).map(|cell| escape(&cell));
            if ranked.is_best {
                cells[0] = format!("**{}**", cells[0]);
            } else if ranked.share.is_none() {
                cells[0] = format!("~~{}~~", cells[0]);
            }
            row(&mut text, &cells);
        }
    }
    if !summary.throughput.is_empty() {
        line(&mut text, "\n## All threads\n");
        head(&mut text, &THROUGHPUT_TITLES, &[2, 3, 4, 5, 6]);
        for throughput in &summary.throughput {
            row(
                &mut text,
                &throughput_cells(throughput).map(|cell| escape(&cell)),
            );
        }
    }
    if let Some(comparison) = &summary.comparison {
        let (name, commit) = (escape(&comparison.base), escape(&comparison.commit));
        line(
            &mut text,
            &format!("\n## Compared with {name} (commit {commit})\n"),
        );
        head(&mut text, &CHANGE_TITLES, &[2, 3, 4]);
        for change in &comparison.rows {
            row(&mut text, &change_cells(change).0.map(|cell| escape(&cell)));
        }
    }
    if !summary.warnings.is_empty() {
        line(&mut text, "\n## Beware\n");
        for warning in &summary.warnings {
            let what = escape(&warning.text);
            line(&mut text, &format!("- {what}: {}.", warning.advice));
        }
    }
    line(&mut text, &format!("\n{METHOD}"));
    text
}

fn line(text: &mut String, line: &str) {
    writeln!(text, "{line}").expect("a string takes everything");
}

fn head(text: &mut String, titles: &[&str], right: &[usize]) {
    row(
        text,
        &titles
            .iter()
            .map(|title| (*title).to_owned())
            .collect::<Vec<_>>(),
    );
    let rule = |column| {
        if right.contains(&column) {
            "---:"
        } else {
            "---"
        }
    };
    row(
        text,
        &(0..titles.len())
            .map(|column| rule(column).to_owned())
            .collect::<Vec<_>>(),
    );
}

fn row(text: &mut String, cells: &[String]) {
    line(text, &format!("| {} |", cells.join(" | ")));
}

/// Escapes special characters of Markdown.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '\\' | '|' | '*' | '_' | '`' | '<' | '[' | ']' | '~' | '&' => {
                escaped.push('\\');
                escaped.push(character);
            }
            character if character.is_control() => escaped.push(' '),
            character => escaped.push(character),
        }
    }
    escaped
}
