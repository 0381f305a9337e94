import type { Contract } from '@nearhand/contract/contract';
import type { ContractRouterClient } from '@orpc/contract';
import operations from '../../generated/operations.json';
import type { ApiError } from './api-error.ts';
import { auth } from './auth-provider.ts';
import { type ApiContext, createApi } from './client/api-link.ts';
import { createQueries } from './client/operation-queries.ts';

/** Responses contain only JSON types, as the contract sweep checks, so they match the contract's declarations. */
type Client = ContractRouterClient<Contract, ApiContext>;

/** The typed client: `await api.jobs.get({ jobId })`. Rejects with an ApiError. Excludes operators' operations. */
export const api: Client = createApi<Client, ApiContext>(operations, {
  renew: () => auth().idToken({ fresh: true }),
});

export const apiQuery = createQueries(api);

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: ApiError;
  }
}
