//! Formatting of numbers.

/// Returns a whole number with a comma between thousands.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns a count with its noun: `1 puzzle`, `2,000 puzzles`.
pub fn counted(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(number))
}

/// Returns a rate: whole from 100 up, below with three digits.
pub(super) fn rate(number: f64) -> String {
    if number >= 100.0 {
        grouped(number.round() as u64)
    } else {
        three_digits(number)
    }
}

/// Returns a time in microseconds with a suitable unit: `1.23 µs`, `45.6 ms`, `1.00 s`.
pub(super) fn time(us: f64) -> String {
    // 999.5 of a unit would be written as 1000.
    let (value, unit) = match us {
        us if us < 0.9995 => (us * 1e3, "ns"),
        us if us < 999.5 => (us, "µs"),
        us if us < 999.5e3 => (us / 1e3, "ms"),
        us => (us / 1e6, "s"),
    };
    format!("{} {unit}", three_digits(value))
}

/// Returns the sort key of a cell: rounded to nine digits, which survive saving and loading, so
/// that a page made from a file equals the page made from the run.
pub(super) fn sort_key(number: f64) -> f64 {
    let digits = format!("{number:.8e}");
    digits.parse().unwrap_or(number)
}

/// Returns a share, 0 to 1, in percent with two decimals; 100 only for exactly 1.
pub(super) fn percent(share: f32) -> String {
    let percent = 100.0 * f64::from(share);
    if share < 1.0 {
        format!("{:.2} %", percent.min(99.99))
    } else {
        format!("{percent:.0} %")
    }
}

fn three_digits(number: f64) -> String {
    let decimals = match number {
        n if n < 9.995 => 2,
        n if n < 99.95 => 1,
        _ => 0,
    };
    format!("{number:.decimals$}")
}

/// Returns a power of ten in few characters.
pub(super) fn decade(number: f64) -> String {
    match number {
        n if n < 1e3 => n.to_string(),
        n if n < 1e6 => format!("{:.0}k", n / 1e3),
        n if n < 1e9 => format!("{:.0}M", n / 1e6),
        n => format!("{:.0}G", n / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_significant_digits() {
        for (us, text) in [
            (0.0251, "25.1 ns"),
            (1.234, "1.23 µs"),
            (9.996, "10.0 µs"),
            (12.34, "12.3 µs"),
            (999.7, "1.00 ms"),
            (123_456.0, "123 ms"),
            (2_500_000.0, "2.50 s"),
        ] {
            assert_eq!(time(us), text);
        }
        assert_eq!(sort_key(0.1 + 0.2), 0.3);
        assert_eq!(sort_key(-1234567.8901), -1234567.89);
        assert_eq!(rate(1234567.8), "1,234,568");
        assert_eq!(rate(12.345), "12.3");
        assert_eq!(
            (grouped(0), grouped(1000)),
            ("0".to_owned(), "1,000".to_owned())
        );
    }

    #[test]
    fn only_a_full_share_prints_as_100_percent() {
        for (share, text) in [(0.0, "0.00 %"), (0.999_96, "99.99 %"), (1.0, "100 %")] {
            assert_eq!(percent(share), text);
        }
    }
}
