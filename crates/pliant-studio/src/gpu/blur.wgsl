// Soft outlines of what throws shadows on the floor.

@group(0) @binding(1) var first: texture_2d<f32>;
@group(0) @binding(2) var second: texture_2d<f32>;
@group(0) @binding(3) var linear_sampler: sampler;

struct Corner {
    @builtin(position) clip: vec4f,
    @location(0) at: vec2f,
}

@vertex
fn vs_whole(@builtin(vertex_index) index: u32) -> Corner {
    let at = vec2f(f32(index / 2u) * 2.0, f32(index % 2u) * 2.0);
    return Corner(vec4f(at.x * 2.0 - 1.0, 1.0 - at.y * 2.0, 0.0, 1.0), at);
}

// One over twice the variance, in texels of the target: three box blurs of the software renderer.
const SHARP: f32 = 1.0 / 12.0;
// What is left to do after SHARP, at half the size.
const SOFT: f32 = 1.0 / 18.0;
const CONTACT: f32 = 1.0 / 15.0;

fn sharp(at: vec2f, step: vec2f) -> vec4f {
    var sum = vec4f(0.0);
    var total = 0.0;
    for (var i = -7; i <= 7; i++) {
        let weight = exp(-SHARP * f32(i * i));
        sum += textureSampleLevel(first, linear_sampler, at + step * f32(i), 0.0) * weight;
        total += weight;
    }
    return sum / total;
}

@fragment
fn fs_sharp_across(in: Corner) -> @location(0) vec4f {
    return sharp(in.at, vec2f(1.0 / f32(SHARP_SIDE), 0.0));
}

@fragment
fn fs_sharp_down(in: Corner) -> @location(0) vec4f {
    return sharp(in.at, vec2f(0.0, 1.0 / f32(SHARP_SIDE)));
}

// Red and green go on from the sharp outline, blue is contact.
@fragment
fn fs_soft_across(in: Corner) -> @location(0) vec4f {
    var sum = vec3f(0.0);
    var total = vec2f(0.0);
    for (var i = -8; i <= 8; i++) {
        let weight = vec2f(exp(-SOFT * f32(i * i)), exp(-CONTACT * f32(i * i)));
        let at = in.at + vec2f(f32(i) / f32(SOFT_SIDE), 0.0);
        let outline = textureSampleLevel(first, linear_sampler, at, 0.0).rg;
        let contact = textureSampleLevel(second, linear_sampler, at, 0.0).r;
        sum += vec3f(outline * weight.x, contact * weight.y);
        total += weight;
    }
    return vec4f(sum / total.xxy, 1.0);
}

@fragment
fn fs_soft_down(in: Corner) -> @location(0) vec4f {
    var sum = vec3f(0.0);
    var total = vec2f(0.0);
    for (var i = -8; i <= 8; i++) {
        let weight = vec2f(exp(-SOFT * f32(i * i)), exp(-CONTACT * f32(i * i)));
        let at = in.at + vec2f(0.0, f32(i) / f32(SOFT_SIDE));
        sum += textureSampleLevel(first, linear_sampler, at, 0.0).rgb * weight.xxy;
        total += weight;
    }
    return vec4f(sum / total.xxy, 1.0);
}
