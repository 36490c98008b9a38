//! The surface itself: quads between vertices that each appear once.
//!
//! *Based on* \[PGCS06\] §6. Cube by cube in the order of their low nodes, and in each by the table; a vertex is numbered
//! when it is first met.

use super::cubes::NONE;
use super::table::{SLOTS, ends, table};
use super::{Cubes, corner};
use glam::{IVec3, Vec3};

/// Where in a cube a vertex lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// On an edge, 0 … 11.
    Edge(u8),
    /// In a face, 0 … 5.
    Face(u8),
    /// In the middle.
    Centre,
}

/// A vertex of the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vertex {
    /// Where it is in rest space.
    pub position: Vec3,
    /// The low node of a cube that has it: of several the first by z, y and x.
    pub cube: IVec3,
    /// Its component: a bit for each of that cube's nodes that it moves with.
    pub nodes: u8,
    /// Where it lies in that cube, numbered as in [`table`](super::table).
    pub place: Place,
}

impl Vertex {
    /// The nodes that it moves with.
    pub fn component(&self) -> impl Iterator<Item = IVec3> {
        component(self.cube, self.nodes)
    }
}

/// The nodes of a cube that a mask has.
pub fn component(cube: IVec3, nodes: u8) -> impl Iterator<Item = IVec3> {
    (0..8).filter(move |node| nodes >> node & 1 == 1).map(move |node| cube + corner(node))
}

/// A piece of the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quad {
    /// Its vertices, counter-clockwise seen from outside: on an edge, in a face, in the middle, in another face.
    pub corners: [u32; 4],
    /// Whether a blade made it.
    pub cut: bool,
    /// The node of the material that it bounds.
    pub node: IVec3,
    /// The crossing's normal, turned away from that node.
    pub normal: Vec3,
}

/// The surface of all material of a grid.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// Each vertex once.
    pub vertices: Vec<Vertex>,
    /// Cube by cube.
    pub quads: Vec<Quad>,
}

impl Cubes {
    /// The surface as it is now; the same crossings give the same, whatever order they were made in.
    pub fn surface(&self) -> Surface {
        let ends_inside =
            |crossing: &super::Crossing| crossing.inside.iter().filter(|&&inside| inside).count();
        let crossings = self.sites.iter().flat_map(|site| site.crossings.iter().flatten());
        // Four cubes share an edge. A closed surface of quads has about as many vertices.
        let count = crossings.map(ends_inside).sum::<usize>() * 4;
        let mut surface =
            Surface { vertices: Vec::with_capacity(count + count / 16), quads: Vec::with_capacity(count) };
        let mut numbers = vec![NONE; self.sites.len() * SLOTS];
        let table = table();
        for &cube in &*self.order() {
            let site = &self.sites[cube as usize];
            for shape in table.shapes(site.config) {
                let [low, high] = ends(shape.edge as usize);
                let Some(crossing) = &self.sites[site.links[low] as usize].crossings[shape.edge as usize / 4]
                else {
                    continue;
                };
                let from_high = shape.node as usize == high;
                if !crossing.inside[usize::from(from_high)] {
                    continue;
                }
                let corners = shape.corners.map(|vertex| {
                    let number = &mut numbers
                        [site.links[vertex.site as usize] as usize * SLOTS + vertex.slot as usize];
                    if *number == NONE {
                        *number = surface.vertices.len() as u32;
                        let (place, position) = match vertex.place {
                            edge @ 0..12 => (Place::Edge(edge), crossing.point),
                            face @ 12..18 => {
                                let (face, at) = (face - 12, site.links[vertex.site as usize]);
                                let local = self.face(at, face as usize / 2).point;
                                (Place::Face(face), self.rest(at, local))
                            }
                            _ => (Place::Centre, self.rest(cube, self.centre(cube))),
                        };
                        let nodes = vertex.nodes;
                        surface.vertices.push(Vertex { position, cube: site.node, nodes, place });
                    }
                    *number
                });
                surface.quads.push(Quad {
                    corners,
                    cut: crossing.cut,
                    node: site.node + corner(shape.node as usize),
                    normal: if from_high { -crossing.normal } else { crossing.normal },
                });
            }
        }
        surface
    }

    /// A point that is given in cells from a site, in rest space.
    fn rest(&self, site: u32, local: Vec3) -> Vec3 {
        self.origin() + self.cell() * (self.sites[site as usize].node.as_vec3() + local)
    }
}
