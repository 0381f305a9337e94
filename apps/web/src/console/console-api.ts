import type { Contract } from '@nearhand/contract/contract';
import { type OperatorContext, operatorHeaders } from '@nearhand/contract/operator-context';
import type { ContractRouterClient } from '@orpc/contract';
import operations from '../generated/console-operations.json';
import { errorFromFailure, errorFromResponse } from '../lib/api/api-error.ts';
import { type ApiContext, createApi } from '../lib/api/client/api-link.ts';
import { createQueries } from '../lib/api/client/operation-queries.ts';
import { session } from '../lib/session.ts';
import { consoleAuth } from './console-auth.ts';
import { isPresent } from './presence.ts';

/** `operator` carries the claimed case or the reason that justifies access to someone's data (ADR 176). */
type ConsoleContext = ApiContext & { operator?: OperatorContext };
type Client = ContractRouterClient<Contract, ConsoleContext>;

const headersOf = (operator: OperatorContext | undefined): Record<string, string> => ({
  ...(isPresent() ? { 'nearhand-present': '1' } : {}),
  ...(operator ? operatorHeaders(operator) : {}),
});

export const api: Client = createApi<Client, ConsoleContext>(operations, {
  renew: () => consoleAuth.renew(),
  moreHeaders: ({ operator }) => headersOf(operator),
});

export const apiQuery = createQueries(api);

/**
 * The content of a private file.
 * @throws ApiError
 */
export async function readFile(path: string, operator: OperatorContext): Promise<Blob> {
  const ask = (token: string | null) =>
    fetch(`/api${path}`, {
      headers: { ...headersOf(operator), ...(token ? { authorization: `Bearer ${token}` } : {}) },
    }).catch((failure: unknown) => {
      throw errorFromFailure(failure);
    });
  let response = await ask(session.accessToken());
  if (response.status === 401) response = await ask(await consoleAuth.renew());
  if (response.ok) return response.blob();
  throw errorFromResponse(await response.json().catch(() => null), response.status);
}
