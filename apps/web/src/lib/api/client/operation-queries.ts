import type { RouterUtils } from '@orpc/tanstack-query';

type Used =
  | 'key'
  | 'queryKey'
  | 'queryOptions'
  | 'infiniteKey'
  | 'infiniteOptions'
  | 'mutationKey'
  | 'mutationOptions';
// biome-ignore lint/suspicious/noExplicitAny: as in oRPC's own types
export type OperationQueries<Client extends Record<string, any>> = {
  [Slice in keyof Client]: Pick<RouterUtils<Client[Slice]>, 'key'> & {
    [Verb in keyof Client[Slice]]: Pick<RouterUtils<Client[Slice][Verb]>, Used>;
  };
};

type Call = (input: unknown, options: { signal?: AbortSignal; context?: object }) => Promise<unknown>;
type KeyParts = { input?: unknown; type?: string };
type Options = { input?: unknown; context?: object; queryKey?: unknown; mutationKey?: unknown };
type PagedOptions = Options & { input: (page: unknown) => unknown; initialPageParam: unknown };

/** The keys that oRPC generates: a path, then input and type if present. */
const keyOf = (path: readonly string[], { input, type }: KeyParts = {}) => [
  path,
  { ...(input === undefined ? {} : { input }), ...(type === undefined ? {} : { type }) },
];

const ofOperation = (path: readonly string[], call: Call) => {
  const methods = {
    key: (parts?: KeyParts) => keyOf(path, parts),
    queryKey: ({ input, queryKey }: Options = {}) => queryKey ?? keyOf(path, { input, type: 'query' }),
    queryOptions: (options: Options = {}) => ({
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        call(options.input, { signal, context: options.context }),
      ...options,
      queryKey: methods.queryKey(options),
    }),
    infiniteKey: ({ input, initialPageParam, queryKey }: PagedOptions) =>
      queryKey ?? keyOf(path, { input: input(initialPageParam), type: 'infinite' }),
    infiniteOptions: (options: PagedOptions) => ({
      queryFn: ({ pageParam, signal }: { pageParam: unknown; signal: AbortSignal }) =>
        call(options.input(pageParam), { signal, context: options.context }),
      ...options,
      queryKey: methods.infiniteKey(options),
    }),
    mutationKey: ({ mutationKey }: Options = {}) => mutationKey ?? keyOf(path, { type: 'mutation' }),
    mutationOptions: (options: Options = {}) => ({
      mutationFn: (input: unknown) => call(input, { context: options.context }),
      ...options,
      mutationKey: methods.mutationKey(options),
    }),
  };
  return methods;
};

/** Replaces oRPC's `createTanstackQueryUtils`, whose unused parts take 3 KiB of the first load. */
export function createQueries<Client extends object>(client: Client): OperationQueries<Client> {
  const ofSlice = ([slice, operations]: [string, object]) => {
    const queries = { key: (parts?: KeyParts) => keyOf([slice], parts) };
    for (const [verb, call] of Object.entries(operations))
      Object.defineProperty(queries, verb, {
        configurable: true,
        enumerable: true,
        get() {
          const value = ofOperation([slice, verb], call);
          Object.defineProperty(queries, verb, { value, enumerable: true });
          return value;
        },
      });
    return [slice, queries];
  };
  return Object.fromEntries(Object.entries(client).map(ofSlice)) as OperationQueries<Client>;
}
