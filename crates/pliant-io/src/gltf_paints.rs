//! Materials and images of a glTF, as paints. Images stay encoded.

use crate::error::{IoError, Place};
use crate::gltf_accessor::Data;
use crate::gltf_buffers::{decode_data_uri, percent_decoded};
use crate::read::Warnings;
use pliant::geometry::{Paint, Texture};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Materials into paints; an image is kept once, however often it is used.
pub(crate) struct Paints<'a> {
    data: &'a Data<'a>,
    images: BTreeMap<u32, Option<Texture>>,
}

impl<'a> Paints<'a> {
    pub fn new(data: &'a Data<'a>) -> Self {
        Self { data, images: BTreeMap::new() }
    }

    /// The paints of these materials; `None` is the default one.
    pub fn read(mut self, materials: &[Option<u32>], warnings: &mut Warnings) -> Result<Vec<Paint>, IoError> {
        let mut paints = Vec::with_capacity(materials.len());
        for index in materials {
            let material = index.and_then(|m| self.data.document.materials.get(m as usize));
            let Some(material) = material else {
                paints.push(Paint::default());
                continue;
            };
            let look = material.pbr_metallic_roughness.as_deref();
            let default = Default::default();
            let look = look.unwrap_or(&default);
            let unit = |x: f32| if x.is_finite() { x.clamp(0.0, 1.0) } else { 1.0 };
            let texture = match &look.base_color_texture {
                Some(info) => self.texture(info.index, warnings)?,
                None => None,
            };
            paints.push(Paint {
                name: material.name.as_deref().unwrap_or_default().to_owned(),
                base_color: look.base_color_factor,
                metallic: unit(look.metallic_factor),
                roughness: unit(look.roughness_factor),
                texture,
                double_sided: material.double_sided,
            });
        }
        Ok(paints)
    }

    fn texture(&mut self, index: u32, warnings: &mut Warnings) -> Result<Option<Texture>, IoError> {
        let document = self.data.document;
        let image = document.textures.get(index as usize).and_then(|t| t.source);
        let Some(image) = image.filter(|i| (*i as usize) < document.images.len()) else {
            warnings.push(format!("texture {index} has no image that can be read"));
            return Ok(None);
        };
        if let Some(known) = self.images.get(&image) {
            return Ok(known.clone());
        }
        let texture = self.image(image, warnings)?;
        self.images.insert(image, texture.clone());
        Ok(texture)
    }

    fn image(&self, index: u32, warnings: &mut Warnings) -> Result<Option<Texture>, IoError> {
        let image = &self.data.document.images[index as usize];
        let declared = image.mime_type.as_deref();
        if let Some(view) = image.buffer_view {
            let (bytes, _) = self.data.view(view, &Place::Element("image", index as usize))?;
            // Many images on one view could take more memory than the file has.
            let kept: usize = self.images.values().flatten().map(texture_bytes).sum();
            if kept + bytes.len() > 4 * self.data.total_bytes {
                let place = Place::Element("image", index as usize);
                return Err(self.data.source.too_large(place, "the images are larger than the file"));
            }
            let media_type = declared.unwrap_or_else(|| guess_media_type(bytes)).to_owned();
            return Ok(Some(Texture::Embedded { media_type, bytes: Arc::from(bytes) }));
        }
        let Some(uri) = image.uri.as_deref() else {
            warnings.push(format!("image {index} has neither bytes nor a file"));
            return Ok(None);
        };
        if !uri.starts_with("data:") {
            return Ok(Some(Texture::File(percent_decoded(uri))));
        }
        let Some((media_type, bytes)) = decode_data_uri(uri) else {
            warnings.push(format!("image {index} cannot be decoded; left out"));
            return Ok(None);
        };
        let media_type = if media_type.is_empty() { guess_media_type(&bytes) } else { media_type };
        Ok(Some(Texture::Embedded { media_type: media_type.to_owned(), bytes: bytes.into() }))
    }
}

fn texture_bytes(texture: &Texture) -> usize {
    match texture {
        Texture::Embedded { bytes, .. } => bytes.len(),
        Texture::File(_) => 0,
    }
}

fn guess_media_type(bytes: &[u8]) -> &'static str {
    if bytes.starts_with(b"\xff\xd8\xff") { "image/jpeg" } else { "image/png" }
}
