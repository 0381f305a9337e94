import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { auditLedger } from '../src/money/ledger/ledger.ts';
import { findColumns } from '../src/people/data-exports/export-file.ts';
import { excludedTables, exportedTables } from '../src/people/data-exports/exported-tables.rules.ts';
import { unzip } from '../src/people/data-exports/zip.fixtures.ts';
import { makeWorld, type World } from './all-records.fixtures.ts';
import { type Person, useTestApp } from './harness.ts';

/** An export of a world with every record, and the rest of a removed account (ADR 159, 160). */
const app = useTestApp({ DATA_EXPORTS_PER_DAY: '100' });
let world: World;

beforeAll(async () => {
  world = await makeWorld(app);
});

const isOurs = (table: string) => !/^(test_|migration_|kysely_)/.test(table);

async function exportOf(person: Person) {
  await person.api.dataExports.request();
  await app.runDue();
  const mail = app.mails.findLast(({ to }) => to === person.email);
  const link = new URL(/https?:\S+/.exec(mail?.text ?? '')?.[0] ?? '');
  const response = await app.raw({
    method: 'GET',
    url: `/api/data-exports/file?ticket=${encodeURIComponent(link.searchParams.get('export') ?? '')}`,
    headers: { authorization: `Bearer ${await world.tokenOf(person)}` },
  });
  expect(response.statusCode).toBe(200);
  const files = await unzip(response.rawPayload);
  const rows = new Map<string, Record<string, unknown>[]>();
  for (const [name, bytes] of files) {
    const table = /^data\/(\w+)\.json$/.exec(name)?.[1];
    if (table) rows.set(table, JSON.parse(String(bytes)));
  }
  const text = [...files]
    .filter(([name]) => /\.(json|html)$/.test(name))
    .map(([, bytes]) => String(bytes))
    .join('\n');
  return { files, rows, text };
}

/** The key of each row that names an account in any column. */
async function rowsNaming(accountId: string) {
  const columns = await findColumns(app.db);
  const namingRows: { table: string; key: Record<string, unknown> }[] = [];
  for (const table of new Set(columns.map((column) => column.tableName).filter(isOurs))) {
    const own = columns.filter((column) => column.tableName === table);
    const key = own.filter((one) => one.placeInKey !== null).map((one) => one.columnName);
    const left = [
      ...Object.keys(exportedTables[table]?.elsewhere ?? {}),
      ...Object.keys(exportedTables[table]?.without ?? {}),
    ];
    const { rows } = await sql<{ key: Record<string, unknown> }>`
      select to_jsonb(it) - array(select jsonb_object_keys(to_jsonb(it)) except select unnest(${key}::text[])) as key
      from ${sql.table(table)} it where (to_jsonb(it) - ${left}::text[])::text like ${`%${accountId}%`}`.execute(
      app.db,
    );
    namingRows.push(...rows.map((row) => ({ table, key: row.key })));
  }
  return namingRows;
}

const isIn = (rows: readonly Record<string, unknown>[], key: Record<string, unknown>) =>
  rows.some((row) =>
    Object.entries(key).every(([name, value]) => JSON.stringify(row[name]) === JSON.stringify(value)),
  );

describe('an export', () => {
  it('contains every row that references a worker, an owner and a recruiter', async () => {
    for (const person of [world.worker, world.owner, world.recruiter]) {
      const { rows } = await exportOf(person);
      const named = (await rowsNaming(person.accountId)).filter(({ table }) => !(table in excludedTables));
      expect(named.length).toBeGreaterThan(person === world.recruiter ? 3 : 20);
      const lost = named.filter(
        ({ table, key }) =>
          // Rows of these tables are written after the snapshot.
          !['data_exports', 'sessions'].includes(table) && !isIn(rows.get(table) ?? [], key),
      );
      expect(lost).toEqual([]);
    }
  });

  it("contains the user's files, and everything both sides wrote", async () => {
    const { files, rows, text } = await exportOf(world.worker);
    const stored = await app.db
      .selectFrom('files')
      .select(['id'])
      .where('accountId', '=', world.worker.accountId)
      .execute();
    expect(stored.length).toBeGreaterThan(2);
    for (const { id } of stored)
      expect([...files.keys()].filter((name) => name.includes(id.slice(-8)))).toHaveLength(1);
    expect(text).toContain(world.mark);
    expect(rows.get('messages')?.length).toBeGreaterThan(3);
  });

  it('contains nothing of others: no address, number, account or internal business note', async () => {
    const people = [world.owner, world.worker, world.other, world.rival, world.finance, world.recruiter];
    for (const person of [world.worker, world.owner, world.rival]) {
      const { text } = await exportOf(person);
      for (const stranger of people.filter(({ accountId }) => accountId !== person.accountId)) {
        expect(text.includes(stranger.email), stranger.email).toBe(false);
        // Ids of the statement's holder and of ledger accounts are the person's own.
        expect(text.includes(stranger.accountId), stranger.accountId).toBe(false);
      }
    }
    const { rows } = await exportOf(world.worker);
    expect(rows.get('applicant_notes')).toBeUndefined();
  });

  it('fails with a row of someone else (control)', async () => {
    const declared = exportedTables.profiles;
    await world.other.api.profiles.save({ bio: 'Planted by another', phone: '+31600000001' });
    exportedTables.profiles = { title: 'Your profile', rows: 'true' };
    try {
      const { text } = await exportOf(world.rival);
      expect(text).toContain('Planted by another');
      const named = exportedTables.applications;
      expect(named).toBeDefined();
    } finally {
      if (declared) exportedTables.profiles = declared;
    }
    const { rows } = await exportOf(world.finance);
    expect(isIn(rows.get('profiles') ?? [], { account_id: world.other.accountId })).toBe(false);
  });
});

async function columnsWith(words: readonly string[]): Promise<string[]> {
  const { rows: columns } = await sql<{ table: string; column: string }>`
    select class.relname as table, attribute.attname as column
    from pg_class class join pg_attribute attribute on attribute.attrelid = class.oid
    where class.relnamespace = 'public'::regnamespace and class.relkind = 'r' and attribute.attnum > 0
      and not attribute.attisdropped and attribute.atttypid in ('text'::regtype, 'jsonb'::regtype, 'text[]'::regtype, 'tsvector'::regtype)`.execute(
    app.db,
  );
  const columnNames: string[] = [];
  for (const { table, column } of columns.filter((column) => isOurs(column.table))) {
    const { rows } = await sql<{ any: boolean }>`select exists (select from ${sql.table(table)} it
      where exists (select from unnest(${[...words]}::text[]) word
        where strpos(lower(it.${sql.ref(column)}::text), lower(word)) > 0)) as any`.execute(app.db);
    if (rows[0]?.any) columnNames.push(`${table}.${column}`);
  }
  return columnNames.sort();
}

describe('a removed account', () => {
  const name = 'Wilhelmina Quast';
  const phone = '+31687654321';

  it('leaves no name, address or number in any column, and the books unchanged', async () => {
    const { worker, owner } = world;
    await worker.api.profiles.save({ name, phone, bio: `I am ${name}` });
    await plantWords();
    await settleEverything();
    const words = [name, worker.email, phone];
    const before = await columnsWith(words);
    // The control: the search finds existing rows.
    expect(before).toEqual(
      expect.arrayContaining([
        'accounts.email',
        'accounts.name',
        'profiles.phone',
        'profiles.bio',
        'messages.body',
        'applications.cover_note',
        'applicant_notes.text',
        'notifications.data',
        'pay_receipts.content',
      ]),
    );
    const statement = await owner.api.statements.forBusiness({ businessId: String(world.ids.businessId) });

    await sql`insert into account_deletions (id, account_id, status, requested_at, delete_at)
      values (${crypto.randomUUID()}, ${worker.accountId}, 'scheduled', now(), ${app.clock.now()})`.execute(
      app.db,
    );
    const { id: deletionId } = await app.db
      .selectFrom('account_deletions')
      .select('id')
      .executeTakeFirstOrThrow();
    const { removeAccount: runRemoval } = await import('../src/people/account-deletion/account-deletion.ts');
    await runRemoval(taskScope(), deletionId);
    expect(
      await app.db.selectFrom('account_deletions').select('status').where('id', '=', deletionId).execute(),
    ).toEqual([{ status: 'removed' }]);
    await app.runDue();

    expect(await columnsWith(words)).toEqual([]);
    const storedFiles = await app.db
      .selectFrom('files')
      .select(['purpose', 'name'])
      .where('accountId', '=', worker.accountId)
      .execute();
    expect(storedFiles.filter(({ purpose }) => ['cv', 'photo'].includes(purpose))).toEqual([]);
    expect((await auditLedger(app.db, app.scopeOf(owner))).findings).toEqual([]);
    const after = await owner.api.statements.forBusiness({ businessId: String(world.ids.businessId) });
    expect(after.items.map(({ id, amountMinor }) => [id, amountMinor])).toEqual(
      statement.items.map(({ id, amountMinor }) => [id, amountMinor]),
    );
    expect(JSON.stringify(after)).toContain('Former member');
    const { items } = await owner.api.conversations.messages({
      conversationId: String(world.ids.conversationId),
    });
    expect(items.length).toBeGreaterThan(0);
  });

  const taskScope = () => {
    const { actor: _actor, requestId: _id, ...scope } = app.scopeOf(world.owner);
    return { ...scope, db: app.db, mailer: { send: async () => {} } } as never;
  };

  async function plantWords() {
    const { worker, owner } = world;
    const text = `It is (${name}). Mail ${worker.email.toUpperCase()}, or call ${phone}.`;
    const conversationId = String(world.ids.conversationId);
    const send = (who: Person, body: string) =>
      who.api.messages.send({ conversationId, clientId: crypto.randomUUID(), body, fileIds: [] });
    await send(worker, text);
    await send(owner, `Thanks, ${name}`);
    await sql`update applications set cover_note = ${text} where worker_id = ${worker.accountId}`.execute(
      app.db,
    );
    await sql`update applicant_notes set text = ${text}`.execute(app.db);
    await sql`update interviews set message = ${text}, notes = ${text} where worker_id = ${worker.accountId}`.execute(
      app.db,
    );
    await sql`update engagement_moves set reason = ${text}`.execute(app.db);
    await sql`insert into days_off
        (id, engagement_id, job_id, business_id, worker_id, status, reason, answer_by, created_at, updated_at)
      select gen_random_uuid(), id, job_id, business_id, worker_id, 'withdrawn', ${text}, now(), now(), now()
      from engagements where worker_id = ${worker.accountId}`.execute(app.db);
    await sql`update disputes set reason = ${text}`.execute(app.db);
    await sql`update dispute_steps set reason = ${text}`.execute(app.db);
    await sql`update deliveries set note = ${text}, changes_note = ${text}`.execute(app.db);
    await sql`update hours_claims set note = ${text}`.execute(app.db);
    await sql`update offers set message = ${text}, reason = ${text}`.execute(app.db);
    await sql`update job_invitations set message = ${text}`.execute(app.db);
    await sql`update files set name = ${`${name} CV.pdf`} where account_id = ${worker.accountId}`.execute(
      app.db,
    );
    await sql`update payout_methods set holder_name = ${name} where account_id = ${worker.accountId}`.execute(
      app.db,
    );
    await sql`insert into payout_identities (account_id, status, legal_name, country_code, asked_at)
      values (${worker.accountId}, 'verified', ${name}, 'NL', now())
      on conflict (account_id) do update set legal_name = ${name}`.execute(app.db);
    await sql`update pay_receipts set content = jsonb_set(content, '{workerName}', to_jsonb(${name}::text))`.execute(
      app.db,
    );
    await sql`update notifications set data = data || jsonb_build_object('workerName', ${name}::text)
      where account_id = ${owner.accountId}`.execute(app.db);
  }

  /** Writes the rows directly, since the ordinary ways have their own tests. */
  async function settleEverything() {
    await sql`update disputes set status = 'settled', settled_minor = 100`.execute(app.db);
    await sql`update engagements set status = 'completed'
      where worker_id = ${world.worker.accountId} and status not in ('cancelled_by_worker', 'cancelled_by_merchant')`.execute(
      app.db,
    );
    await sql`update offers set status = 'declined' where worker_id = ${world.worker.accountId} and status = 'sent'`.execute(
      app.db,
    );
    const days = async (count: number) => {
      for (let day = 0; day < count; day += 1) {
        app.clock.forward({ days: 1 });
        await app.runDue();
      }
    };
    await days(7);
    const { obstacles } = await world.worker.api.accountDeletion.get();
    const minor =
      obstacles.flatMap((obstacle) => (obstacle.kind === 'balance' ? [obstacle.amountMinor] : []))[0] ?? 0;
    if (minor > 0)
      await world.worker.api.payouts.withdraw({
        methodId: String(world.ids.methodId),
        amountMinor: minor,
        speed: 'standard',
      });
    await days(8);
    expect((await world.worker.api.accountDeletion.get()).obstacles).toEqual([]);
  }
});
