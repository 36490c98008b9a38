// The floor and the sky, where no body is seen: both are parts of the picture's plane, so that nothing has to
// be clipped. See `cpu/floor.rs`.

@group(0) @binding(1) var sharp_map: texture_2d<f32>;
@group(0) @binding(2) var soft_map: texture_2d<f32>;
@group(0) @binding(3) var linear_sampler: sampler;

struct Corner {
    @builtin(position) clip: vec4f,
    @location(0) ray: vec3f,
}

// A band of the picture; its depth is that of what is endlessly far.
fn band(index: u32, low: f32, high: f32) -> Corner {
    let x = select(-1.0, 1.0, index % 2u == 1u);
    let y = select(low, high, index / 2u == 1u);
    return Corner(vec4f(x, y, 0.0, 1.0), frame.forward.xyz + frame.right.xyz * x + frame.up.xyz * y);
}

struct SkyCorner {
    @builtin(position) clip: vec4f,
    @location(0) color: vec3f,
}

// A grid fine enough that colours between its corners need no arithmetic a pixel.
@vertex
fn vs_sky(@builtin(vertex_index) index: u32) -> SkyCorner {
    let cell = index / 6u;
    let k = index % 6u;
    // Two triangles: corners 0 1 2 and 2 1 3.
    let right = select(0u, 1u, k == 1u || k == 4u || k == 5u);
    let high = select(0u, 1u, k == 2u || k == 3u || k == 5u);
    let at = vec2f(f32(cell % SKY_CELLS + right), f32(cell / SKY_CELLS + high)) / f32(SKY_CELLS);
    let low = select(-1.0, frame.picture.z, frame.level.y > 0.0);
    let x = at.x * 2.0 - 1.0;
    let y = mix(low, 1.0, at.y);
    let ray = frame.forward.xyz + frame.right.xyz * x + frame.up.xyz * y;
    let slope = ray.y * inverseSqrt(dot(ray, ray));
    let color = developed(surroundings(max(slope, -1.0 + frame.level.y)));
    return SkyCorner(vec4f(x, y, 0.0, 1.0), color.rgb);
}

@fragment
fn fs_sky(in: SkyCorner) -> @location(0) vec4f {
    return vec4f(in.color, 1.0);
}

@vertex
fn vs_floor(@builtin(vertex_index) index: u32) -> Corner {
    return band(index, -1.0, frame.picture.z);
}

// How much darker every other square is.
const CHECKER: f32 = 0.07;
// Half width of the lines between squares, in squares.
const LINE: f32 = 0.008;

fn triangle_wave(x: vec2f) -> vec2f {
    return abs(fract(0.5 * x) - 0.5);
}

// A checker with fine lines, filtered to the size of a pixel.
fn checker(at: vec2f, width: vec2f) -> f32 {
    let inverse = 1.0 / width;
    let fade = vec2f(1.0) - smoothstep(vec2f(0.5), vec2f(2.0), width);
    let tiles = 2.0 * (triangle_wave(at - 0.5 * width) - triangle_wave(at + 0.5 * width)) * inverse * fade;
    let off = abs(at - floor(at + 0.5));
    let most = min(2.0 * LINE * inverse, vec2f(1.0));
    let covered = clamp((LINE + 0.5 * width - off) * inverse, vec2f(0.0), most);
    let lines = vec2f(1.0) - covered * (vec2f(1.0) - smoothstep(vec2f(0.2), vec2f(0.8), width));
    return 1.0 - CHECKER * (0.5 - 0.5 * tiles.x * tiles.y) - 0.10 * (1.0 - lines.x * lines.y);
}

fn within(at: vec2f) -> f32 {
    let off = abs(at - 0.5);
    return select(0.0, 1.0, max(off.x, off.y) < 0.5);
}

@fragment
fn fs_floor(in: Corner) -> @location(0) vec4f {
    // Just above zero at the horizon itself, where the floor has long faded.
    let along = (frame.level.x - frame.eye.y) / min(in.ray.y, -1e-6);
    let point = vec4f(frame.eye.xyz + in.ray * along, 1.0);

    let on_light = vec2f(dot(frame.light_u, point), dot(frame.light_v, point));
    let on_below = vec2f(dot(frame.below_u, point), dot(frame.below_v, point));
    let sharp = textureSampleLevel(sharp_map, linear_sampler, on_light, 0.0).r;
    let soft = textureSampleLevel(soft_map, linear_sampler, on_light, 0.0).rg;
    let contact = textureSampleLevel(soft_map, linear_sampler, on_below, 0.0).b;
    // The soft shadow takes over where the body is a sixth of the scene above the floor.
    let blend = clamp(6.0 * soft.g / max(soft.r, 1e-4), 0.0, 1.0);
    let key = 1.0 - mix(sharp, soft.r, blend) * within(on_light);
    let sky = 1.0 - contact * within(on_below);

    let at = point.xz * frame.pattern.w;
    let light = frame.floor_key.rgb * key + frame.floor_sky.rgb * sky;
    let color = light * checker(at, fwidth(at) + 1e-4);
    let off = (point.xz - frame.pattern.xy) * frame.pattern.z;
    let far = smooth01((dot(off, off) - 0.05) / 0.95);
    return developed(mix(color, frame.horizon.rgb, far));
}
