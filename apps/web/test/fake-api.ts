import type { Contract } from '@nearhand/contract/contract';
import type { DataOf } from '@nearhand/contract/error-data';
import { type ErrorCode, errorStatus } from '@nearhand/contract/errors';
import type { MemberRole } from '@nearhand/contract/member-roles';
import type { OperationMeta } from '@nearhand/contract/operation';
import type { Business } from '@nearhand/contract/people/businesses';
import { capabilities, roleMay } from '@nearhand/contract/people/team.rules';
import type { AnySchema, ContractProcedure, InferSchemaOutput } from '@orpc/contract';
import { StandardBracketNotationSerializer } from '@orpc/openapi-client/standard';
import { type Endpoint, findEndpoint } from './endpoints.ts';

type Part<Key> = Key extends keyof Contract ? Contract[Key] : never;

export type OperationName = {
  [Slice in keyof Contract]: `${Slice}.${keyof Contract[Slice] & string}`;
}[keyof Contract];

type OperationOf<Name extends OperationName> = Name extends `${infer Slice}.${infer Verb}`
  ? Verb extends keyof Part<Slice>
    ? Part<Slice>[Verb]
    : never
  : never;

export type InputOf<Name extends OperationName> =
  // biome-ignore lint/suspicious/noExplicitAny: the other parts of a procedure do not matter here
  OperationOf<Name> extends ContractProcedure<infer Schema, any, any, any>
    ? InferSchemaOutput<Schema>
    : never;

export type AnswerOf<Name extends OperationName> =
  // biome-ignore lint/suspicious/noExplicitAny: see InputOf
  OperationOf<Name> extends ContractProcedure<any, infer Schema, any, any>
    ? InferSchemaOutput<Schema>
    : never;

export type Call<Name extends OperationName = OperationName> = {
  name: Name;
  input: InputOf<Name>;
  idempotencyKey: string | null;
  token: string | null;
};

/** A response, or a function that returns it. A function may throw `refuse(...)` or `lost()`, or never resolve. */
type Handler<Name extends OperationName> =
  | AnswerOf<Name>
  | ((input: InputOf<Name>, call: Call<Name>) => AnswerOf<Name> | Promise<AnswerOf<Name>>);

/** Handlers by operation; a key such as `POST /api/auth/session` handles a request outside the contract. */
export type Handlers = { [Name in OperationName]?: Handler<Name> } & {
  [request: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`]: (
    request: Request,
  ) => Response | Promise<Response>;
};

class RefusalError extends Error {
  readonly code: ErrorCode;
  readonly data: unknown;
  constructor(code: ErrorCode, data: unknown) {
    super(code);
    this.code = code;
    this.data = data;
  }
}

/** An error response with a code: `throw refuse('job/not-open', {...})` in a handler. */
export const refuse = <Code extends ErrorCode>(code: Code, data?: DataOf<Code>): Error =>
  new RefusalError(code, data);

/** A request that did not reach the server: `throw lost()` in a handler. */
export const networkError = (): Error => new TypeError('Failed to fetch');

export const never = (): Promise<never> => new Promise(() => {});

const notation = new StandardBracketNotationSerializer();

const json = (body: unknown, status: number) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

const errorBody = (code: ErrorCode, data: unknown, message: string) =>
  json({ code, message, requestId: 'req-test', data }, errorStatus[code]);

/**
 * A server with a test's responses that enforces the contract: unknown calls, wrong shapes and calls that a
 * role may not make are faults.
 */
export class FakeApi {
  readonly faults: string[] = [];
  reachable = true;
  verified = true;
  private handlers: Handlers;
  private readonly received: Call[] = [];

  constructor(handlers: Handlers) {
    this.handlers = handlers;
  }

  on(handlers: Handlers): void {
    this.handlers = { ...this.handlers, ...handlers };
  }

  calls<Name extends OperationName>(name: Name): Call<Name>[] {
    return this.received.filter((call): call is Call<Name> => call.name === name);
  }

  inputs<Name extends OperationName>(name: Name): InputOf<Name>[] {
    return this.calls(name).map(({ input }) => input);
  }

  fetch = async (target: Request | URL | string, init?: RequestInit): Promise<Response> => {
    const request = target instanceof Request ? target : new Request(new URL(target, location.href), init);
    if (!this.reachable) throw networkError();
    const url = new URL(request.url);
    if (url.pathname === '/health/live') return json({ status: 'live' }, 200);
    const outside = this.handlers[`${request.method} ${url.pathname}` as 'GET /'];
    if (outside) return outside(request);
    const match = url.pathname.startsWith('/api/')
      ? findEndpoint(request.method, url.pathname.slice('/api'.length))
      : null;
    if (!match) return this.fault(`${request.method} ${url.pathname} is not an operation of the contract`);
    const callInput = { ...match.parameters, ...(await inputOf(request, url)) };
    return this.answer(match.endpoint, callInput, request.headers);
  };

  private async answer(endpoint: Endpoint, sent: object, headers: Headers): Promise<Response> {
    const { name, meta, inputSchema, outputSchema, status } = endpoint;
    const input = await parse(inputSchema, sent);
    if (input.problem) return this.fault(`${name} was sent what its schema refuses: ${input.problem}`);
    const token = headers.get('authorization')?.replace(/^Bearer /, '') ?? null;
    const call = { name, input: input.value, idempotencyKey: headers.get('idempotency-key'), token } as Call;
    this.received.push(call);
    const refused = this.refusedAccess(meta, token);
    if (refused) return errorBody(refused, undefined, refused);
    const role = this.roleIn(input.value);
    const needed = neededRole(meta);
    if (role && needed && !hasAllOf(role, needed)) return this.fault(`${name} is refused to ${role}`);
    const handler: unknown = this.handlers[name as OperationName];
    if (handler === undefined) return this.fault(`${name} has no handler`);
    try {
      const answer: unknown = typeof handler === 'function' ? await handler(call.input, call) : handler;
      const output = await parse(outputSchema, answer);
      if (output.problem)
        return this.fault(`${name} was answered what its schema refuses: ${output.problem}`);
      return json(output.value ?? null, status);
    } catch (failure) {
      if (failure instanceof RefusalError) return errorBody(failure.code, failure.data, failure.message);
      throw failure;
    }
  }

  private refusedAccess({ access }: OperationMeta, token: string | null): ErrorCode | null {
    if (access === 'public') return null;
    if (token === null) return 'session/required';
    return access === 'signed-in' || this.verified ? null : 'session/email-not-verified';
  }

  /** The role of the signed-in member in the business that the input names. */
  private roleIn(input: unknown): MemberRole | null {
    const businessesHandler = this.handlers['businesses.mine'];
    const { businessId } = (input ?? {}) as { businessId?: string };
    return Array.isArray(businessesHandler)
      ? ((businessesHandler as Business[]).find(({ id }) => id === businessId)?.role ?? null)
      : null;
  }

  private fault(text: string): Response {
    this.faults.push(text);
    return errorBody('request/internal', undefined, text);
  }
}

const neededRole = ({ access }: OperationMeta): MemberRole | null =>
  access.startsWith('member:') ? (access.slice('member:'.length) as MemberRole) : null;

/** Returns whether `role` has every capability of `needed`. */
const hasAllOf = (role: MemberRole, needed: MemberRole): boolean =>
  capabilities.every((capability) => !roleMay(needed, capability) || roleMay(role, capability));

type Read = { value?: unknown; problem?: string };

async function parse(schema: AnySchema, value: unknown): Promise<Read> {
  if (!schema) return { value };
  const result = await schema['~standard'].validate(value);
  if (!result.issues) return { value: result.value };
  const problems = result.issues.map(({ path, message }) => {
    const place = path?.map((part) => (typeof part === 'object' ? part.key : part)).join('.');
    return `${place || '(all)'}: ${message}`;
  });
  return { problem: problems.join('; ') };
}

async function inputOf(request: Request, url: URL): Promise<object> {
  if (request.method === 'GET') return notation.deserialize([...url.searchParams]) as object;
  if (request.headers.get('content-type')?.startsWith('multipart/'))
    return notation.deserialize([...(await request.formData())]) as object;
  const text = await request.text();
  return text === '' ? {} : (JSON.parse(text) as object);
}
