//! Line wrapping.

/// Returns the text in lines of at most `width` characters, broken between words; words that are
/// too long for a line, such as the notation of a chain, are broken before a `-` or after a comma.
pub(super) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut length = 0;
    for word in text.split(' ') {
        let is_long = word.chars().count() > width;
        let pieces = if is_long { pieces(word) } else { vec![word] };
        for (number, piece) in pieces.into_iter().enumerate() {
            let space = usize::from(number == 0);
            let more = piece.chars().count();
            match lines.last_mut() {
                Some(line) if length + space + more <= width => {
                    line.push_str(&" "[..space]);
                    line.push_str(piece);
                    length += space + more;
                }
                _ => {
                    lines.push(piece.to_owned());
                    length = more;
                }
            }
        }
    }
    lines
}

/// Returns a word split before each `-` and after each comma.
fn pieces(word: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = word;
    while let Some(cut) = rest
        .char_indices()
        .skip(1)
        .find_map(|(at, character)| match character {
            '-' => Some(at),
            ',' => Some(at + 1),
            _ => None,
        })
        .filter(|&cut| cut < rest.len())
    {
        pieces.push(&rest[..cut]);
        rest = &rest[cut..];
    }
    pieces.push(rest);
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_filled_up_to_the_width() {
        assert_eq!(wrapped("a bc def g", 4), ["a bc", "def", "g"]);
        assert_eq!(wrapped("longer than", 4), ["longer", "than"]);
        assert_eq!(wrapped("x 12-34-56 y", 6), ["x 12", "-34-56", "y"]);
        assert_eq!(wrapped("12,345,6", 4), ["12,", "345,", "6"]);
        assert_eq!(wrapped("→→→→ →", 4), ["→→→→", "→"]);
    }
}
