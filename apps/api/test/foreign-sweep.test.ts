import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { callInWorld } from './call-in-world.ts';
import { type ContractOperation, contractOperations } from './contract-operations.ts';
import { makeWorld, type World } from './foreign-world.ts';
import { failure, type Person, useTestApp } from './harness.ts';

const app = useTestApp();
let world: World;
/** A stranger: an account that has neither applied anywhere nor hires. */
let stranger: Person;

beforeAll(async () => {
  world = await makeWorld(app);
  stranger = await app.person({ name: 'Stranger' });
  stateQuery = await makeStateQuery();
});

/** Every path with a record id that is not public. `year` and `article` name no record. */
const named = contractOperations.filter(
  ({ path, meta }) =>
    /\{(?!year\}|article\})\w+\}/.test(path) && meta.access !== 'public' && meta.access !== 'operator',
);

/** An open job and its business are public, and so is what a worker does with them; everything else is for its recruiters. */
const ofAnOpenJob = [
  ...['applications.submit', 'calendar.conflicts', 'savedJobs.save', 'savedJobs.remove'],
  ...['followedBusinesses.follow', 'followedBusinesses.unfollow'],
];

type State = Record<string, string>;
let stateQuery: { name: string; text: string };
let lastState: State;

/** One checksum per table, except what a refused call may change. A prepared statement: planning it takes longer than running it. */
async function makeStateQuery(): Promise<typeof stateQuery> {
  const { rows: tables } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename not in ('presence', 'sign_in_limits')
      and tablename not like 'test\_%'
    order by 1`.execute(app.db);
  const each = tables.map(
    ({ name }) => `select '${name}' as name,
      count(*) || ' ' || coalesce(md5(string_agg(md5(each::text), '' order by md5(each::text))), '') as digest
      from "${name}" each`,
  );
  return { name: 'state', text: each.join(' union all ') };
}

async function state(): Promise<State> {
  const { rows } = await app.pool.query<{ name: string; digest: string }>(stateQuery);
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}

const rememberState = async () => {
  lastState = await state();
};

/** Compares the database with what it was when it was last looked at. */
async function requireUnchanged(): Promise<void> {
  const before = lastState;
  lastState = await state();
  expect(lastState).toEqual(before);
}

const callAs = (who: Person, operation: ContractOperation) => callInWorld(app, world, who, operation);

describe('every operation on a named record', () => {
  it('is covered, and the world has one of each record', () => {
    expect(named.length).toBeGreaterThan(80);
    const wanted = new Set(
      named.flatMap(({ path }) => [...path.matchAll(/\{(\w+)\}/g)].map(([, key]) => key)),
    );
    expect([...wanted].filter((key) => world.ids[key ?? ''] === undefined)).toEqual([]);
  });

  it.each(named.filter(({ method }) => method === 'GET'))(
    '$name answers those it belongs to, so that the sweep asks for existing records',
    async (entry) => {
      const answers = [await callAs(world.owner, entry), await callAs(world.worker, entry)];
      expect(answers.map(({ statusCode }) => statusCode)).toContain(200);
    },
  );
});

describe('every operation on a named record of others', () => {
  beforeAll(rememberState);

  const outsiders = [
    ['a stranger', () => stranger],
    ['the owner of another business', () => world.rival],
    ['another applicant for the same job', () => world.other],
  ] as const;

  it.each(named.filter(({ name }) => !ofAnOpenJob.includes(name)))(
    '$name returns 404 to strangers, and nothing changes',
    async (entry) => {
      // A 403 reveals that the record exists: an open job is public, and nothing else is revealed.
      const expected = entry.path.startsWith('/jobs/') ? [403, 404] : [404];
      for (const [who, person] of outsiders) {
        const response = await callAs(person(), entry);
        expect(expected, `${who}: ${response.body.slice(0, 300)}`).toContain(response.statusCode);
        expect(response.body).not.toContain(world.mark);
      }
      await requireUnchanged();
    },
  );
});

describe('finance of a business', () => {
  beforeAll(rememberState);
  const closed = named.filter(({ meta }) => meta.access === 'member:recruiter');
  it.each(closed)('may not use $name', async (entry) => {
    const response = await callAs(world.finance, entry);
    expect([403, 404], response.body.slice(0, 300)).toContain(response.statusCode);
    await requireUnchanged();
  });
});

describe('a recruiter of a business', () => {
  beforeAll(rememberState);
  const closed = named.filter(({ meta }) => /^member:(owner|manager|finance)$/.test(meta.access));
  it.each(closed)('may not use $name', async (entry) => {
    const response = await callAs(world.recruiter, entry);
    expect([403, 404], response.body.slice(0, 300)).toContain(response.statusCode);
    await requireUnchanged();
  });
});

describe("a caller's own record combined with another's", () => {
  beforeAll(rememberState);
  const ids = (key: string) => String(world.ids[key]);
  const refusals: [string, () => Promise<unknown>, string][] = [
    [
      'a card in a top-up',
      () =>
        world.rival.api.wallet.topUp({
          businessId: world.rivalBusinessId,
          amountMinor: 1_000,
          currency: 'EUR',
          cardId: ids('cardId'),
        }),
      'payment/card-not-found',
    ],
    [
      'a card behind an offer',
      () =>
        world.rival.api.offers.make({
          applicationId: world.rivalApplicationId,
          funding: { from: 'card', cardId: ids('cardId') },
        }),
      'payment/card-not-found',
    ],
    ['a CV in a profile', () => world.other.api.profiles.save({ cvFileId: ids('fileId') }), 'file/not-found'],
    [
      'a logo of a business',
      () =>
        world.rival.api.businesses.update({
          businessId: world.rivalBusinessId,
          version: world.rivalVersion,
          logoFileId: world.photoId,
        }),
      'file/not-found',
    ],
    [
      'a CV in an application',
      () =>
        world.other.api.applications.submit({
          jobId: world.rivalJobId,
          coverNote: '',
          answers: [],
          cvFileId: ids('fileId'),
        }),
      'file/not-found',
    ],
    [
      'a file in a message',
      () =>
        world.other.api.messages.send({
          conversationId: world.otherConversationId,
          clientId: crypto.randomUUID(),
          body: '',
          fileIds: [world.chatFileId],
        }),
      'file/not-found',
    ],
    [
      'an entry in a statement',
      () =>
        world.rival.api.statements.businessLine({
          businessId: world.rivalBusinessId,
          entryId: world.businessEntryId,
        }),
      'statement/not-found',
    ],
    [
      'a bank account in a withdrawal',
      () =>
        world.other.api.payouts.withdraw({
          methodId: ids('methodId'),
          amountMinor: 1_000,
          speed: 'standard',
        }),
      'payout/method-not-found',
    ],
    [
      'a worker who never applied in an invitation',
      () =>
        world.rival.api.invitations.send({
          jobId: world.rivalJobId,
          workerId: stranger.accountId,
          message: '',
        }),
      'invitation/unknown-worker',
    ],
    [
      'interviews of a business',
      () => world.rival.api.interviews.mine({ businessId: ids('businessId') }),
      'business/not-found',
    ],
  ];
  it.each(refusals)('%s', async (_what, call, code) => {
    expect(await failure(call())).toMatchObject({ code });
    await requireUnchanged();
  });

  it('an applicant among many', async () => {
    const answer = await world.rival.api.applicants.bulk({
      businessId: world.rivalBusinessId,
      action: 'shortlist',
      items: [{ applicationId: ids('applicationId') }],
    });
    expect(answer.results).toMatchObject([{ ok: false, code: 'application/not-found' }]);
  });

  it("lists filtered by another's record are empty, and nothing is marked", async () => {
    const before = await state();
    const { rival } = world;
    const [jobId, businessId, applicationId] = [ids('jobId'), ids('businessId'), ids('applicationId')];
    const lists = [
      await rival.api.engagements.forBusiness({ businessId: world.rivalBusinessId, jobId }),
      await rival.api.interviews.mine({ applicationId }),
      await rival.api.conversations.list({ businessId }),
      await rival.api.conversations.list({ jobId }),
    ];
    expect(lists.map(({ items }) => items)).toEqual([[], [], [], []]);
    const items = [{ conversationId: ids('conversationId'), deliveredSeq: 1, readSeq: 1 }];
    expect(await rival.api.conversations.acknowledge({ items })).toEqual({ conversations: 0 });
    await rival.api.notifications.read({ ids: [ids('notificationId')] });
    const { idempotency_keys: _kept, ...after } = await state();
    expect(before).toMatchObject(after);
  });
});
