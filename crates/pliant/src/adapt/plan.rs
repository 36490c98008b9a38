//! Which cells change in this step: the most useful ones first, as many as the budget has room for.
//!
//! Groups that nobody needs become one cell. Then leaves are divided in the order of their need while there is room; when
//! there is none, groups that are needed much less make some. A budget that has shrunk is met by joining the least needed
//! groups, wanted or not.

use crate::body::Body;
use crate::model::adapt::{Around, Changes, Wish};

/// What one body wants.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wishes {
    pub refine: Vec<Wish>,
    pub coarsen: Vec<Wish>,
}

impl Wishes {
    /// Of a body whose maps are up to date.
    pub fn of(body: &mut Body, around: &Around, budget: bool) -> Self {
        let scale = body.rest().scale;
        let Body { adaptivity, model, nodes, .. } = body;
        match model.adapt().filter(|_| adaptivity.is_active(budget)) {
            Some(model) => {
                let (refine, coarsen) = model.wishes(adaptivity, nodes, scale, around);
                Self { refine, coarsen }
            }
            None => Self::default(),
        }
    }
}

/// Cells that are divided in one step at most: more come in the next ones, so that no step stalls.
const MOST_REFINED: usize = 64;
/// How many times more a leaf must be needed than the group that makes room for it: else two would take turns.
const WORTH_A_SWAP: f32 = 1.6;

/// The changes of each body, for `nodes` nodes in all and room for `limit`.
pub(crate) fn plan(wishes: &[Wishes], nodes: usize, limit: Option<usize>) -> Vec<Changes> {
    let mut changes = vec![Changes::default(); wishes.len()];
    let limit = limit.unwrap_or(usize::MAX);
    let mut count = nodes;
    // Least needed first; bodies and nodes decide between equals.
    let all = |of: fn(&Wishes) -> &Vec<Wish>| {
        let mut all: Vec<(Wish, usize)> = wishes
            .iter()
            .enumerate()
            .flat_map(|(body, w)| of(w).iter().map(move |wish| (*wish, body)))
            .collect();
        all.sort_by(|(a, i), (b, j)| a.need.total_cmp(&b.need).then(i.cmp(j)).then(a.node.cmp(&b.node)));
        all
    };
    let mut groups = all(|w| &w.coarsen).into_iter().peekable();
    let mut join = |changes: &mut Vec<Changes>, count: &mut usize, below: f32| {
        let found = groups.next_if(|(wish, _)| wish.need <= below);
        if let Some((wish, body)) = found {
            changes[body].coarsen.push(wish.node);
            *count -= wish.nodes as usize;
        }
        found.is_some()
    };
    while join(&mut changes, &mut count, 1.0) {}
    while count > limit && join(&mut changes, &mut count, f32::INFINITY) {}
    for (wish, body) in all(|w| &w.refine).into_iter().rev().take(MOST_REFINED) {
        let needed = wish.nodes as usize;
        while count.saturating_add(needed) > limit && join(&mut changes, &mut count, wish.need / WORTH_A_SWAP)
        {
        }
        if count.saturating_add(needed) > limit {
            break;
        }
        changes[body].refine.push(wish.node);
        count += needed;
    }
    changes
}
