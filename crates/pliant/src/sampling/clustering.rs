//! Which particles are matched together.
//!
//! Based on \[HW08\] §6: one cluster, clusters along a grid, or clusters given by hand; and seeds spread by farthest-point
//! sampling, which follow any shape.
//!
//! Clusters overlap. In the overlap a particle's shares fade smoothly from one cluster to the next.

use crate::geometry::DisjointSets;
use crate::selection::Selection;
use glam::Vec3;
use serde::{Deserialize, Serialize};

/// Index of a cluster within its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ClusterId(pub u32);

impl ClusterId {
    /// As an index into the body's cluster arrays.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// How a body is divided into clusters.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Clustering {
    /// All particles together.
    #[default]
    One,
    /// `count` seeds as far from each other as can be, each with the particles around it.
    Spread {
        /// How many, 1 or more.
        count: u32,
        /// Width of the overlap as part of the distance between seeds, above 0.
        #[serde(default = "default_overlap")]
        overlap: f32,
    },
    /// The cells of a grid over the rest shape's bounding box; empty ones are left out.
    Grid {
        /// Cells along x, y and z.
        cells: [u32; 3],
        /// How far a cluster reaches into the next cell, as part of a cell, above 0.
        #[serde(default = "default_overlap")]
        overlap: f32,
    },
    /// By hand. A particle in no cluster joins that of the nearest particle that is in one.
    Given(Vec<NamedCluster>),
}

fn default_overlap() -> f32 {
    0.5
}

/// A cluster given by hand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedCluster {
    /// What it is called in reports and the interface.
    pub name: String,
    /// Which particles are in it.
    pub members: Selection,
}

/// Why a body cannot be divided so.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ClusteringError {
    /// No clusters asked for.
    #[error("at least one cluster is needed")]
    None,
    /// A cluster given by hand selects nothing.
    #[error("cluster {index} ({name:?}) selects no particle")]
    Empty {
        /// Its place in the list.
        index: usize,
        /// Its name.
        name: String,
    },
    /// Clusters that share no particle fall apart.
    #[error(
        "the clusters form {groups} groups that share no particle and would fall apart; make {first:?} overlap a cluster of \
         another group, such as {second:?}"
    )]
    Detached {
        /// How many groups.
        groups: usize,
        /// A cluster of the first group.
        first: String,
        /// A cluster of the second group.
        second: String,
    },
    /// More clusters than particles.
    #[error("{clusters} clusters asked for, but the body has only {particles} particles")]
    TooMany {
        /// Asked for.
        clusters: u64,
        /// There are.
        particles: usize,
    },
    /// A setting outside its range.
    #[error("{name} is {value}; it must be {range}")]
    Setting {
        /// The field.
        name: &'static str,
        /// What it was.
        value: f32,
        /// What it may be.
        range: &'static str,
    },
}

/// A cluster that a node is in.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Share {
    /// Which cluster.
    pub cluster: ClusterId,
    /// How much of the node is the cluster's, in (0, 1]; a node's shares add up to 1.
    pub share: f32,
}

/// Which clusters each node is in, and how much.
#[derive(Clone, Debug, Default)]
pub struct Memberships {
    /// One name a cluster.
    pub names: Vec<String>,
    /// For each node its shares, which add up to 1.
    pub of_node: Vec<Vec<Share>>,
}

impl Clustering {
    /// Divides particles at `positions`. `select` finds the particles of a selection.
    ///
    /// # Errors
    /// If the clusters asked for cannot hold the body together.
    pub fn divide(
        &self,
        positions: &[Vec3],
        select: impl Fn(&Selection) -> Vec<u32>,
    ) -> Result<Memberships, ClusteringError> {
        let mut memberships = match self {
            Self::One => all_in_one(positions.len()),
            Self::Spread { count, overlap } => {
                check_overlap(*overlap)?;
                check_count(u64::from(*count), positions.len())?;
                spread(positions, *count as usize, *overlap)
            }
            Self::Grid { cells, overlap } => {
                check_overlap(*overlap)?;
                check_cells(*cells)?;
                grid(positions, *cells, *overlap)
            }
            Self::Given(clusters) => {
                let found = given(positions, clusters, select)?;
                return match groups(&found) {
                    groups if groups.len() > 1 => Err(ClusteringError::Detached {
                        groups: groups.len(),
                        first: found.names[groups[0]].clone(),
                        second: found.names[groups[1]].clone(),
                    }),
                    _ => Ok(found),
                };
            }
        };
        normalise(&mut memberships);
        join(positions, &mut memberships);
        Ok(memberships)
    }
}

fn check_overlap(overlap: f32) -> Result<(), ClusteringError> {
    if overlap > 0.0 && overlap.is_finite() {
        return Ok(());
    }
    Err(ClusteringError::Setting { name: "overlap", value: overlap, range: "above 0" })
}

/// Cells of a grid: no body has as many particles, and each particle looks at all of them.
const MOST_CELLS: u64 = 1_000_000;

fn check_cells(cells: [u32; 3]) -> Result<(), ClusteringError> {
    let count = cells.iter().fold(1_u64, |count, &c| count.saturating_mul(u64::from(c)));
    if count > MOST_CELLS {
        let range = "1 to 1000000 in all";
        return Err(ClusteringError::Setting { name: "grid.cells", value: count as f32, range });
    }
    check_count(count, usize::MAX)
}

fn check_count(clusters: u64, particles: usize) -> Result<(), ClusteringError> {
    match clusters {
        0 => Err(ClusteringError::None),
        n if n > particles as u64 => Err(ClusteringError::TooMany { clusters: n, particles }),
        _ => Ok(()),
    }
}

fn all_in_one(count: usize) -> Memberships {
    let share = Share { cluster: ClusterId(0), share: 1.0 };
    Memberships { names: vec![String::new()], of_node: vec![vec![share]; count] }
}

/// 0 at 0, 1 at 1, flat at both.
fn smooth(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

fn spread(positions: &[Vec3], count: usize, overlap: f32) -> Memberships {
    let seeds = farthest_points(positions, count);
    let to_next = |&s: &usize| {
        let others = seeds.iter().filter(|&&o| o != s);
        others.map(|&o| positions[s].distance(positions[o])).fold(f32::INFINITY, f32::min)
    };
    let spacing = seeds.iter().map(to_next).fold(0.0, f32::max);
    let width = if spacing.is_finite() { overlap * spacing } else { 1.0 };
    let shares = |x: &Vec3| {
        let distances: Vec<f32> = seeds.iter().map(|&s| positions[s].distance(*x)).collect();
        let nearest = distances.iter().copied().fold(f32::INFINITY, f32::min);
        let share = |d: f32| if d == nearest { 1.0 } else { smooth(1.0 - (d - nearest) / width) };
        shares_of(distances.into_iter().map(share))
    };
    Memberships { names: vec![String::new(); seeds.len()], of_node: positions.iter().map(shares).collect() }
}

/// Indices of points, each as far as can be from those before it; the first is the farthest from the middle.
pub(crate) fn farthest_points(positions: &[Vec3], count: usize) -> Vec<usize> {
    let middle = positions.iter().sum::<Vec3>() / positions.len().max(1) as f32;
    let mut distances: Vec<f32> = positions.iter().map(|x| x.distance_squared(middle)).collect();
    let mut points = Vec::with_capacity(count);
    while points.len() < count.min(positions.len()) {
        // Of points equally far, which symmetric bodies have, the first; rounding must not choose.
        let farther = |i: usize, best: usize| distances[i] > distances[best] * (1.0 + 1e-4);
        let farthest = (0..positions.len()).fold(0, |best, i| if farther(i, best) { i } else { best });
        if points.is_empty() {
            distances.fill(f32::INFINITY);
        } else if distances[farthest] <= 0.0 {
            break; // all others coincide with points already chosen
        }
        points.push(farthest);
        for (distance, x) in distances.iter_mut().zip(positions) {
            *distance = distance.min(x.distance_squared(positions[farthest]));
        }
    }
    points
}

fn grid(positions: &[Vec3], cells: [u32; 3], overlap: f32) -> Memberships {
    let lo = positions.iter().copied().reduce(Vec3::min).unwrap_or_default();
    let hi = positions.iter().copied().reduce(Vec3::max).unwrap_or_default();
    let count = cells.map(|c| c as usize);
    // How much of a point belongs to each cell along one axis: 1 inside, fading to 0 at `overlap` cells outside.
    let along = |x: f32, axis: usize| -> Vec<f32> {
        let extent = (hi - lo)[axis];
        let t = if extent > 0.0 { (x - lo[axis]) / extent * cells[axis] as f32 } else { 0.5 };
        (0..count[axis]).map(|c| smooth(0.5 + (0.5 - (t - c as f32 - 0.5).abs()) / (2.0 * overlap))).collect()
    };
    let shares = |p: &Vec3| {
        let [x, y, z] = [along(p.x, 0), along(p.y, 1), along(p.z, 2)];
        let (x, y) = (&x, &y);
        shares_of(z.iter().flat_map(|w| y.iter().flat_map(move |v| x.iter().map(move |u| u * v * w))))
    };
    let mut found = Memberships {
        names: vec![String::new(); count.iter().product()],
        of_node: positions.iter().map(shares).collect(),
    };
    drop_empty(&mut found);
    found
}

fn given(
    positions: &[Vec3],
    clusters: &[NamedCluster],
    select: impl Fn(&Selection) -> Vec<u32>,
) -> Result<Memberships, ClusteringError> {
    check_count(clusters.len() as u64, usize::MAX)?;
    let mut of_node: Vec<Vec<Share>> = vec![Vec::new(); positions.len()];
    for (index, cluster) in clusters.iter().enumerate() {
        let members = select(&cluster.members);
        if members.is_empty() {
            return Err(ClusteringError::Empty { index, name: cluster.name.clone() });
        }
        for node in members {
            let shares = &mut of_node[node as usize];
            if shares.last().is_none_or(|s| s.cluster.index() != index) {
                shares.push(Share { cluster: ClusterId(index as u32), share: 1.0 });
            }
        }
    }
    let covered: Vec<usize> = (0..positions.len()).filter(|&i| !of_node[i].is_empty()).collect();
    for i in 0..positions.len() {
        if of_node[i].is_empty() {
            let nearest = covered.iter().copied().min_by(|&a, &b| {
                positions[a]
                    .distance_squared(positions[i])
                    .total_cmp(&positions[b].distance_squared(positions[i]))
            });
            of_node[i] = nearest.map(|n| of_node[n].clone()).unwrap_or_default();
        }
    }
    let mut found = Memberships { names: clusters.iter().map(|c| c.name.clone()).collect(), of_node };
    normalise(&mut found);
    Ok(found)
}

/// The clusters with a weight above a thousandth; less would cost a match and change nothing.
fn shares_of(weights: impl Iterator<Item = f32>) -> Vec<Share> {
    let weights = weights.enumerate().filter(|&(_, w)| w > 1e-3);
    weights.map(|(c, share)| Share { cluster: ClusterId(c as u32), share }).collect()
}

fn normalise(memberships: &mut Memberships) {
    for shares in &mut memberships.of_node {
        let sum: f32 = shares.iter().map(|s| s.share).sum();
        shares.iter_mut().for_each(|s| s.share /= sum);
    }
}

fn drop_empty(memberships: &mut Memberships) {
    let mut used = vec![false; memberships.names.len()];
    memberships.of_node.iter().flatten().for_each(|s| used[s.cluster.index()] = true);
    let mut next = 0;
    let renumbered: Vec<u32> = used
        .iter()
        .map(|&used| {
            next += u32::from(used);
            next.wrapping_sub(1)
        })
        .collect();
    memberships
        .of_node
        .iter_mut()
        .flatten()
        .for_each(|s| s.cluster = ClusterId(renumbered[s.cluster.index()]));
    memberships.names.truncate(next as usize);
}

/// The first cluster of each group of clusters that hang together by shared nodes.
fn groups(memberships: &Memberships) -> Vec<usize> {
    let count = memberships.names.len();
    let mut sets = DisjointSets::new(count);
    for shares in &memberships.of_node {
        for pair in shares.windows(2) {
            sets.join(pair[0].cluster.0, pair[1].cluster.0);
        }
    }
    (0..count).filter(|&cluster| sets.find(cluster as u32) as usize == cluster).collect()
}

/// Joins groups of clusters that share no node by the pair of nodes nearest to each other: each takes half a share in the
/// other's cluster.
fn join(positions: &[Vec3], memberships: &mut Memberships) {
    // Each round joins two groups, so this ends.
    while let [_, second, ..] = groups(memberships)[..] {
        let mut in_second = vec![false; memberships.names.len()];
        in_second[second] = true;
        let mut grown = true;
        while std::mem::take(&mut grown) {
            for shares in &memberships.of_node {
                if shares.iter().any(|s| in_second[s.cluster.index()]) {
                    for s in shares {
                        grown |= !std::mem::replace(&mut in_second[s.cluster.index()], true);
                    }
                }
            }
        }
        let belongs = |i: usize| memberships.of_node[i].iter().any(|s| in_second[s.cluster.index()]);
        let (mut inside, mut outside): (Vec<usize>, Vec<usize>) =
            (0..positions.len()).partition(|&i| belongs(i));
        let nearest = |inside: &[usize], outside: &[usize]| {
            let pairs = inside.iter().flat_map(|&a| outside.iter().map(move |&b| (a, b)));
            pairs.min_by(|&(a, b), &(c, d)| {
                positions[a]
                    .distance_squared(positions[b])
                    .total_cmp(&positions[c].distance_squared(positions[d]))
            })
        };
        // Enough nodes of each side go over that the joint can carry a turn: the nearest pair and those around it.
        let Some((a, b)) = nearest(&inside, &outside) else { return };
        let from_a = memberships.of_node[a].clone();
        let from_b = memberships.of_node[b].clone();
        let by = |to: usize| {
            move |x: &usize, y: &usize| {
                positions[*x]
                    .distance_squared(positions[to])
                    .total_cmp(&positions[*y].distance_squared(positions[to]))
            }
        };
        inside.sort_by(by(b));
        outside.sort_by(by(a));
        for (nodes, shares) in [(&inside, &from_b), (&outside, &from_a)] {
            for &node in nodes.iter().take(4) {
                memberships.of_node[node].extend(shares.iter().copied());
            }
        }
        for shares in &mut memberships.of_node {
            shares.sort_by_key(|s| s.cluster);
            shares.dedup_by(|b, a| {
                let same = a.cluster == b.cluster;
                if same {
                    a.share += b.share;
                }
                same
            });
        }
        normalise(memberships);
    }
}
