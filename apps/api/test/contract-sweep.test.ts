import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { errorStatus } from '@nearhand/contract/errors';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { router } from '../src/app.ts';
import { type ContractOperation, contractOperations } from './contract-operations.ts';
import { useTestApp } from './harness.ts';

const app = useTestApp();

const jsonOnly = (schema: unknown) =>
  z.toJSONSchema(schema as z.ZodType, { io: 'output', unrepresentable: 'throw' });

type Entry = ContractOperation & { url: string };

/** With an address that names no existing record. */
const entries: Entry[] = contractOperations.map((operation) => ({
  ...operation,
  url: `/api${operation.path.replace(/\{\w+\}/g, '01a1fbbc-d019-79f0-8086-994049deb373')}`,
}));

const tests = globSync('apps/api/src/*/*/*.test.ts', {
  cwd: path.resolve(import.meta.dirname, '../../..'),
})
  .map((file) => readFileSync(path.resolve(import.meta.dirname, '../../..', file), 'utf8'))
  .join('\n');

describe('every operation of the contract', () => {
  it('was found', () => expect(entries.length).toBeGreaterThan(30));

  it.each(entries)(
    '$name has a method, a path, a summary and a known response shape',
    ({ operation, method }) => {
      const { route, outputSchema } = operation['~orpc'];
      expect(['GET', 'POST', 'PATCH', 'PUT', 'DELETE']).toContain(method);
      expect(route.path).toMatch(/^\/[a-z]/);
      expect(route.summary).toBeTruthy();
      expect(outputSchema).toBeDefined();
    },
  );

  it.each(entries)(
    '$name returns only JSON, so that clients can rely on its declared type',
    ({ operation }) => {
      expect(() => jsonOnly(operation['~orpc'].outputSchema)).not.toThrow();
    },
  );

  it('detects a response that JSON cannot carry', () => {
    expect(() => jsonOnly(z.object({ at: z.date() }))).toThrow();
    expect(() => jsonOnly(z.object({ minor: z.bigint() }))).toThrow();
  });

  it.each(entries)('$name names only registered errors', ({ meta }) => {
    expect(meta.errors.filter((code) => !(code in errorStatus))).toEqual([]);
  });

  it.each(entries)('$name has a handler', ({ name }) => {
    const [slice = '', verb = ''] = name.split('.');
    expect((router as unknown as Record<string, Record<string, unknown>>)[slice]?.[verb]).toBeDefined();
  });

  it.each(entries)('$name has a test', ({ name }) => {
    expect(tests.includes(`describe('${name}'`), `describe('${name}') in a test of its slice`).toBe(true);
  });
});

describe('every operation that is not public', () => {
  const closed = entries.filter((entry) => entry.meta.access !== 'public');
  const call = (entry: Entry, token: string | null) =>
    app.raw({
      method: entry.method as 'GET',
      url: entry.url,
      headers: {
        'idempotency-key': crypto.randomUUID(),
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(entry.method === 'GET' ? {} : { payload: {} }),
    });

  it.each(closed)('$name returns 401 without a session', async (entry) => {
    const response = await call(entry, null);
    expect([response.statusCode, response.json().code]).toEqual([401, 'session/required']);
  });

  it.each(closed.filter((entry) => entry.meta.access !== 'signed-in'))(
    '$name returns 403 to an unverified account',
    async (entry) => {
      const { token } = await app.person({ verified: false });
      const response = await call(entry, token);
      expect([response.statusCode, response.json().code]).toEqual([403, 'session/email-not-verified']);
    },
  );
});

describe('every operator operation', () => {
  const theirs = entries.filter((entry) => entry.meta.access === 'operator');
  it('was found', () => expect(theirs.length).toBeGreaterThan(2));

  it.each(theirs)('$name returns 403 to everyone else, whatever they send', async (entry) => {
    const { token } = await app.person();
    const response = await app.raw({
      method: entry.method as 'GET',
      url: entry.url,
      headers: { authorization: `Bearer ${token}`, 'idempotency-key': crypto.randomUUID() },
      ...(entry.method === 'GET' ? {} : { payload: {} }),
    });
    expect([response.statusCode, response.json().code]).toEqual([403, 'operator/required']);
  });
});

describe('every operation', () => {
  /** Shapes that no operation accepts; each is the caller's fault and gets a code. */
  const nonsense: unknown[] = [
    [],
    'text',
    12,
    null,
    { '\u0000': '\u0000' },
    { name: { deep: [[[[]]]] } },
    { title: 'x'.repeat(100_000) },
    { limit: 1e308, lat: 'NaN', cursor: '\ud800' },
  ];

  it.each(entries)('$name answers invalid input with a code, never with a 500', async (entry) => {
    const { token } = await app.person();
    for (const payload of nonsense) {
      const response = await app.raw({
        method: entry.method as 'GET',
        url:
          entry.method === 'GET'
            ? `${entry.url}?limit=%00&lat=NaN&lng=1e999&cursor=%ff&q=%00&status=x`
            : entry.url,
        headers: {
          authorization: `Bearer ${token}`,
          'idempotency-key': crypto.randomUUID(),
          ...(entry.method === 'GET' ? {} : { 'content-type': 'application/json' }),
        },
        ...(entry.method === 'GET' ? {} : { payload: JSON.stringify(payload) }),
      });
      expect(
        response.statusCode,
        `${JSON.stringify(payload)?.slice(0, 60)} -> ${response.body.slice(0, 200)}`,
      ).toBeLessThan(500);
      if (response.statusCode >= 400) expect(Object.keys(errorStatus)).toContain(response.json().code);
    }
  });

  it.each(entries.filter((entry) => entry.method !== 'GET'))(
    '$name answers invalid JSON with request/invalid',
    async (entry) => {
      const { token } = await app.person();
      const response = await app.raw({
        method: entry.method as 'POST',
        url: entry.url,
        headers: {
          authorization: `Bearer ${token}`,
          'idempotency-key': crypto.randomUUID(),
          'content-type': 'application/json',
        },
        payload: '{"title": ',
      });
      expect([response.statusCode, response.json().code]).toEqual([400, 'request/invalid']);
    },
  );
});
