//! Which node is which when the nodes of a body change.

use crate::geometry::Lists;

/// Which nodes of one sampling are which of another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Correspondence {
    /// For each node now, which it was before.
    pub before: Vec<Option<u32>>,
    /// For each node before, which it is now.
    pub after: Vec<Option<u32>>,
    /// Whether each node now is new, or joined to others than before.
    pub changed: Vec<bool>,
}

impl Correspondence {
    /// Of two sorted lists of keys.
    pub fn new<K: Ord>(before: &[K], now: &[K]) -> Self {
        let mut of =
            Self { before: vec![None; now.len()], after: vec![None; before.len()], changed: Vec::new() };
        let (mut i, mut j) = (0, 0);
        while i < before.len() && j < now.len() {
            match before[i].cmp(&now[j]) {
                std::cmp::Ordering::Less => i += 1,
                std::cmp::Ordering::Greater => j += 1,
                std::cmp::Ordering::Equal => {
                    (of.before[j], of.after[i]) = (Some(i as u32), Some(j as u32));
                    (i, j) = (i + 1, j + 1);
                }
            }
        }
        of
    }
}

/// What was changed, and which node is which.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Renumbering {
    /// Nodes that stayed.
    pub kept: Correspondence,
    /// For each node now that is new because one was divided, the node before that was.
    pub from_parent: Vec<Option<u32>>,
    /// For each node now the nodes before that it is made of, if it is new because they became one.
    pub from_children: Lists,
}

impl Renumbering {
    /// The nodes now that a node which is gone has become.
    pub fn heirs(&self, gone: u32) -> impl Iterator<Item = u32> {
        (0..self.from_parent.len() as u32).filter(move |&node| {
            let at = node as usize;
            self.from_parent[at] == Some(gone) || self.from_children.of(at).contains(&gone)
        })
    }
}
