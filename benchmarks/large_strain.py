#!/usr/bin/env python3
"""Bodies that are bent, twisted and pressed a lot, by an independent solver: what the model `elements` is compared with.

Needs scikit-fem (`pip install scikit-fem`); without it nothing is done and the numbers kept in large_strain.txt stay. Static equilibria of a
St. Venant-Kirchhoff material on linear tetrahedra, by Newton's method: Cook's membrane (thick, clamped on the left and sheared on the
right), a bar twisted by 60 degrees, and a block that is pressed by 15 % between plates it sticks to. Meshes are blocks of cells of five
tetrahedra, numbered with x fastest, and mapped. Each line: case, node, displacement. Nodes whose displacement is prescribed are left out.
"""

import sys
from pathlib import Path

try:
    import numpy as np
    from skfem import Basis, BilinearForm, ElementTetP1, ElementVector, LinearForm, MeshTet, condense, solve
    from skfem.helpers import ddot, grad, identity, mul, trace, transpose
    from skfem.models.elasticity import lame_parameters
except ImportError:
    print("scikit-fem is not installed: nothing was checked")
    sys.exit(0)

SPLIT = [[0, 1, 2, 4], [3, 2, 1, 7], [5, 4, 7, 1], [6, 7, 4, 2], [1, 2, 4, 7]]
MODULUS = 1e5


def block(counts, place):
    """Nodes and tetrahedra of a block of cells, whose nodes are where `place` maps shares of its edges to."""
    nx, ny, nz = counts
    z, y, x = np.meshgrid(*(np.arange(n + 1) / n for n in (nz, ny, nx)), indexing="ij")
    nodes = np.array(place(x.ravel(), y.ravel(), z.ravel()))
    tetrahedra = []
    for cell in np.ndindex(nz, ny, nx):
        cz, cy, cx = cell
        number = [cx + (k & 1) + (nx + 1) * (cy + (k >> 1 & 1) + (ny + 1) * (cz + (k >> 2))) for k in range(8)]
        mirrored = sum(cell) & 1
        tetrahedra += [[number[k ^ mirrored] for k in split] for split in SPLIT]
    return MeshTet(nodes, np.array(tetrahedra).T)


def stress(strain, w):
    return w.volume * identity(strain) * trace(strain) + 2 * w.shear * strain


def gradient(w):
    f = grad(w["u"])
    return f + identity(f)


@LinearForm
def forces(v, w):
    f = gradient(w)
    s = stress(0.5 * (mul(transpose(f), f) - identity(f)), w)
    return ddot(mul(f, s), grad(v))


@BilinearForm
def stiffness(u, v, w):
    f, change = gradient(w), grad(u)
    s = stress(0.5 * (mul(transpose(f), f) - identity(f)), w)
    strain = 0.5 * (mul(transpose(f), change) + mul(transpose(change), f))
    return ddot(mul(change, s) + mul(f, stress(strain, w)), grad(v))


def equilibrium(mesh, ratio, held, prescribed, load):
    """Displacements of all nodes, of which `held` are `prescribed`, under `load`; in steps, each solved to rounding."""
    basis = Basis(mesh, ElementVector(ElementTetP1()))
    volume, shear = lame_parameters(MODULUS, ratio)
    dofs = basis.nodal_dofs
    fixed = dofs[:, held].ravel()
    u, steps = basis.zeros(), 8
    for step in range(1, steps + 1):
        part = step / steps
        u[fixed] = part * prescribed[:, held].ravel()
        for _ in range(40):
            at = {"u": basis.interpolate(u), "volume": volume, "shear": shear}
            outer = basis.zeros()
            outer[dofs.ravel()] = part * load.ravel()
            residual = outer - forces.assemble(basis, **at)
            residual[fixed] = 0
            change = solve(*condense(stiffness.assemble(basis, **at), residual, D=fixed))
            u += change
            if np.abs(change).max() < 1e-12:
                break
        else:
            sys.exit("Newton's method does not converge")
    f = gradient({"u": basis.interpolate(u)})
    stretches = np.linalg.svd(np.moveaxis(f[..., 0], -1, 0), compute_uv=False)
    return u[dofs], stretches.min(), stretches.max()


def cook():
    mesh = block((8, 8, 2), lambda x, y, z: (x, (44 * x + (44 - 28 * x) * y) / 48, 0.2 * z))
    end = np.isclose(mesh.p[0], 1)
    y, z = (mesh.p[1] - 44 / 48) / (16 / 48), mesh.p[2] / 0.2
    weight = np.where(np.isclose(y % 1, 0) | np.isclose(y, 1), 0.5, 1) * np.where(np.isclose(z, 0) | np.isclose(z, 1), 0.5, 1)
    load = np.zeros_like(mesh.p)
    load[1, end] = 150 * weight[end] / weight[end].sum()
    return mesh, 0.3, np.isclose(mesh.p[0], 0), np.zeros_like(mesh.p), load


def twisted():
    mesh = block((4, 4, 12), lambda x, y, z: (0.4 * (x - 0.5), 0.4 * (y - 0.5), 1.2 * z))
    x, y, z = mesh.p
    end = np.isclose(z, 1.2)
    turn = np.radians(60)
    moved = np.array([np.cos(turn) * x - np.sin(turn) * y - x, np.sin(turn) * x + np.cos(turn) * y - y, 0 * z])
    return mesh, 0.3, end | np.isclose(z, 0), moved * end, np.zeros_like(mesh.p)


def pressed():
    mesh = block((6, 6, 6), lambda x, y, z: (x, y, z))
    top = np.isclose(mesh.p[1], 1)
    moved = np.zeros_like(mesh.p)
    moved[1, top] = -0.15
    return mesh, 0.4, top | np.isclose(mesh.p[1], 0), moved, np.zeros_like(mesh.p)


def main():
    lines = ["# case  node  displacement"]
    for name, case in (("cook", cook), ("twisted", twisted), ("pressed", pressed)):
        mesh, ratio, held, prescribed, load = case()
        found, least, most = equilibrium(mesh, ratio, held, prescribed, load)
        print(f"{name}: {mesh.p.shape[1]} nodes, stretches {least:.3f} to {most:.3f}, farthest {np.abs(found).max():.3f}")
        for node in np.flatnonzero(~held):
            lines.append(f"{name} {node} " + " ".join(f"{d:.5f}" for d in found[:, node] + 0.0))
    kept = Path(__file__).with_name("large_strain.txt")
    text = "\n".join(lines) + "\n"
    if "--renew" in sys.argv:
        kept.write_text(text)
    numbers = [[float(d) for line in t.splitlines()[1:] for d in line.split()[2:]] for t in (kept.read_text(), text)]
    if len(numbers[0]) != len(numbers[1]) or not np.allclose(*numbers, atol=2e-5):
        sys.exit("the numbers kept in large_strain.txt are others")


if __name__ == "__main__":
    main()
