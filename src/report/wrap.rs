//! Paragraphs in lines.

/// The text in lines of at most so many characters, broken between words.
pub(super) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.len() + 1 + word.len() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_as_full_as_they_may_be() {
        assert_eq!(wrapped("a bc def g", 4), ["a bc", "def", "g"]);
        assert_eq!(wrapped("longer than", 4), ["longer", "than"]);
    }
}
