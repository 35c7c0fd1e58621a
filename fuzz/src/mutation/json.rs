//! Mutations of JSON, leaf by leaf.

use rand::{Rng, RngExt};
use serde_json::{Map, Value, json};

/// Changes some values of a JSON text, or of one line of JSON Lines; `None` for other text.
pub(super) fn mutated(seed: &[u8], random: &mut impl Rng) -> Option<Vec<u8>> {
    if !seed.starts_with(b"{") && !seed.starts_with(b"[") {
        return None;
    }
    if let Ok(mut value) = serde_json::from_slice(seed) {
        change(&mut value, random);
        return Some(value.to_string().into_bytes());
    }
    let text = std::str::from_utf8(seed).ok()?;
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let chosen = random.random_range(0..lines.len());
    let mut value = serde_json::from_str(&lines[chosen]).ok()?;
    change(&mut value, random);
    lines[chosen] = value.to_string();
    Some((lines.join("\n") + "\n").into_bytes())
}

fn change(value: &mut Value, random: &mut impl Rng) {
    for _ in 0..1 << random.random_range(0..4) {
        let count = count(value);
        let place = random.random_range(0..count);
        // Values from elsewhere in the same text sometimes have the right type.
        let other = at(value, &mut random.random_range(0..count)).cloned();
        let changed = at(value, &mut { place });
        if let Some(changed) = changed {
            *changed = changed_value(changed, other, random);
        }
    }
}

/// Number of values, including nested ones.
fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(values) => values.iter().map(count).sum::<usize>(),
        Value::Object(values) => values.values().map(count).sum::<usize>(),
        _ => 0,
    }
}

/// The value with this index.
fn at<'a>(value: &'a mut Value, left: &mut usize) -> Option<&'a mut Value> {
    if *left == 0 {
        return Some(value);
    }
    *left -= 1;
    match value {
        Value::Array(values) => values.iter_mut().find_map(|value| at(value, left)),
        Value::Object(values) => values.values_mut().find_map(|value| at(value, left)),
        _ => None,
    }
}

fn changed_value(value: &Value, other: Option<Value>, random: &mut impl Rng) -> Value {
    match (value, random.random_range(0..5)) {
        (_, 0) => other.unwrap_or_default(),
        (Value::Number(number), 1..4) => changed_number(number.as_f64().unwrap_or(0.0), random),
        (Value::String(text), 1..4) => changed_text(text, random),
        (Value::Array(values), 1..4) => {
            let mut values = values.clone();
            let at = random.random_range(0..=values.len());
            match random.random_range(0..3) {
                0 if at < values.len() => drop(values.remove(at)),
                1 => values.truncate(at),
                _ => {
                    let first = values.first().cloned().unwrap_or_default();
                    values.insert(at, first);
                }
            }
            values.into()
        }
        (Value::Object(values), 1..4) if !values.is_empty() => {
            let left_out = random.random_range(0..values.len());
            let kept = values.clone().into_iter().enumerate();
            let kept = kept.filter(|(number, _)| *number != left_out);
            kept.map(|(_, entry)| entry)
                .collect::<Map<String, Value>>()
                .into()
        }
        _ => match random.random_range(0..6) {
            0 => Value::Null,
            1 => json!([]),
            2 => json!({}),
            3 => json!(""),
            4 => json!(random.random::<bool>()),
            _ => changed_number(0.0, random),
        },
    }
}

fn changed_number(number: f64, random: &mut impl Rng) -> Value {
    match random.random_range(0..16) {
        0 => json!(0),
        1 => json!(-1),
        2 => json!(u64::MAX),
        3 => json!(i64::MIN),
        4 => json!(u32::MAX),
        5 => json!(65_536),
        // Infinite as a number of 32 bits.
        6 => json!(1e39),
        7 => json!(-1e39),
        8 => json!(f64::MAX),
        9 => json!(f64::MIN_POSITIVE),
        10 => json!(1e-40),
        11 => json!(number + 1.0),
        12 => json!(-number),
        13 => json!((number as i64).wrapping_add(1)),
        14 => json!((number as i64).wrapping_sub(1)),
        _ => json!(number * 1000.0),
    }
}

fn changed_text(text: &str, random: &mut impl Rng) -> Value {
    let mut chars: Vec<char> = text.chars().collect();
    let at = random.random_range(0..=chars.len());
    match random.random_range(0..5) {
        0 => chars.truncate(at),
        1 if at < chars.len() => drop(chars.remove(at)),
        2 => chars.insert(
            at,
            ['\0', '<', '"', '\u{fffd}', '9'][random.random_range(0..5)],
        ),
        3 if at < chars.len() => chars.swap(at, 0),
        _ => chars.extend_from_within(..at.min(200)),
    }
    Value::String(chars.into_iter().collect())
}
