export class DivergenceError extends Error {}

export function agree(what: string, got: unknown, wanted: unknown): void {
  const have = JSON.stringify(got);
  const want = JSON.stringify(wanted);
  if (have !== want) throw new DivergenceError(`${what}: the ledger says ${have}, the model ${want}`);
}
