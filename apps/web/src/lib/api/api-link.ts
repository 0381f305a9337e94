import { createORPCClient } from '@orpc/client';
import type { AnyContractRouter } from '@orpc/contract';
import { OpenAPILink } from '@orpc/openapi-client/fetch';
import { firstAnswer } from '../pages/first-answers.ts';
import { session } from '../session.ts';
import { errorFromFailure, errorFromResponse, isApiError } from './api-error.ts';
import { serverOrigin } from './server-address.ts';

/**
 * What a caller may pass besides the input. Give a write its own `idempotencyKey` if it can be resent later (a queue, a draft): the server
 * then runs it once. Without one, each call gets its own key, which also covers a token renewal.
 */
export type ApiContext = { idempotencyKey?: string };

function writes(contract: unknown, path: readonly string[]): boolean {
  const operation = path.reduce<unknown>(
    (part, name) => (part as Record<string, unknown> | undefined)?.[name],
    contract,
  );
  return (operation as { '~orpc'?: { route?: { method?: string } } })?.['~orpc']?.route?.method !== 'GET';
}

type Parts<Context> = {
  renew: () => Promise<string | null>;
  moreHeaders?: (context: Context) => Record<string, string>;
};

/**
 * A client of the operations in `contract`, which is only methods and paths.
 * @param parts.renew gets a new access token; null if the session has ended
 * @param parts.moreHeaders sent with every call, from its context
 */
export function createApi<Client extends object, Context extends ApiContext>(
  contract: unknown,
  { renew, moreHeaders = () => ({}) }: Parts<Context>,
): Client {
  const link = new OpenAPILink<Context>(contract as AnyContractRouter, {
    url: () => `${serverOrigin()}/api`,
    headers: ({ context }, path) => {
      const token = session.accessToken();
      return {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(writes(contract, path) && context.idempotencyKey
          ? { 'idempotency-key': context.idempotencyKey }
          : {}),
        ...moreHeaders(context),
      };
    },
    // Error bodies are parsed here, because our `{code, message, requestId, data}` is not oRPC's format.
    fetch: async (request, init) => {
      const answered = firstAnswer(request);
      if (answered) return answered;
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
          if (!(await renewed(error, renew))) throw error instanceof Error ? errorFromFailure(error) : error;
          return await call();
        }
      },
    ],
  });
  return createORPCClient(link) as unknown as Client;
}

/** An access token lives ten minutes: the first call after that is refused once, then resent with a new one. */
async function renewed(error: unknown, renew: Parts<never>['renew']): Promise<boolean> {
  if (!isApiError(error, 'session/expired', 'session/required') || !session.user()) return false;
  try {
    return (await renew()) !== null;
  } catch {
    return false;
  }
}
