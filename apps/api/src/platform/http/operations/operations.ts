import type { OperationMeta } from '@nearhand/contract/operation';
import type { AnySchema } from '@orpc/contract';
import { StandardOpenAPICodec, StandardOpenAPIMatcher } from '@orpc/openapi/standard';
import {
  StandardBracketNotationSerializer,
  StandardOpenAPIJsonSerializer,
  StandardOpenAPISerializer,
} from '@orpc/openapi-client/standard';
import type { AnyProcedure, AnyRouter } from '@orpc/server';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../app-error.ts';
import { issuesOf } from '../error-mapper.ts';
import type { CallContext } from '../scope.ts';

export type CalledOperation = {
  name: string;
  meta: OperationMeta;
  method: string;
  path: string;
  successStatus: number;
  input: unknown;
  /**
   * @returns JSON; undefined if the response has no content
   * @throws request/invalid, and as the operation does
   */
  run(context: CallContext): Promise<string | undefined>;
};

/** Matches with oRPC's parts, without its HTTP handler, which costs as much as a short response (ADR 209). */
export function createOperations(router: AnyRouter, prefix: string) {
  const matcher = new StandardOpenAPIMatcher();
  matcher.init(router);
  const codec = new StandardOpenAPICodec(
    new StandardOpenAPISerializer(
      new StandardOpenAPIJsonSerializer(),
      new StandardBracketNotationSerializer(),
    ),
  );
  return async (request: FastifyRequest): Promise<CalledOperation | undefined> => {
    const { method, url, headers } = request;
    const at = url.indexOf('?');
    const path = (at < 0 ? url : url.slice(0, at)).slice(prefix.length).replace(/^\/|\/$/g, '');
    const match = await matcher.match(method, `/${path}`);
    if (!match?.procedure) return undefined;
    const { procedure, params } = match;
    const callRequest = {
      method,
      headers,
      signal: undefined,
      // The codec reads no other part of the URL.
      url: { searchParams: new URLSearchParams(at < 0 ? '' : url.slice(at + 1)) } as unknown as URL,
      body: async () => request.body,
    };
    const input = await codec.decode(callRequest, params, procedure).catch(() => {
      throw new AppError('request/invalid', { issues: [] });
    });
    const { route, meta } = procedure['~orpc'];
    return {
      name: match.path.join('.'),
      meta: meta as OperationMeta,
      method,
      path: String(route.path),
      input,
      successStatus: route.successStatus ?? 200,
      run: (context) => run(procedure, input, context),
    };
  };
}

async function run(
  procedure: AnyProcedure,
  sent: unknown,
  context: CallContext,
): Promise<string | undefined> {
  const { inputSchema, handler } = procedure['~orpc'];
  const checked = (await inputSchema?.['~standard'].validate(sent)) ?? { value: sent };
  if (checked.issues) throw new AppError('request/invalid', { issues: issuesOf(checked.issues, sent) });
  const output = await handler({ context, input: checked.value } as Parameters<typeof handler>[0]);
  return JSON.stringify(output);
}

/**
 * Strips fields outside the contract.
 * @throws if the response breaks the contract; logged
 */
export async function asContracted<Output>(
  operation: { '~orpc': { outputSchema?: AnySchema } },
  output: Output,
): Promise<Output> {
  const result = await operation['~orpc'].outputSchema?.['~standard'].validate(output);
  if (result?.issues)
    throw new Error(`a response breaks its contract: ${JSON.stringify(issuesOf(result.issues))}`);
  return result ? result.value : output;
}
