// What all shaders of a frame share; the same fields in the same order as `frame::Frame`.
struct Frame {
    clip_from_world: mat4x4f,
    // xyz: where the camera stands; w: the near plane, in metres.
    eye: vec4f,
    // A ray through the picture is forward + right · x + up · y, with x and y from -1 to 1.
    forward: vec4f,
    right: vec4f,
    up: vec4f,
    // Unit vectors toward the lights; key_toward.w: a texel of the light's map, in metres.
    key_toward: vec4f,
    key_color: vec4f,
    fill_toward: vec4f,
    fill_color: vec4f,
    rim_toward: vec4f,
    rim_color: vec4f,
    zenith: vec4f,
    horizon: vec4f,
    ground: vec4f,
    // Place on the light's map: dot(xyz, point) + w, from 0 to 1 across it; depth is 0 at the light.
    light_u: vec4f,
    light_v: vec4f,
    // Here depth is what 1.5 texels along the light make of it: bias = key_color.w.
    light_depth: vec4f,
    // Place on the map seen from below.
    below_u: vec4f,
    below_v: vec4f,
    // Height of the floor, 1 if there is one, one over the height over which it dims the sky,
    // one over the height over which contact dims it.
    level: vec4f,
    // Middle of the floor (x, z), one over its reach, squares in a metre.
    pattern: vec4f,
    // Colour of the bare floor in key light, and in sky light; floor_key.w: what makes a lift of a height.
    floor_key: vec4f,
    floor_sky: vec4f,
    // Pixels across and down, and where on the picture (-1 to 1) the horizon is.
    picture: vec4f,
}

@group(0) @binding(0) var<uniform> frame: Frame;

fn smooth01(x: f32) -> f32 {
    let t = clamp(x, 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
}

// Colour far away in a direction whose vertical part is y, of a unit vector.
fn surroundings(y: f32) -> vec3f {
    let t = clamp(y, 0.0, 1.0);
    let above = mix(frame.horizon.rgb, frame.zenith.rgb, t * (2.0 - t));
    let below = mix(frame.horizon.rgb, frame.ground.rgb, clamp(-3.0 * y, 0.0, 1.0));
    return select(below, above, y >= 0.0);
}

// Bends what is brighter than paper into the range of a screen, then to sRGB: the target holds what a
// screen shows, because egui wants its textures so.
fn developed(linear: vec3f) -> vec4f {
    let knee = 0.72;
    let c = max(linear, vec3f(0.0));
    let over = max(c - knee, vec3f(0.0)) * (1.0 / (1.0 - knee));
    let t = min(c, vec3f(knee)) + over / (over + 1.0) * (1.0 - knee);
    let curve = 1.055 * pow(t, vec3f(1.0 / 2.4)) - 0.055;
    return vec4f(select(curve, t * 12.92, t <= vec3f(0.0031308)), 1.0);
}
