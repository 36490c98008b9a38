//! The parts of a glTF 2.0 document that make a mesh, as small types.
//!
//! Small on purpose: a hostile document of millions of empty objects must not become a hundred times its size
//! in memory. Missing arrays are empty; what the specification requires is required here.

use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Document {
    pub scene: Option<u32>,
    pub scenes: Vec<Scene>,
    pub nodes: Vec<Node>,
    pub meshes: Vec<Mesh>,
    pub accessors: Vec<Accessor>,
    pub buffer_views: Vec<BufferView>,
    pub buffers: Vec<Buffer>,
    pub materials: Vec<Material>,
    pub textures: Vec<TextureRef>,
    pub images: Vec<Image>,
    pub extensions_used: Vec<String>,
    pub extensions_required: Vec<String>,
    pub asset: Option<Asset>,
}

#[derive(Deserialize)]
pub(crate) struct Asset {
    #[serde(default)]
    pub version: String,
}

#[derive(Deserialize)]
pub(crate) struct Scene {
    #[serde(default)]
    pub nodes: Vec<u32>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct Node {
    pub children: Box<[u32]>,
    pub mesh: Option<u32>,
    pub skin: Option<u32>,
    pub matrix: Option<Box<[f64; 16]>>,
    pub translation: Option<Box<[f64; 3]>>,
    pub rotation: Option<Box<[f64; 4]>>,
    pub scale: Option<Box<[f64; 3]>>,
}

#[derive(Deserialize)]
pub(crate) struct Mesh {
    #[serde(default)]
    pub name: Option<Box<str>>,
    pub primitives: Vec<Primitive>,
}

#[derive(Deserialize)]
pub(crate) struct Primitive {
    pub attributes: BTreeMap<String, u32>,
    pub indices: Option<u32>,
    pub material: Option<u32>,
    pub mode: Option<u32>,
    /// Morph targets are counted, not read.
    #[serde(default)]
    pub targets: Vec<serde::de::IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Accessor {
    pub buffer_view: Option<u32>,
    #[serde(default)]
    pub byte_offset: u64,
    pub component_type: u32,
    #[serde(default)]
    pub normalized: bool,
    pub count: u64,
    #[serde(rename = "type")]
    pub kind: Kind,
    pub sparse: Option<Box<Sparse>>,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum Kind {
    Scalar,
    Vec2,
    Vec3,
    Vec4,
    Mat2,
    Mat3,
    Mat4,
}

#[derive(Deserialize)]
pub(crate) struct Sparse {
    pub count: u64,
    pub indices: SparseIndices,
    pub values: SparseValues,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SparseIndices {
    pub buffer_view: u32,
    #[serde(default)]
    pub byte_offset: u64,
    pub component_type: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SparseValues {
    pub buffer_view: u32,
    #[serde(default)]
    pub byte_offset: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BufferView {
    pub buffer: u32,
    #[serde(default)]
    pub byte_offset: u64,
    pub byte_length: u64,
    pub byte_stride: Option<u32>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Buffer {
    pub uri: Option<Box<str>>,
    pub byte_length: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Material {
    pub name: Option<Box<str>>,
    pub pbr_metallic_roughness: Option<Box<MetallicRoughness>>,
    #[serde(default)]
    pub double_sided: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct MetallicRoughness {
    pub base_color_factor: [f32; 4],
    pub base_color_texture: Option<TextureInfo>,
    pub metallic_factor: f32,
    pub roughness_factor: f32,
}

impl Default for MetallicRoughness {
    fn default() -> Self {
        Self {
            base_color_factor: [1.0; 4],
            base_color_texture: None,
            metallic_factor: 1.0,
            roughness_factor: 1.0,
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TextureInfo {
    pub index: u32,
    #[serde(default)]
    pub tex_coord: u32,
}

#[derive(Deserialize)]
pub(crate) struct TextureRef {
    pub source: Option<u32>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Image {
    pub uri: Option<Box<str>>,
    pub mime_type: Option<Box<str>>,
    pub buffer_view: Option<u32>,
}
