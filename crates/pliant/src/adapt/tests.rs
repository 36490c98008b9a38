//! Budgets in milliseconds, on machines whose costs are made up.

use super::budget::Work;
use super::{ChangeWork, Load, Pace, Room, StepCost, Wishes, plan};
use crate::model::adapt::Wish;

/// Bodies that adapt, and others, with so much work and so many nodes.
fn load(adaptive: (f64, usize), fixed: (f64, usize)) -> Load {
    let [adaptive, fixed] = [adaptive, fixed].map(|(work, nodes)| Work { work, nodes });
    Load { adaptive, fixed, awake: adaptive.work + fixed.work }
}

/// A step without changes.
fn step(millis: f64, work: f64) -> StepCost {
    StepCost { millis, work, ..StepCost::default() }
}

/// A pace that has learned from equal steps.
fn learned(millis: f64, work: f64) -> Pace {
    let mut pace = Pace::default();
    (0..15).for_each(|_| pace.learn(&step(millis, work)));
    pace
}

#[test]
fn what_cannot_change_is_paid_for_first_and_at_its_own_price() {
    // Nodes of the bodies that cannot change cost four times as much.
    let load = load((1000.0, 100), (4000.0, 100));
    assert_eq!(Pace::default().nodes_in(1.0, &load), None, "nothing is known");
    let pace = learned(5.0, 5000.0);
    // 4 ms are spent on the others; of each further one a hundred nodes can be had.
    assert_eq!(pace.nodes_in(5.0, &load), Some(200));
    assert_eq!(pace.nodes_in(6.0, &load), Some(300));
    assert_eq!(pace.nodes_in(4.5, &load), Some(150));
    assert_eq!(pace.nodes_in(3.0, &load), Some(100), "none are left for those that can");
}

#[test]
fn sleepers_are_not_learned_from_but_have_room() {
    let all = load((1000.0, 100), (1000.0, 100));
    assert_eq!(learned(0.001, 0.0), Pace::default());
    assert_eq!(learned(1.0, 1000.0).nodes_in(2.0, &all), Some(200), "for when all wake");
}

#[test]
fn a_world_that_cannot_change_has_no_limit() {
    let fixed = load((0.0, 0), (1000.0, 100));
    assert_eq!(learned(9.0, 1000.0).nodes_in(1.0, &fixed), None);
}

#[test]
fn nothing_changes_before_anything_is_known() {
    let load = load((1000.0, 100), (0.0, 0));
    assert_eq!(Pace::default().room(8.0, &load), Room { nodes: 100, now: 0.0, saved: 0.0 });
}

#[test]
fn a_frame_that_was_held_up_is_not_believed() {
    let load = load((1000.0, 100), (0.0, 0));
    let mut pace = learned(1.0, 1000.0);
    for late in [50.0, 80.0] {
        pace.learn(&step(late, 1000.0));
    }
    assert_eq!(pace.nodes_in(1.0, &load), Some(100));
}

#[test]
fn the_steps_of_changes_do_not_make_nodes_dearer() {
    let load = load((1000.0, 100), (0.0, 0));
    let mut pace = learned(1.0, 1000.0);
    for _ in 0..50 {
        // Changes cost twenty times what the nodes do, and the step after them is three times as long.
        pace.learn(&StepCost { change_millis: 20.0, change_work: 1000.0, ..step(1.0, 1000.0) });
        pace.learn(&step(3.0, 1000.0));
    }
    assert!((99..=100).contains(&pace.nodes_in(1.0, &load).unwrap_or(0)), "{:?}", pace.nodes_in(1.0, &load));
}

/// Noise from a fixed seed: 1 on average, and up to `most` off.
struct Noise(u64, f64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        1.0 + self.1 * ((self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0)
    }
}

/// A machine, and bodies of cells that can be divided once.
#[derive(Clone, Copy)]
struct Machine {
    budget: f64,
    bodies: usize,
    /// Of each body.
    cells: usize,
    /// Milliseconds that a step costs whatever there is, for a node, to change a body, and to change a cell.
    frame: f64,
    node: f64,
    body: f64,
    cell: f64,
    /// How many times longer the step after a change is.
    aftermath: f64,
    noise: f64,
}

const MACHINE: Machine = Machine {
    budget: 8.0,
    bodies: 6,
    cells: 100,
    frame: 0.5,
    node: 0.003,
    body: 0.5,
    cell: 0.05,
    aftermath: 1.25,
    noise: 0.15,
};

/// What a frame of a made-up machine came to.
struct Frame {
    nodes: usize,
    millis: f64,
    changes: usize,
}

impl Machine {
    /// Milliseconds of a step without changes.
    fn steady(&self, nodes: usize) -> f64 {
        self.frame + self.node * nodes as f64
    }

    fn most_nodes(&self) -> usize {
        8 * self.bodies * self.cells
    }

    /// Nodes that fit.
    fn fitting(&self) -> usize {
        (((self.budget - self.frame) / self.node) as usize).min(self.most_nodes())
    }

    /// Runs it, from all cells divided or none.
    fn run(&self, frames: usize, divided: bool) -> Vec<Frame> {
        let (mut pace, mut noise, mut after) = (Pace::default(), Noise(7, self.noise), 1.0);
        let mut fine = vec![vec![divided; self.cells]; self.bodies];
        // How much a cell is needed never changes, and all would like to be finer.
        let need = |body: usize, cell: usize| 1.2 + 0.01 * ((37 * cell + 11 * body) % 100) as f32;
        let of = |body: usize, fine: &[bool], want: bool| -> Vec<Wish> {
            let cells = (0..fine.len()).filter(|&cell| fine[cell] == want);
            cells.map(|cell| Wish { need: need(body, cell), node: cell as u32, nodes: 7 }).collect()
        };
        let mut run = Vec::new();
        for _ in 0..frames {
            let nodes: usize = fine.iter().flatten().map(|&fine| if fine { 8 } else { 1 }).sum();
            let millis = self.steady(nodes) * after * noise.next();
            let wishes: Vec<Wishes> = fine
                .iter()
                .enumerate()
                .map(|(body, cells)| Wishes {
                    refine: of(body, cells, false),
                    coarsen: of(body, cells, true),
                })
                .collect();
            // What the engine thinks changes cost is four times off, and not in proportion.
            let prices = vec![ChangeWork { body: 1e6 * self.body, cell: 4e6 * self.cell }; self.bodies];
            let work = 1000.0 * nodes as f64;
            let room = pace.room(self.budget as f32, &load((work, nodes), (0.0, 0)));
            let (mut change_millis, mut change_work, mut changes) = (0.0, 0.0, 0);
            for (body, plan) in plan(&wishes, nodes, &room, &prices).iter().enumerate() {
                let cells = plan.refine.len() + plan.coarsen.len();
                if cells > 0 {
                    plan.refine.iter().for_each(|&cell| fine[body][cell as usize] = true);
                    plan.coarsen.iter().for_each(|&cell| fine[body][cell as usize] = false);
                    change_millis += (self.body + self.cell * cells as f64) * noise.next();
                    change_work += prices[body].body + prices[body].cell * cells as f64;
                    changes += cells;
                }
            }
            after = if changes > 0 { self.aftermath } else { 1.0 };
            pace.learn(&StepCost { millis, work, change_millis, change_work, cut: false });
            run.push(Frame { nodes, millis: millis + change_millis, changes });
        }
        run
    }

    /// Runs it and checks that it settles where it should. Returns the longest frame after warm-up, in budgets.
    fn settles(&self, name: &str, frames: usize) -> f64 {
        let mut longest = 0.0_f64;
        for divided in [false, true] {
            let run = self.run(frames, divided);
            let (end, fitting) = (run.last().map_or(0, |frame| frame.nodes), self.fitting());
            let changed = run[2 * frames / 3..].iter().filter(|frame| frame.changes > 0).count();
            assert_eq!(changed, 0, "{name}: frames of the last third that change something, at {end} nodes");
            assert!(self.steady(end) <= self.budget, "{name}: {end} nodes, {fitting} fit");
            assert!(10 * end >= 7 * fitting, "{name}: {end} nodes, and {fitting} fit");
            let after = run[frames / 3..].iter().map(|frame| frame.millis / self.budget);
            longest = after.fold(longest, f64::max);
        }
        longest
    }
}

#[test]
fn a_budget_of_milliseconds_settles_and_is_kept() {
    let machines = [
        ("plain", MACHINE),
        ("without noise", Machine { noise: 0.0, ..MACHINE }),
        ("noisy", Machine { noise: 0.25, ..MACHINE }),
        ("a dear node", Machine { node: 0.006, ..MACHINE }),
        ("dear changes", Machine { cell: 0.4, body: 1.0, ..MACHINE }),
        ("much that nodes have no part in", Machine { frame: 3.0, ..MACHINE }),
        ("more room than is needed", Machine { budget: 30.0, ..MACHINE }),
    ];
    for (name, machine) in machines {
        let longest = machine.settles(name, 900);
        // As much as noise and aftermath make of a full budget.
        assert!(longest < 1.6, "{name}: a frame took {longest} budgets");
    }
}

#[test]
fn a_change_that_no_frame_has_room_for_is_saved_up_for() {
    // To change a body at all costs two and a half budgets, and it takes thirty such changes.
    let machine = Machine { body: 20.0, bodies: 2, cells: 200, ..MACHINE };
    machine.settles("very dear changes", 6000);
    let run = machine.run(900, false);
    let mean = run.iter().map(|frame| frame.millis).sum::<f64>() / run.len() as f64;
    assert!(mean < 1.05 * machine.budget, "a frame takes {mean} ms on average");
    let first = run.iter().position(|frame| frame.changes > 0);
    assert!(first.is_some_and(|first| first > 3), "{first:?}: nothing was saved before");
}
