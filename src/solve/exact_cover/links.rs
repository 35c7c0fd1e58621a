//! Dancing links: every exact cover of a set of constraints by some of the given options.
//!
//! Algorithm X on doubly linked lists (Knuth, "Dancing links", 2000), with the nodes of an option
//! side by side as in "The Art of Computer Programming", volume 4B, section 7.2.2.1. Knows nothing
//! of Sudoku.
//!
//! ```text
//!  headers      0 <-> 1 <-> 2 <-> 3 <-> 0        constraint c is header c + 1; 0 is the root
//!                     |     |     |
//!  option 0           4     |     5              a node is linked with those above and below it
//!  option 1           6     7     |              in its constraint; the other nodes of its option
//!  option 2           |     8     9              are its neighbours in memory
//! ```

use std::ops::{ControlFlow, Range};

/// Number of a header or a node.
type Link = u16;

/// The header of no constraint: it closes the list of uncovered constraints.
const ROOT: usize = 0;

/// Callbacks of a search, each of which may stop it.
pub(super) trait Visit {
    /// Reason for stopping.
    type Stop;

    /// Called for each state of the search that is entered.
    fn node(&mut self) -> ControlFlow<Self::Stop>;
    /// Called when an option is taken while another is left.
    fn guess(&mut self) -> ControlFlow<Self::Stop>;
    /// Called with options that cover every constraint once.
    fn cover(&mut self, options: &[usize]) -> ControlFlow<Self::Stop>;
}

/// A matrix of constraints, and of options that cover `WIDTH` constraints each.
#[derive(Clone, Debug)]
pub(super) struct Links<const WIDTH: usize> {
    headers: Vec<Header>,
    /// First a node for each header, then the nodes of the options.
    nodes: Vec<Node>,
    /// Options taken so far.
    taken: Vec<usize>,
    /// Constraints that came down to one option since the last guess; some of them may be covered
    /// by now. Most choices are found here, without scanning all headers.
    single: Vec<Link>,
    /// Number of uncovered constraints without an option.
    dead: usize,
}

/// A constraint, in the list of those that are not covered.
#[derive(Clone, Copy, Debug)]
struct Header {
    left: Link,
    right: Link,
    /// Number of nodes below it.
    size: Link,
}

/// An option at one of its constraints.
#[derive(Clone, Copy, Debug)]
struct Node {
    up: Link,
    down: Link,
    header: Link,
}

/// Error of an option that covers a constraint which is covered already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Conflict;

impl<const WIDTH: usize> Links<WIDTH> {
    /// Returns the matrix of these options: each lists the constraints that it covers, all
    /// different and below `constraints`.
    ///
    /// # Panics
    ///
    /// If there are more than 65,535 headers and nodes.
    pub(super) fn new(constraints: usize, options: &[[usize; WIDTH]]) -> Links<WIDTH> {
        let count = constraints + 1;
        let total = Link::try_from(count + options.len() * WIDTH).expect("the matrix is small");
        let header = |at: usize| Header {
            left: ((at + count - 1) % count) as Link,
            right: ((at + 1) % count) as Link,
            size: 0,
        };
        let alone = |at: Link| Node {
            up: at,
            down: at,
            header: at,
        };
        let mut links = Links {
            headers: (0..count).map(header).collect(),
            nodes: (0..total).map(alone).collect(),
            taken: Vec::new(),
            single: Vec::new(),
            dead: 0,
        };
        for (&constraint, at) in options.iter().flatten().zip(count..) {
            let header = constraint + 1;
            let above = links.nodes[header].up;
            links.nodes[at] = Node {
                up: above,
                down: header as Link,
                header: header as Link,
            };
            links.nodes[usize::from(above)].down = at as Link;
            links.nodes[header].up = at as Link;
            links.headers[header].size += 1;
        }
        let size = |header: &Link| links.headers[usize::from(*header)].size;
        links.dead = (1..count as Link)
            .filter(|header| size(header) == 0)
            .count();
        links.single = (1..count as Link)
            .filter(|header| size(header) == 1)
            .collect();
        links
    }

    /// Makes this a copy of links of the same matrix, without allocating.
    pub(super) fn restore(&mut self, other: &Links<WIDTH>) {
        self.headers.clone_from(&other.headers);
        self.nodes.clone_from(&other.nodes);
        self.taken.clone_from(&other.taken);
        self.single.clone_from(&other.single);
        self.dead = other.dead;
    }

    /// Takes an option permanently.
    ///
    /// # Errors
    ///
    /// [`Conflict`], if it covers what a taken one covers; some of its constraints may be covered
    /// then.
    pub(super) fn take(&mut self, option: usize) -> Result<(), Conflict> {
        for node in self.nodes_of(option) {
            let header = self.nodes[node].header;
            if !is_listed(&self.headers, header) {
                return Err(Conflict);
            }
            self.cover(usize::from(header));
        }
        self.taken.push(option);
        Ok(())
    }

    /// Visits every exact cover that contains the options taken. The links are unusable afterwards.
    pub(super) fn search<V: Visit>(&mut self, visit: &mut V) -> ControlFlow<V::Stop> {
        self.enter(visit, false)
    }

    /// Enters a state. Unless `undo`, no option is left to try above it, and nothing is restored.
    fn enter<V: Visit>(&mut self, visit: &mut V, undo: bool) -> ControlFlow<V::Stop> {
        visit.node()?;
        if self.dead > 0 {
            return ControlFlow::Continue(());
        }
        let Some(header) = self.smallest() else {
            return visit.cover(&self.taken);
        };
        self.cover(header);
        let mut node = usize::from(self.nodes[header].down);
        loop {
            let next = usize::from(self.nodes[node].down);
            let is_last = next == header;
            if !is_last {
                visit.guess()?;
            }
            let option = self.option_of(node);
            self.taken.push(option);
            for other in self.nodes_of(option).filter(|&other| other != node) {
                self.cover(usize::from(self.nodes[other].header));
            }
            self.enter(visit, undo || !is_last)?;
            if is_last && !undo {
                return ControlFlow::Continue(());
            }
            for other in self.nodes_of(option).rev().filter(|&other| other != node) {
                self.uncover(usize::from(self.nodes[other].header));
            }
            self.taken.pop();
            self.single.clear();
            if is_last {
                self.uncover(header);
                return ControlFlow::Continue(());
            }
            node = next;
        }
    }

    /// Returns a constraint with the fewest options, if any is uncovered; each has at least one.
    fn smallest(&mut self) -> Option<usize> {
        while let Some(header) = self.single.pop() {
            if is_listed(&self.headers, header) {
                return Some(usize::from(header));
            }
        }
        let mut best = None;
        let mut fewest = Link::MAX;
        let mut header = usize::from(self.headers[ROOT].right);
        while header != ROOT {
            let Header { size, right, .. } = self.headers[header];
            if size < fewest {
                (best, fewest) = (Some(header), size);
            }
            header = usize::from(right);
        }
        best
    }

    fn option_of(&self, node: usize) -> usize {
        (node - self.headers.len()) / WIDTH
    }

    fn nodes_of(&self, option: usize) -> Range<usize> {
        let first = self.headers.len() + option * WIDTH;
        first..first + WIDTH
    }

    /// Removes a constraint from the list, and its options from their other constraints.
    fn cover(&mut self, header: usize) {
        let Header { left, right, size } = self.headers[header];
        self.dead -= usize::from(size == 0);
        self.headers[usize::from(left)].right = right;
        self.headers[usize::from(right)].left = left;
        let mut node = usize::from(self.nodes[header].down);
        while node != header {
            for other in self.nodes_of(self.option_of(node)) {
                if other != node {
                    let Node { up, down, header } = self.nodes[other];
                    self.nodes[usize::from(up)].down = down;
                    self.nodes[usize::from(down)].up = up;
                    let size = &mut self.headers[usize::from(header)].size;
                    *size -= 1;
                    match *size {
                        0 => self.dead += 1,
                        1 => self.single.push(header),
                        _ => {}
                    }
                }
            }
            node = usize::from(self.nodes[node].down);
        }
    }

    /// Undoes [`Links::cover`]. Covers are undone in reverse order.
    fn uncover(&mut self, header: usize) {
        let mut node = usize::from(self.nodes[header].up);
        while node != header {
            for other in self.nodes_of(self.option_of(node)).rev() {
                if other != node {
                    let Node { up, down, header } = self.nodes[other];
                    self.nodes[usize::from(up)].down = other as Link;
                    self.nodes[usize::from(down)].up = other as Link;
                    let size = &mut self.headers[usize::from(header)].size;
                    self.dead -= usize::from(*size == 0);
                    *size += 1;
                }
            }
            node = usize::from(self.nodes[node].up);
        }
        let Header { left, right, size } = self.headers[header];
        self.dead += usize::from(size == 0);
        self.headers[usize::from(left)].right = header as Link;
        self.headers[usize::from(right)].left = header as Link;
    }
}

/// Returns whether the constraint of this header is uncovered.
fn is_listed(headers: &[Header], header: Link) -> bool {
    let left = headers[usize::from(header)].left;
    headers[usize::from(left)].right == header
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// Keeps every cover, up to a limit.
    struct Covers {
        found: Vec<Vec<usize>>,
        limit: usize,
    }

    impl Visit for Covers {
        type Stop = ();

        fn node(&mut self) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }

        fn guess(&mut self) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }

        fn cover(&mut self, options: &[usize]) -> ControlFlow<()> {
            let mut options = options.to_vec();
            options.sort_unstable();
            self.found.push(options);
            if self.found.len() < self.limit {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        }
    }

    fn covers<const WIDTH: usize>(links: &mut Links<WIDTH>, limit: usize) -> Vec<Vec<usize>> {
        let mut covers = Covers {
            found: Vec::new(),
            limit,
        };
        let _ = links.search(&mut covers);
        covers.found
    }

    /// Every set of options that covers each constraint once, by brute force.
    fn by_trial<const WIDTH: usize>(
        constraints: usize,
        options: &[[usize; WIDTH]],
    ) -> BTreeSet<Vec<usize>> {
        (0..1_u32 << options.len())
            .map(|set| {
                (0..options.len())
                    .filter(|option| set >> option & 1 == 1)
                    .collect()
            })
            .filter(|chosen: &Vec<usize>| {
                let mut count = vec![0; constraints];
                for constraint in chosen.iter().flat_map(|&option| options[option]) {
                    count[constraint] += 1;
                }
                count.iter().all(|&count| count == 1)
            })
            .collect()
    }

    /// Domino tilings of a board of two rows: the Fibonacci numbers.
    #[test]
    fn dominoes_on_two_rows_are_counted_by_fibonacci() {
        let mut fibonacci = (1, 1);
        for columns in 1..=12 {
            let square = |row: usize, column: usize| row * columns + column;
            let mut options: Vec<[usize; 2]> =
                (0..columns).map(|c| [square(0, c), square(1, c)]).collect();
            for row in 0..2 {
                options.extend((1..columns).map(|c| [square(row, c - 1), square(row, c)]));
            }
            let found = covers(&mut Links::new(2 * columns, &options), usize::MAX);
            assert_eq!(found.len(), fibonacci.1, "{columns} columns");
            fibonacci = (fibonacci.1, fibonacci.0 + fibonacci.1);
        }
    }

    #[test]
    fn a_constraint_without_options_has_no_cover_and_no_constraint_has_one() {
        assert!(covers(&mut Links::new(3, &[[0, 1]]), 9).is_empty());
        let nothing: [[usize; 2]; 0] = [];
        assert_eq!(
            covers(&mut Links::new(0, &nothing), 9),
            [Vec::<usize>::new()]
        );
    }

    proptest! {
        #[test]
        fn covers_agree_with_trying_all_sets(
            options in prop::collection::btree_set(prop::sample::subsequence((0..8).collect::<Vec<usize>>(), 2), 0..13),
            taken in prop::collection::vec(0..13_usize, 0..3),
            limit in 1..5_usize,
        ) {
            let options: Vec<[usize; 2]> = options.iter().map(|option| [option[0], option[1]]).collect();
            let fresh = Links::new(8, &options);
            let mut links = fresh.clone();
            let truth = by_trial(8, &options);
            let found = covers(&mut links, usize::MAX);
            prop_assert_eq!(found.len(), truth.len());
            prop_assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), truth.clone());

            links.restore(&fresh);
            prop_assert_eq!(covers(&mut links, limit).len(), truth.len().min(limit));

            links.restore(&fresh);
            let taken: BTreeSet<usize> = taken.into_iter().filter(|&option| option < options.len()).collect();
            let disjoint = taken.iter().try_for_each(|&option| links.take(option)).is_ok();
            let covered: BTreeSet<usize> = taken.iter().flat_map(|&option| options[option]).collect();
            prop_assert_eq!(disjoint, covered.len() == 2 * taken.len());
            if disjoint {
                let with_taken = truth.iter().filter(|cover| taken.iter().all(|option| cover.contains(option)));
                prop_assert_eq!(covers(&mut links, usize::MAX).len(), with_taken.count());
            }
        }
    }
}
