import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { errorStatus } from '@nearhand/contract/errors';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { seededSample } from '../../../scripts/seeded-sample.ts';
import { router } from '../src/app.ts';
import { type ContractOperation, contractOperations } from './contract-operations.ts';
import { useTestApp } from './harness.ts';

const root = path.resolve(import.meta.dirname, '../../..');

const jsonOnly = (schema: unknown) =>
  z.toJSONSchema(schema as z.ZodType, { io: 'output', unrepresentable: 'throw' });

const isJsonOnly = (schema: unknown): boolean => {
  try {
    jsonOnly(schema);
    return true;
  } catch {
    return false;
  }
};

const except = (holds: (operation: ContractOperation) => boolean): string[] =>
  contractOperations.filter((operation) => !holds(operation)).map(({ name }) => name);

describe('every operation of the contract', () => {
  it('has a method, a path, a summary and a declared response shape', () => {
    expect(contractOperations.length).toBeGreaterThan(300);
    const isDescribed = ({ operation, method, path: address }: ContractOperation) =>
      ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'].includes(method) &&
      /^\/[a-z]/.test(address) &&
      Boolean(operation['~orpc'].route.summary) &&
      operation['~orpc'].outputSchema !== undefined;
    expect(except(isDescribed)).toEqual([]);
  });

  it('returns only JSON, so that clients can rely on its declared type', () => {
    expect(except(({ operation }) => isJsonOnly(operation['~orpc'].outputSchema))).toEqual([]);
    expect(isJsonOnly(z.object({ at: z.date() }))).toBe(false);
    expect(isJsonOnly(z.object({ minor: z.bigint() }))).toBe(false);
  });

  it('names only registered errors', () => {
    expect(except(({ meta }) => meta.errors.every((code) => code in errorStatus))).toEqual([]);
  });

  it('has a handler', () => {
    const handlers = router as unknown as Record<string, Record<string, unknown>>;
    const has = ({ name }: ContractOperation) => {
      const [slice = '', verb = ''] = name.split('.');
      return handlers[slice]?.[verb] !== undefined;
    };
    expect(except(has)).toEqual([]);
  });

  it("has a test, describe('slice.verb'), in its slice", () => {
    const tests = globSync('apps/api/src/*/*/*.test.ts', { cwd: root })
      .map((file) => readFileSync(path.join(root, file), 'utf8'))
      .join('\n');
    expect(except(({ name }) => tests.includes(`describe('${name}'`))).toEqual([]);
  });
});

describe('every operation', () => {
  const app = useTestApp();
  const urlOf = ({ path: address }: ContractOperation) =>
    `/api${address.replace(/\{\w+\}/g, '01a1fbbc-d019-79f0-8086-994049deb373')}`;
  const send = (operation: ContractOperation, token: string, payload: string | undefined) =>
    app.raw({
      method: operation.method as 'POST',
      url:
        payload === undefined
          ? `${urlOf(operation)}?limit=%00&lat=NaN&lng=1e999&cursor=%ff&q=%00&status=x`
          : urlOf(operation),
      headers: {
        authorization: `Bearer ${token}`,
        'idempotency-key': crypto.randomUUID(),
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(payload === undefined ? {} : { payload }),
    });

  /** Bodies that no operation accepts. */
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

  it('returns a code for invalid input, never a 500', async () => {
    const wrong: string[] = [];
    for (const operation of contractOperations) {
      // A separate person, so that one operation's limits don't refuse the next one.
      const { token } = await app.person();
      const bodies =
        operation.method === 'GET'
          ? [undefined]
          : seededSample(
              nonsense.map((body) => JSON.stringify(body)),
              2,
              (body) => operation.name + body,
            );
      for (const body of bodies) {
        const response = await send(operation, token, body);
        const hasCode = response.statusCode < 400 || response.json().code in errorStatus;
        if (response.statusCode >= 500 || !hasCode)
          wrong.push(
            `${operation.name} ${body?.slice(0, 60)}: ${response.statusCode} ${response.body.slice(0, 200)}`,
          );
      }
    }
    expect(wrong).toEqual([]);
  }, 240_000);

  it('returns request/invalid for invalid JSON', async () => {
    const wrong: string[] = [];
    const { token } = await app.person();
    for (const operation of contractOperations.filter(({ method }) => method !== 'GET')) {
      const response = await send(operation, token, '{"title": ');
      if (response.statusCode !== 400 || response.json().code !== 'request/invalid')
        wrong.push(`${operation.name}: ${response.statusCode} ${response.body.slice(0, 200)}`);
    }
    expect(wrong).toEqual([]);
  });
});
