"""Path finding in a maze: the distance of every cell to the exit, by waves over the whole grid, and the way out.

Plain NumPy as people write it. `CASES` tells `np2torch verify` what to call the functions with.
"""

import numpy as np

MAZE = """
#####################
#S      #       #   #
# ##### # ##### # # #
# #   # # #   #   # #
# # # # # # # ##### #
#   # #   # #     # #
##### ##### ##### # #
#   #     #     #   #
# # ##### ##### ### #
# #         #     #E#
#####################
"""
STEPS = np.array([[-1, 0], [0, 1], [1, 0], [0, -1]])


def parse(text):
    """Where one can walk, the start and the exit."""
    lines = text.strip().split("\n")
    codes = np.array([[ord(sign) for sign in line] for line in lines], dtype=np.int64)
    start = np.argwhere(codes == ord("S"))[0]
    goal = np.argwhere(codes == ord("E"))[0]
    return codes != ord("#"), start, goal


def distances(free, goal):
    """The number of steps from each cell to the goal; -1 where there is no way."""
    steps = np.full(free.shape, -1)
    front = np.zeros(free.shape, dtype=bool)
    front[goal[0], goal[1]] = True
    count = 0
    while front.any():
        steps[front] = count
        spread = np.zeros_like(front)
        spread[1:] |= front[:-1]
        spread[:-1] |= front[1:]
        spread[:, 1:] |= front[:, :-1]
        spread[:, :-1] |= front[:, 1:]
        front = spread & free & (steps < 0)
        count += 1
    return steps


def way_out(steps, start):
    """The cells of a shortest way from a start to the goal; an empty way where there is none."""
    height, width = steps.shape
    place = start.copy()
    left = int(steps[place[0], place[1]])
    way = np.empty((max(left + 1, 0), 2), dtype=int)
    for i in range(left + 1):
        way[i] = place
        near = place + STEPS
        inside = ((near >= 0) & (near < [height, width])).all(axis=1)
        near = near[inside]
        around = steps[near[:, 0], near[:, 1]]
        closer = near[around == left - i - 1]
        if len(closer) > 0:
            place = closer[0]
    return way


def turns(way):
    """How often a way changes its direction."""
    moves = np.diff(way, axis=0)
    return np.count_nonzero((moves[1:] != moves[:-1]).any(axis=1))


CASES = {
    "parse": [(MAZE,), ("S #\n# E",)],
    "distances": [(np.ones((3, 4), dtype=bool), np.array([0, 2])), (np.eye(3) > 0, np.array([1, 1]))],
    "way_out": [(np.array([[2, 1, 0], [3, -1, 1]]), np.array([1, 0])), (np.array([[-1, 0]]), np.array([0, 0]))],
    "turns": [(np.array([[0, 0], [0, 1], [1, 1], [1, 2]]),), (np.array([[0, 0], [0, 1]]),)],
}


if __name__ == "__main__":
    free, start, goal = parse(MAZE)
    steps = distances(free, goal)
    way = way_out(steps, start)
    print(f"{len(way) - 1} steps, {turns(way)} turns, the farthest cell is {steps.max()} steps away")
    drawn = np.where(free, ord(" "), ord("#"))
    drawn[way[:, 0], way[:, 1]] = ord(".")
    for row in drawn.tolist():
        print("".join(map(chr, row)))
