//! The points of a sweep, counted without making any, and made one at a time.

use std::collections::BTreeSet;

use crate::tree::{Node, Sources};
use crate::value::{Classes, Value, value_of};

/// Values of all variables at one point, by name.
pub(crate) type Assignment<'a> = Vec<(&'a str, &'a Node)>;

/// Values of some variables; the first changes slowest.
pub(crate) type Lists<'a> = Vec<(&'a str, &'a [Node])>;

/// The points of a sweep: products of lists, one after the other.
#[derive(Debug, Default)]
pub(crate) struct Points<'a> {
    base: Assignment<'a>,
    products: Vec<Product<'a>>,
    len: usize,
}

/// All combinations of some lists, or those that have not been there before.
#[derive(Debug)]
struct Product<'a> {
    /// Index of each variable in the base, with its values.
    lists: Vec<(usize, &'a [Node])>,
    /// Indices of the combinations that are points; `None` for all.
    fresh: Option<Vec<usize>>,
    /// Number of points.
    len: usize,
}

impl<'a> Points<'a> {
    /// No points so far. `base` has the values of the variables that a product does not list.
    pub(crate) fn over(base: Assignment<'a>) -> Self {
        Points { base, ..Points::default() }
    }

    /// Number of points.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Makes the points, each when it is asked for. Their order is that of the products.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Assignment<'a>> {
        self.products.iter().flat_map(|product| {
            (0..product.len).map(|i| match &product.fresh {
                Some(fresh) => product.point(&self.base, fresh[i]),
                None => product.point(&self.base, i),
            })
        })
    }

    /// Adds a product, all of it.
    pub(crate) fn add(&mut self, lists: Lists<'a>) {
        let product = Product { len: size(&lists), lists: self.placed(lists), fresh: None };
        self.len += product.len;
        self.products.push(product);
    }

    fn add_fresh(&mut self, lists: Lists<'a>, fresh: Vec<usize>) {
        self.len += fresh.len();
        let (lists, len) = (self.placed(lists), fresh.len());
        self.products.push(Product { lists, fresh: Some(fresh), len });
    }

    fn placed(&self, lists: Lists<'a>) -> Vec<(usize, &'a [Node])> {
        let place = |name: &str| self.base.iter().position(|(known, _)| *known == name);
        lists.into_iter().filter_map(|(name, values)| Some((place(name)?, values))).collect()
    }
}

impl<'a> Product<'a> {
    fn point(&self, base: &Assignment<'a>, index: usize) -> Assignment<'a> {
        let mut point = base.clone();
        for ((slot, values), at) in self.lists.iter().zip(digits(&self.lists, index)) {
            point[*slot].1 = &values[at];
        }
        point
    }
}

/// Number of combinations; `usize::MAX` if there are more.
pub(crate) fn size(lists: &Lists<'_>) -> usize {
    lists.iter().map(|(_, values)| values.len()).fold(1, usize::saturating_mul)
}

/// Index in each of the lists of the combination with this index; the last list changes fastest.
fn digits(lists: &[(usize, &[Node])], index: usize) -> Vec<usize> {
    let mut digits = vec![0; lists.len()];
    let mut rest = index;
    for (digit, (_, values)) in digits.iter_mut().zip(lists).rev() {
        *digit = rest % values.len();
        rest /= values.len();
    }
    digits
}

/// Adds products to points, without those that are there already.
pub(crate) struct Distinct<'a> {
    points: Points<'a>,
    /// Distinct values of each variable.
    known: Vec<Classes>,
    /// Classes of the first product's values, for each variable.
    first: Vec<BTreeSet<usize>>,
    /// Further points, as classes.
    others: BTreeSet<Vec<usize>>,
}

impl<'a> Distinct<'a> {
    /// The points of the first product. They are not looked at one by one: lists do not repeat a
    /// value.
    pub(crate) fn first(base: Assignment<'a>, lists: Lists<'a>, sources: &Sources) -> Self {
        let known = base.iter().map(|_| Classes::default()).collect();
        let mut points = Points::over(base);
        points.add(lists.clone());
        let mut of = Distinct { points, known, first: Vec::new(), others: BTreeSet::new() };
        let classes = of.classes(&lists, sources);
        of.first = classes.into_iter().map(|classes| classes.into_iter().collect()).collect();
        of
    }

    /// Adds a further product.
    pub(crate) fn add(&mut self, lists: Lists<'a>, sources: &Sources) {
        let classes = self.classes(&lists, sources);
        let placed = self.points.placed(lists.clone());
        let mut fresh = Vec::new();
        for index in 0..size(&lists) {
            let mut point: Vec<usize> = classes.iter().map(|classes| classes[0]).collect();
            for ((slot, _), at) in placed.iter().zip(digits(&placed, index)) {
                point[*slot] = classes[*slot][at];
            }
            let in_first =
                point.iter().zip(&self.first).all(|(class, first)| first.contains(class));
            if !in_first && self.others.insert(point) {
                fresh.push(index);
            }
        }
        self.points.add_fresh(lists, fresh);
    }

    /// Number of points so far.
    pub(crate) fn len(&self) -> usize {
        self.points.len
    }

    pub(crate) fn points(self) -> Points<'a> {
        self.points
    }

    /// Classes of the values that each variable has in a product.
    fn classes(&mut self, lists: &Lists<'a>, sources: &Sources) -> Vec<Vec<usize>> {
        let variables = self.points.base.iter().zip(&mut self.known);
        variables
            .map(|((name, default), known)| {
                let listed = lists.iter().find(|(listed, _)| listed == name);
                let values = listed.map_or(std::slice::from_ref(*default), |(_, values)| values);
                values.iter().map(|node| known.of(compared(sources, node)).0).collect()
            })
            .collect()
    }
}

/// The value of which no two points have the same. Labels are compared as text: `1e-3` and
/// `1.0e-3` may stand for different values.
fn compared(sources: &Sources, node: &Node) -> Value {
    let value = value_of(sources, node);
    let number = value.number.filter(|_| node.labelled().is_none());
    Value { number, ..value }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{Kind, Loc};

    fn nodes(values: impl IntoIterator<Item = i64>) -> Vec<Node> {
        let at = Loc { source: 0, start: 0, end: 0 };
        let node = |n| Node { at, used: None, kind: Kind::Int(n) };
        values.into_iter().map(node).collect()
    }

    fn number(node: &Node) -> i64 {
        match node.kind {
            Kind::Int(n) => n,
            _ => unreachable!("all are whole"),
        }
    }

    /// Making a million million points would not end.
    #[test]
    fn a_product_is_counted_without_its_points() {
        let many = nodes(0..1_000_000);
        let mut points = Points::over(vec![("a", &many[0]), ("b", &many[0])]);
        points.add(vec![("a", &many), ("b", &many)]);
        assert_eq!(points.len(), 1_000_000_000_000);
        let third: Vec<_> = points.iter().nth(2).into_iter().flatten().collect();
        let third: Vec<_> = third.iter().map(|(name, node)| (*name, number(node))).collect();
        assert_eq!(third, [("a", 0), ("b", 2)]);
    }

    #[test]
    fn a_further_product_adds_only_what_is_new() {
        let (a, b, more) = (nodes([1, 2]), nodes([10, 20, 30]), nodes([2, 3, 3]));
        let sources = Sources::default();
        let base: Assignment<'_> = vec![("a", &a[0]), ("b", &b[0])];
        let mut distinct = Distinct::first(base, vec![("b", &b), ("a", &a)], &sources);
        distinct.add(vec![("a", &more)], &sources);
        distinct.add(vec![("a", &more), ("b", &b[..2])], &sources);
        let points = distinct.points();
        let made: Vec<Vec<i64>> = points
            .iter()
            .map(|point| point.iter().map(|(_, node)| number(node)).collect())
            .collect();
        let first = [[1, 10], [2, 10], [1, 20], [2, 20], [1, 30], [2, 30]];
        let further = [[3, 10], [3, 20]];
        assert_eq!(made, first.into_iter().chain(further).map(Vec::from).collect::<Vec<_>>());
        assert_eq!(points.len(), made.len());
    }
}
