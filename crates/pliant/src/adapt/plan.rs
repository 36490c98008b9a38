//! Which cells change in this step: the most useful ones first, as many as the budget has room for.
//!
//! Groups that nobody needs become one cell. Then leaves are divided in the order of their need while there is room; when
//! there is none, groups that are needed much less make some. A budget that has shrunk is met by joining the least needed
//! groups, wanted or not.
//!
//! Changes themselves cost, and are made as far as what is left of the frame pays for them; the others wait. The most useful one
//! is never passed over for a cheaper one: if it is too dear, nothing is changed until enough is saved for it.

use super::{ChangeWork, Room};
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
        let Body { adaptivity, model, nodes, enabled, .. } = body;
        match model.adapt().filter(|_| *enabled && adaptivity.is_active(budget)) {
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

/// How many times the price of the first cell of a body is saved up for, if a frame cannot pay for it.
const SAVED_FOR: f64 = 2.0;

/// The changes of each body, for `nodes` nodes in all. `prices` are those of the bodies.
pub(crate) fn plan(wishes: &[Wishes], nodes: usize, room: &Room, prices: &[ChangeWork]) -> Vec<Changes> {
    let mut changes = vec![Changes::default(); wishes.len()];
    let (limit, mut count) = (room.nodes, nodes);
    let mut purse = Purse { room, prices, opened: vec![false; wishes.len()], spent: 0.0, most: room.now };
    let mut groups = ordered(wishes, |w| &w.coarsen).into_iter().peekable();
    let mut join = |changes: &mut Vec<Changes>, count: &mut usize, purse: &mut Purse, below: f32| {
        while let Some((wish, body)) = groups.next_if(|(wish, _)| wish.need <= below) {
            if purse.pay(body) {
                changes[body].coarsen.push(wish.node);
                *count -= wish.nodes as usize;
                return true;
            }
            if purse.waits() {
                break;
            }
        }
        false
    };
    while join(&mut changes, &mut count, &mut purse, 1.0) {}
    while count > limit && join(&mut changes, &mut count, &mut purse, f32::INFINITY) {}
    for (wish, body) in ordered(wishes, |w| &w.refine).into_iter().rev().take(MOST_REFINED) {
        let needed = wish.nodes as usize;
        let too_many = |count: usize| count.saturating_add(needed) > limit;
        while too_many(count) && join(&mut changes, &mut count, &mut purse, wish.need / WORTH_A_SWAP) {}
        if too_many(count) || purse.waits() {
            break;
        }
        if purse.pay(body) {
            changes[body].refine.push(wish.node);
            count += needed;
        }
    }
    changes
}

/// Wishes of all bodies, least needed first; bodies and nodes decide between equals.
fn ordered(wishes: &[Wishes], of: fn(&Wishes) -> &Vec<Wish>) -> Vec<(Wish, usize)> {
    let of_body = |(body, wishes)| of(wishes).iter().map(move |wish| (*wish, body));
    let mut all: Vec<(Wish, usize)> = wishes.iter().enumerate().flat_map(of_body).collect();
    all.sort_by(|(a, i), (b, j)| a.need.total_cmp(&b.need).then(i.cmp(j)).then(a.node.cmp(&b.node)));
    all
}

/// What changes are paid from.
struct Purse<'a> {
    room: &'a Room,
    prices: &'a [ChangeWork],
    /// Bodies that change anyway.
    opened: Vec<bool>,
    spent: f64,
    /// How much may be spent in this frame.
    most: f64,
}

impl Purse<'_> {
    /// Pays for one more cell of a body, if there is enough.
    fn pay(&mut self, body: usize) -> bool {
        let ChangeWork { body: first, cell } = self.prices[body];
        let price = if self.opened[body] { cell } else { first + cell };
        if self.spent == 0.0 && price > self.most {
            // Most of what is saved up for is what the body costs at the first cell: so it is waited for twice as long, and the
            // other half buys many more.
            let saved_for = SAVED_FOR * price;
            self.most = if saved_for <= self.room.saved { saved_for } else { 0.0 };
        }
        let pays = self.spent + price <= self.most;
        if pays {
            self.spent += price;
            self.opened[body] = true;
        }
        pays
    }

    /// Whether the first change was too dear.
    fn waits(&self) -> bool {
        self.most == 0.0
    }
}
