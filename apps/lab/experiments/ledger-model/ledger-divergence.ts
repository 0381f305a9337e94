/** The ledger and its model disagree; the message says how. */
export class Divergence extends Error {}

/** Asserts that the ledger returns what the model does. @throws Divergence */
export function agree(what: string, got: unknown, wanted: unknown): void {
  const [have, want] = [JSON.stringify(got), JSON.stringify(wanted)];
  if (have !== want) throw new Divergence(`${what}: the ledger says ${have}, the model ${want}`);
}
