import { contract } from '@nearhand/contract/contract';
import type { OperationMeta } from '@nearhand/contract/operation';
import { type AnyContractRouter, type AnySchema, ContractProcedure } from '@orpc/contract';

export type Endpoint = {
  name: string;
  method: string;
  segments: readonly string[];
  meta: OperationMeta;
  inputSchema: AnySchema;
  outputSchema: AnySchema;
  status: number;
};

const isParameter = (segment: string) => segment.startsWith('{');

const all: readonly Endpoint[] = Object.entries(contract).flatMap(([slice, operations]) =>
  Object.entries(operations as Record<string, AnyContractRouter>).map(([verb, operation]) => {
    if (!(operation instanceof ContractProcedure)) throw new Error(`${slice}.${verb} is not an operation`);
    const { route, meta, inputSchema, outputSchema } = operation['~orpc'];
    return {
      name: `${slice}.${verb}`,
      method: route.method ?? 'POST',
      segments: (route.path ?? '').split('/'),
      meta: meta as OperationMeta,
      inputSchema,
      outputSchema,
      status: route.successStatus ?? 200,
    };
  }),
);

/** The operation of a path under `/api`, with its parameters. A path without parameters wins. */
export function findEndpoint(
  method: string,
  path: string,
): { endpoint: Endpoint; parameters: Record<string, string> } | null {
  const pathParts = path.split('/').map(decodeURIComponent);
  const matching = all.filter(
    (endpoint) =>
      endpoint.method === method &&
      endpoint.segments.length === pathParts.length &&
      endpoint.segments.every((segment, index) => isParameter(segment) || segment === pathParts[index]),
  );
  const count = ({ segments }: Endpoint) => segments.filter(isParameter).length;
  const [endpoint] = matching.sort((a, b) => count(a) - count(b));
  if (!endpoint) return null;
  const parameters = endpoint.segments.flatMap((segment, index) =>
    isParameter(segment) ? [[segment.slice(1, -1), pathParts[index] ?? '']] : [],
  );
  return { endpoint, parameters: Object.fromEntries(parameters) };
}
