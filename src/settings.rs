//! Compares the settings of several runs, as the JSON values that summaries have.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::Value;

/// A setting that is not the same in all runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Setting {
    /// Its path: `decode.mode`.
    pub name: String,
    /// Its value in each run, if the run has it.
    pub values: Vec<Option<String>>,
}

/// Returns the settings that differ between these trees, sorted by name.
pub fn differing<'a>(trees: impl IntoIterator<Item = &'a Value>) -> Vec<Setting> {
    let leaves = |tree: &Value| {
        let mut leaves = BTreeMap::new();
        collect("", tree, &mut leaves);
        leaves
    };
    let runs: Vec<BTreeMap<String, String>> = trees.into_iter().map(leaves).collect();
    let names: BTreeSet<&String> = runs.iter().flat_map(BTreeMap::keys).collect();
    let settings = names.into_iter().map(|name| Setting {
        name: name.clone(),
        values: runs.iter().map(|run| run.get(name).cloned()).collect(),
    });
    settings
        .filter(|setting| setting.values.windows(2).any(|pair| pair[0] != pair[1]))
        .collect()
}

/// Collects the values in a tree by their paths. A list is one value.
fn collect(path: &str, value: &Value, leaves: &mut BTreeMap<String, String>) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                let dot = if path.is_empty() { "" } else { "." };
                collect(&format!("{path}{dot}{name}"), field, leaves);
            }
        }
        Value::String(text) => {
            leaves.insert(path.to_owned(), text.clone());
        }
        Value::Array(items) if items.iter().all(Value::is_string) => {
            let items: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
            leaves.insert(path.to_owned(), items.join(", "));
        }
        Value::Null => {
            leaves.insert(path.to_owned(), "none".to_owned());
        }
        other => {
            leaves.insert(path.to_owned(), other.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_settings_that_differ_are_listed() {
        let trees = [
            serde_json::json!({"a": {"b": "x", "c": 1}, "d": [1, 2], "e": null}),
            serde_json::json!({"a": {"b": "y", "c": 1}, "d": [1, 2], "f": ["u", "v"]}),
        ];
        let differences = differing(&trees).into_iter().map(|setting| {
            let values = setting.values.into_iter().map(Option::unwrap_or_default);
            format!(
                "{}: {}",
                setting.name,
                values.collect::<Vec<_>>().join(" | ")
            )
        });
        assert_eq!(
            differences.collect::<Vec<_>>(),
            ["a.b: x | y", "e: none | ", "f:  | u, v"]
        );
        assert_eq!(differing(&trees[..1]), []);
    }
}
