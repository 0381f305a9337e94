type Handler = (...args: never[]) => Promise<unknown>;
type HandlerOf<Event> = Event extends (...args: infer Args) => Promise<void>
  ? (...args: Args) => Promise<unknown>
  : never;
/** The function behind each event, or several, which run one after another in the order of the list. */
type Handlers<Events> = { [K in keyof Events]: HandlerOf<Events[K]> | readonly HandlerOf<Events[K]>[] };

/**
 * A domain's port for later domains, called in the same transaction (docs/architecture.md, Domains). An event says
 * that something happened and has any number of handlers. A need is a question or a request: one function serves it,
 * and its caller relies on the answer or the error.
 */
export type Hooks<Events, Needs> = {
  register(hooks: { on: Handlers<Events>; needs: Needs }): void;
  readonly on: Events;
  readonly needs: Needs;
};

export function createHooks<
  Events extends Record<string, (...args: never[]) => Promise<void>>,
  Needs extends Record<string, Handler> = Record<never, Handler>,
>(domain: string): Hooks<Events, Needs> {
  let registered: { on: Events; needs: Needs } | null = null;
  const hooks = () => {
    if (registered === null)
      throw new Error(`The hooks of ${domain} are not registered; import register-hooks.ts`);
    return registered;
  };
  return {
    register({ on, needs }) {
      const events = Object.entries<Handler | readonly Handler[]>(on);
      registered = {
        on: Object.fromEntries(
          events.map(([name, handlers]) => [name, inOrder(handlers)]),
        ) as unknown as Events,
        needs,
      };
    },
    get on() {
      return hooks().on;
    },
    get needs() {
      return hooks().needs;
    },
  };
}

function inOrder(handlers: Handler | readonly Handler[]): Handler {
  if (typeof handlers === 'function') return handlers;
  return async (...args) => {
    for (const handler of handlers) await handler(...args);
  };
}
