# A shot of billiards. The aim of the cue ball decides
# where the other ball goes after the collision.
import eglantine as eg

RADIUS = 0.03
Ball = {"x": eg.Vec(2, eg.Real), "v": eg.Vec(2, eg.Real)}


@eg.fn
def collide(a: Ball, b: Ball, dt: eg.Real) -> Ball:
    away = b["x"] - a["x"]
    distance = eg.norm(away)
    along = away / distance
    speed = eg.dot(b["v"] - a["v"], along)
    hit = (distance < 2 * RADIUS) & (speed < 0)
    v = b["v"] - eg.select(hit, speed, 0.0) * along
    return {"x": b["x"] + dt * v, "v": v}


@eg.fn
def miss(aim: eg.Real) -> eg.Real:
    cue = {"x": [0.0, 0.0], "v": [eg.math.cos(aim), eg.math.sin(aim)]}
    ball = {"x": [0.05, 0.02], "v": [0.0, 0.0]}
    after = collide(cue, ball, 0.5)
    return eg.norm(after["x"] - eg.asarray([0.5, 0.25]))


print("off by", miss(0.2), "and its slope", eg.grad(miss)(0.2))
