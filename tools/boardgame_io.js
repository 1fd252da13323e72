// boardgame_io: in, a number of games; out, the processor seconds that as many random games of tic-tac-toe take.
// The game is the one of boardgame.io's own tutorial.
const { Client } = require("boardgame.io/client");
const { INVALID_MOVE } = require("boardgame.io/core");

const LINES = [
  [0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6],
];
const game = {
  setup: () => ({ cells: Array(9).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    mark: ({ G, playerID }, cell) => {
      if (G.cells[cell] !== null) return INVALID_MOVE;
      G.cells[cell] = playerID;
    },
  },
  endIf: ({ G, ctx }) => {
    const full = (line) => G.cells[line[0]] !== null && line.every((cell) => G.cells[cell] === G.cells[line[0]]);
    if (LINES.some(full)) return { winner: ctx.currentPlayer };
    if (G.cells.every((cell) => cell !== null)) return { draw: true };
  },
};

process.env.NODE_ENV = "production";
const games = Number(process.argv[2]);
const client = Client({ game, debug: false });
const before = process.cpuUsage();
for (let i = 0; i < games; i++) {
  client.reset();
  for (let state = client.getState(); !state.ctx.gameover; state = client.getState()) {
    const free = state.G.cells.flatMap((owner, cell) => (owner === null ? [cell] : []));
    client.moves.mark(free[Math.floor(Math.random() * free.length)]);
  }
}
const used = process.cpuUsage(before);
console.log(JSON.stringify({ seconds: (used.user + used.system) / 1e6 }));
