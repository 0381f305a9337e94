import { positionHeader } from '@nearhand/contract/read-position';
import { reportAnswer } from '../../device/online.ts';
import { isNative } from '../../device/platform.ts';
import { session } from '../../session.ts';
import { giveUpAfter } from '../abort-after.ts';
import { ApiError, errorFromFailure, errorFromResponse, isApiError } from '../api-error.ts';
import { serverOrigin } from '../server-address.ts';

let latest: string | null = null;

/** Stores the write position in the app, whose web view sends no cookies (ADR 260). */
export function storePosition({ headers }: Pick<Response, 'headers'>): void {
  latest = headers.get(positionHeader) ?? latest;
}

/** Headers with which the app's reads include its writes. Browsers send a cookie instead. */
export const positionToSend = (): Record<string, string> =>
  isNative() && latest !== null ? { [positionHeader]: latest } : {};

/** Options of a call. A write that can be resent later needs its own `idempotencyKey`, so the server runs it once. */
export type ApiContext = { idempotencyKey?: string };

type Parts<Context> = {
  renew: () => Promise<string | null>;
  moreHeaders?: (context: Context) => Record<string, string>;
};

type CallOptions<Context> = { signal?: AbortSignal; context?: Context };

/** Appends a value as the server reads it: `place[lat]=1`, `kinds[0]=shift`. Omits undefined and null. */
function appendTo(fields: URLSearchParams | FormData, name: string, value: unknown): void {
  if (value === undefined || value === null) return;
  if (value instanceof Blob && fields instanceof FormData) fields.append(name, value);
  else if (typeof value !== 'object') fields.append(name, String(value));
  else
    for (const [key, part] of Object.entries(value)) appendTo(fields, name ? `${name}[${key}]` : key, part);
}

function bodyOf(input: object): string | FormData {
  if (!Object.values(input).some((value) => value instanceof Blob)) return JSON.stringify(input);
  const form = new FormData();
  appendTo(form, '', input);
  return form;
}

function addressOf(
  { method, segments }: Route,
  input: unknown,
): { url: string; body: string | FormData | null } {
  const bodyFields = { ...(input as Record<string, unknown> | undefined) };
  let hasParameters = false;
  const path = segments.map((segment) => {
    if (!segment.startsWith(':')) return segment;
    hasParameters = true;
    const name = segment.slice(1);
    const value = bodyFields[name];
    delete bodyFields[name];
    return encodeURIComponent(String(value));
  });
  const url = `${serverOrigin()}/api/${path.join('/')}`;
  if (method === 'GET') {
    const query = new URLSearchParams();
    appendTo(query, '', bodyFields);
    return { url: query.size > 0 ? `${url}?${query}` : url, body: null };
  }
  const isEmpty = input === undefined || (hasParameters && Object.keys(bodyFields).length === 0);
  return { url, body: isEmpty ? null : bodyOf(bodyFields) };
}

/** A dead connection would block a call for minutes. Writes wait longer: a timeout leaves their result unknown. */
const readMs = 15_000;
const writeMs = 40_000;

/**
 * The response's JSON. Rejects other content, such as a captive portal's page.
 * @throws ApiError
 */
async function answerTo(request: Request): Promise<unknown> {
  const { signal, stop } = giveUpAfter(request.method === 'GET' ? readMs : writeMs, request.signal);
  try {
    const response = firstAnswer(request) ?? (await globalThis.fetch(request, { signal }));
    if (response.type === 'opaqueredirect') throw new ApiError('network/failed');
    storePosition(response);
    if (!response.ok) {
      const body: unknown = await response.json().catch(() => null);
      throw errorFromResponse(body, response.status);
    }
    const text = await response.text();
    // An empty response may come from another server, such as a captive portal.
    if (text === '') return undefined;
    const data: unknown = JSON.parse(text);
    reportAnswer();
    return data;
  } catch (failure) {
    throw errorFromFailure(failure);
  } finally {
    stop();
  }
}

/** A client of the operations in `table`. `parts.renew` gets a new access token; null if the session has ended. */
export function createApi<Client extends object, Context extends ApiContext>(
  table: OperationTable,
  { renew, moreHeaders = () => ({}) }: Parts<Context>,
): Client {
  const callOf =
    (route: Route) =>
    async (input: unknown, options: CallOptions<Context> = {}) => {
      const context = { idempotencyKey: crypto.randomUUID(), ...options.context } as Context;
      const { url, body } = addressOf(route, input);
      const call = () => {
        const token = session.accessToken();
        const headers = {
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(route.method !== 'GET' && context.idempotencyKey
            ? { 'idempotency-key': context.idempotencyKey }
            : {}),
          // A form sets its own content type, with the boundary.
          ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
          ...positionToSend(),
          ...moreHeaders(context),
        };
        const { signal = null } = options;
        return answerTo(
          new Request(new URL(url, globalThis.location.href), {
            method: route.method,
            headers,
            body,
            signal,
            redirect: 'manual',
          }),
        );
      };
      const caller = session.user()?.id;
      const response = await call().catch(async (error: unknown) => {
        if (!(await renewIfExpired(error, renew))) throw error;
        requireCaller(caller);
        return call();
      });
      requireCaller(caller);
      return response;
    };
  const slices = Object.entries(table).map(([slice, operations]) => {
    const calls = [...readOperations(operations)].map(([name, route]) => [name, callOf(route)]);
    return [slice, Object.fromEntries(calls)];
  });
  return Object.fromEntries(slices) as Client;
}

/**
 * Rejects if another account has signed in since the call began.
 * @throws ApiError network/cancelled
 */
function requireCaller(caller: string | undefined): void {
  const now = session.user()?.id;
  if (caller && now && now !== caller) throw new ApiError('network/cancelled');
}

/** An access token lives ten minutes: the first call after that is refused once, then resent with a new one. */
async function renewIfExpired(error: unknown, renew: Parts<never>['renew']): Promise<boolean> {
  if (!isApiError(error, 'session/expired', 'session/required') || !session.user()) return false;
  try {
    return (await renew()) !== null;
  } catch {
    return false;
  }
}

export type OperationTable = Readonly<Record<string, string>>;

/** `segments` is the path under `/api`; a parameter starts with a colon. */
type Route = { method: string; segments: readonly string[] };

const methods: Record<string, string> = { '+': 'POST', '*': 'PATCH', '=': 'PUT', '-': 'DELETE' };

const usualParameter = (segment: string): string => {
  const singular = segment.replace(/ies$/, 'y').replace(/sses$/, 'sss').replace(/s$/, '');
  return `:${singular.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())}Id`;
};

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

export function readOperations(text: string): Map<string, Route> {
  const routes = new Map<string, Route>();
  const words = text.split(' ');
  let before: string[] = [];
  for (let index = 0; index < words.length; index += 2) {
    const name = words[index] ?? '';
    const [, sign = '', shared = '', rest = ''] = /^([+*=-]?)(\d*)(.*)$/.exec(words[index + 1] ?? '') ?? [];
    before = [...before.slice(0, Number(shared)), ...(rest ? rest.split('/') : [])];
    const short = before;
    const segments = short.map((segment, at) => {
      if (segment === '~') return kebab(name);
      return segment === ':' ? usualParameter(short[at - 1] ?? '') : segment;
    });
    routes.set(name, { method: methods[sign] ?? 'GET', segments });
  }
  return routes;
}

/** Responses embedded in the page: the first screen's calls as a guest makes them (ADR 221). */
type FirstAnswers = { at: number; answers: Record<string, unknown> };

/** A page can come back from the browser's cache; older responses are fetched again. */
const freshMs = 60_000;

function keyOf(url: string): string {
  const { pathname, searchParams } = new URL(url, globalThis.location.href);
  searchParams.sort();
  return `${pathname}?${searchParams}`;
}

function readAnswers(): Map<string, unknown> {
  const text = globalThis.document?.getElementById('answers')?.textContent;
  if (!text) return new Map();
  const { at, answers } = JSON.parse(text) as FirstAnswers;
  if (Math.abs(Date.now() - at) > freshMs) return new Map();
  return new Map(Object.entries(answers).map(([url, response]) => [keyOf(url), response]));
}

let answers: Map<string, unknown> | null = null;

export function firstAnswer({ method, url, headers }: Request): Response | null {
  answers ??= readAnswers();
  if (answers.size === 0 || method !== 'GET' || headers.has('authorization')) return null;
  if (performance.now() > freshMs) answers.clear();
  const key = keyOf(url);
  const response = answers.get(key);
  return answers.delete(key) ? Response.json(response) : null;
}

/** Reads the page's inlined responses again, for tests that render several pages. */
export function readFirstAnswersAgain(): void {
  answers = null;
}
