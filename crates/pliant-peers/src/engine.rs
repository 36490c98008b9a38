//! What the harness asks of an engine.

/// An engine with its scene set up, ready to be stepped.
pub trait Engine {
    /// Moves the scene one frame on. Nothing else is timed.
    fn step(&mut self);

    /// How high the body stands now, as part of its height at rest.
    fn height_ratio(&self) -> f64;

    /// How many points are simulated.
    fn nodes(&self) -> usize;

    /// How far apart bodies are that touch, as part of what they would be at rest: below 1 they are in each other.
    fn apart(&self) -> f64 {
        1.0
    }
}

/// The layers of points that a body's height is measured between.
///
/// Means of whole layers: a corner that curls up or a single point that digs in says nothing of whether the body stands.
pub struct Layers {
    bottom: Vec<usize>,
    top: Vec<usize>,
    rest_height: f64,
}

impl Layers {
    /// The lowest and the highest layer of points at rest, given their heights.
    pub fn new(heights: &[f64]) -> Self {
        let low = heights.iter().copied().fold(f64::MAX, f64::min);
        let high = heights.iter().copied().fold(f64::MIN, f64::max);
        let near = 1e-3 * (high - low);
        let layer = |at: f64| (0..heights.len()).filter(|&i| (heights[i] - at).abs() < near).collect();
        let mut layers = Self { bottom: layer(low), top: layer(high), rest_height: 1.0 };
        layers.rest_height = layers.ratio(|i| heights[i]);
        layers
    }

    /// The height now, as part of that at rest.
    pub fn ratio(&self, height: impl Fn(usize) -> f64) -> f64 {
        let mean = |layer: &[usize]| layer.iter().map(|&i| height(i)).sum::<f64>() / layer.len() as f64;
        (mean(&self.top) - mean(&self.bottom)) / self.rest_height
    }
}
