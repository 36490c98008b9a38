//! glTF 2.0 and GLB: the default scene flattened into one mesh.
//!
//! Kept: all triangles (lists, strips, fans), node transforms, normals, the texture coordinates that the base
//! colour uses, vertex colours, metallic-roughness materials, embedded and named images. Left out with a
//! warning: points, lines, skins, morph targets, extensions. Files are only looked for in the mesh's own folder.
//!
//! The document is read with our own small types and checks: the `gltf` crate's types take some hundred bytes
//! for an empty `{}`, and its accessor iterators panic on offsets that lie. It reads back what we write, in
//! the tests.

use crate::error::{IoError, Place};
use crate::gltf_accessor::Data;
use crate::gltf_buffers;
use crate::gltf_paints::Paints;
use crate::gltf_schema::{Document, Kind, Node, Primitive};
use crate::raw::{RawMesh, unit_or_zero};
use crate::read::{Source, Warnings};
use pliant::glam::{DMat3, DMat4, DQuat, DVec3, Vec2, Vec3};
use std::collections::BTreeMap;

/// What instances of meshes may grow to: this many bytes, and this many times the file's size.
const FLAT_BYTES: usize = 32 << 20;
const FLAT_TIMES: usize = 64;
/// Extensions that change nothing that we read, or that we honour.
const HARMLESS: &[&str] = &["KHR_mesh_quantization"];
/// Extensions without which there are no triangles.
const COMPRESSION: &[&str] =
    &["KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_meshopt_compression"];

pub(crate) fn parse(source: &Source<'_>, warnings: &mut Warnings) -> Result<RawMesh, IoError> {
    let (json, binary) = gltf_buffers::split_chunks(source, warnings)?;
    let document: Document = serde_json::from_slice(json)
        .map_err(|e| source.syntax(Place::Line(e.line()), format!("the JSON is not a glTF: {e}")))?;
    match &document.asset {
        Some(asset) if asset.version.starts_with('2') => {}
        Some(asset) => {
            let fault = format!("this is glTF {}, only 2 is read", asset.version);
            return Err(source.syntax(Place::File, fault));
        }
        None => return Err(source.syntax(Place::File, "the JSON is not a glTF: it has no asset")),
    }
    if let Some(name) = document.extensions_required.iter().find(|e| COMPRESSION.contains(&e.as_str())) {
        return Err(source.syntax(Place::File, format!("it needs {name}; export it without compression")));
    }
    let ignored: Vec<&str> = document
        .extensions_used
        .iter()
        .map(String::as_str)
        .filter(|e| !HARMLESS.contains(e))
        .take(20)
        .collect();
    if !ignored.is_empty() {
        warnings.push(format!("extensions left out: {}", ignored.join(", ")));
    }
    let buffers = gltf_buffers::load(source, &document, binary)?;
    let total_bytes = source.bytes.len() + buffers.iter().map(|b| b.len()).sum::<usize>();
    let data = Data { source, document: &document, buffers: &buffers, total_bytes };
    let mut flat = Flat::new(&data);
    for_each_instance(&document, source, warnings, |node, world| flat.add_mesh(node, world))?;
    flat.finish(warnings)
}

/// Calls for every node of the scene that has a mesh, with its transform to the world. Each node is visited once,
/// so cycles and shared children end; there is no recursion.
fn for_each_instance(
    document: &Document,
    source: &Source<'_>,
    warnings: &mut Warnings,
    mut call: impl FnMut(&Node, &DMat4) -> Result<(), IoError>,
) -> Result<(), IoError> {
    let nodes = &document.nodes;
    let mut visited = vec![false; nodes.len()];
    let mut twice = 0_usize;
    // The way from a root to where we are: each node's next child and its transform.
    let mut path: Vec<(std::slice::Iter<'_, u32>, DMat4)> = Vec::new();
    let roots = roots(document, source)?;
    let mut roots = roots.iter();
    loop {
        let (next, parent) = match path.last_mut() {
            Some((children, world)) => (children.next(), *world),
            None => (roots.next(), DMat4::IDENTITY),
        };
        let Some(&index) = next else {
            if path.pop().is_none() {
                break;
            }
            continue;
        };
        let Some(node) = nodes.get(index as usize) else {
            return Err(source.out_of_range(Place::File, "nodes", index.into(), nodes.len()));
        };
        if std::mem::replace(&mut visited[index as usize], true) {
            twice += 1;
            continue;
        }
        let world = parent * local_transform(node);
        if node.mesh.is_some() {
            call(node, &world)?;
        }
        path.push((node.children.iter(), world));
    }
    if twice > 0 {
        warnings.push(format!("{twice} nodes have several parents or are their own; used once"));
    }
    Ok(())
}

/// The nodes that the walk begins with: those of the scene, or all that are nobody's child.
fn roots(document: &Document, source: &Source<'_>) -> Result<Vec<u32>, IoError> {
    if document.scenes.is_empty() {
        let mut is_child = vec![false; document.nodes.len()];
        for child in document.nodes.iter().flat_map(|n| n.children.iter()) {
            if let Some(flag) = is_child.get_mut(*child as usize) {
                *flag = true;
            }
        }
        return Ok((0..document.nodes.len() as u32).filter(|n| !is_child[*n as usize]).collect());
    }
    let scene = document.scene.unwrap_or(0);
    match document.scenes.get(scene as usize) {
        Some(scene) => Ok(scene.nodes.clone()),
        None => Err(source.out_of_range(Place::File, "scenes", scene.into(), document.scenes.len())),
    }
}

fn local_transform(node: &Node) -> DMat4 {
    if let Some(matrix) = &node.matrix {
        return DMat4::from_cols_array(matrix);
    }
    let translation = node.translation.as_ref().map_or(DVec3::ZERO, |t| DVec3::from_array(**t));
    let scale = node.scale.as_ref().map_or(DVec3::ONE, |s| DVec3::from_array(**s));
    let rotation = node.rotation.as_ref().map_or(DQuat::IDENTITY, |r| DQuat::from_array(**r));
    let length = rotation.length();
    let rotation = if length > 0.0 && length.is_finite() { rotation / length } else { DQuat::IDENTITY };
    DMat4::from_scale_rotation_translation(scale, rotation, translation)
}

/// All meshes of a scene in one.
struct Flat<'a> {
    data: &'a Data<'a>,
    raw: RawMesh,
    /// Which material each of the mesh's paints is; `None` for the default.
    paint_materials: Vec<Option<u32>>,
    paint_ids: BTreeMap<Option<u32>, u32>,
    flat_bytes: usize,
    has_normals: bool,
    has_uvs: bool,
    has_colors: bool,
    not_triangles: usize,
    morphs: usize,
    skins: usize,
    flattened: usize,
}

impl<'a> Flat<'a> {
    fn new(data: &'a Data<'a>) -> Self {
        Self {
            data,
            raw: RawMesh::default(),
            paint_materials: Vec::new(),
            paint_ids: BTreeMap::new(),
            flat_bytes: 0,
            has_normals: false,
            has_uvs: false,
            has_colors: false,
            not_triangles: 0,
            morphs: 0,
            skins: 0,
            flattened: 0,
        }
    }

    fn add_mesh(&mut self, node: &Node, world: &DMat4) -> Result<(), IoError> {
        let meshes = &self.data.document.meshes;
        let index = node.mesh.unwrap_or(0);
        let Some(mesh) = meshes.get(index as usize) else {
            return Err(self.data.source.out_of_range(Place::File, "meshes", index.into(), meshes.len()));
        };
        if self.raw.name.is_empty() {
            self.raw.name = mesh.name.as_deref().unwrap_or_default().to_owned();
        }
        self.skins += usize::from(node.skin.is_some());
        self.flattened += usize::from(DMat3::from_mat4(*world).determinant() == 0.0);
        // Primitives that share their vertices in the file share them here.
        let mut bases: BTreeMap<[Option<u32>; 4], u32> = BTreeMap::new();
        for primitive in &mesh.primitives {
            self.add_primitive(primitive, index as usize, world, &mut bases)?;
        }
        Ok(())
    }

    fn add_primitive(
        &mut self,
        primitive: &Primitive,
        mesh: usize,
        world: &DMat4,
        bases: &mut BTreeMap<[Option<u32>; 4], u32>,
    ) -> Result<(), IoError> {
        let place = Place::Element("mesh", mesh);
        let mode = primitive.mode.unwrap_or(4);
        match mode {
            0..=3 => {
                self.not_triangles += 1;
                return Ok(());
            }
            4..=6 => {}
            _ => return Err(self.data.source.syntax(place, format!("the primitive mode {mode} is unknown"))),
        }
        let Some(&position) = primitive.attributes.get("POSITION") else {
            return Err(self.data.source.syntax(place, "a primitive has no POSITION"));
        };
        self.morphs += usize::from(!primitive.targets.is_empty());
        let count = self.data.count(position)?;
        let index_count = primitive.indices.map_or(Ok(count), |i| self.data.count(i))?;
        let attribute = |name: &str| primitive.attributes.get(name).copied();
        let uv = attribute(&format!("TEXCOORD_{}", self.uv_set(primitive.material)));
        let key = [Some(position), attribute("NORMAL"), uv, attribute("COLOR_0")];
        let new_vertices = if bases.contains_key(&key) { 0 } else { count };
        self.spend(new_vertices, index_count, &place)?;
        let base = match bases.get(&key) {
            Some(base) => *base,
            None => {
                let base = self.raw.positions.len() as u32;
                self.add_vertices(key, world)?;
                bases.insert(key, base);
                base
            }
        };
        let indices = match primitive.indices {
            Some(indices) => self.data.indices(indices)?,
            None => (0..count as u32).collect(),
        };
        if let Some(bad) = indices.iter().find(|i| **i as usize >= count) {
            return Err(self.data.source.out_of_range(place, "vertices", (*bad).into(), count));
        }
        let first = self.raw.triangles.len();
        push_triangles(&mut self.raw.triangles, &indices, mode, base);
        // A mirror turns the winding over: turn it back.
        if DMat3::from_mat4(*world).determinant() < 0.0 {
            self.raw.triangles[first..].iter_mut().for_each(|t| t.swap(1, 2));
        }
        let paint = self.paint(primitive.material);
        self.raw.triangle_paints.resize(self.raw.triangles.len(), paint);
        Ok(())
    }

    /// Which set of texture coordinates a material's base colour uses.
    fn uv_set(&self, material: Option<u32>) -> u32 {
        let material = material.and_then(|m| self.data.document.materials.get(m as usize));
        let texture = material
            .and_then(|m| m.pbr_metallic_roughness.as_ref())
            .and_then(|p| p.base_color_texture.as_ref());
        texture.map_or(0, |t| t.tex_coord)
    }

    /// Keeps instances from growing beyond all measure.
    fn spend(&mut self, vertices: usize, indices: usize, place: &Place) -> Result<(), IoError> {
        let cost = vertices.saturating_mul(60).saturating_add(indices.saturating_mul(16));
        self.flat_bytes = self.flat_bytes.saturating_add(cost);
        if self.flat_bytes > FLAT_BYTES + FLAT_TIMES * self.data.total_bytes {
            let fault = "the scene's meshes, put together, are far larger than the file; use fewer instances";
            return Err(self.data.source.too_large(place.clone(), fault));
        }
        Ok(())
    }

    fn add_vertices(&mut self, key: [Option<u32>; 4], world: &DMat4) -> Result<(), IoError> {
        let [position, normal, uv, color] = key;
        let Some(position) = position else { return Ok(()) };
        let first = self.raw.positions.len();
        let positions = self.data.floats(position, &[Kind::Vec3], [0.0; 3])?;
        for p in &positions {
            let p = Vec3::from_array(*p);
            let at = world.transform_point3(p.as_dvec3());
            if !p.is_finite() || !at.is_finite() {
                let place = Place::Element("accessor", position as usize);
                return Err(self.data.source.not_finite(place, self.raw.positions.len() - first));
            }
            self.raw.positions.push(at);
        }
        let total = self.raw.positions.len();
        let fits = |index: u32, found: usize| match found == positions.len() {
            true => Ok(()),
            false => {
                let fault = format!("it has {found} elements for {} vertices", positions.len());
                Err(self.data.source.syntax(Place::Element("accessor", index as usize), fault))
            }
        };
        if let Some(index) = normal {
            let normals = self.data.floats(index, &[Kind::Vec3], [0.0; 3])?;
            fits(index, normals.len())?;
            self.raw.normals.resize(first, Vec3::ZERO);
            let turn = normal_transform(world);
            let turned = |n: &[f32; 3]| unit_or_zero(turn * Vec3::from_array(*n).as_dvec3());
            self.raw.normals.extend(normals.iter().map(turned));
            self.has_normals = true;
        }
        if let Some(index) = uv {
            let uvs = self.data.floats(index, &[Kind::Vec2], [0.0; 2])?;
            fits(index, uvs.len())?;
            self.raw.uvs.resize(first, Vec2::ZERO);
            self.raw.uvs.extend(uvs.into_iter().map(Vec2::from_array));
            self.has_uvs = true;
        }
        if let Some(index) = color {
            let colors = self.data.floats(index, &[Kind::Vec3, Kind::Vec4], [1.0; 4])?;
            fits(index, colors.len())?;
            self.raw.colors.resize(first, [1.0; 4]);
            self.raw.colors.extend(colors);
            self.has_colors = true;
        }
        // What one primitive has and another has not is filled up.
        if self.has_normals {
            self.raw.normals.resize(total, Vec3::ZERO);
        }
        if self.has_uvs {
            self.raw.uvs.resize(total, Vec2::ZERO);
        }
        if self.has_colors {
            self.raw.colors.resize(total, [1.0; 4]);
        }
        Ok(())
    }

    fn paint(&mut self, material: Option<u32>) -> u32 {
        let there = material.filter(|m| (*m as usize) < self.data.document.materials.len());
        *self.paint_ids.entry(there).or_insert_with(|| {
            self.paint_materials.push(there);
            self.paint_materials.len() as u32 - 1
        })
    }

    fn finish(mut self, warnings: &mut Warnings) -> Result<RawMesh, IoError> {
        if self.paint_materials.iter().any(Option::is_some) {
            self.raw.paints = Paints::new(self.data).read(&self.paint_materials, warnings)?;
        } else {
            self.raw.triangle_paints.clear();
        }
        let mut say = |count: usize, what: &str| {
            if count > 0 {
                warnings.push(format!("{count} {what}"));
            }
        };
        say(self.not_triangles, "primitives of points or lines left out");
        say(self.skins, "skins left out: the mesh is in its bind pose");
        say(self.morphs, "primitives with morph targets: only their base shape is read");
        say(self.flattened, "nodes flatten their mesh to a plane, a line or a point");
        Ok(self.raw)
    }
}

fn push_triangles(out: &mut Vec<[u32; 3]>, indices: &[u32], mode: u32, base: u32) {
    let shifted = |t: [u32; 3]| t.map(|i| i + base);
    match mode {
        4 => out.extend(indices.as_chunks::<3>().0.iter().map(|t| shifted(*t))),
        5 => out.extend(
            indices
                .windows(3)
                .enumerate()
                .map(|(i, w)| shifted(if i % 2 == 0 { [w[0], w[1], w[2]] } else { [w[1], w[0], w[2]] })),
        ),
        _ => {
            if let Some((first, rest)) = indices.split_first() {
                out.extend(rest.windows(2).map(|w| shifted([*first, w[0], w[1]])));
            }
        }
    }
}

/// The inverse transpose, but for its length; well defined for flattening transforms too.
fn normal_transform(world: &DMat4) -> DMat3 {
    let m = DMat3::from_mat4(*world);
    let [x, y, z] = [m.x_axis, m.y_axis, m.z_axis];
    let cofactors = DMat3::from_cols(y.cross(z), z.cross(x), x.cross(y));
    if m.determinant() < 0.0 { cofactors * -1.0 } else { cofactors }
}
