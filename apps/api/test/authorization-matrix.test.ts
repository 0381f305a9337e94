import type { SuspensionScope } from '@nearhand/contract/house-rules';
import { type MemberRole, memberRoles } from '@nearhand/contract/member-roles';
import type { Effect, OperationMeta } from '@nearhand/contract/operation';
import {
  type OperatorCapability,
  type OperatorRole,
  operatorCapabilities,
  operatorMay,
  operatorRoles,
  operatorRoleTable,
} from '@nearhand/contract/operator-roles';
import { type Capability, capabilities, roleMay, roleTable } from '@nearhand/contract/people/team.rules';
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { nightly, seededShare } from '../../../scripts/seeded-sample.ts';
import { makeApplication } from '../src/hiring/applications/applications.fixtures.ts';
import { makeJob } from '../src/hiring/jobs/jobs.fixtures.ts';
import { makeBank, payWorker } from '../src/money/payouts/payouts.fixtures.ts';
import { testIbans } from '../src/money/sandbox/sandbox.fixtures.ts';
import { makeBusiness } from '../src/people/businesses/businesses.fixtures.ts';
import { TestAuthenticator } from '../src/people/passkeys/passkeys.fixtures.ts';
import {
  accountConfirmedNow,
  confirmedNow,
  signedInEarlier,
} from '../src/people/sign-in/second-step.fixtures.ts';
import { makeTeamInvitation } from '../src/people/team/team.fixtures.ts';
import type { Db } from '../src/platform/db.ts';
import { makeConversation } from '../src/talk/messages/messages.fixtures.ts';
import { makeOperator } from '../src/trust/operators/operators.fixtures.ts';
import { makeSanction } from '../src/trust/sanctions/sanctions.fixtures.ts';
import { makeWorld, type World } from './all-records.fixtures.ts';
import { callInWorld } from './call-in-world.ts';
import { type ContractOperation, contractOperations, workingHeaders } from './contract-operations.ts';
import { failure, type Person, useTestApp } from './harness.ts';

/**
 * Calls every operation as everyone, in a world with one of every record; the contract's metadata defines the
 * expected result. Each part has a control that shows that it would find a fault.
 */
const app = useTestApp();
let world: World;
let stranger: Person;

beforeAll(async () => {
  world = await makeWorld(app);
  stranger = await app.person({ name: 'Stranger' });
  stateQuery = await makeStateQuery();
}, 240_000);

const isWrite = ({ method }: ContractOperation) => method !== 'GET';
const isOperators = ({ meta }: ContractOperation) => meta.access === 'operator';
const callAs = (who: Person, operation: ContractOperation, more: Record<string, unknown> = {}) =>
  callInWorld(app, world, who, operation, more);
type Response = Awaited<ReturnType<typeof callAs>>;
const codeOf = (response: Response): string =>
  response.statusCode < 400 ? 'ok' : (response.json() as { code: string }).code;
const describeAnswer = (response: Response) => `${response.statusCode} ${response.body.slice(0, 160)}`;

async function callBare(
  { method, path }: ContractOperation,
  token: string | null,
  headers: Record<string, string> = {},
): Promise<Response> {
  return app.raw({
    method: method as 'GET',
    url: `/api${path.replace('{kind}', 'dispute').replace(/\{\w+\}/g, '01a1fbbc-d019-79f0-8086-994049deb373')}`,
    headers: {
      'idempotency-key': crypto.randomUUID(),
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(method === 'GET' ? {} : { payload: {} }),
  });
}

async function otherwise(
  operations: readonly ContractOperation[],
  call: (operation: ContractOperation) => Promise<Response>,
  isRight: (response: Response, operation: ContractOperation) => boolean,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const operation of operations) {
    const response = await call(operation);
    if (!isRight(response, operation)) wrong.push(`${operation.name}: ${describeAnswer(response)}`);
  }
  return wrong;
}

/** `year` and `article` name no record. */
const named = contractOperations.filter(
  ({ path, meta }) =>
    /\{(?!year\}|article\})\w+\}/.test(path) && meta.access !== 'public' && meta.access !== 'operator',
);

/** An open job, its business and a worker's actions on them are public. */
const ofAnOpenJob = [
  'applications.submit',
  'calendar.conflicts',
  'savedJobs.save',
  'savedJobs.remove',
  'followedBusinesses.follow',
  'followedBusinesses.unfollow',
];

type State = Record<string, string>;
let stateQuery: { name: string; text: string };
let lastState: State;

/** One checksum per table. A prepared statement, since planning it takes longer than running it. */
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

async function requireUnchanged(): Promise<void> {
  const before = lastState;
  lastState = await state();
  expect(lastState).toEqual(before);
}

describe('an operation that is not public', () => {
  const closed = contractOperations.filter(({ meta }) => meta.access !== 'public');

  it('returns 401 without a session', async () => {
    expect(closed.length).toBeGreaterThan(250);
    const is401 = (response: Response) =>
      response.statusCode === 401 && codeOf(response) === 'session/required';
    expect(await otherwise(closed, (operation) => callBare(operation, null), is401)).toEqual([]);
  });

  it('returns 403 to an unverified account when it requires a verified one', async () => {
    const { token } = await app.person({ verified: false });
    const needed = closed.filter(({ meta }) => meta.access !== 'signed-in');
    const is403 = (response: Response) =>
      response.statusCode === 403 && codeOf(response) === 'session/email-not-verified';
    expect(await otherwise(needed, (operation) => callBare(operation, token), is403)).toEqual([]);
  });

  it('returns 403 to everyone but operators if it is theirs, for any input', async () => {
    const operators = contractOperations.filter(isOperators);
    expect(operators.length).toBeGreaterThan(2);
    const is403 = (response: Response) =>
      response.statusCode === 403 && codeOf(response) === 'operator/required';
    expect(await otherwise(operators, (operation) => callBare(operation, stranger.token), is403)).toEqual([]);
  });
});

describe('an operation on a named record', () => {
  it('is covered, and the world contains one of each record', () => {
    expect(named.length).toBeGreaterThan(80);
    const wanted = new Set(
      named.flatMap(({ path }) => [...path.matchAll(/\{(\w+)\}/g)].map(([, key]) => key)),
    );
    expect([...wanted].filter((key) => world.ids[key ?? ''] === undefined)).toEqual([]);
  });

  it('succeeds for its owners, so the others request existing records', async () => {
    const unanswered: string[] = [];
    for (const operation of named.filter((entry) => !isWrite(entry))) {
      const people = operation.name === 'team.ownerChange' ? [world.owner] : [world.owner, world.worker];
      const statuses: number[] = [];
      for (const person of people) statuses.push((await callAs(person, operation)).statusCode);
      if (!statuses.includes(200)) unanswered.push(operation.name);
    }
    expect(unanswered).toEqual([]);
  });

  const outsiders = [
    ['a stranger', () => stranger],
    ['the owner of another business', () => world.rival],
    ['another applicant for the same job', () => world.other],
  ] as const;
  it.each(outsiders)('returns 404 to %s and changes nothing', async (_who, person) => {
    await rememberState();
    const closed = named.filter(({ name }) => !ofAnOpenJob.includes(name));
    // A 403 reveals that the record exists, which only an open job may.
    const isHidden = ({ statusCode, body }: Response, { path }: ContractOperation) =>
      (statusCode === 404 || (statusCode === 403 && path.startsWith('/jobs/'))) && !body.includes(world.mark);
    expect(await otherwise(closed, (operation) => callAs(person(), operation), isHidden)).toEqual([]);
    await requireUnchanged();
  });

  const weaker = [
    ['finance', () => world.finance, /^member:(recruiter|coordinator)$/],
    ['a recruiter', () => world.recruiter, /^member:(owner|manager|finance)$/],
    ['a coordinator', () => world.coordinator, /^member:(owner|manager|recruiter|finance)$/],
  ] as const;
  it.each(weaker)(
    'of another role returns 403 to %s of the business and changes nothing',
    async (_who, person, access) => {
      await rememberState();
      const closed = named.filter(({ meta }) => access.test(meta.access));
      const isRefused = ({ statusCode }: Response) => statusCode === 403 || statusCode === 404;
      expect(closed.length).toBeGreaterThan(5);
      expect(await otherwise(closed, (operation) => callAs(person(), operation), isRefused)).toEqual([]);
      await requireUnchanged();
    },
  );

  it('detects a call that changes something', async () => {
    await rememberState();
    await world.rival.api.savedJobs.save({ jobId: String(world.ids.jobId) });
    await expect(requireUnchanged()).rejects.toThrow();
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

  it("returns empty lists filtered by another's record, and marks nothing", async () => {
    const before = await state();
    const { rival } = world;
    const jobId = ids('jobId');
    const businessId = ids('businessId');
    const applicationId = ids('applicationId');
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

/** The capability for an operation's access, unless listed below. */
const byAccess: Record<string, Capability> = {
  member: 'view',
  'member:recruiter': 'settle',
  'member:coordinator': 'applicants',
  'member:manager': 'details',
  'member:owner': 'ownership',
  'member:finance': 'money',
};

/** Operations whose access alone does not name the capability. */
const byName: Record<string, Capability> = {
  'jobs.*': 'jobs',
  'jobTemplates.*': 'jobs',
  'spots.*': 'jobs',
  'roster.add': 'jobs',
  'roster.copy': 'jobs',
  'pools.*': 'pools',
  'attendance.siteCode': 'work',
  'attendance.checkInFor': 'work',
  'attendance.checkOutFor': 'work',
  'engagements.reportNoShow': 'work',
  'engagements.cancel': 'work',
  'timesheets.requestChanges': 'work',
  'timesheets.approve': 'pay',
  'timesheets.rule': 'pay',
  'disputes.propose': 'settle',
  'reviews.write': 'work',
  'pay.*': 'pay',
  'pay.releasePreview': 'view',
  'holds.pay': 'spend',
  'holds.payBooked': 'spend',
  'charges.get': 'view-money',
  'wallet.get': 'view-money',
  'offers.get': 'view',
  'interviews.get': 'applicants',
  'interviews.cancel': 'applicants',
  'interviews.reschedule': 'applicants',
  'conversations.get': 'messages',
  'conversations.messages': 'messages',
  'conversations.mute': 'messages',
  'messages.send': 'messages',
  'messages.react': 'messages',
  'dashboard.figures': 'figures',
  'team.invite': 'team',
  'team.createLink': 'team',
  'team.invitations': 'team',
  'team.resend': 'team',
  'team.revoke': 'team',
  'team.changeRole': 'team',
  'team.remove': 'team',
};

/** Operations decided by something other than a role, each with the reason. */
const byRecord: Record<string, string> = {
  'pipeline.deleteNote': 'its author',
  'pools.deleteNote': 'its author',
  'rebook.crew': 'workers whom the business knows, others are a 404',
  'roster.copy': 'shifts of the business, others are a 404',
  'pools.add': 'workers whom the business knows, others are a 404',
  'businessVerification.addDocument': 'a file of the caller, others are a 404',
  'businessVerification.checkDomain': 'a domain that was named, otherwise a 404',
  'team.leave': 'everyone but the last owner, whom it refuses with a 409',
  'team.acceptOwnership': 'whom it was offered to',
  'team.declineOwnership': 'whom it was offered to',
  'team.renewLink': 'the invitation of the world is a mail, not a link',
};

function capabilityOf({ name, meta }: ContractOperation): Capability {
  const capability = byName[name] ?? byName[`${name.split('.')[0]}.*`] ?? byAccess[meta.access];
  if (capability === undefined) throw new Error(`${name} has no capability`);
  return capability;
}

const businessOperations = contractOperations.filter(
  (entry) =>
    /\{\w+\}/.test(entry.path) &&
    (entry.name in byName || entry.meta.access.startsWith('member')) &&
    !(entry.name in byRecord),
);

/** States that a suspended or unproved caller must not reach, as row keys; `-` marks removed ones. */
const states = {
  '-members': sql`select account_id || role from business_members`,
  invitations: sql`select id || token_hash from team_invitations where status = 'open'`,
  'ownership offers': sql`select id::text from ownership_offers where status = 'open'`,
  '-bank accounts': sql`select id || is_default::text from payout_methods where removed_at is null`,
  '-passkeys': sql`select id::text from passkeys`,
  'calendar addresses': sql`select secret_hash from calendar_feeds`,
  'email changes': sql`select id::text from email_changes where status = 'open'`,
  '-addresses': sql`select id || email from accounts`,
  '-phone numbers': sql`select account_id || phone from profiles where phone is not null`,
  '-open businesses': sql`select id::text from businesses where status <> 'closed'`,
  removals: sql`select account_id::text from account_deletions where status = 'scheduled'`,
  payments: sql`select entry_id || account_id from ledger_postings
    where amount <> 0 and (account_id like 'worker%' or account_id like 'provider%')`,
  offers: sql`select id::text from offers`,
  interviews: sql`select id::text from interviews`,
  'job invitations': sql`select id::text from job_invitations`,
  // Returning an application to the shortlist is no new choice.
  choices: sql`select id || case when status in ('offered', 'hired') then ' hired' else '' end from applications
    where status in ('shortlisted', 'interviewing', 'offered', 'hired')`,
  'open jobs': sql`select id::text from jobs where status = 'open'`,
  drafts: sql`select id::text from jobs where status = 'draft'`,
};
type StateName = keyof typeof states;
const guardedStates: readonly StateName[] = [
  '-members',
  'invitations',
  'ownership offers',
  '-bank accounts',
  '-passkeys',
  'calendar addresses',
  'email changes',
  '-addresses',
  '-phone numbers',
  '-open businesses',
  'removals',
];
const hireStates: readonly StateName[] = [
  'offers',
  'interviews',
  'job invitations',
  'choices',
  'open jobs',
  'drafts',
];

async function readStates(db: Db): Promise<Map<string, Set<string>>> {
  const parts = Object.entries(states).map(
    // A parameter, because the test server prepares only statements with parameters.
    ([name, query]) => sql`select ${name}::text as name, array(${query}) as keys`,
  );
  const { rows } = await sql<{ name: string; keys: string[] }>`${sql.join(parts, sql` union all `)}`.execute(
    db,
  );
  return new Map(rows.map(({ name, keys }) => [name, new Set(keys)]));
}

let reached = new Set<StateName>();

/**
 * Rolls back each call and records what it reached, so that all calls see the same world.
 * @returns a function that ends it
 */
async function undoEveryCall({ isRecorded }: { isRecorded: boolean }): Promise<() => void> {
  const before = isRecorded ? await readStates(app.db) : new Map<string, Set<string>>();
  const note = async (db: Db) => {
    if (!isRecorded) return;
    for (const [name, keys] of await readStates(db)) {
      const old = before.get(name) ?? new Set();
      const isNew = [...keys].some((key) => !old.has(key));
      const isLess = name.startsWith('-') && [...old].some((key) => !keys.has(key));
      if (isNew || isLess) reached.add(name as StateName);
    }
  };
  const own = Object.hasOwn(app.db, 'transaction');
  const begin = app.db.transaction.bind(app.db);
  app.db.transaction = () => {
    const builder = begin();
    const execute = builder.execute.bind(builder);
    builder.execute = async (work) => {
      let result: { value: unknown } | undefined;
      const undone = new Error('undone');
      try {
        await execute(async (tx) => {
          result = { value: await work(tx) };
          await note(tx);
          throw undone;
        });
      } catch (error) {
        if (error !== undone) throw error;
      }
      return result?.value as never;
    };
    return builder;
  };
  return () => {
    if (own) app.db.transaction = begin;
    else Reflect.deleteProperty(app.db, 'transaction');
  };
}

type Call = { operation: ContractOperation; response: Response; reached: ReadonlySet<StateName> };

type CallOptions = {
  inputOf?: (operation: ContractOperation) => Record<string, unknown>;
  /** False if the caller needs the answers only: reading the states takes about as long as a call. */
  isRecorded?: boolean;
};

async function callUndone(
  who: Person,
  operations: readonly ContractOperation[],
  { inputOf = () => ({}), isRecorded = true }: CallOptions = {},
): Promise<Call[]> {
  const restore = await undoEveryCall({ isRecorded });
  try {
    const calls: Call[] = [];
    for (const operation of operations) {
      reached = new Set();
      const response = await callAs(who, operation, inputOf(operation));
      calls.push({ operation, response, reached });
    }
    return calls;
  } finally {
    restore();
  }
}
const namesOf = (calls: readonly Call[]) =>
  calls.map(
    ({ operation, response, reached: states }) =>
      `${operation.name}: ${[...states]} ${describeAnswer(response)}`,
  );

describe('every business operation', () => {
  type Answer = { role: MemberRole; name: string; capability: Capability; allowed: boolean; answer: string };
  const answers: Answer[] = [];
  const unforeseen = (table: Record<Capability, readonly MemberRole[]>) =>
    answers
      .filter(({ role, capability, allowed }) => allowed !== table[capability].includes(role))
      .map(({ role, name, answer }) => `${role} ${name}: ${answer}`);

  it('is open to exactly the roles of its row in the table, and never rejected for its input', async () => {
    for (const role of memberRoles) {
      await accountConfirmedNow(app, world[role].accountId);
      // By day all calls that are refused, and a sample of those that are allowed, which take longer.
      const isInSample = seededShare();
      const tried = businessOperations.filter((operation) => {
        const capability = capabilityOf(operation);
        return !roleMay(role, capability) || isInSample(capability, `${role} ${operation.name}`);
      });
      for (const { operation, response } of await callUndone(world[role], tried, { isRecorded: false })) {
        const capability = capabilityOf(operation);
        const allowed = ![401, 403, 404].includes(response.statusCode);
        answers.push({ role, name: operation.name, capability, allowed, answer: describeAnswer(response) });
      }
    }
    expect(answers.length).toBeGreaterThan(nightly ? 4 * 70 : 70);
    expect(answers.filter(({ answer }) => /^(400|500)/.test(answer))).toEqual([]);
    expect(new Set(answers.map(({ capability }) => capability))).toEqual(new Set(capabilities));
    expect(unforeseen(roleTable)).toEqual([]);
  }, 240_000);

  it('detects every wrong entry of the table', () => {
    for (const capability of capabilities)
      for (const role of memberRoles) {
        const row: readonly MemberRole[] = roleTable[capability];
        const wrong = row.includes(role) ? row.filter((other) => other !== role) : [...row, role];
        expect(unforeseen({ ...roleTable, [capability]: wrong }), `${capability} ${role}`).not.toEqual([]);
      }
  });
});

describe('every operator operation', () => {
  type Rule = Extract<OperationMeta, { access: 'operator' }>['operator'];
  const entries = contractOperations.flatMap((operation) =>
    operation.meta.access === 'operator' ? [{ operation, rule: operation.meta.operator }] : [],
  );
  const answers: { role: OperatorRole; name: string; rule: Rule; code: string }[] = [];
  const unforeseen = (table: Record<OperatorCapability, readonly OperatorRole[]>) =>
    answers
      .filter(
        ({ role, rule, code }) => (code !== 'operator/role-required') !== table[rule.may].includes(role),
      )
      .map(({ role, name, code }) => `${role} ${name}: ${code}`);

  it('is open to exactly the roles of its row in the table', async () => {
    for (const role of operatorRoles) {
      const person = await app.person();
      await makeOperator(app.db, app, person, [role]);
      // By day all calls that are refused, and a sample of those that are allowed, with a decision of each capability.
      const isInSample = seededShare();
      const tried = entries.filter(
        ({ operation, rule }) =>
          !operatorMay([role], rule.may) ||
          isInSample(`${rule.may} ${rule.needs}`, `${role} ${operation.name}`),
      );
      for (const { operation, rule } of tried) {
        const code = codeOf(await callBare(operation, person.token, workingHeaders));
        answers.push({ role, name: operation.name, rule, code });
      }
    }
    expect(entries.length).toBeGreaterThan(20);
    expect(unforeseen(operatorRoleTable)).toEqual([]);
  });

  it('names its case if it is a decision, and requires the claim', () => {
    const isDecision = ({ rule }: { rule: Rule }) => rule.needs === 'claim';
    expect(entries.filter((entry) => isDecision(entry) && entry.rule.case === undefined)).toEqual([]);
    const inRole = answers.filter((answer) => isDecision(answer) && answer.code !== 'operator/role-required');
    expect([...new Set(inRole.map(({ code }) => code))]).toEqual(['case/claim-required']);
  });

  it('detects every wrong entry of the table', () => {
    const used = new Set(entries.map(({ rule }) => rule.may));
    for (const capability of operatorCapabilities.filter((each) => used.has(each)))
      for (const role of operatorRoles) {
        const row: readonly OperatorRole[] = operatorRoleTable[capability];
        const wrong = row.includes(role) ? row.filter((other) => other !== role) : [...row, role];
        expect(
          unforeseen({ ...operatorRoleTable, [capability]: wrong }),
          `${capability} ${role}`,
        ).not.toEqual([]);
      }
  });
});

describe('what a write leads to', () => {
  afterEach(async () => {
    await app.db.deleteFrom('sanctions').where('measure', '=', 'suspension').execute();
    // A session is cached for some seconds.
    app.clock.forward({ seconds: 6 });
  });
  const writes = contractOperations.filter((operation) => isWrite(operation) && !isOperators(operation));
  /** Uses the smallest valid input where an effect depends on it. */
  const has = ({ meta }: ContractOperation, ...effects: Effect[]) =>
    effects.some((effect) => meta.effects?.some((each) => each.replace(/^hire:.*/, 'hire') === effect));
  const people = () => [world.owner, world.worker];
  const callAll = async (operations = writes, options: CallOptions = {}) =>
    (await callUndone(world.owner, operations, options)).concat(
      await callUndone(world.worker, operations, options),
    );
  const reaching = (calls: readonly Call[], names: readonly StateName[]) =>
    calls.filter((call) => names.some((name) => call.reached.has(name)));

  it('matches the contract: guarded states, money and hires', async () => {
    for (const { accountId } of people()) await accountConfirmedNow(app, accountId);
    const calls = await callAll();
    const unsaid = [
      ...reaching(calls, guardedStates).filter(
        ({ operation }) => !has(operation, 'guarded', 'guarded:record', 'guarded:input'),
      ),
      ...reaching(calls, ['payments']).filter(({ operation }) => !has(operation, 'money')),
      ...reaching(calls, hireStates).filter(({ operation }) => !has(operation, 'hire', 'apply')),
    ];
    expect(namesOf(unsaid)).toEqual([]);
    // The control: the check detects what these calls reach.
    const seen = (names: readonly StateName[]) =>
      reaching(calls, names).map(({ operation }) => operation.name);
    expect(seen(guardedStates)).toEqual(
      expect.arrayContaining([
        'team.invite',
        'team.createLink',
        'team.changeRole',
        'team.remove',
        'team.offerOwnership',
        'team.undoOwnerChange',
        'calendar.newFeed',
        'emailChange.start',
      ]),
    );
    expect(seen(hireStates)).toEqual(expect.arrayContaining(['jobs.create', 'offers.make', 'rebook.offer']));
  }, 240_000);

  it('without a recent proof is no guarded state, and a guarded write is rejected', async () => {
    for (const person of people()) {
      await app.db.deleteFrom('password_checks').where('sessionId', '=', person.sessionId).execute();
      await signedInEarlier(app, person);
    }
    const calls = await callAll();
    const refused = calls.filter(({ operation }) => has(operation, 'guarded'));
    expect(refused.length).toBeGreaterThan(2 * 14);
    expect(
      namesOf(refused.filter(({ response }) => codeOf(response) !== 'session/password-required')),
    ).toEqual([]);
    expect(namesOf(reaching(calls, guardedStates))).toEqual([]);
    for (const { accountId } of people()) await accountConfirmedNow(app, accountId);
  }, 240_000);

  it("with a password or a passkey isn't proved by signing in", async () => {
    // The worker has a passkey, and a test's session is recent.
    await app.db.deleteFrom('password_checks').where('sessionId', '=', world.worker.sessionId).execute();
    await app.db
      .updateTable('sessions')
      .set({ createdAt: app.clock.now() })
      .where('id', '=', world.worker.sessionId)
      .execute();
    await expect(failure(world.worker.api.calendar.newFeed())).resolves.toMatchObject({
      code: 'session/password-required',
    });
    await accountConfirmedNow(app, world.worker.accountId);
  });

  /** One call without the proof, its error code, and one call with it, for each such write. */
  const proofs: Record<
    string,
    () => Promise<[without: () => Promise<unknown>, code: string, proved: () => Promise<unknown>]>
  > = {
    'profiles.save': async () => {
      const person = await app.person();
      await person.api.profiles.save({ phone: '+31612345671' });
      await signedInEarlier(app, person);
      const replace = () => person.api.profiles.save({ phone: '+31612345672' });
      return [replace, 'session/password-required', () => provedBy(person, replace)];
    },
    'verification.confirmPhone': async () => {
      const person = await app.person();
      await person.api.profiles.save({ phone: '+31612345673' });
      await signedInEarlier(app, person);
      await person.api.verification.sendPhoneCode({ phone: '+31612345674' });
      await app.runDue();
      const text = await app.db
        .selectFrom('mailbox_messages')
        .select('text')
        .where('recipient', '=', '+31612345674')
        .executeTakeFirstOrThrow();
      const confirm = () => person.api.verification.confirmPhone({ code: text.text.slice(0, 6) });
      return [confirm, 'session/password-required', () => provedBy(person, confirm)];
    },
    'payouts.withdraw': async () => {
      const { worker } = world;
      await payWorker(app.db, app.scopeOf(worker), worker.accountId, 10_000, { atOnce: true });
      const method = await makeBank(app.db, app.scopeOf(worker), testIbans.late);
      const young = app.db.updateTable('payout_methods').where('id', '=', method.id);
      await young.set({ usableFrom: app.clock.now() }).execute();
      await signedInEarlier(app, worker);
      await app.db.deleteFrom('password_checks').where('sessionId', '=', worker.sessionId).execute();
      const withdraw = () =>
        worker.api.payouts.withdraw({ methodId: method.id, amountMinor: 3_000, speed: 'standard' });
      return [withdraw, 'session/password-required', () => provedBy(worker, withdraw)];
    },
    'emailChange.confirm': async () => {
      const person = await app.person();
      const newEmail = `new-${person.email}`;
      await person.api.emailChange.start({ newEmail });
      await app
        .apiAs(null)
        .emailChange.confirm({ token: await mailed(person.email, /[?&]confirm=([\w.-]+)/) });
      const token = await mailed(newEmail, /[?&]confirm=([\w.-]+)/);
      return [
        () => app.apiAs(null).emailChange.confirm({ token }),
        'email-change/sign-in-first',
        () => person.api.emailChange.confirm({ token }),
      ];
    },
    'emailChange.undo': async () => {
      const person = await app.person();
      const newEmail = `new-${person.email}`;
      await person.api.emailChange.start({ newEmail });
      await app
        .apiAs(null)
        .emailChange.confirm({ token: await mailed(person.email, /[?&]confirm=([\w.-]+)/) });
      await person.api.emailChange.confirm({ token: await mailed(newEmail, /[?&]confirm=([\w.-]+)/) });
      const token = await mailed(person.email, /[?&]undo=([\w.-]+)/);
      const undo = (text: string) => app.apiAs(null).emailChange.undo({ token: text });
      return [() => undo([...token].reverse().join('')), 'email-change/not-found', () => undo(token)];
    },
    'passkeys.add': async () => {
      const person = await app.person();
      const thief = await app.person();
      const held = () => new TestAuthenticator(app.config.PUBLIC_URL);
      const answer = held().create(await person.api.passkeys.startAdding());
      const foreign = held().create(await thief.api.passkeys.startAdding());
      return [
        () => person.api.passkeys.add({ name: 'Theirs', answer: foreign }),
        'passkey/expired',
        () => person.api.passkeys.add({ name: 'Mine', answer }),
      ];
    },
    'accountDeletion.request': async () => {
      const { api, email } = await app.person();
      await api.accountDeletion.sendCode();
      const code = await mailed(email, /\b(\d{6})\b/);
      const request = (digits: string) => api.accountDeletion.request({ code: digits });
      return [
        () => request(code === '000000' ? '000001' : '000000'),
        'account/wrong-code',
        () => request(code),
      ];
    },
    'team.accept': async () => {
      const person = await app.person();
      const thief = await app.person();
      const business = await makeBusiness(app.db, app.scopeOf(world.rival));
      await makeTeamInvitation(app.db, app.scopeOf(world.rival), business.id, {
        email: person.email,
      });
      const token = await mailed(person.email, /\/join-team\/([\w-]+)/);
      return [
        () => thief.api.team.accept({ token }),
        'team/other-address',
        () => person.api.team.accept({ token }),
      ];
    },
  };
  const provedBy = async (person: Person, call: () => Promise<unknown>) => {
    await confirmedNow(app, person);
    return call();
  };
  const mailed = async (to: string, what: RegExp) => {
    await app.runDue();
    const mail = app.mails.findLast((mail) => mail.to === to && what.test(mail.text));
    return what.exec(mail?.text ?? '')?.[1] ?? '';
  };

  it('is declared for each write with its proof in the record or input', () => {
    const named = writes.filter((operation) => has(operation, 'guarded:record', 'guarded:input'));
    expect(named.map(({ name }) => name).sort()).toEqual(Object.keys(proofs).sort());
  });

  it.each(Object.keys(proofs))(
    'accepts the proof that %s requires, and changes nothing without it',
    async (name) => {
      const [without, code, proved] = await (proofs[name] as (typeof proofs)[string])();
      const before = await readStates(app.db);
      expect(await failure(without())).toMatchObject({ code });
      expect(await readStates(app.db)).toEqual(before);
      await proved();
      expect(await readStates(app.db)).not.toEqual(before);
    },
  );

  const withWords = ({ meta }: ContractOperation) =>
    Object.fromEntries(
      (meta.effects ?? []).flatMap((effect) => {
        const [first, second] = effect.startsWith('text:') ? effect.slice('text:'.length).split('.') : [];
        if (first === undefined) return [];
        return [[first, second ? [{ [second]: 'Call me', questionId: world.ids.jobId }] : 'Call me']];
      }),
    );
  const talks = ({ meta }: ContractOperation) =>
    meta.whileSuspended !== 'owed' && (meta.effects ?? []).some((effect) => effect.startsWith('text'));
  const refusedIn: Record<SuspensionScope, (operation: ContractOperation) => boolean> = {
    applying: (operation) => has(operation, 'apply'),
    hiring: (operation) => has(operation, 'hire'),
    chat: talks,
    everything: (operation) => operation.meta.whileSuspended === undefined || talks(operation),
  };
  const unreached: Record<SuspensionScope, readonly StateName[]> = {
    applying: [],
    hiring: hireStates,
    chat: [],
    everything: hireStates,
  };

  it.each(Object.keys(refusedIn) as SuspensionScope[])(
    'is rejected for users suspended from %s',
    async (scope) => {
      for (const { accountId: id } of people())
        await makeSanction(app.db, app.scopeOf(stranger), {
          target: { kind: 'account', id },
          measure: 'suspension',
          scope,
        });
      // A session is cached for some seconds.
      app.clock.forward({ seconds: 6 });
      for (const { accountId } of people()) await accountConfirmedNow(app, accountId);
      // By day all writes that must be refused, and a sample of the others.
      const isInSample = seededShare();
      const tried = writes.filter(
        (operation) => refusedIn[scope](operation) || isInSample(scope, `${scope} ${operation.name}`),
      );
      const calls = await callAll(tried, { inputOf: withWords });
      const isRefused = ({ response }: Call) => codeOf(response) === 'account/suspended';
      expect(namesOf(calls.filter((call) => isRefused(call) !== refusedIn[scope](call.operation)))).toEqual(
        [],
      );
      expect(calls.filter(isRefused).length).toBeGreaterThan(2 * 5);
      expect(namesOf(reaching(calls, unreached[scope]))).toEqual([]);
      await app.db.deleteFrom('sanctions').where('measure', '=', 'suspension').execute();
      app.clock.forward({ seconds: 6 });
    },
    240_000,
  );

  it('is no hire in a suspended business, for any role', async () => {
    const business = app.db.updateTable('businesses').where('id', '=', String(world.ids.businessId));
    await business.set({ status: 'suspended' }).execute();
    const hiring = writes.filter((operation) => has(operation, 'hire'));
    for (const role of memberRoles) {
      await accountConfirmedNow(app, world[role].accountId);
      const calls = await callUndone(world[role], hiring);
      expect(namesOf(reaching(calls, hireStates))).toEqual([]);
      const ofBusiness = calls.filter(({ operation }) =>
        /\{(businessId|jobId|applicationId|interviewId|poolId|templateId|holdId)\}/.test(operation.path),
      );
      expect(ofBusiness.length).toBeGreaterThan(15);
      expect(
        namesOf(ofBusiness.filter(({ response }) => codeOf(response) !== 'business/wrong-state')),
      ).toEqual([]);
    }
    await business.set({ status: 'verified' }).execute();
  }, 240_000);

  it('moves only owed money while suspended from everything', () => {
    const open = writes.filter(({ meta }) => meta.whileSuspended !== undefined);
    const notOwed = open.filter(({ meta }) => meta.whileSuspended !== 'owed');
    expect(
      notOwed.filter((operation) => has(operation, 'money', 'hire', 'apply')).map(({ name }) => name),
    ).toEqual([]);
    expect(open.filter((operation) => has(operation, 'hire', 'apply')).map(({ name }) => name)).toEqual([]);
    const kept = writes.filter(({ name }) =>
      /^(attendance|timesheets|disputes|appeals|tickets|accountDeletion)\./.test(name),
    );
    expect(kept.length).toBeGreaterThan(15);
    expect(kept.filter(({ meta }) => meta.whileSuspended === undefined).map(({ name }) => name)).toEqual([]);
  });

  /** Texts that reach no other person, each with the reason. */
  const unaddressed: Record<string, string> = {
    'accounts.update': 'the own name',
    'branches.*': 'what a business says of itself',
    'businesses.*': 'what a business says of itself',
    'businessVerification.startDomain': 'a domain',
    'conversations.saveQuickReplies': 'templates, which are sent by messages.send',
    'interviews.complete': 'private notes of the business',
    'jobTemplates.*': 'a name for the business',
    'kiosks.*': 'a name for the business',
    'jobs.*': 'what a job says of itself, screened at publishing and at each change after that',
    'notificationSettings.update': 'a time zone',
    'payouts.verifyIdentity': 'for the payment provider',
    'pipeline.*': 'private notes of the business',
    'pools.*': 'private notes of the business',
    'profiles.save': 'the own name and home; `bio` counts',
    'savedSearches.*': 'a name for oneself',
  };
  function textsIn(shape: unknown, path: string[] = []): string[] {
    type Shape = Record<string, unknown> & { properties?: object; items?: unknown };
    const schema = (shape ?? {}) as Shape;
    const parts = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((each) => (each ?? []) as unknown[]);
    if (parts.length > 0) return parts.flatMap((part) => textsIn(part, path));
    if (schema.properties)
      return Object.entries(schema.properties).flatMap(([key, value]) => textsIn(value, [...path, key]));
    if (schema.items) return textsIn(schema.items, path);
    const isFree =
      schema.type === 'string' && !schema.enum && !schema.const && !schema.format && !schema.pattern;
    return isFree ? [path.join('.')] : [];
  }
  const unsaidTexts = (operations: readonly ContractOperation[]) =>
    operations
      .filter(({ meta }) => !has({ meta } as ContractOperation, 'text'))
      .filter(({ meta }) => meta.whileSuspended !== 'account' && meta.whileSuspended !== 'staff')
      .filter(({ name }) => !(name in unaddressed) && !(`${name.split('.')[0]}.*` in unaddressed))
      .flatMap(({ name, meta, operation }) => {
        const { inputSchema } = operation['~orpc'];
        const schema =
          inputSchema && z.toJSONSchema(inputSchema as z.ZodType, { io: 'input', unrepresentable: 'any' });
        return textsIn(schema)
          .filter((path) => !meta.effects?.includes(`text:${path}`))
          .map((path) => `${name} ${path}`);
      });

  it('declares each field with text for another user', () => {
    expect(unsaidTexts(writes)).toEqual([]);
    const withoutTexts = writes.map((operation) => ({
      ...operation,
      meta: { ...operation.meta, effects: [] },
    }));
    expect(unsaidTexts(withoutTexts)).toEqual(
      expect.arrayContaining([
        'offers.make message',
        'applications.submit answers.value',
        'messages.send body',
      ]),
    );
  });
});

/**
 * A recruiter limited to a branch learns nothing of other branches (ADR 167). Last, because it moves jobs to
 * a branch.
 */
describe('a branch', () => {
  /** Ids and texts of the other branch: no response may contain them. */
  let foreign: string[];
  let jobIds: string[];

  beforeAll(async () => {
    const businessId = String(world.ids.businessId);
    // Records without a branch must be hidden from the limited recruiter too.
    const jobs = await app.db.selectFrom('jobs').select('id').where('businessId', '=', businessId).execute();
    jobIds = jobs.map(({ id }) => id);
    await app.db
      .updateTable('jobs')
      .set({ branchId: String(world.ids.branchId) })
      .where('id', 'in', jobIds.slice(1))
      .execute();
    const { rows } = await sql<{ id: string }>`
    select id from applications where business_id = ${businessId} union all select id from interviews where business_id = ${businessId}
    union all select id from offers where business_id = ${businessId} union all select id from engagements where business_id = ${businessId}
    union all select id from conversations where business_id = ${businessId} union all select id from holds where business_id = ${businessId}`.execute(
      app.db,
    );
    foreign = [
      world.mark,
      'Paint the fence',
      'Oil the door',
      'Sweep the yard',
      String(world.ids.branchId),
      ...jobIds,
      ...rows.map(({ id }) => id),
      String(world.ids.disputeId),
      String(world.ids.noteId),
      String(world.ids.chargeId),
      String(world.ids.fileId),
      String(world.ids.poolId),
      String(world.ids.templateId),
    ];
  }, 240_000);

  const operations = contractOperations.filter(
    ({ meta, name }) =>
      meta.access !== 'public' && meta.access !== 'operator' && !/^(operators|accountDeletion)\./.test(name),
  );
  const reads = operations.filter(({ method }) => method === 'GET');
  const ofJob =
    /\{(jobId|applicationId|interviewId|offerId|engagementId|noteId|disputeId|invitationId|conversationId|holdId|chargeId|branchId)\}/;
  const namedOfJob = operations.filter(({ path }) => ofJob.test(path));
  const asWorker = [
    'applications.submit',
    'calendar.conflicts',
    'savedJobs.save',
    'savedJobs.remove',
    'invitations.decline',
    'invitations.opened',
  ];

  /** The foreign texts in a response, except those the caller sent. */
  const leaks = (body: string) => foreign.filter((text) => body.includes(text));
  const call = (who: Person, entry: ContractOperation) => callAs(who, entry);

  const lists = (who: Person): [string, () => Promise<unknown>][] => {
    const businessId = String(world.ids.businessId);
    const jobId = String(world.ids.jobId);
    const { api } = who;
    return [
      ['conversations.list', () => api.conversations.list({})],
      ['conversations.list of a business', () => api.conversations.list({ businessId })],
      ['conversations.list of a job', () => api.conversations.list({ jobId })],
      ['conversations.list searched', () => api.conversations.list({ search: world.mark })],
      ['conversations.unread', () => api.conversations.unread({})],
      ['interviews.mine', () => api.interviews.mine({ businessId })],
      ['engagements.forBusiness', () => api.engagements.forBusiness({ businessId })],
      ['engagements.forBusiness of a job', () => api.engagements.forBusiness({ businessId, jobId })],
      ['applicants.ofBusiness', () => api.applicants.ofBusiness({ businessId, sort: 'newest' })],
      ['applicants.ofBusiness by match', () => api.applicants.ofBusiness({ businessId, sort: 'match' })],
      ['jobs.listed', () => api.jobs.listed({ businessId })],
      ['notifications.list', () => api.notifications.list({})],
      ['businesses.mine', () => api.businesses.mine()],
      ['engagements.workingNow', () => api.engagements.workingNow({})],
    ];
  };

  describe('a recruiter who is limited to a branch', () => {
    it('returns nothing of another branch in any read', async () => {
      expect(reads.length).toBeGreaterThan(50);
      const isTight = ({ statusCode, body }: Response) =>
        statusCode !== 500 && (statusCode !== 200 || leaks(body).length === 0);
      expect(await otherwise(reads, (entry) => call(world.limited, entry), isTight)).toEqual([]);
    });

    it('returns nothing of another branch in a list with any filter, and no count', async () => {
      for (const [name, list] of lists(world.limited)) {
        const answer = JSON.stringify(await list());
        expect([name, leaks(answer)]).toEqual([name, []]);
        expect([name, /"(count|total|openJobs|newApplicants|conversations)":[1-9]/.test(answer)]).toEqual([
          name,
          false,
        ]);
      }
      const businessId = String(world.ids.businessId);
      expect((await world.limited.api.jobs.listed({ businessId })).counts).toEqual({});
      const board = await world.limited.api.pipeline.boardOfBusiness({ businessId });
      expect(Object.values(board.stages).every((count) => count === 0)).toBe(true);
    });

    it('hides the records of another branch, and changes nothing', async () => {
      await rememberState();
      const closed = namedOfJob.filter(({ name }) => !asWorker.includes(name));
      expect(closed.length).toBeGreaterThan(60);
      // An open job is public, and pools belong to the whole business.
      const isHidden = ({ statusCode, body }: Response, { path }: ContractOperation) =>
        (statusCode === 404 || (statusCode === 403 && /^\/(jobs|pools)\//.test(path))) &&
        !body.includes(world.mark);
      expect(await otherwise(closed, (entry) => call(world.limited, entry), isHidden)).toEqual([]);
      await requireUnchanged();
    });

    it('moves none of its applicants, even in bulk', async () => {
      const answer = await world.limited.api.applicants.bulk({
        businessId: String(world.ids.businessId),
        action: 'shortlist',
        items: [{ applicationId: String(world.ids.applicationId) }],
      });
      expect(answer.results).toMatchObject([{ ok: false, code: 'application/not-found' }]);
    });

    it("can't apply to a job of their own business, even at another branch", async () => {
      const jobId = String(world.ids.jobId);
      expect((await world.limited.api.jobs.get({ jobId })).actions).toEqual([]);
      const application = { jobId, coverNote: '', answers: [], cvFileId: null };
      expect(await failure(world.limited.api.applications.submit(application))).toMatchObject({
        code: 'application/own-business',
      });
    });

    it("can't post a job outside the branch or move one out of it", async () => {
      const businessId = String(world.ids.businessId);
      const { api } = world.limited;
      const draft = { businessId, kind: 'task' as const, title: 'Own', category: 'hospitality' as const };
      expect(await failure(api.jobs.create(draft))).toMatchObject({ code: 'branch/required' });
      const away = { ...draft, branchId: String(world.ids.branchId) };
      expect(await failure(api.jobs.create(away))).toMatchObject({ code: 'branch/not-found' });
      const own = await api.jobs.create({ ...draft, branchId: world.ownBranchId });
      const one = { jobId: own.id, version: own.version };
      expect(await failure(api.jobs.update({ ...one, branchId: null }))).toMatchObject({
        code: 'branch/required',
      });
      expect(await failure(api.jobs.update({ ...one, branchId: String(world.ids.branchId) }))).toMatchObject({
        code: 'branch/not-found',
      });
      await api.jobs.deleteDraft({ jobId: own.id });
    });
  });

  describe('the control', () => {
    it('returns those records to a recruiter of all branches, in most of these reads', async () => {
      const found = new Set<string>();
      for (const entry of reads) {
        const response = await call(world.recruiter, entry);
        if (response.statusCode === 200 && leaks(response.body).length > 0) found.add(entry.name);
      }
      for (const [name, list] of lists(world.recruiter))
        if (leaks(JSON.stringify(await list())).length > 0) found.add(name);
      expect([...found]).toEqual(
        expect.arrayContaining([
          'jobs.listed',
          'applicants.ofBusiness',
          'applicants.ofJob',
          'applicants.get',
          'interviews.get',
          'offers.get',
          'engagements.get',
          'engagements.forBusiness',
          'interviews.mine',
          'holds.get',
          'conversations.list',
          'conversations.get',
          'conversations.messages',
          'notifications.list',
          'charges.get',
          'branches.list',
          'pools.list',
        ]),
      );
    });

    it('returns them to the limited recruiter once the limit is removed, until it is back', async () => {
      const { limited, owner, ids, ownBranchId } = world;
      const businessId = String(ids.businessId);
      const change = (branchIds: string[] | null) =>
        owner.api.team.changeRole({
          businessId,
          memberId: limited.accountId,
          role: 'recruiter',
          fromRole: 'recruiter',
          branchIds,
        });
      const seen = async () =>
        leaks(JSON.stringify(await limited.api.applicants.ofBusiness({ businessId, sort: 'newest' }))).length;
      await change(null);
      expect(await seen()).toBeGreaterThan(0);
      await change([ownBranchId]);
      expect(await seen()).toBe(0);
      expect(
        await failure(limited.api.applicants.get({ applicationId: String(ids.applicationId) })),
      ).toMatchObject({ code: 'application/not-found' });
    });
  });

  describe('a job of the own branch', () => {
    it('is accessible with all its records until it moves away', async () => {
      const { limited, owner, worker, ids, ownBranchId } = world;
      const businessId = String(ids.businessId);
      const job = await makeJob(app.db, app.scopeOf(limited), businessId, {
        kind: 'task',
        title: 'Clean the windows',
        branchId: ownBranchId,
      });
      const application = await makeApplication(app.db, app.scopeOf(worker), job.id);
      const { id: conversationId } = await makeConversation(app.db, app.scopeOf(worker), job.id);
      const everything = async (person: Person) => [
        (await person.api.jobs.listed({ businessId, branchId: ownBranchId })).items.map(({ id }) => id),
        (await person.api.applicants.ofBusiness({ businessId, sort: 'newest' })).items
          .map(({ id }) => id)
          .filter((id) => id === application.id),
        (await person.api.conversations.list({ businessId })).items
          .map(({ id }) => id)
          .filter((id) => id === conversationId),
        (await person.api.notifications.list({})).items.some(({ path }) => path.includes(application.id)),
      ];
      const all = [[job.id], [application.id], [conversationId], true];
      expect(await everything(limited)).toEqual(all);
      expect(await everything(world.recruiter)).toEqual(all);
      const { version } = await owner.api.jobs.get({ jobId: job.id });
      const socket = await app.socket({ ...limited, token: await world.tokenOf(limited) });
      await owner.api.jobs.update({ jobId: job.id, version, title: 'Clean all windows' });
      await socket.received({ kind: 'record', record: 'job', id: job.id });
      await owner.api.jobs.update({
        jobId: job.id,
        version: version + 1,
        branchId: String(ids.branchId),
      });
      expect((await everything(limited)).slice(0, 3)).toEqual([[], [], []]);
      expect(await failure(limited.api.conversations.messages({ conversationId }))).toMatchObject({
        code: 'chat/not-found',
      });
      const before = socket.signals.length;
      const later = await owner.api.jobs.get({ jobId: job.id });
      await owner.api.jobs.update({ jobId: job.id, version: later.version, title: 'Clean no windows' });
      await owner.api.businesses.update({
        businessId,
        version: (await owner.api.businesses.get({ businessId })).version,
        description: 'Sends a signal about the business, after which nothing older can arrive.',
      });
      await socket.received({ kind: 'record', record: 'business', id: businessId });
      expect(JSON.stringify(socket.signals.slice(before))).not.toContain(job.id);
    });
  });
});
