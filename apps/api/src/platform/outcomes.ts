type Handler = (...args: never[]) => Promise<unknown>;

/** A domain's port for news that must reach a later domain in the same transaction (docs/architecture.md, Domains). */
export type Outcomes<T extends Record<string, Handler>> = {
  /** Names the handler of every outcome; called once, by `wire-outcomes.ts`. */
  wire(handlers: T): void;
  /** The wired handlers. @throws when nothing was wired yet */
  readonly on: T;
};

/** Makes the port of one domain. The later domains supply plain functions, so an outcome is an ordinary call that shares `tx`. */
export function createOutcomes<T extends Record<string, Handler>>(domain: string): Outcomes<T> {
  let wired: T | null = null;
  return {
    wire(handlers) {
      wired = handlers;
    },
    get on() {
      if (wired === null) throw new Error(`The outcomes of ${domain} are not wired; import wire-outcomes.ts`);
      return wired;
    },
  };
}
