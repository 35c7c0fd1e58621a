//! The search for the form: vertices are singled out until the partition orders all of them, and of all orders the one
//! with the least form wins (after B. McKay and A. Piperno, "Practical graph isomorphism, II").

use std::cmp::Ordering;

use super::graph::Graph;
use super::partition::{Partition, Scratch};

/// Edges that may be followed: enough for a second. Puzzles need some thousands, full boards of 25x25 half a million.
const MOST_WORK: u64 = 20_000_000;

/// The most automorphisms that are kept to skip what is symmetric to something seen.
const MOST_AUTOMORPHISMS: usize = 256;

/// The order of the vertices of a graph that stands for all of them.
pub(in super::super) struct Labelling {
    /// Numbers that two graphs share exactly if they are the same but for the numbers of their vertices.
    pub(in super::super) form: Vec<u32>,
    /// The vertices in the order in which the form has them.
    pub(in super::super) order: Vec<u32>,
    /// How many automorphisms the graph has; `None` where there are too many to count.
    pub(in super::super) automorphisms: Option<u64>,
}

/// Returns the order of the vertices with the least form; `None` where finding it takes too long.
pub(in super::super) fn canonical_labelling(graph: &Graph) -> Option<Labelling> {
    let mut search = Search {
        graph,
        scratch: Scratch::new(graph),
        path: Vec::new(),
        trace: Vec::new(),
        best: None,
        automorphisms: Vec::new(),
    };
    let mut partition = Partition::of(graph);
    let trace = partition.refine_all(graph, &mut search.scratch);
    search.trace.push(trace);
    search.visit(&partition)?;
    let automorphisms = search.automorphism_count();
    let best = search.best?;
    Some(Labelling {
        form: best.form,
        order: best.order,
        automorphisms,
    })
}

/// An order of all vertices.
struct Leaf {
    path: Vec<u32>,
    trace: Vec<Vec<u64>>,
    order: Vec<u32>,
    form: Vec<u32>,
}

struct Search<'a> {
    graph: &'a Graph,
    scratch: Scratch,
    /// The vertices that are singled out.
    path: Vec<u32>,
    /// What the refinements down to here did.
    trace: Vec<Vec<u64>>,
    best: Option<Leaf>,
    /// Each as the image of every vertex.
    automorphisms: Vec<Vec<u32>>,
}

impl Search<'_> {
    /// Visits a node of the search tree. Returns the number of vertices of the path at which the search goes on, and
    /// `None` if it takes too long.
    fn visit(&mut self, partition: &Partition) -> Option<usize> {
        let level = self.path.len();
        if self.scratch.work > MOST_WORK {
            return None;
        }
        if self.compared() == Ordering::Greater {
            return Some(level.saturating_sub(1));
        }
        if partition.is_discrete() {
            return Some(self.leave(&partition.order));
        }
        let mut seen: Vec<u32> = Vec::new();
        let mut orbits = Orbits::new(partition.order.len());
        let mut known = 0;
        for &vertex in partition.largest() {
            while let Some(automorphism) = self.automorphisms.get(known) {
                known += 1;
                let fixes = |vertex: &u32| automorphism[*vertex as usize] == *vertex;
                if self.path.iter().all(fixes) {
                    orbits.join(automorphism);
                }
            }
            let orbit = orbits.find(vertex);
            if seen.iter().any(|other| orbits.find(*other) == orbit) {
                continue;
            }
            seen.push(vertex);
            let mut child = partition.clone();
            let on_best = |best: &&Leaf| best.trace.starts_with(&self.trace);
            let best = self.best.as_ref().filter(on_best);
            let most = best.and_then(|best| best.trace.get(level + 1));
            let most = most.map(|most| &most[..]);
            let Some(trace) = child.single_out(self.graph, &mut self.scratch, vertex, most) else {
                continue;
            };
            self.path.push(vertex);
            self.trace.push(trace);
            let next = self.visit(&child)?;
            self.path.pop();
            self.trace.pop();
            if next < level {
                return Some(next);
            }
        }
        Some(level.saturating_sub(1))
    }

    /// The number of automorphisms: for each vertex of the path to the best leaf, how many vertices it can be mapped to by
    /// automorphisms that fix those before it, multiplied. The search has found one for each of them, as it goes through
    /// all vertices beside this path that no automorphism found so far maps to one it has seen.
    fn automorphism_count(&self) -> Option<u64> {
        let best = self.best.as_ref()?;
        if self.automorphisms.len() >= MOST_AUTOMORPHISMS {
            return None;
        }
        let mut count: u64 = 1;
        for (level, vertex) in best.path.iter().enumerate() {
            let mut orbits = Orbits::new(best.order.len());
            let fixes = |automorphism: &&Vec<u32>| {
                best.path[..level]
                    .iter()
                    .all(|it| automorphism[*it as usize] == *it)
            };
            for automorphism in self.automorphisms.iter().filter(fixes) {
                orbits.join(automorphism);
            }
            let orbit = orbits.find(*vertex);
            let size = (0..best.order.len() as u32).filter(|other| orbits.find(*other) == orbit);
            count = count.checked_mul(size.count() as u64)?;
        }
        Some(count)
    }

    /// How the refinements down to here compare with those of the best leaf: `Less` is better.
    fn compared(&self) -> Ordering {
        self.best.as_ref().map_or(Ordering::Less, |best| {
            let until = best.trace.len().min(self.trace.len());
            self.trace[..].cmp(&best.trace[..until])
        })
    }

    /// Compares a leaf with the best one. Returns the length of the path at which the search goes on.
    fn leave(&mut self, order: &[u32]) -> usize {
        let form = self.graph.written(order);
        let level = self.path.len();
        let is_better = self.best.as_ref().is_none_or(|best| {
            let ours = (&self.trace, &form);
            ours < (&best.trace, &best.form)
        });
        if is_better {
            self.best = Some(Leaf {
                path: self.path.clone(),
                trace: self.trace.clone(),
                order: order.to_vec(),
                form,
            });
            return level.saturating_sub(1);
        }
        let Some(best) = self.best.as_ref().filter(|best| best.form == form) else {
            return level.saturating_sub(1);
        };
        // Two orders with one form: what maps one to the other maps the graph to itself.
        if self.automorphisms.len() < MOST_AUTOMORPHISMS {
            let mut automorphism = vec![0; order.len()];
            for (from, to) in best.order.iter().zip(order) {
                automorphism[*from as usize] = *to;
            }
            self.automorphisms.push(automorphism);
        }
        let shared = best.path.iter().zip(&self.path);
        shared.take_while(|(one, other)| one == other).count()
    }
}

/// Vertices that automorphisms map to each other.
struct Orbits(Vec<u32>);

impl Orbits {
    fn new(vertices: usize) -> Orbits {
        Orbits((0..vertices as u32).collect())
    }

    fn find(&mut self, mut vertex: u32) -> u32 {
        while self.0[vertex as usize] != vertex {
            let above = self.0[self.0[vertex as usize] as usize];
            self.0[vertex as usize] = above;
            vertex = above;
        }
        vertex
    }

    fn join(&mut self, automorphism: &[u32]) {
        for (from, to) in automorphism.iter().enumerate() {
            let (one, other) = (self.find(from as u32), self.find(*to));
            self.0[one.max(other) as usize] = one.min(other);
        }
    }
}
