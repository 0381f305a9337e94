import { errorStatus } from '@nearhand/contract/errors';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { seededSample } from '../../../scripts/seeded-sample.ts';
import { type ContractOperation, contractOperations } from './contract-operations.ts';
import { type Person, useTestApp } from './harness.ts';
import { sampleOf } from './sample-input.ts';
import { listeningAt } from './sockets.ts';

const app = useTestApp();
let someone: Person;
beforeAll(async () => {
  someone = await app.person();
});

const characters = ['\u0000', '\u0007', '\u001f'] as const;
const id = '01a1fbbc-d019-79f0-8086-994049deb373';

type Shape = {
  properties?: Record<string, Shape>;
  type?: string;
  format?: string;
  anyOf?: Shape[];
  items?: Shape;
  enum?: unknown;
  const?: unknown;
};
const holdsText = ({ type, anyOf }: Shape): boolean => type === 'string' || (anyOf ?? []).some(holdsText);

function inputOf({ operation, path }: ContractOperation) {
  const { inputSchema } = operation['~orpc'];
  const shape = (
    inputSchema ? z.toJSONSchema(inputSchema as z.ZodType, { io: 'input', unrepresentable: 'any' }) : {}
  ) as Shape;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, key = '']) => key);
  const sample = Object.fromEntries(
    Object.entries((inputSchema ? sampleOf(shape, {}) : {}) as object).filter(
      ([key]) => !inPath.includes(key),
    ),
  );
  const texts = Object.entries(shape.properties ?? {}).flatMap(([key, field]) =>
    holdsText(field) && !inPath.includes(key) ? [key] : [],
  );
  return { sample, texts };
}

type Sent = { path?: string; input?: object; headers?: Record<string, string> };
async function send({ method, path }: ContractOperation, sent: Sent) {
  const reads = method === 'GET';
  const query = new URLSearchParams(
    Object.entries(sent.input ?? {}).map(([key, value]): [string, string] => [key, String(value)]),
  ).toString();
  return app.raw({
    method: method as 'GET',
    url: `/api${sent.path ?? path.replace(/\{\w+\}/g, id)}${reads && query ? `?${query}` : ''}`,
    headers: {
      authorization: `Bearer ${someone.token}`,
      'idempotency-key': crypto.randomUUID(),
      ...sent.headers,
    },
    ...(reads ? {} : { payload: sent.input ?? {} }),
  });
}

/**
 * The fault of a response to an invalid character; null for a 400 in our
 * shape. Access is decided first, and an old password may have any character.
 */
function fault(answer: { statusCode: number; body: string }, name = '', field = ''): string | null {
  const code = /^\{.*"code":"([^"]+)"/.exec(answer.body)?.[1] ?? '';
  const earlier =
    code === 'operator/required' ||
    (field === 'cursor' && answer.statusCode === 404) ||
    (name === 'accountDeletion.request' && field === 'password');
  const refused = answer.statusCode === 400 || (earlier && [403, 404, 422].includes(answer.statusCode));
  return refused && code in errorStatus ? null : `${answer.statusCode} ${answer.body.slice(0, 120)}`;
}

/** Texts that may have any character, with the reason. A cursor is checked where it is read. */
const mayHaveAny: Record<string, string> = {
  'accountDeletion.request password': 'an old password may have any character',
};

function inputsWith(shape: Shape, odd: string): { path: string[]; value: unknown }[] {
  if (shape.anyOf) return shape.anyOf.flatMap((one) => inputsWith(one, odd));
  if (shape.enum !== undefined || shape.const !== undefined) return [];
  if (shape.type === 'string') return [{ path: [], value: `a${odd}a` }];
  if (shape.type === 'array')
    return inputsWith(shape.items ?? {}, odd).map(({ path, value }) => ({
      path: ['0', ...path],
      value: [value],
    }));
  return Object.entries(shape.properties ?? {}).flatMap(([key, field]) =>
    inputsWith(field, odd).map(({ path, value }) => ({
      path: [key, ...path],
      value: { ...(sampleOf(shape, {}) as object), [key]: value },
    })),
  );
}

const overHttp = seededSample(contractOperations, 30, ({ name }) => name);

describe('a control character', () => {
  it('is detected if it gets through', () => {
    expect(fault({ statusCode: 200, body: '{}' })).not.toBeNull();
    expect(fault({ statusCode: 500, body: '{"code":"request/internal"}' })).not.toBeNull();
    expect(fault({ statusCode: 400, body: 'Bad Request' })).not.toBeNull();
    const absent = { statusCode: 404, body: '{"code":"job/not-found"}' };
    expect(fault(absent, 'jobs.get', 'title')).not.toBeNull();
    expect(fault(absent, 'jobs.listed', 'cursor')).toBeNull();
    expect(fault({ statusCode: 400, body: '{"code":"request/invalid","message":"x"}' })).toBeNull();
  });

  it('is rejected by every text schema, at its field', () => {
    const taken = contractOperations.flatMap(({ name, operation }) => {
      const schema = operation['~orpc'].inputSchema as z.ZodType | undefined;
      if (!schema) return [];
      const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape;
      return characters.flatMap((odd) =>
        inputsWith(shape, odd).flatMap(({ path, value }) => {
          const field = `${name} ${path.join('.')}`;
          const issues = schema.safeParse(value).error?.issues ?? [];
          const refused = issues.some(
            (issue) =>
              issue.code === 'invalid_union' || `${issue.path.join('.')}.`.startsWith(`${path.join('.')}.`),
          );
          return refused || path.at(-1) === 'cursor' || field in mayHaveAny ? [] : [field];
        }),
      );
    });
    expect([...new Set(taken)]).toEqual([]);
  });

  it.each(overHttp)('is rejected in the path and every text of $name', async (entry) => {
    const found: string[] = [];
    const note = (where: string, answer: { statusCode: number; body: string }) => {
      const wrong = fault(answer, entry.name, where);
      if (wrong) found.push(`${where}: ${wrong}`);
    };
    const { sample, texts } = inputOf(entry);
    for (const [, name] of entry.path.matchAll(/\{(\w+)\}/g))
      for (const odd of characters) {
        const path = entry.path
          .replace(`{${name}}`, `${id}${encodeURIComponent(odd)}`)
          .replace(/\{\w+\}/g, id);
        note(`${name} in the path`, await send(entry, { path, input: sample }));
      }
    for (const field of texts)
      for (const odd of characters)
        note(field, await send(entry, { input: { ...sample, [field]: `a${odd}a` } }));
    expect(found).toEqual([]);
  });

  it.each(overHttp)('in the headers causes no failure of $name', async (entry) => {
    for (const name of [
      'authorization',
      'idempotency-key',
      'x-operator-reason',
      'x-operator-case',
      'accept-language',
    ]) {
      const response = await send(entry, { headers: { [name]: 'Bearer a\u0000a' } });
      expect(response.statusCode, `${name}: ${response.body.slice(0, 120)}`).toBeLessThan(500);
    }
  });

  const tokens = [
    '/api/files/%00/content',
    '/api/files/a%1fb/content',
    `/api/files/${id}%00/content`,
    '/api/calendar/%00.ics',
    '/api/downloads/%00',
    '/api/unsubscribe/%00',
    '/api/unsubscribe?token=%00',
    '/api/payee/%00',
    '/api/posters/%00',
    '/api/data-exports/%00',
    '/api/auth/verify-email?token=%00',
    '/open/%00',
    '/api/auth/callback/google?state=%00&code=%00',
    '/job/%00',
    '/jobs/%00',
    '/business/%00',
    '/embed/%00',
    '/invite/%00',
    '/i/%00',
    '/sandbox/%00',
    '/uploads/%00',
    '/robots.txt%00',
    '/.well-known/security.txt%00',
  ];
  it.each(tokens)('causes no failure in %s', async (url) => {
    for (const headers of [{}, { authorization: `Bearer ${someone.token}` }, { accept: 'text/html' }])
      expect((await app.raw({ url, headers })).statusCode).toBeLessThan(500);
  });

  it.each([
    ['/api/auth/verify-email', { token: '\u0000' }],
    ['/api/auth/reset-password', { token: 'a\u0000'.repeat(12), password: 'long enough 123' }],
    ['/api/auth/request-password-reset', { email: 'a\u0000@example.test' }],
    ['/api/auth/sign-in/email', { email: 'a\u0000@example.test', password: '\u0000' }],
    ['/api/auth/sign-in/second-step', { code: '\u0000' }],
    ['/api/auth/sign-in/social', { provider: '\u0000' }],
    ['/api/guest-tickets', { email: 'a\u0000@example.test' }],
    ['/api/guest-tickets/confirm', { token: '\u0000' }],
  ])('is rejected with 400 in the body of %s', async (url, payload) => {
    const response = await app.raw({
      method: 'POST',
      url,
      payload,
      headers: { origin: app.config.PUBLIC_URL, 'content-type': 'application/json' },
    });
    expect(response.statusCode, response.body).toBe(400);
    expect(response.json()).toMatchObject({ code: expect.any(String), requestId: expect.any(String) });
  });

  it('in a password makes it a wrong one, since a password can contain any character', async () => {
    const payload = { email: 'a@example.test', password: 'a\u0000b' };
    const headers = { origin: app.config.PUBLIC_URL };
    const response = await app.raw({ method: 'POST', url: '/api/auth/sign-in/email', payload, headers });
    expect([response.statusCode, response.json().code]).toEqual([401, 'auth/invalid-credential']);
  });

  it('that HTTP itself forbids is rejected with our error shape too', async () => {
    const { connect } = await import('node:net');
    const { port } = new URL(await listeningAt(app.server));
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1', () =>
        socket.write('GET /api/accounts/me HTTP/1.1\r\nhost: x\r\nx-odd: a\u0000b\r\n\r\n'),
      );
      let text = '';
      socket
        .on('data', (chunk) => (text += chunk))
        .on('end', () => resolve(text))
        .on('error', reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ code: 'request/invalid' });
  });
});
