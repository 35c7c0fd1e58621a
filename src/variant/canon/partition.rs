//! Ordered partitions of the vertices, refined until the vertices of a class have equally many neighbours in each
//! class.

use std::cmp::{Ordering, Reverse};

use super::graph::Graph;

/// Vertices in classes, in an order that does not depend on their numbers.
#[derive(Clone, Debug)]
pub(super) struct Partition {
    /// The vertices, class by class.
    pub(super) order: Vec<u32>,
    /// The place of each vertex in the order.
    place: Vec<u32>,
    /// Where the class of each vertex begins.
    start: Vec<u32>,
    /// The size of the class that begins at a place.
    size: Vec<u32>,
    classes: usize,
}

/// Buffers of refinements, and the work that was done in them.
#[derive(Debug)]
pub(super) struct Scratch {
    /// Neighbours of each vertex in the class that splits.
    count: Vec<u32>,
    is_queued: Vec<bool>,
    /// Edges that were followed.
    pub(super) work: u64,
}

impl Scratch {
    pub(super) fn new(graph: &Graph) -> Scratch {
        Scratch {
            count: vec![0; graph.edges.len()],
            is_queued: vec![false; graph.edges.len()],
            work: 0,
        }
    }
}

impl Partition {
    /// The partition by colors.
    pub(super) fn of(graph: &Graph) -> Partition {
        let vertices = graph.edges.len();
        let mut partition = Partition {
            order: Vec::with_capacity(vertices),
            place: vec![0; vertices],
            start: vec![0; vertices],
            size: vec![0; vertices],
            classes: graph.colors.len(),
        };
        for class in &graph.colors {
            let start = partition.order.len();
            partition.size[start] = class.len() as u32;
            for vertex in class {
                partition.start[*vertex as usize] = start as u32;
                partition.place[*vertex as usize] = partition.order.len() as u32;
                partition.order.push(*vertex);
            }
        }
        partition
    }

    /// Whether each class has one vertex.
    pub(super) fn is_discrete(&self) -> bool {
        self.classes == self.order.len()
    }

    fn starts(&self) -> impl Iterator<Item = usize> {
        let mut at = 0;
        std::iter::from_fn(move || {
            let start = at;
            at += *self.size.get(start)? as usize;
            Some(start)
        })
    }

    fn class(&self, start: usize) -> &[u32] {
        &self.order[start..start + self.size[start] as usize]
    }

    /// The vertices of the first of the largest classes. Most often these are cells, and one of them determines its row,
    /// its column and its value, so that few need to be singled out.
    pub(super) fn largest(&self) -> &[u32] {
        let first = self.starts().min_by_key(|start| Reverse(self.size[*start]));
        first.map_or(&[], |start| self.class(start))
    }

    /// Refines by all classes. Returns what happens, in hashes, which are the same for equal graphs.
    pub(super) fn refine_all(&mut self, graph: &Graph, scratch: &mut Scratch) -> Vec<u64> {
        let starts: Vec<usize> = self.starts().collect();
        let trace = self.refine(graph, scratch, starts, None);
        trace.unwrap_or_default()
    }

    /// Makes this vertex a class of its own, before the others of its class, and refines. Returns `None` as soon as
    /// what happens is greater than `most`.
    pub(super) fn single_out(
        &mut self,
        graph: &Graph,
        scratch: &mut Scratch,
        vertex: u32,
        most: Option<&[u64]>,
    ) -> Option<Vec<u64>> {
        let start = self.start[vertex as usize];
        self.swap(self.place[vertex as usize], start);
        self.split(start, &[1, self.size[start as usize] - 1]);
        self.refine(graph, scratch, vec![start as usize], most)
    }

    fn swap(&mut self, one: u32, other: u32) {
        self.order.swap(one as usize, other as usize);
        for at in [one, other] {
            self.place[self.order[at as usize] as usize] = at;
        }
    }

    /// Cuts the class that begins here into parts of these sizes.
    fn split(&mut self, start: u32, sizes: &[u32]) {
        let mut at = start;
        for size in sizes {
            self.size[at as usize] = *size;
            for place in at..at + size {
                self.start[self.order[place as usize] as usize] = at;
            }
            at += size;
        }
        self.classes += sizes.len() - 1;
    }

    /// Splits classes by the neighbours that their vertices have in these classes, and in the parts of what is split.
    fn refine(
        &mut self,
        graph: &Graph,
        scratch: &mut Scratch,
        mut queue: Vec<usize>,
        mut most: Option<&[u64]>,
    ) -> Option<Vec<u64>> {
        let mut steps = Vec::new();
        for start in &queue {
            scratch.is_queued[*start] = true;
        }
        let mut next = 0;
        let mut touched: Vec<u32> = Vec::new();
        while let Some(&splitter) = queue.get(next) {
            next += 1;
            scratch.is_queued[splitter] = false;
            touched.clear();
            for vertex in self.class(splitter) {
                for &other in &graph.edges[*vertex as usize] {
                    scratch.work += 1;
                    let count = &mut scratch.count[other as usize];
                    if *count == 0 {
                        touched.push(other);
                    }
                    *count += 1;
                }
            }
            let count = &scratch.count;
            let key = |vertex: &u32| (self.start[*vertex as usize], count[*vertex as usize]);
            touched.sort_unstable_by_key(key);
            let mut trace = Trace(splitter as u64);
            for class in touched.chunk_by(|a, b| self.start[*a as usize] == self.start[*b as usize])
            {
                trace.add(u64::from(self.start[class[0] as usize]));
                for equal in class.chunk_by(|a, b| count[*a as usize] == count[*b as usize]) {
                    trace.add(u64::from(count[equal[0] as usize]));
                    trace.add(equal.len() as u64);
                }
            }
            // Equal steps so far, so that this one decides.
            let order = most.map(|most| most.get(steps.len()).cmp(&Some(&trace.0)));
            if order == Some(Ordering::Less) {
                for vertex in &touched {
                    scratch.count[*vertex as usize] = 0;
                }
                for start in &queue[next..] {
                    scratch.is_queued[*start] = false;
                }
                return None;
            }
            most = most.filter(|_| order == Some(Ordering::Equal));
            steps.push(trace.0);
            let mut rest = &touched[..];
            while let Some(first) = rest.first() {
                let start = self.start[*first as usize];
                let in_class = |vertex: &u32| self.start[*vertex as usize] == start;
                let end = rest.partition_point(in_class);
                let class;
                (class, rest) = rest.split_at(end);
                let mut sizes: Vec<u32> = Vec::new();
                let untouched = self.size[start as usize] - class.len() as u32;
                sizes.extend((untouched > 0).then_some(untouched));
                let equal =
                    class.chunk_by(|a, b| scratch.count[*a as usize] == scratch.count[*b as usize]);
                sizes.extend(equal.map(|equal| equal.len() as u32));
                if sizes.len() < 2 {
                    continue;
                }
                // The touched ones go behind the others, in the order of their counts.
                let mut at = start + self.size[start as usize];
                for vertex in class.iter().rev() {
                    at -= 1;
                    self.swap(self.place[*vertex as usize], at);
                }
                self.split(start, &sizes);
                let largest = sizes
                    .iter()
                    .rposition(|size| Some(size) == sizes.iter().max());
                let mut at = start as usize;
                let was_queued = scratch.is_queued[at];
                for (number, size) in sizes.iter().enumerate() {
                    // The largest part need not split anything, as the others and the whole do.
                    let is_needed = was_queued || Some(number) != largest;
                    if is_needed && !std::mem::replace(&mut scratch.is_queued[at], true) {
                        queue.push(at);
                    }
                    at += *size as usize;
                }
            }
            for vertex in &touched {
                scratch.count[*vertex as usize] = 0;
            }
        }
        Some(steps)
    }
}

/// A hash of numbers in their order.
struct Trace(u64);

impl Trace {
    fn add(&mut self, number: u64) {
        // The multiplier of FxHash.
        self.0 = (self.0.rotate_left(5) ^ number).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
}
