//! As much of Markdown as the tests need: fenced blocks, comments, headings and plain lines.

use std::path::Path;

/// A file, split into its parts.
pub struct Page {
    pub lines: Vec<String>,
    pub parts: Vec<Part>,
}

/// Lines `from..to`, counted from 0, fences and comment marks left out.
pub struct Part {
    pub kind: Kind,
    pub from: usize,
    pub to: usize,
}

#[derive(PartialEq)]
pub enum Kind {
    Text,
    /// With the info string of the fence.
    Fenced(String),
    Comment,
}

impl Page {
    pub fn read(path: &Path) -> Page {
        let text = std::fs::read_to_string(path)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Page::parse(&text)
    }

    pub fn parse(text: &str) -> Page {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut parts = Vec::new();
        let mut at = 0;
        while at < lines.len() {
            let line = lines[at].trim_start();
            let (kind, end) = if let Some(info) = line.strip_prefix("```") {
                (Kind::Fenced(info.trim().to_owned()), "```")
            } else if line.starts_with("<!--") && !line.contains("-->") {
                (Kind::Comment, "-->")
            } else {
                let kind = if line.starts_with("<!--") {
                    Kind::Comment
                } else {
                    Kind::Text
                };
                parts.push(Part {
                    kind,
                    from: at,
                    to: at + 1,
                });
                at += 1;
                continue;
            };
            let length = lines[at + 1..]
                .iter()
                .position(|line| line.trim_start().starts_with(end))
                .unwrap_or_else(|| panic!("line {}: it is never closed", at + 1));
            parts.push(Part {
                kind,
                from: at + 1,
                to: at + 1 + length,
            });
            at += length + 2;
        }
        Page { lines, parts }
    }

    /// The plain lines, each with its number from 1.
    pub fn text(&self) -> impl Iterator<Item = (usize, &str)> {
        let parts = self.parts.iter().filter(|part| part.kind == Kind::Text);
        parts.map(|part| (part.from + 1, self.lines[part.from].as_str()))
    }

    pub fn lines_of(&self, part: &Part) -> &[String] {
        &self.lines[part.from..part.to]
    }

    /// The anchors of the headings, as mdBook and code hosts generate them.
    pub fn anchors(&self) -> Vec<String> {
        let mut anchors: Vec<String> = Vec::new();
        for (_, line) in self.text() {
            let title = line.trim_start_matches('#');
            if title.len() == line.len() || !title.starts_with(' ') {
                continue;
            }
            let slug = slug(title.trim());
            let same = anchors.iter().filter(|anchor| **anchor == slug).count();
            anchors.push(if same == 0 {
                slug
            } else {
                format!("{slug}-{same}")
            });
        }
        anchors
    }
}

/// Lower case, spaces as hyphens, letters, digits, `-` and `_` kept.
fn slug(title: &str) -> String {
    let kept = title.chars().filter_map(|c| match c {
        ' ' => Some('-'),
        '-' | '_' => Some(c),
        _ if c.is_alphanumeric() => Some(c),
        _ => None,
    });
    kept.collect::<String>().to_lowercase()
}
