import type { OperationMeta } from '@nearhand/contract/operation';

type Route = { method?: string; path?: string };

/** The writes that are open to guests, as `POST /api/path`: their bodies are read without a session, if small. */
export function guestWritesOf(router: object): ReadonlySet<string> {
  const found = new Set<string>();
  const walk = (part: object) => {
    const orpc = (part as { '~orpc'?: { route: Route; meta: OperationMeta } })['~orpc'];
    if (!orpc) {
      for (const inner of Object.values(part)) if (typeof inner === 'object' && inner !== null) walk(inner);
      return;
    }
    const { method = 'POST', path = '' } = orpc.route;
    if (method !== 'GET' && orpc.meta.access === 'public') found.add(`${method} /api${path}`);
  };
  walk(router);
  return found;
}
