//! What a step does on a level: match what has moved, find what is left of the forces, move what they move; and between two
//! levels: down to the children, up to the parents.
//!
//! Symbols: `x` a particle's place (above the finest level how far it was moved), `f` what its clusters pull it with, `A` what holds it
//! where it would be without them, `r` = A (target − x) + s f + extra what is left of all forces, `D` ≥ A + s ∂f/∂x.

use super::matching::{Cluster, Law, Placed, match_active};
use super::rest::{CORNERS, Home, Level};
use crate::par;
use glam::{Quat, Vec3};

/// What a step makes anew of one level.
#[derive(Clone, Debug, Default)]
pub struct Work {
    /// x
    pub places: Vec<Vec3>,
    /// x as clusters were matched with it last.
    pub matched: Vec<Vec3>,
    /// f, in N.
    pub forces: Vec<Vec3>,
    /// What else there is to know of them.
    pub particles: Vec<Particle>,
    /// The clusters.
    pub clusters: Vec<Cluster>,
    /// The rotations that clusters start from, above the finest level.
    pub start: Vec<Quat>,
    /// Which clusters are matched next.
    pub active: Vec<bool>,
    /// Which particles have moved since their clusters were matched.
    pub stirred: Vec<bool>,
    /// Σ μ w Λ of each particle: D − A for a spring of 1; and the b that it was found for.
    stiffness: (Vec<f32>, Option<f32>),
    /// The least A/D of all: no swing of the level is slower than that, of the fastest.
    pub slowest: f32,
    /// What children leave over, by cluster and place.
    gathered: Vec<[Vec3; CORNERS]>,
    partials: Vec<f64>,
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
    /// |r| below which it is left alone, in N.
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
    /// How far a particle may move before its clusters are matched again, in metres.
    pub still: f32,
}

/// Part of what was inherited that is kept at least, and at most.
const LEAST_STEP: f32 = 0.02;
const MOST_STEP: f32 = 3.0;

impl Work {
    /// Room for a level.
    pub fn fit(&mut self, level: &Level, finest: bool) {
        let (particles, clusters) = (level.weights.len(), level.corners.len());
        self.places.resize(particles, Vec3::ZERO);
        self.particles.resize(particles, Particle::default());
        self.stirred.resize(particles, false);
        self.active.resize(clusters, false);
        if !finest {
            self.matched.resize(particles, Vec3::ZERO);
            self.forces.resize(particles, Vec3::ZERO);
            self.clusters.resize(clusters, Cluster::default());
            self.start.resize(clusters, Quat::IDENTITY);
            self.gathered.resize(clusters, [Vec3::ZERO; CORNERS]);
        }
    }

    /// A and D for steps of `h` seconds, where nothing is held.
    pub fn weigh(&mut self, level: &Level, common: &Common, not_linear: f32, h: f32, acceleration: f32) {
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
            particle.tolerance = level.weights[i] * acceleration;
            particle.held = false;
        });
    }

    /// Matches the clusters of which a particle has moved, and sums up what they pull with; returns how many there are.
    pub fn match_moved(&mut self, level: &Level, common: &Common, not_linear: f32, all: bool) -> usize {
        let Self { places, matched, forces, clusters, start, active, stirred, .. } = self;
        let most = common.still * common.still;
        par::for_each_pair(matched, stirred, par::CHUNK, |i, matched, stirred| {
            // What is nowhere yet, or no number, has moved.
            let moved = places[i].distance_squared(*matched);
            *stirred = all || moved > most || moved.is_nan();
            if *stirred {
                *matched = places[i];
            }
        });
        let stirred = &*stirred;
        par::for_each_indexed(active, 4 * par::CHUNK, |cluster, active| {
            *active = level.corners[cluster].iter().any(|&corner| stirred[corner as usize]);
        });
        let active = &*active;
        let count = active.iter().filter(|active| **active).count();
        if count == 0 {
            return 0;
        }
        let start = (!start.is_empty()).then_some(&start[..]);
        match_active(&Placed { level, places, start, not_linear }, &common.law, active, clusters);
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
        let Self { places, forces, particles, partials, .. } = self;
        par::for_each_indexed(particles, par::CHUNK, |i, particle| {
            particle.residual = if particle.held {
                Vec3::ZERO
            } else {
                particle.anchor * (particle.target - places[i]) + common.scale * forces[i] + particle.extra
            };
        });
        let particles = &*particles;
        par::sum(particles.len(), partials, |range| {
            let of = |particle: &Particle| particle.residual.length_squared() / particle.diagonal;
            f64::from(particles[range].iter().map(of).sum::<f32>())
        })
    }

    /// x ← x + change, with change ← `keep` change + `by` r/D; returns whether anything was moved.
    pub fn move_particles(&mut self, keep: f32, by: f32) -> bool {
        let Self { places, particles, .. } = self;
        par::for_each_pair(places, particles, par::CHUNK, |_, place, particle| {
            let tolerance = particle.tolerance * particle.tolerance;
            let moves = !particle.held && particle.residual.length_squared() > tolerance;
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
        let Self { places, matched, forces, particles, clusters, gathered, .. } = self;
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
        for all in [places, matched, forces] {
            all.fill(Vec3::ZERO);
        }
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
        let Self { places, particles, .. } = self;
        par::for_each_pair(places, particles, par::CHUNK, |i, place, particle| {
            if particle.held {
                return;
            }
            let corners = &level.corners[homes[i].cluster as usize];
            let of = |(corner, weight): (&u32, f32)| weight * work.places[*corner as usize];
            particle.change = corners.iter().zip(homes[i].weights()).map(of).sum::<Vec3>();
            particle.before = particle.residual;
            *place += particle.change;
        });
    }

    /// Goes as much farther, or back, as takes out the most energy along what was inherited. It is known from what was left on
    /// both ends: r changes in proportion. What is left there follows from the same.
    pub fn search(&mut self) {
        let Self { places, particles, partials, .. } = self;
        let all = &*particles;
        let mut along = |of: fn(&Particle) -> Vec3| {
            par::sum(all.len(), partials, |range| {
                all[range].iter().map(|p| f64::from(of(p).dot(p.change))).sum::<f64>()
            })
        };
        let (before, after) = (along(|p| p.before), along(|p| p.residual));
        let best = before / (before - after);
        if !(best.is_finite() && before > 0.0 && before > after) {
            return;
        }
        let more = (best as f32).clamp(LEAST_STEP, MOST_STEP) - 1.0;
        par::for_each_pair(places, particles, par::CHUNK, |_, place, particle| {
            *place += more * particle.change;
            particle.residual += more * (particle.residual - particle.before);
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
