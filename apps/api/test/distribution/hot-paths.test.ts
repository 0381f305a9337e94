import { expect, it } from 'vitest';
import { jobInput } from '../../src/hiring/jobs/jobs.fixtures.ts';
import { evidenceAt } from '../../src/work/engagements/engagements.fixtures.ts';
import { useTestApp } from '../harness.ts';
import { useHiring } from '../use-hiring.ts';
import { crossings, everyCall } from './crossings.ts';
import { placements } from './distributed-tables.ts';
import { readSchema } from './read-schema.ts';
import { statementsSentBy } from './sent-statements.ts';
import { readDeep } from './statements-in-functions.ts';

const app = useTestApp();
const hiring = useHiring(app);

/** What a person's day consists of (docs/scale.md), over HTTP, in the order of a hire. */
async function sentByPath(): Promise<Map<string, string[]>> {
  const { leila, nadia, business } = hiring;
  const sent = new Map<string, string[]>();
  const path = async <Result>(name: string, call: () => Promise<Result>): Promise<Result> => {
    let result: Result | undefined;
    sent.set(
      name,
      await statementsSentBy(async () => {
        result = await call();
      }),
    );
    return result as Result;
  };
  await hiring.fund(1_000_00);
  const draft = await path('jobs.create', () =>
    nadia.api.jobs.create({ businessId: business.id, ...jobInput(app.clock, { headCount: 1 }) }),
  );
  const { id: jobId, place } = await path('jobs.publish', () => nadia.api.jobs.publish({ jobId: draft.id }));
  await path('nearby.search', () => leila.api.nearby.search({ lat: place.lat, lng: place.lng }));
  await path('nearby.search by words', () =>
    leila.api.nearby.search({ lat: place.lat, lng: place.lng, q: 'barista', sort: 'newest' }),
  );
  await path('jobs.get', () => leila.api.jobs.get({ jobId }));
  const { id: applicationId } = await path('applications.submit', () =>
    leila.api.applications.submit({ jobId, coverNote: 'I live around the corner.' }),
  );
  await path('applications.mine', () => leila.api.applications.mine({}));
  const { items } = await path('conversations.list', () => leila.api.conversations.list({}));
  const conversationId = items[0]?.id ?? '';
  await path('messages.send', () =>
    leila.api.messages.send({ conversationId, clientId: crypto.randomUUID(), body: 'Is there a locker?' }),
  );
  await path('conversations.messages', () => nadia.api.conversations.messages({ conversationId }));
  await path('notifications.list', () => nadia.api.notifications.list({}));
  const offer = await path('offers.make', () => nadia.api.offers.make({ applicationId }));
  const { engagementId } = await path('offers.accept', () =>
    leila.api.offers.accept({ offerId: offer.id, version: offer.version }),
  );
  const hired = await leila.api.engagements.get({ engagementId: engagementId ?? '' });
  await path('engagements.mine', () => leila.api.engagements.mine({}));
  const { startsAt, endsAt, breakMinutes } = hired.terms;
  app.clock.set(startsAt ?? '');
  await path('attendance.checkIn', () => leila.api.attendance.checkIn(evidenceAt(hired, app.clock.now())));
  app.clock.set(endsAt ?? '');
  const left = await path('attendance.checkOut', () =>
    leila.api.attendance.checkOut(evidenceAt(hired, app.clock.now())),
  );
  const claim = { startsAt: startsAt ?? '', endsAt: endsAt ?? '', breakMinutes: breakMinutes ?? 0 };
  const claimed = await path('timesheets.submitHours', () =>
    leila.api.timesheets.submitHours({ engagementId: hired.id, version: left.version, ...claim }),
  );
  await path('timesheets.approve', () =>
    nadia.api.timesheets.approve({ engagementId: hired.id, version: claimed.version }),
  );
  return sent;
}

/** The statements that cross machines, as `crossings` describes them, with the paths that send them. */
async function crossingStatements() {
  const schema = await readSchema(app.pool, placements);
  const sent = await sentByPath();
  const readings = [...sent].flatMap(([path, statements]) =>
    statements.flatMap((text) => readDeep(text, schema)).map((reading) => ({ path, ...reading })),
  );
  const crossing = readings.filter(({ without, groups }) => without.length > 0 || groups.length > 1);
  const found = Map.groupBy(
    crossing,
    ({ groups, without }) => `${groups.join('+')}: ${without.toSorted().join(' ')}`,
  );
  const pathsOf = (of: typeof crossing) => [...new Set(of.map(({ path }) => path))].sort();
  return {
    paths: [...sent.keys()].sort(),
    // Without the sets of changed rows that triggers read.
    tables: [...new Set(readings.flatMap(({ tables }) => tables))].filter((table) =>
      schema.columns.has(table),
    ),
    found: Object.fromEntries([...found].map(([what, of]) => [what, pathsOf(of)])),
  };
}

it('finds the rows of every statement on one machine, but for those that are listed', async () => {
  const { paths, tables, found } = await crossingStatements();
  // The tables of the tests' own watch aside (`signal-watch.ts`).
  expect(tables.filter((table) => !(table in placements) && !table.startsWith('test_'))).toEqual([]);
  const listed = crossings.map(({ groups, without, paths: of }) => [
    `${groups}: ${without}`,
    of.includes(everyCall) ? paths : [...new Set(of)].sort(),
  ]);
  expect(found).toEqual(Object.fromEntries(listed));
});
