//! The list of models, and all that these contracts know of any of them. Nothing else here names a model: one that is added to
//! the list is held to all of them.

#![allow(dead_code, clippy::allow_attributes, reason = "each test binary uses a part of it")]

use pliant::{
    Body, BodyBuilder, BodyError, ClusterSettings, Clustering, ElementSettings, ElementSolver,
    HierarchySettings, LatticeSettings, Matching, Material, ModelSettings, OctreeSettings, ParticleSettings,
    Plasticity, Rule, Solver, SpringSettings, Thresholds, TriMesh,
};

/// A model.
pub struct Entry {
    /// Its word.
    pub word: &'static str,
    /// Its settings for nodes about that many metres apart.
    pub at: fn(f32) -> Wanted,
    /// Other settings for the same, as different as they can be.
    pub others: fn(f32) -> Vec<Wanted>,
    /// A material, from as soft (0) to as stiff (1) as the model can have it.
    pub elastic: fn(f32) -> Material,
    /// A material that keeps its dents, if the model can have one.
    pub plastic: Option<fn() -> Material>,
    /// Settings that must be refused for a box of 1 m, each with what the error must name.
    pub bad: fn() -> Vec<(&'static str, Wanted)>,
}

/// Settings of a model, and rules for where the body is fine.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    pub model: ModelSettings,
    pub rules: Vec<Rule>,
}

impl Wanted {
    fn new(model: impl Into<ModelSettings>) -> Self {
        Self { model: model.into(), rules: Vec::new() }
    }

    /// What a body has.
    pub fn of(body: &Body) -> Self {
        Self { model: body.model_settings(), rules: body.adaptivity.rules().to_vec() }
    }

    /// A body with them.
    pub fn builder(&self, mesh: TriMesh) -> BodyBuilder {
        Body::builder(mesh).model(self.model.clone()).refine(self.rules.iter().cloned())
    }

    /// Gives them to a body that lives.
    pub fn remodel(&self, body: &mut Body) -> Result<(), BodyError> {
        body.remodel_with(&self.model, self.rules.clone())
    }
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
        at: |cell| {
            octree(
                OctreeSettings { cell: Some(cell), levels: Some(1), width: Some(2.0 * cell), slack: 0.5 },
                cell,
            )
        },
        others: other_octrees,
        elastic: matched,
        plastic: Some(dented),
        bad: bad_octrees,
    },
    Entry {
        word: "hierarchy",
        at: |cell| hierarchy(cell, 3, Solver::Adaptive),
        others: |cell| vec![hierarchy(cell, 2, Solver::Hierarchical), hierarchy(cell, 1, Solver::Naive)],
        elastic: matched,
        plastic: None,
        bad: bad_hierarchies,
    },
    Entry {
        word: "elements",
        at: |cell| elements(cell, ElementSolver::Implicit),
        others: |cell| {
            [ElementSolver::Explicit, ElementSolver::SemiImplicit]
                .map(|solver| elements(cell, solver))
                .to_vec()
        },
        elastic: matched,
        plastic: Some(dented),
        bad: bad_elements,
    },
    Entry {
        word: "springs",
        at: |spacing| springs(spacing, 32),
        others: |spacing| vec![springs(spacing, 20), springs(spacing, 60)],
        elastic: matched,
        plastic: None,
        bad: || [0, 2, 65, u32::MAX].map(|neighbors| ("neighbors", springs(0.2, neighbors))).to_vec(),
    },
];

impl Entry {
    /// A body of the model with nodes about that many metres apart.
    pub fn body(&self, mesh: TriMesh, spacing: f32) -> BodyBuilder {
        (self.at)(spacing).builder(mesh)
    }

    /// All settings for nodes about that many metres apart.
    pub fn settings(&self, spacing: f32) -> Vec<Wanted> {
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

/// Of shape matching.
fn matched(stiffness: f32) -> Material {
    Material::default().with_alpha(stiffness)
}

fn dented() -> Material {
    let plasticity = Some(Plasticity { yield_strain: 0.05, creep_per_sec: 2.0, max_strain: 0.6 });
    matched(0.5).with_plasticity(plasticity)
}

fn clusters(spacing: f32, clustering: Clustering) -> Wanted {
    let particles = ParticleSettings { spacing: Some(spacing), ..ParticleSettings::default() };
    Wanted::new(ClusterSettings { particles, clustering, ..ClusterSettings::default() })
}

fn other_clusters(spacing: f32) -> Vec<Wanted> {
    let particles = ParticleSettings { spacing: Some(spacing), ..ParticleSettings::default() };
    let bending = ClusterSettings { particles, matching: Matching::Quadratic, ..ClusterSettings::default() };
    vec![Wanted::new(bending), clusters(spacing, Clustering::Grid { cells: [2, 1, 2], overlap: 0.5 })]
}

fn springs(spacing: f32, neighbors: u32) -> Wanted {
    let particles = ParticleSettings { spacing: Some(spacing), ..ParticleSettings::default() };
    Wanted::new(SpringSettings { particles, neighbors })
}

fn lattice(cell: f32, width: f32) -> Wanted {
    Wanted::new(LatticeSettings { cell: Some(cell), width: Some(width) })
}

fn hierarchy(cell: f32, levels: u32, solver: Solver) -> Wanted {
    let settings = HierarchySettings { cell: Some(cell), levels: Some(levels), solver, ..Default::default() };
    Wanted::new(settings)
}

fn elements(cell: f32, solver: ElementSolver) -> Wanted {
    Wanted::new(ElementSettings { cell: Some(cell), solver, ..ElementSettings::default() })
}

fn bad_elements() -> Vec<(&'static str, Wanted)> {
    let sound = ElementSettings { cell: Some(0.2), ..ElementSettings::default() };
    let iterations = |iterations| ("iterations", Wanted::new(ElementSettings { iterations, ..sound }));
    let tolerance = |tolerance| ("tolerance", Wanted::new(ElementSettings { tolerance, ..sound }));
    let mut bad = [0, 10_001, u32::MAX].map(iterations).to_vec();
    bad.extend([0.0, -1.0, 1.0, f32::NAN].map(tolerance));
    bad
}

fn other_octrees(spacing: f32) -> Vec<Wanted> {
    let uniform =
        OctreeSettings { cell: Some(spacing), levels: Some(0), width: Some(2.0 * spacing), slack: 0.0 };
    let coarse =
        OctreeSettings { cell: Some(0.25 * spacing), levels: Some(2), width: Some(spacing), slack: 0.5 };
    [uniform, coarse].map(Wanted::new).to_vec()
}

fn octree(settings: OctreeSettings, size: f32) -> Wanted {
    Wanted { rules: vec![Rule::Surface { size }], ..Wanted::new(settings) }
}

fn bad_clusters() -> Vec<(&'static str, Wanted)> {
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
        let stretched = ClusterSettings { min_stretch, ..ClusterSettings::default() };
        bad.push(("min_stretch", Wanted::new(stretched)));
    }
    bad
}

fn bad_lattices() -> Vec<(&'static str, Wanted)> {
    let width = |width: f32| ("width", lattice(0.2, width));
    [0.0, -1.0, f32::NAN, f32::INFINITY].map(width).to_vec()
}

fn bad_hierarchies() -> Vec<(&'static str, Wanted)> {
    let sound = HierarchySettings { cell: Some(0.2), ..HierarchySettings::default() };
    let with = |thresholds: Thresholds| Wanted::new(HierarchySettings { thresholds, ..sound });
    let mut bad: Vec<_> = [0, 13, u32::MAX]
        .map(|levels| ("levels", Wanted::new(HierarchySettings { levels: Some(levels), ..sound })))
        .to_vec();
    bad.extend([0, 10_001].map(|cycles| ("cycles", Wanted::new(HierarchySettings { cycles, ..sound }))));
    for value in [-0.1, 1.0, f32::NAN] {
        bad.push(("reduction", with(Thresholds { reduction: value, ..sound.thresholds })));
        bad.push(("origination", with(Thresholds { origination: value, ..sound.thresholds })));
    }
    for subdivision in [-1.0, f32::NAN, f32::INFINITY] {
        bad.push(("subdivision", with(Thresholds { subdivision, ..sound.thresholds })));
    }
    bad
}

fn bad_octrees() -> Vec<(&'static str, Wanted)> {
    let sound = OctreeSettings { cell: Some(0.2), levels: Some(1), width: Some(0.4), slack: 0.5 };
    let mut bad = Vec::new();
    for width in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        bad.push(("width", octree(OctreeSettings { width: Some(width), ..sound }, 0.2)));
    }
    for slack in [-1.0, 5.0, f32::NAN, f32::INFINITY] {
        bad.push(("slack", octree(OctreeSettings { slack, ..sound }, 0.2)));
    }
    for levels in [9, u32::MAX] {
        bad.push(("levels", octree(OctreeSettings { levels: Some(levels), ..sound }, 0.2)));
    }
    for size in [0.0, -1.0, f32::NAN] {
        bad.push(("size", octree(sound, size)));
    }
    bad
}
