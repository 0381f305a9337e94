import type { OperationMeta } from '@nearhand/contract/operation';
import type { AnySchema } from '@orpc/contract';
import { StandardBracketNotationSerializer } from '@orpc/openapi-client/standard';
import type { AnyProcedure, AnyRouter } from '@orpc/server';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../app-error.ts';
import { issuesOf } from '../error-mapper.ts';
import type { CallContext } from '../scope.ts';

type OperationFacts = {
  name: string;
  meta: OperationMeta;
  method: string;
  path: string;
  successStatus: number;
};

type Operation = {
  facts: OperationFacts;
  procedure: AnyProcedure;
  /** The names of the parameters in its path, by segment. */
  params: readonly (readonly [segment: number, name: string])[];
};

export type CalledOperation = OperationFacts & {
  input: unknown;
  /**
   * @returns JSON; undefined if the response has no content
   * @throws request/invalid, and as the operation does
   */
  run(context: CallContext): Promise<string | undefined>;
};

/** The operations whose paths begin with the same segments; `parameter` stands for any segment. */
type Branch = { next: Map<string, Branch>; ending: Map<string, Operation> };
const parameter = '{}';

const emptyBranch = (): Branch => ({ next: new Map(), ending: new Map() });

/** Finds operations without oRPC's HTTP handler, which costs as much as a short response (ADR 209). */
export function createOperations(router: AnyRouter, prefix: string) {
  const root = emptyBranch();
  for (const { facts, procedure } of listOperations(router)) addOperation(root, facts, procedure);
  /** @returns undefined if there is none @throws request/invalid */
  return (request: FastifyRequest): CalledOperation | undefined => {
    const { method, url } = request;
    const queryAt = url.indexOf('?');
    const path = (queryAt < 0 ? url : url.slice(0, queryAt)).slice(prefix.length).replace(/^\/|\/$/g, '');
    const segments = path.split('/');
    const operation = findOperation(root, segments, 0, method);
    if (!operation) return undefined;
    const { facts, procedure, params } = operation;
    const body = method === 'GET' ? readQuery(queryAt < 0 ? '' : url.slice(queryAt + 1)) : readBody(request);
    const input = withParams(body, params, segments);
    return { ...facts, input, run: (context) => run(procedure, input, context) };
  };
}

/** The operations of a router or contract, named by their place in it. */
export function listOperations(
  router: object,
  names: readonly string[] = [],
): { facts: OperationFacts; procedure: AnyProcedure }[] {
  const orpc = (router as Partial<AnyProcedure>)['~orpc'];
  if (!orpc)
    return Object.entries(router).flatMap(([name, inner]) => listOperations(inner, [...names, name]));
  const { method = 'POST', path = '', successStatus = 200 } = orpc.route;
  const facts = { name: names.join('.'), meta: orpc.meta as OperationMeta, method, path, successStatus };
  return [{ facts, procedure: router as AnyProcedure }];
}

function addOperation(root: Branch, facts: OperationFacts, procedure: AnyProcedure): void {
  const params: [number, string][] = [];
  let branch = root;
  for (const [at, segment] of facts.path.slice(1).split('/').entries()) {
    const name = /^\{(.+)\}$/.exec(segment)?.[1];
    if (name !== undefined) params.push([at, name]);
    const key = name === undefined ? segment : parameter;
    const following = branch.next.get(key) ?? emptyBranch();
    branch.next.set(key, following);
    branch = following;
  }
  branch.ending.set(facts.method, { facts, procedure, params });
}

/** A named segment goes before a parameter. */
function findOperation(
  { next, ending }: Branch,
  segments: readonly string[],
  at: number,
  method: string,
): Operation | undefined {
  const segment = segments[at];
  if (segment === undefined) return ending.get(method);
  const namedSegment = next.get(segment);
  const operation = namedSegment && findOperation(namedSegment, segments, at + 1, method);
  const any = segment === '' ? undefined : next.get(parameter);
  return operation ?? (any && findOperation(any, segments, at + 1, method));
}

const brackets = new StandardBracketNotationSerializer();
const plainName = /^[a-z]\w*$/i;

/** Lists and objects are sent in bracket notation, such as `kinds[]=shift`. */
function readQuery(query: string): unknown {
  if (query === '') return {};
  const input: Record<string, string> = {};
  const entries = [...new URLSearchParams(query)];
  for (const [name, value] of entries) {
    if (!plainName.test(name) || Object.hasOwn(input, name)) return readBrackets(entries);
    input[name] = value;
  }
  return input;
}

function readBody({ body }: FastifyRequest): unknown {
  return body instanceof FormData || body instanceof URLSearchParams ? readBrackets([...body]) : body;
}

function readBrackets(entries: [string, unknown][]): unknown {
  try {
    return brackets.deserialize(entries);
  } catch {
    throw new AppError('request/invalid', { issues: [] });
  }
}

/** The path wins over fields of the same name. */
function withParams(sent: unknown, params: Operation['params'], segments: readonly string[]): unknown {
  if (params.length === 0) return sent;
  const input: Record<string, unknown> = isFields(sent) ? { ...sent } : {};
  for (const [at, name] of params) input[name] = decodeSegment(segments[at] ?? '');
  return input;
}

const isFields = (sent: unknown): sent is object =>
  typeof sent === 'object' && sent !== null && !Array.isArray(sent);

function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

async function run(
  procedure: AnyProcedure,
  sent: unknown,
  context: CallContext,
): Promise<string | undefined> {
  const { inputSchema, handler } = procedure['~orpc'];
  const validated = inputSchema?.['~standard'].validate(sent) ?? { value: sent };
  const result = validated instanceof Promise ? await validated : validated;
  if (result.issues) throw new AppError('request/invalid', { issues: issuesOf(result.issues, sent) });
  const output = await handler({ context, input: result.value } as Parameters<typeof handler>[0]);
  return JSON.stringify(output);
}

/**
 * Strips fields outside the contract.
 * @throws if the response breaks the contract; logged
 */
export function asContracted<Output>(
  operation: { '~orpc': { outputSchema?: AnySchema } },
  output: Output,
): Output | Promise<Output> {
  const result = operation['~orpc'].outputSchema?.['~standard'].validate(output) ?? { value: output };
  return result instanceof Promise ? result.then(requireValue<Output>) : requireValue<Output>(result);
}

function requireValue<Output>({
  issues,
  value,
}: {
  issues?: Parameters<typeof issuesOf>[0];
  value?: unknown;
}): Output {
  if (issues) throw new Error(`a response breaks its contract: ${JSON.stringify(issuesOf(issues))}`);
  return value as Output;
}
