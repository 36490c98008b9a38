// What throws shadows, as the light sees it and as the floor sees it.

struct Caster {
    @builtin(position) clip: vec4f,
    // Height above the floor: along the light in widths of its map, or straight up in metres.
    @location(0) height: f32,
}

@vertex
fn vs_light(@location(0) position: vec3f, @location(3) offset: vec3f) -> Caster {
    let p = vec4f(position + offset, 1.0);
    let at = vec2f(dot(frame.light_u, p), dot(frame.light_v, p));
    // What is out of reach still throws its shadow if it is above the map.
    let depth = clamp(dot(frame.light_depth, p), 0.0, 1.0);
    let lift = (p.y - frame.level.x) * frame.floor_key.w;
    return Caster(vec4f(at.x * 2.0 - 1.0, 1.0 - at.y * 2.0, depth, 1.0), lift);
}

@fragment
fn fs_light(in: Caster) -> @location(0) vec4f {
    return vec4f(1.0, clamp(in.height, 0.0, 1.0), 0.0, 1.0);
}

@vertex
fn vs_below(@location(0) position: vec3f, @location(3) offset: vec3f) -> Caster {
    let p = vec4f(position + offset, 1.0);
    let at = vec2f(dot(frame.below_u, p), dot(frame.below_v, p));
    let gap = max(p.y - frame.level.x, 0.0) * frame.level.w;
    // Six times higher than contact reaches nothing is seen of it: clipped.
    return Caster(vec4f(at.x * 2.0 - 1.0, 1.0 - at.y * 2.0, gap / 6.0, 1.0), gap);
}

@fragment
fn fs_below(in: Caster) -> @location(0) vec4f {
    return vec4f(0.75 * exp(-in.height), 0.0, 0.0, 1.0);
}
