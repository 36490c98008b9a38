// Bodies and colliders.

@group(0) @binding(1) var light_map: texture_depth_2d;
@group(0) @binding(2) var light_sampler: sampler_comparison;

// Without normals every triangle is shaded flat.
override FLAT: bool = false;

struct Seen {
    @builtin(position) clip: vec4f,
    @location(0) world: vec3f,
    @location(1) normal: vec3f,
    @location(2) color: vec3f,
}

@vertex
fn vs_body(
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) color: vec4f,
    @location(3) offset: vec3f,
) -> Seen {
    let world = position + offset;
    return Seen(frame.clip_from_world * vec4f(world, 1.0), world, normal, clamp(color.rgb, vec3f(0.0), vec3f(1.0)));
}

// Share of key light that reaches a point. Four bilinear comparisons, placed and weighted so that they make
// the mean over 3 × 3 texels, interpolated.
fn shadow_on(point: vec3f, normal: vec3f) -> f32 {
    // Along the normal, so that a surface does not shade itself: about the filter's half width.
    let p = vec4f(point + normal * (2.0 * frame.key_toward.w), 1.0);
    let at = vec2f(dot(frame.light_u, p), dot(frame.light_v, p));
    let depth = clamp(dot(frame.light_depth, p) - frame.key_color.w, 0.0, 1.0);
    let side = f32(LIGHT_SIDE);
    let grid = at * side - 0.5;
    let base = floor(grid);
    let f = grid - base;
    // Texels base - 1 and base weigh 1 - f and 1, base + 1 and base + 2 weigh 1 and f.
    let low = (base - 1.0 + 1.0 / (2.0 - f) + 0.5) / side;
    let high = (base + 1.0 + f / (1.0 + f) + 0.5) / side;
    let lit = (2.0 - f.x) * (2.0 - f.y) * textureSampleCompareLevel(light_map, light_sampler, low, depth)
        + (1.0 + f.x) * (2.0 - f.y) * textureSampleCompareLevel(light_map, light_sampler, vec2f(high.x, low.y), depth)
        + (2.0 - f.x) * (1.0 + f.y) * textureSampleCompareLevel(light_map, light_sampler, vec2f(low.x, high.y), depth)
        + (1.0 + f.x) * (1.0 + f.y) * textureSampleCompareLevel(light_map, light_sampler, high, depth);
    let outside = any(abs(at - 0.5) > vec2f(0.5 - 2.0 / side));
    return select(lit / 9.0, 1.0, outside);
}

// A unit normal toward the eye.
fn seen_normal(in: Seen, to_eye: vec3f, front: bool) -> vec3f {
    var normal = in.normal;
    if FLAT {
        normal = cross(dpdx(in.world), dpdy(in.world));
        normal = normal * sign(dot(normal, to_eye));
    } else {
        normal = select(-normal, normal, front);
    }
    let square = dot(normal, normal);
    normal = select(to_eye, normal * inverseSqrt(square), square > 1e-20);
    // Smooth normals may point away near outlines: bend them back to the edge.
    let away = dot(normal, to_eye);
    return normalize(normal + to_eye * max(0.02 - away, 0.0));
}

@fragment
fn fs_body(in: Seen, @builtin(front_facing) front: bool) -> @location(0) vec4f {
    let to_eye = normalize(frame.eye.xyz - in.world);
    let normal = seen_normal(in, to_eye, front);
    return developed(body_color(in.world, normal, to_eye, in.color, shadow_on(in.world, normal)));
}

// A veil: faint where it faces the eye, clearer along its outline.
@fragment
fn fs_ghost(in: Seen, @builtin(front_facing) front: bool) -> @location(0) vec4f {
    let to_eye = normalize(frame.eye.xyz - in.world);
    let normal = seen_normal(in, to_eye, front);
    let color = developed(body_color(in.world, normal, to_eye, in.color, shadow_on(in.world, normal)));
    let edge = 1.0 - clamp(dot(normal, to_eye), 0.0, 1.0);
    return vec4f(color.rgb, 0.14 + 0.60 * edge * edge);
}
