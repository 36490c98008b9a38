//! A mesh while it is being mended: drawn triangles, and the places that their vertices weld to.

use super::{TriMesh, weld_as_needed};
use glam::Vec3;

/// Attributes of two vertices in one place agree when they differ by less than this: a change that nobody sees.
const SAME_LOOK: f32 = 1e-4;

/// Triangles name drawn vertices; each drawn vertex has a place, which simulation knows it by.
#[derive(Clone, Debug)]
pub(super) struct Mending {
    /// The source, with vertices added at the end; its triangles are not used.
    pub mesh: TriMesh,
    /// Place of each drawn vertex.
    pub vertex_of: Vec<u32>,
    /// Where places are.
    pub places: Vec<Vec3>,
    /// Drawn corners.
    pub triangles: Vec<[u32; 3]>,
    /// Paint of each triangle, or empty.
    pub triangle_paints: Vec<u32>,
}

impl Mending {
    /// Welds a valid mesh.
    pub fn new(mesh: &TriMesh, tolerance: f32) -> Self {
        let welded = weld_as_needed(mesh, tolerance);
        Self {
            vertex_of: welded.vertex_of,
            places: welded.positions,
            triangles: mesh.triangles.clone(),
            triangle_paints: mesh.triangle_paints.clone(),
            mesh: mesh.clone(),
        }
    }

    /// The triangles by place.
    pub fn welded(&self) -> Vec<[u32; 3]> {
        self.triangles.iter().map(|t| t.map(|v| self.vertex_of[v as usize])).collect()
    }

    /// Where a drawn vertex is.
    pub fn place(&self, vertex: u32) -> Vec3 {
        self.places[self.vertex_of[vertex as usize] as usize]
    }

    /// Removes triangles and returns how many went.
    pub fn keep_triangles(&mut self, keep: impl Fn(usize) -> bool) -> usize {
        let before = self.triangles.len();
        retain(&mut self.triangles, &keep);
        retain(&mut self.triangle_paints, &keep);
        before - self.triangles.len()
    }

    /// Adds a triangle that looks like another one.
    pub fn add_triangle(&mut self, corners: [u32; 3], like: usize) {
        self.triangles.push(corners);
        if !self.triangle_paints.is_empty() {
            self.triangle_paints.push(self.triangle_paints[like]);
        }
    }

    /// Adds a place.
    pub fn add_place(&mut self, position: Vec3) -> u32 {
        self.places.push(position);
        self.places.len() as u32 - 1
    }

    /// Adds a drawn vertex at a place, between two others in its attributes.
    pub fn blend(&mut self, a: u32, b: u32, share: f32, place: u32) -> u32 {
        let (i, j) = (a as usize, b as usize);
        let mesh = &mut self.mesh;
        mesh.positions.push(self.places[place as usize]);
        if !mesh.normals.is_empty() {
            let normal = mesh.normals[i].lerp(mesh.normals[j], share);
            mesh.normals.push(normal.try_normalize().unwrap_or(mesh.normals[i]));
        }
        if !mesh.uvs.is_empty() {
            mesh.uvs.push(mesh.uvs[i].lerp(mesh.uvs[j], share));
        }
        if !mesh.colors.is_empty() {
            let (from, to) = (mesh.colors[i], mesh.colors[j]);
            mesh.colors.push(std::array::from_fn(|c| from[c] + (to[c] - from[c]) * share));
        }
        self.vertex_of.push(place);
        self.vertex_of.len() as u32 - 1
    }

    /// Swaps two corners of each triangle that is marked, and turns normals that then face backward.
    pub fn flip(&mut self, marked: &[bool]) -> usize {
        let mut count = 0;
        for (t, _) in marked.iter().enumerate().filter(|&(_, &m)| m) {
            self.triangles[t].swap(1, 2);
            count += 1;
        }
        if count > 0 && !self.mesh.normals.is_empty() {
            self.turn_normals(marked);
        }
        count
    }

    /// Normals of vertices at marked triangles are made to face as their triangles do.
    fn turn_normals(&mut self, marked: &[bool]) {
        let count = self.mesh.normals.len();
        let mut facing = vec![Vec3::ZERO; count];
        let mut touched = vec![false; count];
        for (t, corners) in self.triangles.iter().enumerate() {
            let [a, b, c] = corners.map(|v| self.place(v));
            let normal = (b - a).cross(c - a);
            for &v in corners {
                facing[v as usize] += normal;
                touched[v as usize] |= marked[t];
            }
        }
        for v in (0..count).filter(|&v| touched[v]) {
            if self.mesh.normals[v].dot(facing[v]) < 0.0 {
                self.mesh.normals[v] = -self.mesh.normals[v];
            }
        }
    }

    /// The mended mesh: vertices at one place that look alike become one, those that differ get equal positions,
    /// those that are not used go. Also returns how many were merged and how many were not used.
    pub fn finish(self) -> (TriMesh, usize, usize) {
        let source = &self.mesh;
        let count = self.vertex_of.len();
        let mut used = vec![false; count];
        self.triangles.iter().flatten().for_each(|&v| used[v as usize] = true);
        // Kept vertices of each place, as a chain in ascending order.
        let mut first_at: Vec<Option<u32>> = vec![None; self.places.len()];
        let mut next: Vec<Option<u32>> = vec![None; count];
        let mut new_index = vec![0_u32; count];
        let mut mesh = TriMesh {
            name: source.name.clone(),
            origin: source.origin,
            paints: source.paints.clone(),
            triangle_paints: self.triangle_paints,
            ..TriMesh::default()
        };
        let (mut merged, mut unused) = (0, 0);
        for v in 0..count {
            if !used[v] {
                unused += 1;
                continue;
            }
            let place = self.vertex_of[v] as usize;
            let mut last = None;
            let mut at = first_at[place];
            while let Some(kept) = at {
                if look_alike(source, kept as usize, v) {
                    break;
                }
                last = Some(kept);
                at = next[kept as usize];
            }
            if let Some(kept) = at {
                new_index[v] = new_index[kept as usize];
                merged += 1;
                continue;
            }
            match last {
                Some(last) => next[last as usize] = Some(v as u32),
                None => first_at[place] = Some(v as u32),
            }
            new_index[v] = mesh.positions.len() as u32;
            mesh.positions.push(self.places[place]);
            mesh.normals.extend(source.normals.get(v));
            mesh.uvs.extend(source.uvs.get(v));
            mesh.colors.extend(source.colors.get(v));
        }
        mesh.triangles = self.triangles.iter().map(|t| t.map(|v| new_index[v as usize])).collect();
        (mesh, merged, unused)
    }
}

fn look_alike(mesh: &TriMesh, a: usize, b: usize) -> bool {
    let near = |x: f32, y: f32| (x - y).abs() <= SAME_LOOK;
    (mesh.normals.is_empty() || mesh.normals[a].abs_diff_eq(mesh.normals[b], SAME_LOOK))
        && (mesh.uvs.is_empty() || mesh.uvs[a].abs_diff_eq(mesh.uvs[b], SAME_LOOK))
        && (mesh.colors.is_empty() || (0..4).all(|c| near(mesh.colors[a][c], mesh.colors[b][c])))
}

fn retain<T>(items: &mut Vec<T>, keep: impl Fn(usize) -> bool) {
    let mut at = 0;
    items.retain(|_| {
        at += 1;
        keep(at - 1)
    });
}
