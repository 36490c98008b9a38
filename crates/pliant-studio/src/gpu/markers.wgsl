// Balls and rods that show what tools do: two triangles each, shaded as if they were round.

struct Ball {
    @builtin(position) clip: vec4f,
    @location(0) world: vec3f,
    @location(1) @interpolate(flat) centre: vec3f,
    @location(2) @interpolate(flat) radius: f32,
    @location(3) @interpolate(flat) color: vec3f,
}

struct Depth {
    @location(0) color: vec4f,
    @builtin(frag_depth) depth: f32,
}

fn corner(index: u32) -> vec2f {
    return vec2f(select(-1.0, 1.0, index % 2u == 1u), select(-1.0, 1.0, index / 2u == 1u));
}

// Colours come as square roots, so that a byte is enough for dark ones.
@vertex
fn vs_ball(@builtin(vertex_index) index: u32, @location(0) ball: vec4f, @location(2) root: vec4f) -> Ball {
    let to_eye = frame.eye.xyz - ball.xyz;
    let square = dot(to_eye, to_eye);
    // The tangent cone of the ball, where it meets the plane through its centre; nothing from inside.
    let reach = ball.w * sqrt(square / max(square - ball.w * ball.w, 1e-3 * square));
    let toward = to_eye * inverseSqrt(max(square, 1e-20));
    let across = normalize(cross(frame.up.xyz, toward));
    let at = corner(index) * select(reach, 0.0, square <= ball.w * ball.w);
    let world = ball.xyz + across * at.x + cross(toward, across) * at.y;
    return Ball(frame.clip_from_world * vec4f(world, 1.0), world, ball.xyz, ball.w, root.rgb * root.rgb);
}

@fragment
fn fs_ball(in: Ball) -> Depth {
    let ray = normalize(in.world - frame.eye.xyz);
    let to_centre = in.centre - frame.eye.xyz;
    let nearest = dot(ray, to_centre);
    let off = to_centre - ray * nearest;
    let inside = in.radius * in.radius - dot(off, off);
    // Coverage of the pixel: the outline is as wide as the distance to it changes over a pixel.
    let edge = inside / (2.0 * in.radius);
    let alpha = clamp(0.5 + edge / max(fwidth(edge), 1e-12), 0.0, 1.0);
    if alpha < 0.5 / ALPHA_STEPS {
        discard;
    }
    let point = frame.eye.xyz + ray * (nearest - sqrt(max(inside, 0.0)));
    let normal = normalize(point - in.centre);
    let depth = frame.eye.w / max(dot(point - frame.eye.xyz, frame.forward.xyz), frame.eye.w);
    return Depth(vec4f(developed(body_color(point, normal, -ray, in.color, 1.0)).rgb, alpha), depth);
}

struct Rod {
    @builtin(position) clip: vec4f,
    @location(0) world: vec3f,
    @location(1) side: vec3f,
    @location(2) across: f32,
    @location(3) @interpolate(flat) color: vec3f,
}

@vertex
fn vs_rod(
    @builtin(vertex_index) index: u32,
    @location(0) rod: vec4f,
    @location(1) to: vec3f,
    @location(2) root: vec4f,
) -> Rod {
    let at = corner(index);
    let end = select(rod.xyz, to, at.y > 0.0);
    let to_eye = frame.eye.xyz - end;
    let side = cross(to - rod.xyz, to_eye);
    let unit = side * inverseSqrt(max(dot(side, side), 1e-30));
    // At least a pixel wide: thinner ones would be dotted lines.
    let pixel = length(frame.up.xyz) / frame.picture.y * max(-dot(to_eye, frame.forward.xyz), frame.eye.w);
    let world = end + unit * (at.x * max(rod.w, pixel));
    return Rod(frame.clip_from_world * vec4f(world, 1.0), world, unit, at.x, root.rgb * root.rgb);
}

@fragment
fn fs_rod(in: Rod) -> @location(0) vec4f {
    let to_eye = normalize(frame.eye.xyz - in.world);
    let side = normalize(in.side);
    let facing = normalize(to_eye - side * dot(to_eye, side));
    let normal = side * in.across + facing * sqrt(max(1.0 - in.across * in.across, 0.0));
    return developed(body_color(in.world, normal, to_eye, in.color, 1.0));
}
