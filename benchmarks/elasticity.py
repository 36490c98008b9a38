#!/usr/bin/env python3
"""Short, thick beams by finite elements: what `pliant bench materials` is compared with where beam theory ends.

Needs scikit-fem (`pip install scikit-fem`); without it nothing is done and the numbers kept in elasticity.txt stay. A beam of
square section is held at one end face and loaded by its weight, along it (hung) or across it (bent). Quadratic hexahedra, linear
elasticity. Each line: length / thickness, Poisson's ratio, and how far the free end face comes in the mean as part of what
beam theory (with shear) says.
"""

import sys
from pathlib import Path

try:
    import numpy as np
    from skfem import Basis, ElementHex2, ElementVector, LinearForm, MeshHex, asm, condense, solve
    from skfem.models.elasticity import lame_parameters, linear_elasticity
except ImportError:
    print("scikit-fem is not installed: nothing was checked")
    sys.exit(0)

THICKNESS = 1.0
CELLS = 4
CASES = [(length, ratio) for length in (0.5, 1.0) for ratio in (0.0, 0.3, 0.45)]


def ends(length, ratio):
    """How far the end comes under a unit weight per volume and a unit modulus, along the beam and across it."""
    along = max(int(round(CELLS * length)), 4)
    lines = [np.linspace(0, length, along + 1)] + 2 * [np.linspace(-0.5, 0.5, CELLS + 1)]
    mesh = MeshHex.init_tensor(*lines)
    basis = Basis(mesh, ElementVector(ElementHex2()))
    stiffness = asm(linear_elasticity(*lame_parameters(1.0, ratio)), basis)
    held = basis.get_dofs(lambda x: np.isclose(x[0], 0.0))
    found = []
    for axis in (0, 1):
        weight = asm(LinearForm(lambda v, _, axis=axis: v[axis]), basis)
        moved = solve(*condense(stiffness, weight, D=held))
        face = basis.boundary(mesh.facets_satisfying(lambda x: np.isclose(x[0], length)))
        mean = asm(LinearForm(lambda v, _, axis=axis: v[axis]), face)
        found.append(mean @ moved / THICKNESS**2)
    return found


def theory(length, ratio):
    shear = 5 / 6 / (2 * (1 + ratio))
    return length**2 / 2, 12 * length**4 / 8 + length**2 / (2 * shear)


def main():
    lines = ["# length/thickness  Poisson's ratio  hung  bent"]
    for length, ratio in CASES:
        hung, bent = (found / said for found, said in zip(ends(length, ratio), theory(length, ratio)))
        lines.append(f"{length:.1f} {ratio:.2f} {hung:.4f} {bent:.4f}")
    text = "\n".join(lines) + "\n"
    kept = Path(__file__).with_name("elasticity.txt")
    if "--renew" in sys.argv:
        kept.write_text(text)
    print(text, end="")
    if kept.read_text() != text:
        sys.exit("the numbers kept in elasticity.txt are others")


main()
