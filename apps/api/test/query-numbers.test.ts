import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { seededSample } from '../../../scripts/seeded-sample.ts';
import { contractOperations } from './contract-operations.ts';
import { type Person, useTestApp } from './harness.ts';
import { sampleOf } from './sample-input.ts';

const app = useTestApp();
let someone: Person;
beforeAll(async () => {
  someone = await app.person();
});

type Shape = { type?: string; anyOf?: Shape[]; properties?: Record<string, Shape>; required?: string[] };
const isNumber = ({ type, anyOf }: Shape): boolean =>
  type === 'number' || type === 'integer' || (anyOf ?? []).some(isNumber);

const id = '01a1fbbc-d019-79f0-8086-994049deb373';

/** An operator's calls are refused before their input is read. */
const reads = contractOperations.flatMap(({ name, method, path, meta, operation }) => {
  const { inputSchema } = operation['~orpc'];
  if (method !== 'GET' || meta.access === 'operator' || !inputSchema) return [];
  const shape = z.toJSONSchema(inputSchema as z.ZodType, { io: 'input', unrepresentable: 'any' }) as Shape;
  const fields = Object.entries(shape.properties ?? {}).flatMap(([key, field]) =>
    isNumber(field) && !path.includes(`{${key}}`) ? [key] : [],
  );
  const sample = sampleOf(shape, {}) as Record<string, unknown>;
  const inQuery = Object.entries(sample).filter(([key]) => !path.includes(`{${key}}`));
  const url = `/api${path.replace(/\{\w+\}/g, id)}`;
  return fields.map((field) => ({
    name,
    field,
    url,
    schema: inputSchema as z.ZodType,
    sample: Object.fromEntries(inQuery),
    input: sample,
  }));
});

const ask = (url: string, query: Record<string, unknown>) => {
  const texts = Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]);
  return app.raw({
    url: `${url}?${new URLSearchParams(texts)}`,
    headers: { authorization: `Bearer ${someone.token}` },
  });
};

/** Texts that JavaScript reads as numbers, and no person would write. */
const odd = [
  '',
  ' ',
  '0x34',
  '0b11',
  '1e1',
  ' 5 ',
  '+5',
  '5.',
  '.5',
  '5,0',
  '-',
  '5\n',
  '٥',
  'Infinity',
  'null',
];

describe('a number in a query', () => {
  it('occurs in more than thirty operations', () => expect(reads.length).toBeGreaterThan(30));

  it('is in decimal digits for every schema', () => {
    const taken = reads.flatMap(({ name, field, schema, input }) =>
      odd.flatMap((text) => {
        const issues = schema.safeParse({ ...input, [field]: text }).error?.issues ?? [];
        return issues.some(({ path }) => path[0] === field)
          ? []
          : [`${name} ${field} ${JSON.stringify(text)}`];
      }),
    );
    expect(taken).toEqual([]);
  });

  it.each(seededSample(reads, 10, ({ name, field }) => `${name} ${field}`))(
    'is in decimal digits: $field of $name',
    async ({ url, field, sample }) => {
      const answers = await Promise.all(
        odd.map(async (text) => {
          const response = await ask(url, { ...sample, [field]: text });
          return `${JSON.stringify(text)} ${response.statusCode} ${response.json().code}`;
        }),
      );
      expect(answers).toEqual(odd.map((text) => `${JSON.stringify(text)} 400 request/invalid`));
    },
  );

  it('can be negative and have decimals if its field does, and is a single value', async () => {
    const at = { lat: '-52.370', lng: '004.89' };
    expect((await ask('/api/jobs/nearby', { ...at, limit: '5' })).statusCode).toBe(200);
    expect((await ask('/api/jobs/nearby', { ...at, limit: '5.5' })).statusCode).toBe(400);
    expect((await ask('/api/jobs/nearby', { ...at, 'limit[]': '5' })).statusCode).toBe(400);
    expect((await ask('/api/jobs/nearby', { lng: '4.89' })).statusCode).toBe(400);
  });
});
