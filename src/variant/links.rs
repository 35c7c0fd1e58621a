//! Dancing links: every exact cover of a set of constraints by some of the given options.
//!
//! Algorithm X on doubly linked lists (Knuth, "Dancing links", 2000), with the nodes of an option
//! side by side as in "The Art of Computer Programming", volume 4B, section 7.2.2.1. Knows nothing
//! of Sudoku.
//!
//! As the links of the classic board, but with options of any width and links of 32 bits. One generic type for
//! both was tried: it made the classic solver 8 % slower.
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
type Link = u32;

/// Which nodes are an option.
#[derive(Clone, Debug)]
struct Shape {
    /// For each node, its option.
    options: Vec<u32>,
    /// The first node of each option, and the end of the last.
    starts: Vec<u32>,
}

impl Shape {
    fn option_of(&self, node: usize) -> usize {
        self.options[node] as usize
    }

    /// The nodes of an option, numbered from 0 without the headers.
    fn nodes_of(&self, option: usize) -> Range<usize> {
        self.starts[option] as usize..self.starts[option + 1] as usize
    }
}

/// The header that is no constraint: it closes the list of the constraints that are not covered.
const ROOT: usize = 0;

/// What a search reports, and may be broken off by.
pub(super) trait Visit {
    /// Why the search is broken off.
    type Stop;

    /// A state of the search is entered.
    fn node(&mut self) -> ControlFlow<Self::Stop>;
    /// An option is taken while another is left.
    fn guess(&mut self) -> ControlFlow<Self::Stop>;
    /// These options cover every constraint once.
    fn cover(&mut self, options: &[usize]) -> ControlFlow<Self::Stop>;
}

/// A matrix of constraints, and of options that cover some of them.
#[derive(Clone, Debug)]
pub(super) struct Links {
    shape: Shape,
    headers: Vec<Header>,
    /// First a node for each header, then the nodes of the options.
    nodes: Vec<Node>,
    /// Options taken so far.
    taken: Vec<usize>,
    /// Constraints that came down to one option since the last guess; some of them may be covered
    /// by now. Most choices are found here, without a look at all headers.
    single: Vec<Link>,
    /// How many constraints are not covered and have no option left.
    dead: usize,
}

/// A constraint among those that are not covered.
#[derive(Clone, Copy, Debug)]
struct Header {
    left: Link,
    right: Link,
    /// Nodes below it.
    size: u16,
}

/// An option at one of its constraints.
#[derive(Clone, Copy, Debug)]
struct Node {
    up: Link,
    down: Link,
    header: Link,
}

/// An option covers a constraint that is covered already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Conflict;

impl Links {
    /// The matrix of these options: each names the constraints that it covers, all different and below
    /// `constraints`.
    ///
    /// # Panics
    /// If there are more than 4 billion headers and nodes, or 65,535 options of a constraint.
    pub(super) fn new<O: AsRef<[usize]>>(
        constraints: usize,
        options: impl Iterator<Item = O>,
    ) -> Self {
        let mut shape = Shape {
            options: Vec::new(),
            starts: vec![0],
        };
        let mut covered = Vec::new();
        for (number, option) in options.enumerate() {
            covered.extend_from_slice(option.as_ref());
            shape.options.resize(covered.len(), number as u32);
            shape.starts.push(covered.len() as u32);
        }
        Links::of(shape, constraints, &covered)
    }

    /// The matrix of options of this shape: for each of their nodes, the constraint.
    fn of(shape: Shape, constraints: usize, covered: &[usize]) -> Links {
        let count = constraints + 1;
        assert!(
            count + covered.len() <= Link::MAX as usize,
            "the matrix is too large for its links"
        );
        let header = |at: usize| Header {
            left: ((at + count - 1) % count) as Link,
            right: ((at + 1) % count) as Link,
            size: 0,
        };
        let alone = |at: usize| Node {
            up: at as Link,
            down: at as Link,
            header: at as Link,
        };
        let mut links = Links {
            shape,
            headers: (0..count).map(header).collect(),
            nodes: (0..count + covered.len()).map(alone).collect(),
            taken: Vec::new(),
            single: Vec::new(),
            dead: 0,
        };
        for (&constraint, at) in covered.iter().zip(count..) {
            let header = constraint + 1;
            let above = links.nodes[header].up;
            links.nodes[at] = Node {
                up: above,
                down: header as Link,
                header: header as Link,
            };
            links.nodes[above as usize].down = at as Link;
            links.nodes[header].up = at as Link;
            links.headers[header].size += 1;
        }
        let sizes = links.headers.iter().map(|header| header.size);
        let sized = |size: u16| {
            sizes
                .clone()
                .enumerate()
                .skip(1)
                .filter(move |at| at.1 == size)
        };
        (links.dead, links.single) = (sized(0).count(), sized(1).map(|at| at.0 as Link).collect());
        links
    }

    /// Makes this a copy of links of the same matrix, without allocating.
    pub(super) fn restore(&mut self, other: &Links) {
        self.headers.clone_from(&other.headers);
        self.nodes.clone_from(&other.nodes);
        self.taken.clone_from(&other.taken);
        self.single.clone_from(&other.single);
        self.dead = other.dead;
    }

    /// Takes an option for good.
    ///
    /// # Errors
    /// [`Conflict`], if it covers what a taken one covers; some of its constraints may be covered
    /// then.
    pub(super) fn take(&mut self, option: usize) -> Result<(), Conflict> {
        for node in self.nodes_of(option) {
            let header = self.nodes[node].header;
            if !is_listed(&self.headers, header) {
                return Err(Conflict);
            }
            self.cover(header as usize);
        }
        self.taken.push(option);
        Ok(())
    }

    /// Visits every exact cover that holds the options taken. The links are in disorder afterwards.
    pub(super) fn search<V: Visit>(&mut self, visit: &mut V) -> ControlFlow<V::Stop> {
        self.enter(visit, false)
    }

    /// Unless `undo`, no option is left to try above this state, and nothing is put back.
    fn enter<V: Visit>(&mut self, visit: &mut V, undo: bool) -> ControlFlow<V::Stop> {
        visit.node()?;
        if self.dead > 0 {
            return ControlFlow::Continue(());
        }
        let Some(header) = self.smallest() else {
            return visit.cover(&self.taken);
        };
        self.cover(header);
        let mut node = self.nodes[header].down as usize;
        loop {
            let next = self.nodes[node].down as usize;
            let is_last = next == header;
            if !is_last {
                visit.guess()?;
            }
            let option = self.option_of(node);
            self.taken.push(option);
            for other in self.nodes_of(option).filter(|&other| other != node) {
                self.cover(self.nodes[other].header as usize);
            }
            self.enter(visit, undo || !is_last)?;
            if is_last && !undo {
                return ControlFlow::Continue(());
            }
            for other in self.nodes_of(option).rev().filter(|&other| other != node) {
                self.uncover(self.nodes[other].header as usize);
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

    /// A constraint with the fewest options, if any is not covered; each has one at least.
    fn smallest(&mut self) -> Option<usize> {
        while let Some(header) = self.single.pop() {
            if is_listed(&self.headers, header) {
                return Some(header as usize);
            }
        }
        let mut best = None;
        let mut fewest = u16::MAX;
        let mut header = self.headers[ROOT].right as usize;
        while header != ROOT {
            let Header { size, right, .. } = self.headers[header];
            if size < fewest {
                (best, fewest) = (Some(header), size);
            }
            header = right as usize;
        }
        best
    }

    fn option_of(&self, node: usize) -> usize {
        self.shape.option_of(node - self.headers.len())
    }

    fn nodes_of(&self, option: usize) -> Range<usize> {
        let nodes = self.shape.nodes_of(option);
        self.headers.len() + nodes.start..self.headers.len() + nodes.end
    }

    /// Takes a constraint from the list, and its options from their other constraints.
    fn cover(&mut self, header: usize) {
        let Header { left, right, size } = self.headers[header];
        self.dead -= usize::from(size == 0);
        self.headers[left as usize].right = right;
        self.headers[right as usize].left = left;
        let mut node = self.nodes[header].down as usize;
        while node != header {
            for other in self.nodes_of(self.option_of(node)) {
                if other != node {
                    let Node { up, down, header } = self.nodes[other];
                    self.nodes[up as usize].down = down;
                    self.nodes[down as usize].up = up;
                    let size = &mut self.headers[header as usize].size;
                    *size -= 1;
                    match *size {
                        0 => self.dead += 1,
                        1 => self.single.push(header),
                        _ => {}
                    }
                }
            }
            node = self.nodes[node].down as usize;
        }
    }

    /// Undoes [`Links::cover`]. Covers are undone in the opposite order.
    fn uncover(&mut self, header: usize) {
        let mut node = self.nodes[header].up as usize;
        while node != header {
            for other in self.nodes_of(self.option_of(node)).rev() {
                if other != node {
                    let Node { up, down, header } = self.nodes[other];
                    self.nodes[up as usize].down = other as Link;
                    self.nodes[down as usize].up = other as Link;
                    let size = &mut self.headers[header as usize].size;
                    self.dead -= usize::from(*size == 0);
                    *size += 1;
                }
            }
            node = self.nodes[node].up as usize;
        }
        let Header { left, right, size } = self.headers[header];
        self.dead += usize::from(size == 0);
        self.headers[left as usize].right = header as Link;
        self.headers[right as usize].left = header as Link;
    }
}

/// Whether the constraint of this header is not covered.
fn is_listed(headers: &[Header], header: Link) -> bool {
    let left = headers[header as usize].left;
    headers[left as usize].right == header
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

    fn covers(links: &mut Links, limit: usize) -> Vec<Vec<usize>> {
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
            let found = covers(&mut Links::new(2 * columns, options.iter()), usize::MAX);
            assert_eq!(found.len(), fibonacci.1, "{columns} columns");
            fibonacci = (fibonacci.1, fibonacci.0 + fibonacci.1);
        }
    }

    #[test]
    fn a_constraint_without_options_has_no_cover_and_no_constraint_has_one() {
        assert!(covers(&mut Links::new(3, [[0, 1]].iter()), 9).is_empty());
        let nothing: [[usize; 2]; 0] = [];
        assert_eq!(
            covers(&mut Links::new(0, nothing.iter()), 9),
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
            let fresh = Links::new(8, options.iter());
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
