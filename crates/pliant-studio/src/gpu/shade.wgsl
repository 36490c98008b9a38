// The colour of a point of a body: see `cpu/shade.rs`, which says why.

fn wrap(cosine: f32, spread: vec3f) -> vec3f {
    let lit = max((vec3f(cosine) + spread) / (1.0 + spread), vec3f(0.0));
    return lit * lit * (1.0 - 0.5 * spread) + lit * (0.5 * spread);
}

fn power4(x: f32) -> f32 {
    let square = x * x;
    return square * square;
}

fn highlight(normal: vec3f, to_eye: vec3f, toward: vec3f) -> f32 {
    let between = to_eye + toward;
    let c = max(dot(normal, between) * inverseSqrt(max(dot(between, between), 1e-12)), 0.0);
    let c16 = power4(power4(c));
    let c64 = power4(c16);
    return 0.10 * c16 + 0.9 * c64 * c64;
}

fn sky_light(point: vec3f, normal: vec3f) -> vec3f {
    let up = 0.5 + 0.5 * normal.y;
    let sky = (frame.zenith.rgb + frame.horizon.rgb) * 0.5;
    let near = frame.level.y * exp(-max(point.y - frame.level.x, 0.0) * frame.level.z);
    let below = frame.ground.rgb * (0.70 - 0.45 * near);
    return mix(below, sky, up) * (0.50 * (1.0 - 0.30 * near * (1.0 - up)));
}

// `normal` and `to_eye` are unit vectors; `shadow` is the share of key light that the map lets through.
fn body_color(point: vec3f, normal: vec3f, to_eye: vec3f, albedo: vec3f, shadow: f32) -> vec3f {
    let away = dot(normal, to_eye);
    let toward_key = dot(normal, frame.key_toward.xyz);
    let certain = smooth01((toward_key + 0.10) / 0.40);
    let lit = 1.0 - (1.0 - shadow) * certain;

    let spread = 0.22 + albedo * 0.42;
    let key = wrap(toward_key, spread) * frame.key_color.rgb * (0.10 + 0.90 * lit);
    let fill = wrap(dot(normal, frame.fill_toward.xyz), spread) * frame.fill_color.rgb;
    let edge = 1.0 - max(away, 0.0);
    let behind = 0.5 + 0.5 * dot(normal, frame.rim_toward.xyz);
    let glow = frame.rim_color.rgb * (edge * edge * (0.35 + 0.65 * behind) * 0.35);
    let diffuse = albedo * ((key + fill + glow) * 0.42 + sky_light(point, normal));

    let fresnel = 0.02 + 0.5 * power4(edge) * edge;
    let mirror = surroundings(normal.y * 2.0 * away - to_eye.y) * fresnel;
    let shine = frame.key_color.rgb * (highlight(normal, to_eye, frame.key_toward.xyz) * lit * 0.34)
        + frame.fill_color.rgb * (highlight(normal, to_eye, frame.fill_toward.xyz) * 0.25)
        + frame.rim_color.rgb * (highlight(normal, to_eye, frame.rim_toward.xyz) * 0.35);
    return diffuse * (1.0 - fresnel) + mirror + shine;
}
