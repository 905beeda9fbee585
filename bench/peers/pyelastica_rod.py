"""The common test rod in PyElastica: python3 pyelastica_rod.py CHECKOUT EDGES

Clamped level and let go, one simulated second, undamped: 1 m, radius 5 mm, 1000 kg/m3, E = 1 MPa, nu = 0.5.
Steps of position Verlet are halved from one that is too long until the rod stays finite and its tip is within 5 mm of
the tip at half that step. Prints the processor time of stepping in seconds, the step, and the change of the tip in metres.
"""

import math
import sys
import time

import numpy as np

sys.path.insert(0, sys.argv[1])
import elastica as ea

LENGTH, RADIUS, DENSITY, YOUNG, POISSON = 1.0, 5e-3, 1000.0, 1e6, 0.5
SAMPLES = 100
WITHIN = 5e-3


class Simulator(ea.BaseSystemCollection, ea.Constraints, ea.Forcing):
    pass


def make(edges):
    simulator = Simulator()
    rod = ea.CosseratRod.straight_rod(
        edges, np.zeros(3), np.array([1.0, 0, 0]), np.array([0, 0, 1.0]), LENGTH, RADIUS, DENSITY,
        youngs_modulus=YOUNG, shear_modulus=YOUNG / (2 * (1 + POISSON)))
    simulator.append(rod)
    simulator.constrain(rod).using(
        ea.OneEndFixedBC, constrained_position_idx=(0,), constrained_director_idx=(0,))
    simulator.add_forcing_to(rod).using(ea.GravityForces, acc_gravity=np.array([0, 0, -9.81]))
    simulator.finalize()
    return simulator, rod


def fall(edges, parts):
    """Tips every 10 ms, and the time of stepping; None where the rod does not stay finite."""
    simulator, rod = make(edges)
    stepper = ea.PositionVerlet()
    dt, now, tips, seconds = 0.01 / parts, 0.0, [], 0.0
    for _ in range(SAMPLES):
        start = time.process_time()
        for _ in range(parts):
            now = stepper.step(simulator, now, dt)
        seconds += time.process_time() - start
        tips.append(rod.position_collection[:, -1].copy())
        if not np.isfinite(tips[-1]).all() or np.abs(tips[-1]).max() > 2 * LENGTH:
            return None, seconds
    return np.array(tips), seconds


def main():
    edges = int(sys.argv[2])
    fall(edges, 4)  # compiles
    parts = 2 ** max(2, round(math.log2(edges / 10)))
    before, before_seconds = None, 0.0
    while parts < 1 << 16:
        tips, seconds = fall(edges, parts)
        if tips is not None and before is not None:
            change = np.linalg.norm(tips - before, axis=1).max()
            if change < WITHIN:
                print(before_seconds, 0.01 / (parts // 2), change)
                return
        before, before_seconds = tips, seconds
        parts *= 2
    sys.exit("no step was short enough")


main()
