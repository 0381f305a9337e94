type Handler = (...args: never[]) => Promise<unknown>;

/** The function behind each hook, or several, which run one after another in the order of the list. */
type Handlers<T extends Record<string, Handler>> = {
  [K in keyof T]: ReturnType<T[K]> extends Promise<void> ? T[K] | readonly T[K][] : T[K];
};

/** A domain's port for later domains, called in the same transaction (docs/architecture.md, Domains). */
export type Hooks<T extends Record<string, Handler>> = {
  register(handlers: Handlers<T>): void;
  readonly on: T;
};

export function createHooks<T extends Record<string, Handler>>(domain: string): Hooks<T> {
  let registered: T | null = null;
  return {
    register(handlers) {
      const named = Object.entries<Handler | readonly Handler[]>(handlers);
      registered = Object.fromEntries(named.map(([name, handler]) => [name, inOrder(handler)])) as T;
    },
    get on() {
      if (registered === null)
        throw new Error(`The hooks of ${domain} are not registered; import register-hooks.ts`);
      return registered;
    },
  };
}

function inOrder(handlers: Handler | readonly Handler[]): Handler {
  if (typeof handlers === 'function') return handlers;
  return async (...args) => {
    for (const handler of handlers) await handler(...args);
  };
}
