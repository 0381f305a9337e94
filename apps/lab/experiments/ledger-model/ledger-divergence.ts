export class DivergenceError extends Error {}

export function agree(label: string, got: unknown, expected: unknown): void {
  const have = JSON.stringify(got);
  const want = JSON.stringify(expected);
  if (have !== want) throw new DivergenceError(`${label}: the ledger says ${have}, the model ${want}`);
}
