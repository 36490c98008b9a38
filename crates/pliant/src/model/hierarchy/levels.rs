//! What a step does on a level: match what has moved, find what is left of the forces, move what they move; and between two
//! levels: down to the children, up to the parents.
//!
//! Symbols: `x` a particle's place (above the finest level how far it was moved), `f` what its clusters pull it with, `A` what holds it
//! where it would be without them, `r` = A (target − x) + s f + extra what is left of all forces, `D` ≥ A + s ∂f/∂x.

use super::matching::{Cluster, Law, Placed, match_active};
use super::rest::{CORNERS, Home, Level};
use crate::model::supports::Supports;
use crate::par;
use glam::{Quat, Vec3};
use std::ops::Add;

/// What a step makes anew of one level.
#[derive(Clone, Debug, Default)]
pub struct Work {
    /// x
    pub places: Vec<Vec3>,
    /// x as clusters were looked at last.
    pub seen: Vec<Vec3>,
    /// How far the particles of a cluster have moved against each other since it was matched, in metres, at most.
    pub slack: Vec<f32>,
    /// f, in N.
    pub forces: Vec<Vec3>,
    /// What else there is to know of them.
    pub particles: Vec<Particle>,
    /// Those that rest on something, at the finest level.
    pub supports: Supports,
    /// The clusters.
    pub clusters: Vec<Cluster>,
    /// The rotations that clusters start from, above the finest level.
    pub start: Vec<Quat>,
    /// Which clusters are matched next.
    pub active: Vec<bool>,
    /// How far each particle has moved since its clusters were looked at.
    moved: Vec<Vec3>,
    /// What the cycle before has done, at the finest level.
    past: Vec<Past>,
    /// Σ μ w Λ of each particle: D − A for a spring of 1; and the b that it was found for.
    stiffness: (Vec<f32>, Option<f32>),
    /// The least A/D of all: no swing of the level is slower than that, of the fastest.
    pub slowest: f32,
    /// D in the mean.
    pub firmness: f32,
    /// What children leave over, by cluster and place.
    gathered: Vec<[Vec3; CORNERS]>,
    partials: Vec<f64>,
    products: Vec<Products>,
}

/// What a cycle did to a particle.
#[derive(Clone, Copy, Debug, Default)]
struct Past {
    /// x at its beginning.
    begun: Vec3,
    /// p: how far it was moved.
    way: Vec3,
    /// H p: how much that took off r.
    eased: Vec3,
}

/// What a search needs of a step d and the cycle before, p: r·d, r·p, d·Hd, d·Hp, p·Hp.
#[derive(Clone, Copy, Debug, Default)]
struct Products([f64; 5]);

impl Add for Products {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(std::array::from_fn(|k| self.0[k] + other.0[k]))
    }
}

/// A particle in a step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Particle {
    /// Where it would be without its clusters.
    pub target: Vec3,
    /// Forces that stay as they are through the step, in N.
    pub extra: Vec3,
    /// r, in N.
    pub residual: Vec3,
    /// How far it was moved last.
    pub change: Vec3,
    /// r before that.
    pub before: Vec3,
    /// A, in N/m.
    pub anchor: f32,
    /// D, in N/m.
    pub diagonal: f32,
    /// |r| below which it is left alone, in N: what nobody sees, and what may be rounding.
    pub tolerance: f32,
    /// It stays where it is.
    pub held: bool,
}

/// What all levels have in common in a step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Common {
    /// The material.
    pub law: Law,
    /// s: how much elastic forces count; more than 1 by damping.
    pub scale: f32,
    /// How far particles of a cluster may move against each other before it is matched again, in metres.
    pub still: f32,
    /// An acceleration that nobody sees, in m/s².
    pub unfelt: f32,
    /// How far particles may be off by rounding, in metres.
    pub rounding: f32,
    /// T_s
    pub subdivision: f32,
}

/// How many times what is left to a particle is left to a cluster. The way its particles have come against each other is an upper bound of
/// its strain: back and forth add up, and so does turning, which strains nothing.
const LEFT_TO_A_CLUSTER: f32 = 10.0;
/// How far from parallel two ways have to be to be searched both (sine squared).
const FLAT: f64 = 1e-4;
/// Part of what was inherited that is kept at least, and at most.
const LEAST_STEP: f32 = 0.02;
const MOST_STEP: f32 = 3.0;

impl Particle {
    /// What is left of all forces on it, at a place where its clusters pull it with `force`.
    pub fn left(&self, place: Vec3, force: Vec3, common: &Common) -> Vec3 {
        self.anchor * (self.target - place) + common.scale * force + self.extra
    }

    /// Whether more is left on it than nobody sees, and than `least` J of energy.
    pub fn is_left(&self, least: f32) -> bool {
        let square = self.residual.length_squared();
        !self.held && square > self.tolerance * self.tolerance && square > least * self.diagonal
    }
}

impl Work {
    /// Room for a level.
    pub fn fit(&mut self, level: &Level, finest: bool) {
        let (particles, clusters) = (level.weights.len(), level.corners.len());
        self.places.resize(particles, Vec3::ZERO);
        self.particles.resize(particles, Particle::default());
        self.moved.resize(particles, Vec3::ZERO);
        self.active.resize(clusters, false);
        if finest {
            self.past.resize(particles, Past::default());
        } else {
            self.seen.resize(particles, Vec3::ZERO);
            self.slack.resize(clusters, 0.0);
            self.forces.resize(particles, Vec3::ZERO);
            self.clusters.resize(clusters, Cluster::default());
            self.start.resize(clusters, Quat::IDENTITY);
            self.gathered.resize(clusters, [Vec3::ZERO; CORNERS]);
        }
    }

    /// A and D for steps of `h` seconds, where nothing is held.
    pub fn weigh(&mut self, level: &Level, common: &Common, not_linear: f32, h: f32) {
        let bulk = common.law.bulk;
        if self.stiffness.1 != Some(bulk) || self.stiffness.0.len() != level.weights.len() {
            let of = |place: &u32| {
                let (cluster, place) = (*place as usize / CORNERS, *place as usize % CORNERS);
                let shape = level.shape_of[cluster].map(|shape| &level.shapes[shape as usize]);
                let (stiffest, bends) = shape.map_or((1.0, not_linear), |s| (s.stiffest, s.not_linear));
                level.masses[cluster] * level.share(cluster, place) * bends.max(stiffest * (1.0 + 3.0 * bulk))
            };
            self.stiffness.0.clear();
            self.stiffness.0.extend(level.places.iter().map(|places| places.iter().map(of).sum::<f32>()));
            self.stiffness.1 = Some(bulk);
        }
        let spring = common.scale * common.law.modulus * 4.0 / (level.size * level.size);
        let stiffness = &self.stiffness.0;
        let softer = |most: f32, (stiffness, mass): (&f32, &f32)| most.max(stiffness / mass);
        let stiffest = stiffness.iter().zip(&level.weights).fold(0.0, softer);
        self.slowest = 1.0 / (1.0 + spring * h * h * stiffest);
        par::for_each_indexed(&mut self.particles, par::CHUNK, |i, particle| {
            particle.anchor = level.weights[i] / (h * h);
            particle.diagonal = particle.anchor + spring * stiffness[i];
            particle.tolerance = level.weights[i] * common.unfelt + common.rounding * particle.diagonal;
            particle.held = false;
        });
        let all = &*self.particles;
        let sum =
            |range: std::ops::Range<usize>| all[range].iter().map(|p| f64::from(p.diagonal)).sum::<f64>();
        self.firmness = (par::sum(all.len(), &mut self.partials, sum) / all.len().max(1) as f64) as f32;
    }

    /// Matches the clusters whose particles have moved against each other by more than `still`, or `all`, and sums up what they pull
    /// with; returns how many there are.
    pub fn match_moved(&mut self, level: &Level, law: &Law, not_linear: f32, still: Option<f32>) -> usize {
        let Self { places, seen, slack, forces, clusters, start, active, moved, .. } = self;
        par::for_each_pair(seen, moved, par::CHUNK, |i, seen, moved| {
            *moved = places[i] - *seen;
            *seen = places[i];
        });
        let moved = &*moved;
        par::for_each_pair(slack, active, par::CHUNK, |cluster, slack, active| {
            let corners = &level.corners[cluster];
            let first = moved[corners[0] as usize];
            let apart = corners.iter().map(|&corner| moved[corner as usize].distance_squared(first));
            *slack += apart.fold(0.0, |most, apart| if apart <= most { most } else { apart }).sqrt();
            // What is nowhere yet, or no number, has moved.
            *active = still.is_none_or(|still| slack.is_nan() || *slack > still);
            if *active {
                *slack = 0.0;
            }
        });
        let active = &*active;
        let count = active.iter().filter(|active| **active).count();
        if count == 0 {
            return 0;
        }
        let start = (!start.is_empty()).then_some(&start[..]);
        match_active(&Placed { level, places, start, not_linear }, law, active, clusters);
        let clusters = &*clusters;
        par::for_each_indexed(forces, par::CHUNK, |i, force| {
            let places = level.places.of(i);
            if places.iter().any(|place| active[*place as usize / CORNERS]) {
                let of = |place: &u32| clusters[*place as usize / CORNERS].forces[*place as usize % CORNERS];
                *force = places.iter().map(of).sum();
            }
        });
        count
    }

    /// r of all particles; returns Σ r²/D, about twice the energy that can still be taken out on this level.
    pub fn find_residuals(&mut self, common: &Common) -> f64 {
        let Self { places, forces, particles, supports, partials, .. } = self;
        par::for_each_indexed(particles, par::CHUNK, |i, particle| {
            particle.residual =
                if particle.held { Vec3::ZERO } else { particle.left(places[i], forces[i], common) };
        });
        for of in supports.held() {
            let residual = &mut particles[of.node].residual;
            *residual -= of.direction * residual.dot(of.direction);
        }
        let particles = &*particles;
        par::sum(particles.len(), partials, |range| {
            let of = |particle: &Particle| particle.residual.length_squared() / particle.diagonal;
            f64::from(particles[range].iter().map(of).sum::<f32>())
        })
    }

    /// Whether more than nobody sees is left on any particle.
    pub fn is_left(&self) -> bool {
        self.particles.iter().any(|particle| particle.is_left(0.0))
    }

    /// The energy in J that is left to a particle, of what the level has to gain.
    pub fn least(&self, common: &Common, excess: f64) -> f32 {
        common.subdivision * (excess / self.particles.len().max(1) as f64) as f32
    }

    /// How far the particles of a cluster may move against each other before it is matched again, in metres, where the level has
    /// `excess` to gain.
    pub fn still(&self, common: &Common, excess: f64) -> f32 {
        let worth = LEFT_TO_A_CLUSTER * self.least(common, excess) / self.firmness.max(f32::MIN_POSITIVE);
        common.still.max(worth.sqrt())
    }

    /// x ← x + change, with change ← `keep` change + `by` r/D, where r²/D is above `least` J; returns whether anything was moved.
    pub fn move_particles(&mut self, keep: f32, by: f32, least: f32) -> bool {
        let Self { places, particles, .. } = self;
        par::for_each_pair(places, particles, par::CHUNK, |_, place, particle| {
            let moves = particle.is_left(least);
            particle.change = if moves {
                keep * particle.change + by / particle.diagonal * particle.residual
            } else {
                Vec3::ZERO
            };
            *place += particle.change;
        });
        particles.iter().any(|particle| particle.change != Vec3::ZERO)
    }

    /// Starts from rest, with what the level below leaves over.
    pub fn restrict(&mut self, level: &Level, below: &Self, homes: &[Home]) {
        let Self { places, seen, slack, forces, particles, clusters, gathered, .. } = self;
        par::for_each_indexed(gathered, par::CHUNK / 8, |cluster, gathered| {
            *gathered = [Vec3::ZERO; CORNERS];
            for &child in level.children.of(cluster) {
                let residual = below.particles[child as usize].residual;
                if residual != Vec3::ZERO {
                    let weights = homes[child as usize].weights();
                    gathered.iter_mut().zip(weights).for_each(|(to, weight)| *to += weight * residual);
                }
            }
        });
        for all in [places, seen, forces] {
            all.fill(Vec3::ZERO);
        }
        slack.fill(0.0);
        clusters.iter_mut().for_each(|cluster| cluster.forces = [Vec3::ZERO; CORNERS]);
        let gathered = &*gathered;
        par::for_each_indexed(particles, par::CHUNK, |i, particle| {
            let of = |place: &u32| gathered[*place as usize / CORNERS][*place as usize % CORNERS];
            particle.target = Vec3::ZERO;
            particle.extra = level.places.of(i).iter().map(of).sum();
            particle.change = Vec3::ZERO;
        });
    }

    /// Children inherit how far the level above was moved.
    pub fn inherit(&mut self, homes: &[Home], above: (&Level, &Self)) {
        let (level, work) = above;
        let Self { places, particles, supports, .. } = self;
        par::for_each_pair(places, particles, par::CHUNK, |i, place, particle| {
            if particle.held {
                return;
            }
            let corners = &level.corners[homes[i].cluster as usize];
            let of = |(corner, weight): (&u32, f32)| weight * work.places[*corner as usize];
            particle.change = corners.iter().zip(homes[i].weights()).map(of).sum::<Vec3>();
            *place += particle.change;
        });
        for of in supports.held() {
            let change = &mut particles[of.node].change;
            let not = of.direction * change.dot(of.direction);
            *change -= not;
            places[of.node] -= not;
        }
    }

    /// Takes down what the cycle before has done, if there was one, before the next.
    pub fn begin_cycle(&mut self, first: bool) {
        let Self { places, particles, past, .. } = self;
        par::for_each_pair(past, particles, par::CHUNK, |i, past, particle| {
            let (way, eased) = (places[i] - past.begun, particle.before - particle.residual);
            (past.way, past.eased) = if first { (Vec3::ZERO, Vec3::ZERO) } else { (way, eased) };
            past.begun = places[i];
            particle.before = particle.residual;
        });
    }

    /// Goes where the most energy is taken out in the plane of what was inherited, d, and of what the cycle before did, p, as
    /// conjugate gradients do: d alone would undo part of p. All of it is known from what was left before and after, since r changes
    /// in proportion. What is left there follows from the same.
    pub fn search(&mut self) {
        let Self { places, particles, past, products, .. } = self;
        let (all, before) = (&*particles, &*past);
        let Products([rd, rp, dd, dp, pp]) = par::sum(all.len(), products, |range| {
            let of = |(p, past): (&Particle, &Past)| {
                let eased = p.before - p.residual;
                let pairs = [
                    (p.before, p.change),
                    (p.before, past.way),
                    (p.change, eased),
                    (p.change, past.eased),
                    (past.way, past.eased),
                ];
                Products(pairs.map(|(a, b)| f64::from(a.dot(b))))
            };
            all[range.clone()].iter().zip(&before[range]).map(of).fold(Products::default(), Add::add)
        });
        let area = dd * pp - dp * dp;
        let (mut d, mut p) = ((rd * pp - rp * dp) / area, (rp * dd - rd * dp) / area);
        if !(dd > 0.0 && pp > 0.0 && area > FLAT * dd * pp) {
            (d, p) = (rd / dd, 0.0);
        }
        if !(d.is_finite() && p.is_finite() && dd > 0.0 && rd > 0.0) {
            return;
        }
        let (d, p) = ((d as f32).clamp(LEAST_STEP, MOST_STEP), (p as f32).clamp(-MOST_STEP, MOST_STEP));
        let past = &*past;
        par::for_each_pair(places, particles, par::CHUNK, |i, place, particle| {
            let Past { way, eased, .. } = past[i];
            *place += (d - 1.0) * particle.change + p * way;
            particle.residual = particle.before - d * (particle.before - particle.residual) - p * eased;
            particle.change = Vec3::ZERO;
        });
    }

    /// Rotations of the clusters from those of their children, which `of` gives: their mean as quaternions, which is their
    /// blend by slerp to the third order of their angles.
    pub fn blend(&mut self, count: usize, of: impl Fn(usize, &mut dyn FnMut(Quat)) + Sync) {
        let Self { start, clusters, .. } = self;
        debug_assert_eq!(start.len(), count);
        par::for_each_pair(start, clusters, par::CHUNK / 8, |cluster, start, state| {
            let (mut sum, mut first) = (Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), None);
            of(cluster, &mut |rotation| {
                let side = *first.get_or_insert(rotation);
                sum = if rotation.dot(side) < 0.0 { sum - rotation } else { sum + rotation };
            });
            let length = sum.length();
            *start = if length > 1e-6 { sum * (1.0 / length) } else { first.unwrap_or(Quat::IDENTITY) };
            state.rotation = *start;
        });
    }
}
