//! Compares the output of a command with a page.

/// Units of numbers that differ between runs.
const UNITS: [&str; 8] = [
    "ns",
    "µs",
    "ms",
    "s",
    "min",
    "photos/s",
    "frames/s",
    "puzzles/s",
];

/// Compares line by line. A line `...` matches any number of lines, `...` within a line any text.
/// Times and rates are not compared; with `times` no numbers are, and warnings are skipped.
pub fn is_shown(shown: &[String], printed: &[String], times: bool) -> bool {
    let normal = |lines: &[String]| -> Vec<String> {
        let lines = lines
            .iter()
            .filter(|line| !(times && line.starts_with("warning: ")));
        lines.map(|line| normal(line, times)).collect()
    };
    lines_match(&normal(shown), &normal(printed))
}

fn lines_match(shown: &[String], printed: &[String]) -> bool {
    match shown {
        [] => printed.is_empty(),
        [first, rest @ ..] if first == "..." => {
            (0..=printed.len()).any(|skipped| lines_match(rest, &printed[skipped..]))
        }
        [first, rest @ ..] => match printed {
            [line, others @ ..] => line_matches(first, line) && lines_match(rest, others),
            [] => false,
        },
    }
}

fn line_matches(shown: &str, line: &str) -> bool {
    let parts = between_wildcards(shown);
    let Some((first, rest)) = parts.split_first() else {
        return false;
    };
    let Some((last, middle)) = rest.split_last() else {
        return shown == line;
    };
    let Some(mut left) = line.strip_prefix(first) else {
        return false;
    };
    for part in middle {
        let Some(at) = left.find(part) else {
            return false;
        };
        left = &left[at + part.len()..];
    }
    left.ends_with(last)
}

/// The parts of a line between `...`. Dots next to a digit or another dot are blanks of a board.
fn between_wildcards(line: &str) -> Vec<&str> {
    let is_cell = |c: Option<char>| c.is_some_and(|c| c == '.' || c.is_ascii_digit());
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, dots) in line.match_indices("...") {
        let end = at + dots.len();
        if !is_cell(line[..at].chars().next_back()) && !is_cell(line[end..].chars().next()) {
            parts.push(&line[start..at]);
            start = end;
        }
    }
    parts.push(&line[start..]);
    parts
}

/// A line with single spaces, and `#` for each number that is a time.
fn normal(line: &str, times: bool) -> String {
    // The speed line of `recognize` has times, and the threads of this machine.
    let times = times || line.starts_with("speed ");
    let bars = |c: char| ('\u{2580}'..='\u{259f}').contains(&c);
    let words: Vec<&str> = line
        .split_whitespace()
        .filter(|word| !word.chars().all(bars))
        .collect();
    let mut normal: Vec<String> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let next = words
            .get(at + 1)
            .map_or("", |next| next.trim_end_matches([',', ')', ':']));
        let bare = word.trim_matches(['(', ')', ',']);
        let is_number = bare.starts_with(|c: char| c.is_ascii_digit())
            && bare
                .chars()
                .all(|c| c.is_ascii_digit() || ",.%".contains(c));
        let is_rate = bare.starts_with(|c: char| c.is_ascii_digit()) && bare.ends_with("/s");
        if is_rate || (is_number && (times || UNITS.contains(&next))) {
            normal.push(word.replace(bare, "#"));
        } else if !(times && UNITS[..4].contains(&bare)) {
            normal.push((*word).to_owned());
        }
    }
    normal.join(" ")
}

#[test]
fn times_are_not_compared_and_counts_are() {
    let shown = |shown: &str, printed: &str| {
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        is_shown(&lines(shown), &lines(printed), false)
    };
    assert!(shown(
        "solved 27 puzzles in 0.01 s (3,139/s)",
        "solved 27 puzzles in 1.20 s (9/s)"
    ));
    assert!(!shown(
        "solved 27 puzzles in 0.01 s (3,139/s)",
        "solved 28 puzzles in 0.01 s (3,139/s)"
    ));
    assert!(shown(
        "speed  1.0 photos/s on 2 threads (read 3.2)",
        "speed  7.5 photos/s on 8 threads (read 0.1)"
    ));
    assert!(shown("a\n...\nz", "a\nb\nc\nz"));
    assert!(shown("a\n...", "a"));
    assert!(!shown("a\n...\nz", "a\nb\nc"));
    assert!(shown("x ... z", "x y y z"));
    assert!(!shown("x ... z", "x y y"));
    assert!(shown(".../20 right, ... %", "3/20 right, 15 %"));
    assert!(!shown("5...3", "5.3.3"));
    assert!(!shown("...53.", "53."));
    assert!(!shown("photo,53...", "photo,53.4"));
    assert!(shown("photo,...", "photo,53.4"));
    assert!(!shown("", "a"));
    assert!(!shown("a", ""));
    assert!(!shown("a b", "a c"));
}

#[test]
fn numbers_next_to_times_are_not_compared() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let shown = lines("mrv  3,025  ███▏  2,491 to 3,709  2.16 µs  63.7 %");
    assert!(is_shown(
        &shown,
        &lines("mrv  25  ██  1 to 9  816 ns  1.7 %"),
        true
    ));
    assert!(!is_shown(
        &shown,
        &lines("dlx  25  ██  1 to 9  816 ns  1.7 %"),
        true
    ));
    assert!(is_shown(
        &shown,
        &lines("warning: busy\nmrv  25  ██  1 to 9  816 ns  1.7 %"),
        true
    ));
}
