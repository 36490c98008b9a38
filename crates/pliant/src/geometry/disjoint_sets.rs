//! What hangs together, from what is joined to what.

/// A partition into connected parts, numbered by their first members.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Components {
    /// How many there are.
    pub count: usize,
    /// The part of each member: of a triangle, of a node, of whatever was joined.
    pub of_member: Vec<u32>,
}

/// Union–find in which the lowest member stands for its set.
#[derive(Debug)]
pub(crate) struct DisjointSets {
    parent: Vec<u32>,
}

impl DisjointSets {
    /// Each member is a set of its own.
    pub fn new(count: usize) -> Self {
        Self { parent: (0..count as u32).collect() }
    }

    /// The lowest member of a set.
    pub fn find(&mut self, mut member: u32) -> u32 {
        while self.parent[member as usize] != member {
            let grandparent = self.parent[self.parent[member as usize] as usize];
            self.parent[member as usize] = grandparent;
            member = grandparent;
        }
        member
    }

    /// The sets of two members become one.
    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b) as usize] = a.min(b);
    }

    /// The sets, numbered by their lowest members.
    pub fn components(&mut self) -> Components {
        let mut of_member = vec![0; self.parent.len()];
        let mut count = 0;
        for member in 0..self.parent.len() {
            let root = self.find(member as u32) as usize;
            of_member[member] = if root == member { count } else { of_member[root] };
            count += u32::from(root == member);
        }
        Components { count: count as usize, of_member }
    }
}
