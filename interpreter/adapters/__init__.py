"""adapters: games of ours as other ecosystems expect them. In: a game. Out: an OpenSpiel game, a PettingZoo environment.

Each needs its extra (`[spiel]`, `[rl]`); the rest of the package imports none of this.
"""
