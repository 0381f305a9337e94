import type { Contract } from '@nearhand/contract/contract';
import { createORPCClient } from '@orpc/client';
import type { AnyContractRouter, ContractRouterClient } from '@orpc/contract';
import { OpenAPILink } from '@orpc/openapi-client/fetch';
import { createTanstackQueryUtils } from '@orpc/tanstack-query';
import contract from '../../generated/contract.json';
import { session } from '../session.ts';
import { type ApiError, errorFromFailure, errorFromResponse, isApiError } from './api-error.ts';
import { auth } from './auth-port.ts';

/**
 * What a caller may pass besides the input. Give a write its own `idempotencyKey` if it can be resent later (a queue, a draft): the server
 * then runs it once. Without one, each call gets its own key, which also covers a token renewal.
 */
export type ApiContext = { idempotencyKey?: string };

/** Responses contain only JSON types, as the contract sweep checks, so they match the contract's declarations. */
type Client = ContractRouterClient<Contract, ApiContext>;

function writes(path: readonly string[]): boolean {
  const operation = path.reduce<unknown>(
    (part, name) => (part as Record<string, unknown> | undefined)?.[name],
    contract,
  );
  return (operation as { '~orpc'?: { route?: { method?: string } } })?.['~orpc']?.route?.method !== 'GET';
}

const link = new OpenAPILink<ApiContext>(contract as AnyContractRouter, {
  url: () => `${globalThis.location.origin}/api`,
  headers: ({ context }, path) => {
    const token = session.accessToken();
    return {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(writes(path) && context.idempotencyKey ? { 'idempotency-key': context.idempotencyKey } : {}),
    };
  },
  // Error bodies are parsed here, because our `{code, message, requestId, data}` is not oRPC's format.
  fetch: async (request, init) => {
    let response: Response;
    try {
      response = await globalThis.fetch(request, init);
    } catch (failure) {
      throw errorFromFailure(failure);
    }
    if (response.ok) return response;
    const body: unknown = await response.json().catch(() => null);
    throw errorFromResponse(body, response.status);
  },
  interceptors: [
    async ({ next, ...options }) => {
      const context = { idempotencyKey: crypto.randomUUID(), ...options.context };
      const call = () => next({ ...options, context });
      try {
        return await call();
      } catch (error) {
        if (!(await renewed(error))) throw error instanceof Error ? errorFromFailure(error) : error;
        return await call();
      }
    },
  ],
});

/** An access token lives ten minutes: the first call after that is refused once, then resent with a new one. */
async function renewed(error: unknown): Promise<boolean> {
  if (!isApiError(error, 'session/expired', 'session/required') || !session.user()) return false;
  try {
    return (await auth().idToken({ fresh: true })) !== null;
  } catch {
    return false;
  }
}

/** The typed client: `await api.jobs.get({ jobId })`. Rejects with an ApiError. */
export const api: Client = createORPCClient<Client>(link);

/** The same for tanstack-query: `useQuery(apiQuery.jobs.get.queryOptions({ input: { jobId } }))`, `apiQuery.jobs.key()`. */
export const apiQuery = createTanstackQueryUtils(api);

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: ApiError;
  }
}
