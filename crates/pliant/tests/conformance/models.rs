//! The list of models, and all that these contracts know of any of them. Nothing else here names a model: one that is added to
//! the list is held to all of them.

#![allow(dead_code, clippy::allow_attributes, reason = "each test binary uses a part of it")]

use pliant::{
    Body, BodyBuilder, ClusterSettings, Clustering, LatticeSettings, Matching, Material, ModelSettings,
    OctreeSettings, ParticleSettings, Plasticity, Rule, TriMesh,
};

/// A model.
pub struct Entry {
    /// Its word.
    pub word: &'static str,
    /// Its settings for nodes about that many metres apart.
    pub at: fn(f32) -> ModelSettings,
    /// Other settings for the same, as different as they can be.
    pub others: fn(f32) -> Vec<ModelSettings>,
    /// A material, from as soft (0) to as stiff (1) as the model can have it.
    pub elastic: fn(f32) -> Material,
    /// A material that keeps its dents, if the model can have one.
    pub plastic: Option<fn() -> Material>,
    /// Settings that must be refused for a box of 1 m, each with what the error must name.
    pub bad: fn() -> Vec<(&'static str, ModelSettings)>,
}

/// All models.
pub const MODELS: &[Entry] = &[
    Entry {
        word: "clusters",
        at: |spacing| clusters(spacing, Clustering::Spread { count: 4, overlap: 0.5 }),
        others: other_clusters,
        elastic: matched,
        plastic: Some(dented),
        bad: bad_clusters,
    },
    Entry {
        word: "lattice",
        at: |cell| lattice(cell, 2.0 * cell),
        others: |cell| vec![lattice(cell, cell), lattice(cell, 3.0 * cell)],
        elastic: matched,
        plastic: Some(dented),
        bad: bad_lattices,
    },
    Entry {
        word: "octree",
        at: |cell| octree(OctreeSettings { cell, levels: 1, width: 2.0 * cell, slack: 0.5 }, cell),
        others: other_octrees,
        elastic: matched,
        plastic: Some(dented),
        bad: bad_octrees,
    },
];

impl Entry {
    /// A body of the model with nodes about that many metres apart.
    pub fn body(&self, mesh: TriMesh, spacing: f32) -> BodyBuilder {
        Body::builder(mesh).model((self.at)(spacing))
    }

    /// All settings for nodes about that many metres apart.
    pub fn settings(&self, spacing: f32) -> Vec<ModelSettings> {
        let mut settings = vec![(self.at)(spacing)];
        settings.extend((self.others)(spacing));
        settings
    }

    /// What its bodies are tried with: soft, stiff, and giving way where it can.
    pub fn materials(&self) -> Vec<(&'static str, Material)> {
        let mut materials = vec![("as usual", (self.elastic)(0.3)), ("stiff", (self.elastic)(1.0))];
        materials.extend(self.plastic.map(|plastic| ("plastic", plastic())));
        materials
    }
}

/// The same with another damping ratio.
pub fn damped(material: Material, damping: f32) -> Material {
    Material { damping, ..material }
}

/// The same with another friction.
pub fn rough(material: Material, friction: f32) -> Material {
    Material { friction, ..material }
}

/// The same, but what is stretched by that part of its length tears.
pub fn tearing(material: Material, tear: f32) -> Material {
    Material { tear: Some(tear), ..material }
}

/// Of shape matching.
fn matched(stiffness: f32) -> Material {
    Material { alpha: stiffness, ..Material::default() }
}

fn dented() -> Material {
    let plasticity = Some(Plasticity { yield_strain: 0.05, creep_per_sec: 2.0, max_strain: 0.6 });
    Material { plasticity, ..matched(0.5) }
}

fn clusters(spacing: f32, clustering: Clustering) -> ModelSettings {
    ModelSettings::Clusters {
        particles: ParticleSettings { spacing: Some(spacing), ..ParticleSettings::default() },
        clustering,
        settings: ClusterSettings::default(),
    }
}

fn other_clusters(spacing: f32) -> Vec<ModelSettings> {
    let bending = ModelSettings::Clusters {
        particles: ParticleSettings { spacing: Some(spacing), ..ParticleSettings::default() },
        clustering: Clustering::One,
        settings: ClusterSettings { matching: Matching::Quadratic, ..ClusterSettings::default() },
    };
    vec![bending, clusters(spacing, Clustering::Grid { cells: [2, 1, 2], overlap: 0.5 })]
}

fn lattice(cell: f32, width: f32) -> ModelSettings {
    ModelSettings::Lattice(LatticeSettings { cell, width })
}

fn other_octrees(spacing: f32) -> Vec<ModelSettings> {
    let uniform = OctreeSettings { cell: spacing, levels: 0, width: 2.0 * spacing, slack: 0.0 };
    let coarse = OctreeSettings { cell: 0.25 * spacing, levels: 2, width: spacing, slack: 0.5 };
    [uniform, coarse].map(|settings| ModelSettings::Octree { settings, refine: Vec::new() }).to_vec()
}

fn octree(settings: OctreeSettings, size: f32) -> ModelSettings {
    ModelSettings::Octree { settings, refine: vec![Rule::Surface { size }] }
}

fn bad_clusters() -> Vec<(&'static str, ModelSettings)> {
    let mut bad = Vec::new();
    for overlap in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        bad.push(("overlap", clusters(0.2, Clustering::Spread { count: 4, overlap })));
        bad.push(("overlap", clusters(0.2, Clustering::Grid { cells: [2; 3], overlap })));
    }
    bad.push(("cluster", clusters(0.2, Clustering::Spread { count: 0, overlap: 0.5 })));
    bad.push(("clusters", clusters(0.2, Clustering::Spread { count: u32::MAX, overlap: 0.5 })));
    bad.push(("cluster", clusters(0.2, Clustering::Grid { cells: [0; 3], overlap: 0.5 })));
    bad.push(("cells", clusters(0.2, Clustering::Grid { cells: [u32::MAX; 3], overlap: 0.5 })));
    for min_stretch in [0.0, -1.0, 2.0, f32::NAN] {
        bad.push((
            "min_stretch",
            ModelSettings::Clusters {
                particles: ParticleSettings::default(),
                clustering: Clustering::One,
                settings: ClusterSettings { min_stretch, ..ClusterSettings::default() },
            },
        ));
    }
    bad
}

fn bad_lattices() -> Vec<(&'static str, ModelSettings)> {
    let width = |width: f32| ("width", lattice(0.2, width));
    [0.0, -1.0, f32::NAN, f32::INFINITY].map(width).to_vec()
}

fn bad_octrees() -> Vec<(&'static str, ModelSettings)> {
    let sound = OctreeSettings { cell: 0.2, levels: 1, width: 0.4, slack: 0.5 };
    let mut bad = Vec::new();
    for width in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        bad.push(("width", octree(OctreeSettings { width, ..sound }, 0.2)));
    }
    for slack in [-1.0, 5.0, f32::NAN, f32::INFINITY] {
        bad.push(("slack", octree(OctreeSettings { slack, ..sound }, 0.2)));
    }
    for levels in [9, u32::MAX] {
        bad.push(("levels", octree(OctreeSettings { levels, ..sound }, 0.2)));
    }
    for size in [0.0, -1.0, f32::NAN] {
        bad.push(("size", octree(sound, size)));
    }
    bad
}
