//! Accessors of a glTF: typed arrays in its buffers, strided, normalised or sparse. Every offset is checked.

use crate::error::{IoError, Place};
use crate::gltf_schema::{Accessor, Document, Kind};
use crate::read::Source;
use std::borrow::Cow;

/// A document and its bytes.
pub(crate) struct Data<'a> {
    pub source: &'a Source<'a>,
    pub document: &'a Document,
    pub buffers: &'a [Cow<'a, [u8]>],
    /// The file and its buffers together, in bytes.
    pub total_bytes: usize,
}

/// Elements one after another, each `stride` bytes from the one before.
struct Strided<'a> {
    bytes: &'a [u8],
    stride: usize,
    component: Component,
}

#[derive(Clone, Copy)]
enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn parse(code: u32) -> Option<Self> {
        Some(match code {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return None,
        })
    }

    fn bytes(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    fn read(self, bytes: &[u8]) -> f64 {
        match (self, bytes) {
            (Self::I8, [a, ..]) => (*a as i8).into(),
            (Self::U8, [a, ..]) => (*a).into(),
            (Self::I16, [a, b, ..]) => i16::from_le_bytes([*a, *b]).into(),
            (Self::U16, [a, b, ..]) => u16::from_le_bytes([*a, *b]).into(),
            (Self::U32, [a, b, c, d, ..]) => u32::from_le_bytes([*a, *b, *c, *d]).into(),
            (Self::F32, [a, b, c, d, ..]) => f32::from_le_bytes([*a, *b, *c, *d]).into(),
            _ => 0.0,
        }
    }

    /// The largest value of a normalised number.
    fn one(self) -> f64 {
        match self {
            Self::I8 => 127.0,
            Self::U8 => 255.0,
            Self::I16 => 32767.0,
            Self::U16 => 65535.0,
            Self::U32 | Self::F32 => 1.0,
        }
    }
}

impl Strided<'_> {
    fn get(&self, index: usize, component: usize) -> f64 {
        let at = index * self.stride + component * self.component.bytes();
        self.component.read(self.bytes.get(at..).unwrap_or_default())
    }
}

impl<'a> Data<'a> {
    /// Elements of up to `N` numbers; those that the file does not give are taken from `fill`.
    pub fn floats<const N: usize>(
        &self,
        index: u32,
        kinds: &[Kind],
        fill: [f32; N],
    ) -> Result<Vec<[f32; N]>, IoError> {
        let accessor = self.accessor(index)?;
        let place = Place::Element("accessor", index as usize);
        if !kinds.contains(&accessor.kind) {
            let fault = format!("a {:?} stands where one of {kinds:?} is needed", accessor.kind);
            return Err(self.source.syntax(place, fault));
        }
        let (base, component) = self.base(accessor, &place)?;
        let count = accessor.count as usize;
        let components = width(accessor.kind).min(N);
        let scale = if accessor.normalized { 1.0 / component.one() } else { 1.0 };
        let element = |data: &Strided<'_>, i: usize| {
            let mut out = fill;
            for (c, value) in out.iter_mut().enumerate().take(components) {
                let read = (data.get(i, c) * scale) as f32;
                // The most negative whole number is a little less than −1.
                *value = if accessor.normalized { read.max(-1.0) } else { read };
            }
            out
        };
        let mut zero = fill;
        zero[..components].fill(0.0);
        let mut out: Vec<[f32; N]> = match &base {
            Some(data) => (0..count).map(|i| element(data, i)).collect(),
            None => vec![zero; count],
        };
        self.for_each_sparse(accessor, component, &place, |i, data, k| out[i] = element(data, k))?;
        Ok(out)
    }

    /// Whole numbers from 0.
    pub fn indices(&self, index: u32) -> Result<Vec<u32>, IoError> {
        let accessor = self.accessor(index)?;
        let place = Place::Element("accessor", index as usize);
        let (base, component) = self.base(accessor, &place)?;
        if accessor.kind != Kind::Scalar
            || !matches!(component, Component::U8 | Component::U16 | Component::U32)
        {
            return Err(self.source.syntax(place, "indices must be unsigned whole numbers"));
        }
        let count = accessor.count as usize;
        let mut out: Vec<u32> = match &base {
            Some(data) => (0..count).map(|i| data.get(i, 0) as u32).collect(),
            None => vec![0; count],
        };
        self.for_each_sparse(accessor, component, &place, |i, data, k| out[i] = data.get(k, 0) as u32)?;
        Ok(out)
    }

    /// How many elements an accessor has; they are there.
    pub fn count(&self, index: u32) -> Result<usize, IoError> {
        let accessor = self.accessor(index)?;
        self.base(accessor, &Place::Element("accessor", index as usize))?;
        Ok(accessor.count as usize)
    }

    fn accessor(&self, index: u32) -> Result<&'a Accessor, IoError> {
        self.document.accessors.get(index as usize).ok_or_else(|| {
            let count = self.document.accessors.len();
            self.source.out_of_range(Place::File, "accessors", index.into(), count)
        })
    }

    /// The dense elements, `None` for zeros.
    fn base(&self, accessor: &Accessor, place: &Place) -> Result<(Option<Strided<'a>>, Component), IoError> {
        let component = Component::parse(accessor.component_type).ok_or_else(|| {
            let fault = format!("the component type {} is unknown", accessor.component_type);
            self.source.syntax(place.clone(), fault)
        })?;
        if accessor.count > self.total_bytes as u64 {
            let fault = format!("{} elements are promised, more than the file has bytes", accessor.count);
            return Err(self.source.truncated(place.clone(), fault));
        }
        let components = width(accessor.kind);
        let data = match accessor.buffer_view {
            None => None,
            Some(view) => Some(self.strided(
                view,
                accessor.byte_offset,
                accessor.count,
                component,
                components,
                place,
            )?),
        };
        Ok((data, component))
    }

    fn for_each_sparse(
        &self,
        accessor: &Accessor,
        component: Component,
        place: &Place,
        mut put: impl FnMut(usize, &Strided<'_>, usize),
    ) -> Result<(), IoError> {
        let Some(sparse) = &accessor.sparse else { return Ok(()) };
        let which = match Component::parse(sparse.indices.component_type) {
            Some(which @ (Component::U8 | Component::U16 | Component::U32)) => which,
            _ => return Err(self.source.syntax(place.clone(), "its sparse indices are not whole numbers")),
        };
        let (at, values) = (&sparse.indices, &sparse.values);
        let indices = self.strided(at.buffer_view, at.byte_offset, sparse.count, which, 1, place)?;
        let components = width(accessor.kind);
        let data =
            self.strided(values.buffer_view, values.byte_offset, sparse.count, component, components, place)?;
        for k in 0..sparse.count as usize {
            let i = indices.get(k, 0) as usize;
            if i as u64 >= accessor.count {
                let count = accessor.count as usize;
                return Err(self.source.out_of_range(place.clone(), "elements", i as i64, count));
            }
            put(i, &data, k);
        }
        Ok(())
    }

    fn strided(
        &self,
        view: u32,
        offset: u64,
        count: u64,
        component: Component,
        components: usize,
        place: &Place,
    ) -> Result<Strided<'a>, IoError> {
        let (bytes, stride) = self.view(view, place)?;
        let size = components * component.bytes();
        let stride = stride.map_or(size, |s| s as usize);
        if stride < size {
            let fault = format!("a stride of {stride} bytes is less than an element's {size}");
            return Err(self.source.syntax(place.clone(), fault));
        }
        let needed = match count {
            0 => 0,
            n => (n - 1).saturating_mul(stride as u64).saturating_add(size as u64).saturating_add(offset),
        };
        if needed > bytes.len() as u64 {
            let fault = format!("it needs {needed} bytes of buffer view {view}, which has {}", bytes.len());
            return Err(self.source.truncated(place.clone(), fault));
        }
        let bytes = bytes.get(offset as usize..).unwrap_or_default();
        Ok(Strided { bytes, stride, component })
    }

    /// The bytes of a buffer view and its stride.
    pub fn view(&self, index: u32, place: &Place) -> Result<(&'a [u8], Option<u32>), IoError> {
        let Some(view) = self.document.buffer_views.get(index as usize) else {
            let count = self.document.buffer_views.len();
            return Err(self.source.out_of_range(place.clone(), "buffer views", index.into(), count));
        };
        let Some(buffer) = self.buffers.get(view.buffer as usize) else {
            let count = self.buffers.len();
            return Err(self.source.out_of_range(place.clone(), "buffers", view.buffer.into(), count));
        };
        let end = view.byte_offset.saturating_add(view.byte_length);
        if end > buffer.len() as u64 {
            let fault = format!("buffer view {index} ends at byte {end} of a buffer of {}", buffer.len());
            return Err(self.source.truncated(place.clone(), fault));
        }
        Ok((&buffer[view.byte_offset as usize..end as usize], view.byte_stride))
    }
}

fn width(kind: Kind) -> usize {
    match kind {
        Kind::Scalar => 1,
        Kind::Vec2 => 2,
        Kind::Vec3 => 3,
        Kind::Vec4 | Kind::Mat2 => 4,
        Kind::Mat3 => 9,
        Kind::Mat4 => 16,
    }
}
