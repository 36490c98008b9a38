//! Writing GLB: one binary file with geometry, materials and embedded images.

use crate::error::{IoError, Place};
use crate::gltf_buffers::percent_encoded;
use crate::raw::unit_or_zero;
use crate::write::Output;
use pliant::geometry::{Paint, Texture, TriMesh};
use pliant::glam::{DVec3, Vec2, Vec3};
use serde_json::{Map, Value, json};
use std::path::Path;

const FLOAT: u32 = 5126;
const VERTEX_DATA: u32 = 34962;
const INDEX_DATA: u32 = 34963;

/// `mesh` has passed its checks.
pub(crate) fn write(path: &Path, mesh: &TriMesh) -> Result<Output, IoError> {
    let mut glb = Glb::default();
    let attributes = glb.vertex_attributes(mesh, &mesh.positions, &mesh.normals);
    let primitives = glb.primitives(mesh, &attributes, &[]);
    let index = glb.push("meshes", named(&mesh.name, json!({ "primitives": primitives })));
    let mut node = named(&mesh.name, json!({ "mesh": index }));
    if mesh.origin != DVec3::ZERO {
        node["translation"] = json!(mesh.origin.to_array());
    }
    let node = glb.push("nodes", node);
    glb.finish(path, &[node])
}

/// Adds a name unless it is empty.
pub(crate) fn named(name: &str, mut value: Value) -> Value {
    if !name.is_empty() {
        value["name"] = json!(name);
    }
    value
}

/// A document and its binary chunk as they grow.
#[derive(Default)]
pub(crate) struct Glb {
    binary: Vec<u8>,
    /// The arrays of the document.
    lists: Map<String, Value>,
    /// Images that are there already, with their texture.
    textures: Vec<(Texture, usize)>,
    pub warnings: Vec<String>,
}

impl Glb {
    /// Adds an entry to one of the document's arrays; returns its index.
    pub fn push(&mut self, list: &str, value: Value) -> usize {
        let list = self.lists.entry(list).or_insert_with(|| json!([]));
        match list.as_array_mut() {
            Some(list) => {
                list.push(value);
                list.len() - 1
            }
            None => 0,
        }
    }

    fn view(&mut self, bytes: impl IntoIterator<Item = u8>, target: Option<u32>) -> usize {
        // Every accessor begins at a multiple of its component's size, four at most.
        self.binary.resize(self.binary.len().next_multiple_of(4), 0);
        let start = self.binary.len();
        self.binary.extend(bytes);
        let mut view = json!({ "buffer": 0, "byteOffset": start, "byteLength": self.binary.len() - start });
        if let Some(target) = target {
            view["target"] = json!(target);
        }
        self.push("bufferViews", view)
    }

    /// Floats of one kind; `with_bounds` adds the smallest and largest of each component.
    pub fn floats<const N: usize>(
        &mut self,
        values: &[[f32; N]],
        target: Option<u32>,
        with_bounds: bool,
    ) -> usize {
        let view = self.view(values.iter().flatten().flat_map(|v| v.to_le_bytes()), target);
        let kind = ["SCALAR", "VEC2", "VEC3", "VEC4"][N - 1];
        let mut accessor =
            json!({ "bufferView": view, "componentType": FLOAT, "count": values.len(), "type": kind });
        if with_bounds {
            let fold = |of: fn(f32, f32) -> f32| -> Vec<f32> {
                (0..N).map(|c| values.iter().map(|v| v[c]).reduce(of).unwrap_or(0.0)).collect()
            };
            accessor["min"] = json!(fold(f32::min));
            accessor["max"] = json!(fold(f32::max));
        }
        self.push("accessors", accessor)
    }

    /// Vertex positions, or their differences, with the bounds that the specification asks for.
    pub fn positions(&mut self, positions: &[Vec3]) -> usize {
        let values: Vec<[f32; 3]> = positions.iter().map(|p| p.to_array()).collect();
        self.floats(&values, Some(VERTEX_DATA), true)
    }

    /// Differences of normals.
    pub fn normal_deltas(&mut self, deltas: &[Vec3]) -> usize {
        let values: Vec<[f32; 3]> = deltas.iter().map(|n| n.to_array()).collect();
        self.floats(&values, Some(VERTEX_DATA), false)
    }

    /// The attributes that all primitives of a mesh share.
    pub fn vertex_attributes(&mut self, mesh: &TriMesh, positions: &[Vec3], normals: &[Vec3]) -> Value {
        let mut attributes = json!({ "POSITION": self.positions(positions) });
        if !normals.is_empty() {
            let values: Vec<[f32; 3]> = normals.iter().map(|n| unit_normal(*n).to_array()).collect();
            attributes["NORMAL"] = json!(self.floats(&values, Some(VERTEX_DATA), false));
        }
        if !mesh.uvs.is_empty() {
            let finite = |uv: &Vec2| if uv.is_finite() { uv.to_array() } else { [0.0; 2] };
            let values: Vec<[f32; 2]> = mesh.uvs.iter().map(finite).collect();
            attributes["TEXCOORD_0"] = json!(self.floats(&values, Some(VERTEX_DATA), false));
        }
        if !mesh.colors.is_empty() {
            let values: Vec<[f32; 4]> = mesh.colors.iter().map(|c| c.map(unit)).collect();
            attributes["COLOR_0"] = json!(self.floats(&values, Some(VERTEX_DATA), false));
        }
        attributes
    }

    /// One primitive a paint that has triangles.
    pub fn primitives(&mut self, mesh: &TriMesh, attributes: &Value, targets: &[Value]) -> Vec<Value> {
        let mut triangles_of: Vec<Vec<[u32; 3]>> = vec![Vec::new(); mesh.paints.len().max(1)];
        for (t, corners) in mesh.triangles.iter().enumerate() {
            triangles_of[mesh.triangle_paints.get(t).map_or(0, |p| *p as usize)].push(*corners);
        }
        let mut primitives = Vec::new();
        for (paint, triangles) in triangles_of.iter().enumerate().filter(|(_, t)| !t.is_empty()) {
            let indices = self.indices(triangles, mesh.positions.len());
            let mut primitive = json!({ "attributes": attributes, "indices": indices, "mode": 4 });
            if let Some(paint) = mesh.paints.get(paint) {
                primitive["material"] = json!(self.material(paint, !mesh.uvs.is_empty()));
            }
            if !targets.is_empty() {
                primitive["targets"] = json!(targets);
            }
            primitives.push(primitive);
        }
        primitives
    }

    fn indices(&mut self, triangles: &[[u32; 3]], vertices: usize) -> usize {
        let corners = triangles.iter().flatten();
        // The largest number of a type is reserved.
        let (view, component) = if vertices < usize::from(u16::MAX) {
            (self.view(corners.flat_map(|i| (*i as u16).to_le_bytes()), Some(INDEX_DATA)), 5123)
        } else {
            (self.view(corners.flat_map(|i| i.to_le_bytes()), Some(INDEX_DATA)), 5125)
        };
        let count = 3 * triangles.len();
        self.push(
            "accessors",
            json!({ "bufferView": view, "componentType": component, "count": count, "type": "SCALAR" }),
        )
    }

    fn material(&mut self, paint: &Paint, has_uvs: bool) -> usize {
        let mut look = json!({
            "baseColorFactor": paint.base_color.map(unit),
            "metallicFactor": unit(paint.metallic),
            "roughnessFactor": unit(paint.roughness),
        });
        if let Some(texture) = &paint.texture {
            if !has_uvs {
                self.warnings.push(format!("the image of '{}' is left out: there are no uvs", paint.name));
            } else if let Some(index) = self.texture(texture) {
                look["baseColorTexture"] = json!({ "index": index });
            }
        }
        let mut material = named(&paint.name, json!({ "pbrMetallicRoughness": look }));
        if paint.double_sided {
            material["doubleSided"] = json!(true);
        }
        if paint.base_color[3] < 1.0 {
            material["alphaMode"] = json!("BLEND");
        }
        self.push("materials", material)
    }

    fn texture(&mut self, texture: &Texture) -> Option<usize> {
        if let Some((_, index)) = self.textures.iter().find(|(known, _)| known == texture) {
            return Some(*index);
        }
        let image = match texture {
            Texture::File(name) => json!({ "uri": percent_encoded(name) }),
            Texture::Embedded { media_type, bytes } => {
                let media_type = if bytes.starts_with(b"\x89PNG") {
                    "image/png"
                } else if bytes.starts_with(b"\xff\xd8\xff") {
                    "image/jpeg"
                } else {
                    self.warnings
                        .push(format!("an image of type {media_type} is left out: glTF holds PNG and JPEG"));
                    return None;
                };
                json!({ "bufferView": self.view(bytes.iter().copied(), None), "mimeType": media_type })
            }
        };
        let image = self.push("images", image);
        let sampler = match self.lists.contains_key("samplers") {
            true => 0,
            false => self.push("samplers", json!({ "wrapS": 10497, "wrapT": 10497 })),
        };
        let index = self.push("textures", json!({ "source": image, "sampler": sampler }));
        self.textures.push((texture.clone(), index));
        Some(index)
    }

    /// Puts the chunks together.
    pub fn finish(mut self, path: &Path, roots: &[usize]) -> Result<Output, IoError> {
        self.binary.resize(self.binary.len().next_multiple_of(4), 0);
        let mut document = std::mem::take(&mut self.lists);
        document.insert("asset".to_owned(), json!({ "version": "2.0", "generator": "Pliant" }));
        document.insert("scene".to_owned(), json!(0));
        document.insert("scenes".to_owned(), json!([{ "nodes": roots }]));
        document.insert("buffers".to_owned(), json!([{ "byteLength": self.binary.len() }]));
        let mut text = Value::Object(document).to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let total = 12 + 8 + text.len() + 8 + self.binary.len();
        let Ok(length) = u32::try_from(total) else {
            let fault = "a GLB holds 4 GiB at most; write fewer frames or vertices".to_owned();
            return Err(IoError::TooLarge { file: path.to_path_buf(), place: Place::File, fault });
        };
        let mut bytes = Vec::with_capacity(total);
        bytes.extend(b"glTF");
        bytes.extend([2, length, text.len() as u32].iter().flat_map(|n| n.to_le_bytes()));
        bytes.extend(b"JSON");
        bytes.extend(text);
        bytes.extend((self.binary.len() as u32).to_le_bytes());
        bytes.extend(b"BIN\0");
        bytes.extend(self.binary);
        Ok(Output { files: vec![(path.to_path_buf(), bytes)], warnings: self.warnings })
    }
}

/// A normal of unit length, whatever it was.
pub(crate) fn unit_normal(normal: Vec3) -> Vec3 {
    Some(unit_or_zero(normal.as_dvec3())).filter(|n| *n != Vec3::ZERO).unwrap_or(Vec3::Y)
}

fn unit(value: f32) -> f32 {
    if value.is_finite() { value.clamp(0.0, 1.0) } else { 1.0 }
}
