//! Several ascending iterators as one.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Merges ascending iterators. The cost of a step grows with the logarithm of their number.
#[derive(Debug)]
pub(crate) struct Merged<I: Iterator> {
    /// The next item of each iterator that has one, with the iterator's number.
    heads: BinaryHeap<Reverse<(I::Item, usize)>>,
    iterators: Vec<I>,
}

impl<I: Iterator<Item: Ord>> FromIterator<I> for Merged<I> {
    fn from_iter<T: IntoIterator<Item = I>>(iterators: T) -> Self {
        let mut iterators: Vec<I> = iterators.into_iter().collect();
        let first = |(number, iterator): (usize, &mut I)| Some(Reverse((iterator.next()?, number)));
        Self { heads: iterators.iter_mut().enumerate().filter_map(first).collect(), iterators }
    }
}

impl<I: Iterator<Item: Ord>> Iterator for Merged<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        let Reverse((item, number)) = self.heads.pop()?;
        let next = self.iterators.get_mut(number).and_then(Iterator::next);
        self.heads.extend(next.map(|next| Reverse((next, number))));
        Some(item)
    }
}
