//! Many lists, one after the other in one array.

use serde::{Deserialize, Serialize};

/// Lists of items, one after the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lists<T = u32> {
    /// All lists.
    pub items: Vec<T>,
    /// Where each begins, and the end.
    starts: Vec<u32>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Lists<T> {
    /// No lists.
    pub fn new() -> Self {
        Self { items: Vec::new(), starts: vec![0] }
    }

    /// `count` lists of the items that `pairs` has for them, each in the order of the pairs.
    ///
    /// The pairs are run through twice: to count them, and to put each item in its place.
    pub fn from_pairs(count: usize, pairs: impl Iterator<Item = (u32, T)> + Clone) -> Self
    where
        T: Copy + Default,
    {
        let mut starts = vec![0_u32; count + 1];
        pairs.clone().for_each(|(list, _)| starts[list as usize + 1] += 1);
        for list in 0..count {
            starts[list + 1] += starts[list];
        }
        let mut next = starts.clone();
        let mut items = vec![T::default(); starts[count] as usize];
        pairs.for_each(|(list, item)| {
            let at = &mut next[list as usize];
            items[*at as usize] = item;
            *at += 1;
        });
        Self { items, starts }
    }

    /// One list.
    #[inline]
    pub fn of(&self, index: usize) -> &[T] {
        &self.items[self.starts[index] as usize..self.starts[index + 1] as usize]
    }

    /// One of the lists, to be changed.
    pub fn of_mut(&mut self, index: usize) -> &mut [T] {
        &mut self.items[self.starts[index] as usize..self.starts[index + 1] as usize]
    }

    /// All lists, in order.
    pub fn iter(&self) -> impl Iterator<Item = &[T]> + Clone {
        self.starts.windows(2).map(|ends| &self.items[ends[0] as usize..ends[1] as usize])
    }

    /// Adds a list.
    pub fn push(&mut self, list: impl IntoIterator<Item = T>) {
        self.items.extend(list);
        self.starts.push(self.items.len() as u32);
    }

    /// How many lists there are.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Lists {
    /// For each of `count` numbers the lists that have it.
    pub fn reversed(&self, count: usize) -> Self {
        let pairs =
            self.iter().zip(0_u32..).flat_map(|(items, list)| items.iter().map(move |&item| (item, list)));
        Self::from_pairs(count, pairs)
    }
}

impl<T, L: IntoIterator<Item = T>> FromIterator<L> for Lists<T> {
    fn from_iter<I: IntoIterator<Item = L>>(lists: I) -> Self {
        let mut all = Self::new();
        lists.into_iter().for_each(|list| all.push(list));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_become_lists_in_their_order() {
        let pairs = [(2, 'c'), (0, 'x'), (2, 'a'), (2, 'b'), (0, 'y')];
        let lists = Lists::from_pairs(4, pairs.into_iter());
        let expected: Lists<char> = ["xy", "", "cab", ""].map(str::chars).into_iter().collect();
        assert_eq!(lists, expected);
        assert!(lists.iter().eq((0..4).map(|list| lists.of(list))));
    }

    #[test]
    fn reversed_twice_is_the_same_with_sorted_lists() {
        let lists: Lists = [vec![1, 3], vec![], vec![0, 1, 2]].into_iter().collect();
        let reversed: Lists = [vec![2], vec![0, 2], vec![2], vec![0]].into_iter().collect();
        assert_eq!(lists.reversed(4), reversed);
        assert_eq!(reversed.reversed(3), lists);
    }
}
