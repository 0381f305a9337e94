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

/** The next state, or null if illegal. A repeated move is illegal too, unless the table has it. */
export const stateAfter = <State extends string, Action extends string>(
  table: readonly Move<State, Action>[],
  from: State,
  action: Action,
  mover: Mover,
): State | null => {
  const move = table.find(([before, name, who]) => before === from && name === action && who === mover);
  return move ? move[3] : null;
};

/** The next state, or null if illegal (a 409). Repeating a completed move is a no-op (product.md, States). */
export function nextState<State extends string, Action extends string>(
  table: readonly Move<State, Action>[],
  from: State,
  action: Action,
  mover: Mover,
): State | null {
  const isRepeat = table.some(([, name, who, after]) => name === action && who === mover && after === from);
  return stateAfter(table, from, action, mover) ?? (isRepeat ? from : null);
}
