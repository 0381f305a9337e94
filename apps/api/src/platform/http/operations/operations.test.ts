import { operation } from '@nearhand/contract/operation';
import type { FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { read, write } from '../bind.ts';
import type { CallContext } from '../scope.ts';
import { createOperations } from './operations.ts';

const findThing = operation({ access: 'public', errors: [] })
  .route({ method: 'GET', path: '/things/{id}' })
  .input(
    z.object({ id: z.string(), kinds: z.array(z.string().min(2)).default([]), page: z.string().default('') }),
  )
  .output(z.object({ text: z.string(), at: z.string() }));
const makeThing = operation({ access: 'signed-in', errors: [], effects: [] })
  .route({ method: 'POST', path: '/things/{id}', successStatus: 201 })
  .input(z.object({ id: z.string(), name: z.string() }))
  .output(z.object({ text: z.string() }));
const removeThing = operation({ access: 'signed-in', errors: [], effects: [] })
  .route({ method: 'DELETE', path: '/things/{id}' })
  .input(z.object({ id: z.string() }))
  .output(z.void());

const find = createOperations(
  {
    found: read(findThing, async (_db, _scope, input) => ({
      text: JSON.stringify(input),
      at: 'now',
      secret: 'no',
    })),
    made: write(
      makeThing,
      async (_tx, _scope, input) => ({
        text: input.name === 'odd' ? (1 as never) : input.id,
        secret: 'no',
      }),
      { stored: false },
    ),
    gone: write(removeThing, async () => undefined, { stored: false }),
  },
  '/api',
);
const db = { transaction: () => ({ execute: (work: (tx: unknown) => unknown) => work(null) }) };
const context = { db, scope: {}, idempotencyKey: 'the-only-key' } as unknown as CallContext;
const call = async (method: string, url: string, body?: unknown) =>
  find({ method, url, body, headers: {} } as unknown as FastifyRequest);
const answer = async (method: string, url: string, body?: unknown) =>
  (await call(method, url, body))?.run(context);

it("reads a query and the path, which wins, and sends the contract's fields", async () => {
  const text = JSON.stringify({ id: 'a b', kinds: ['one', 'two'], page: '' });
  expect(
    JSON.parse((await answer('GET', '/api/things/a%20b/?kinds[]=one&kinds[]=two&id=other')) ?? ''),
  ).toEqual({
    text,
    at: 'now',
  });
});

it('resolves an operation by method and path', async () => {
  expect(await call('POST', '/api/things/1', {})).toMatchObject({
    name: 'made',
    method: 'POST',
    path: '/things/{id}',
    successStatus: 201,
    meta: { access: 'signed-in' },
  });
  for (const [method, url] of [
    ['HEAD', '/api/things/1'],
    ['GET', '/api/things'],
    ['GET', '/api/things/1/2'],
  ] as const)
    expect(await call(method, url)).toBeUndefined();
});

it('reads a body, and returns nothing when the contract has no content', async () => {
  expect(await answer('POST', '/api/things/1', { id: '2', name: 'x' })).toBe('{"text":"1"}');
  expect(await answer('DELETE', '/api/things/1')).toBeUndefined();
});

it('reports what is wrong with an input', async () => {
  await expect(answer('GET', '/api/things/1?kinds[]=long&kinds[]=s')).rejects.toMatchObject({
    code: 'request/invalid',
    data: { issues: [{ path: 'kinds.1' }] },
  });
  for (const body of ['text', null, [], { name: 1 }])
    await expect(answer('POST', '/api/things/1', body)).rejects.toMatchObject({ code: 'request/invalid' });
});

it('sends nothing that breaks the contract', async () => {
  await expect(answer('POST', '/api/things/1', { name: 'odd' })).rejects.toThrow('breaks its contract');
});
