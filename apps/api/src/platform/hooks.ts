type Handler = (...args: never[]) => Promise<unknown>;

/** A domain's port of hooks: news that must reach a later domain in the same transaction (docs/architecture.md, Domains). */
export type Hooks<T extends Record<string, Handler>> = {
  /** Names the handler of every hook; called once, by `register-hooks.ts`. */
  register(handlers: T): void;
  /** The registered handlers. @throws when nothing was registered yet */
  readonly on: T;
};

/** Makes the port of one domain. The later domains supply plain functions, so a hook is an ordinary call that shares `tx`. */
export function createHooks<T extends Record<string, Handler>>(domain: string): Hooks<T> {
  let registered: T | null = null;
  return {
    register(handlers) {
      registered = handlers;
    },
    get on() {
      if (registered === null)
        throw new Error(`The hooks of ${domain} are not registered; import register-hooks.ts`);
      return registered;
    },
  };
}
