type Handler = (...args: never[]) => Promise<unknown>;

/** A domain's port for later domains, called in the same transaction (docs/architecture.md, Domains). */
export type Hooks<T extends Record<string, Handler>> = {
  register(handlers: T): void;
  readonly on: T;
};

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
