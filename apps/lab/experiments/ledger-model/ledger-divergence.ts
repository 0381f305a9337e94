/** The ledger and the model of it say different things; the message says which. */
export class Divergence extends Error {}

/** Demands that the ledger answers what the model does. @throws Divergence */
export function agree(what: string, got: unknown, wanted: unknown): void {
  const [have, want] = [JSON.stringify(got), JSON.stringify(wanted)];
  if (have !== want) throw new Divergence(`${what}: the ledger says ${have}, the model ${want}`);
}
