import { z } from 'zod';
import type { World } from './all-records.fixtures.ts';
import type { ContractOperation } from './contract-operations.ts';
import type { Person, useTestApp } from './harness.ts';
import { sampleOf } from './sample-input.ts';

/** Values that a rule requires but no schema describes. */
const chosen: Record<string, Record<string, unknown>> = {
  'branches.create': { name: 'West', contactPhone: null },
  'branches.update': { contactPhone: null },
  'businessVerification.startDomain': { domain: 'taken-over.example' },
  'businesses.update': { name: 'Taken over' },
  'jobs.update': { title: 'Taken over' },
  'roster.add': { startsAt: '2027-01-11T09:00:00Z', endsAt: '2027-01-11T15:00:00Z' },
  'jobTemplates.post': { startsAt: '2027-01-11T09:00:00Z', endsAt: '2027-01-11T15:00:00Z' },
  'notifications.open': {},
  'team.invite': { role: 'recruiter' },
  'team.createLink': { role: 'recruiter' },
  'team.changeRole': { role: 'finance', fromRole: 'recruiter' },
};

const inputShapes = new Map<string, object>();

/** The JSON schema of an operation's input. Calculating it takes longer than a refused call. */
function inputShapeOf({ operation, name }: ContractOperation): object | undefined {
  const { inputSchema } = operation['~orpc'];
  if (!inputSchema) return undefined;
  const shape =
    inputShapes.get(name) ??
    z.toJSONSchema(inputSchema as z.ZodType, { io: 'input', unrepresentable: 'any' });
  inputShapes.set(name, shape);
  return shape;
}

export async function callInWorld(
  app: ReturnType<typeof useTestApp>,
  world: World,
  person: Person,
  operation: ContractOperation,
  more: Record<string, unknown> = {},
) {
  const { method, path, name } = operation;
  const shape = inputShapeOf(operation);
  const ids =
    name === 'statements.businessLine' ? { ...world.ids, entryId: world.businessEntryId } : world.ids;
  const sample = shape ? sampleOf(shape, ids) : {};
  const input = { ...(sample as Record<string, unknown>), ...chosen[name], ...more };
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, key = '']) => key);
  const rest = Object.fromEntries(Object.entries(input).filter(([key]) => !inPath.includes(key)));
  const url = inPath.reduce((text, key) => text.replace(`{${key}}`, String(ids[key])), `/api${path}`);
  const query = new URLSearchParams(
    Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, String(value)])),
  );
  return app.raw({
    method: method as 'GET',
    url: method === 'GET' ? `${url}?${query}` : url,
    headers: {
      authorization: `Bearer ${await world.tokenOf(person)}`,
      'idempotency-key': crypto.randomUUID(),
    },
    ...(method === 'GET' ? {} : { payload: rest }),
  });
}
