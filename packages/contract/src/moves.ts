import type { Side } from './sides.ts';

/** The one who makes a move: a side of the record, an operator or a timer (product.md, States). */
export type Mover = Side | 'operator' | 'timer';

/** One row of a state machine: from a state, by an action and a mover, to a state. */
export type Move<State extends string, Action extends string> = readonly [
  from: State,
  action: Action,
  who: Mover,
  to: State,
];

/** The next state, or null if illegal (a 409). Repeating a completed move is a no-op (product.md, States). */
export function nextState<State extends string, Action extends string>(
  table: readonly Move<State, Action>[],
  from: State,
  action: Action,
  mover: Mover,
): State | null {
  const rows = table.filter((move) => move[1] === action && move[2] === mover);
  const move = rows.find(([before]) => before === from);
  if (move) return move[3];
  return rows.some(([, , , after]) => after === from) ? from : null;
}
