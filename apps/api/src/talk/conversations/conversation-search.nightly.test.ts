import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Person, useTestApp } from '../../../test/harness.ts';
import { makeApplication } from '../../hiring/applications/applications.fixtures.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { makeConversation } from '../messages/messages.fixtures.ts';

const app = useTestApp();
const conversations = 520;
const each = 100;
let owner: Person;
let leila: Person;

beforeAll(async () => {
  owner = await app.person({ name: 'Ingrid Solheim' });
  leila = await app.person({ name: 'Leila Haddad' });
  const business = await makeBusiness(app.db, app.scopeOf(owner));
  const job = await makeJob(app.db, app.scopeOf(owner), business.id);
  await makeApplication(app.db, app.scopeOf(leila), job.id);
  const { id } = await makeConversation(app.db, app.scopeOf(leila), job.id);
  const now = app.clock.now();
  await sql`insert into accounts select (jsonb_populate_record(account, jsonb_build_object('id', gen_random_uuid(), 'email', 'many' || n || '@example.org', 'name', 'Worker ' || n, 'email_lower', 'many' || n, 'referral_code', new_referral_code()))).*
    from accounts account, generate_series(1, ${conversations}) n where account.id = ${leila.accountId}`.execute(
    app.db,
  );
  await sql`insert into conversations (id, job_id, worker_id, business_id, last_seq, rev, worker_sent, worker_last_seq, created_at, last_at)
    select gen_random_uuid(), job_id, account.id, business_id, ${each}, ${each}, ${each}, ${each}, conversations.created_at, ${now}::timestamptz - row_number() over () * interval '1 minute'
    from conversations, accounts account where conversations.id = ${id} and account.email like 'many%'`.execute(
    app.db,
  );
  await sql`insert into messages (conversation_id, seq, id, rev, author_id, side, body, worker_nth, business_nth, at)
    select conversation.id, n, gen_random_uuid(), n, conversation.worker_id, 'worker',
      'I can come on day ' || n || ' at half past seven and stay until the kitchen closes, if that is fine with you and the others. ' || md5(n::text || conversation.id), n, 0, ${now}
    from conversations conversation, generate_series(1, ${each}) n where conversation.id <> ${id}`.execute(
    app.db,
  );
  await sql`analyze`.execute(app.db);
}, 120_000);

describe('conversations.list with search, in 52,000 messages', () => {
  const list = (search: string) => owner.api.conversations.list({ side: 'hire', search });

  it('searches the newest 50,000, and all names', async () => {
    const [, newest, oldest] = await Promise.all(
      [0, 1, conversations].map(async (place) => {
        const { rows } = await sql<{ id: string; name: string }>`
          select conversation.id, account.name from conversations conversation join accounts account on account.id = worker_id
          order by last_at desc offset ${place} limit 1`.execute(app.db);
        return rows[0] as { id: string; name: string };
      }),
    );
    const foundIds = async (search: string) => (await list(search)).items.map(({ id }) => id);
    const wordsOf = async (id?: string) =>
      (
        await sql<{
          word: string;
        }>`select right(body, 32) as word from messages where conversation_id = ${id} and seq = 7`.execute(
          app.db,
        )
      ).rows[0]?.word ?? '';
    expect(await foundIds(await wordsOf(newest?.id))).toEqual([newest?.id]);
    expect(await foundIds(await wordsOf(oldest?.id))).toEqual([]);
    expect(await foundIds(oldest?.name ?? '')).toContain(oldest?.id);
  });

  it('stays fast, even without a match', async () => {
    const times: number[] = [];
    for (const search of ['nothing like this', 'kitchen', 'zq', '7', 'nothing again'])
      times.push(await timed(() => list(search)));
    expect(Math.max(...times)).toBeLessThan(3_000);
  });
});

async function timed(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now();
  await work();
  return performance.now() - since;
}

describe('someone who becomes a recruiter later', () => {
  it('sees earlier messages as read, and later ones as unread', async () => {
    const late = await app.person({ name: 'Omar Idrissi' });
    const { items } = await owner.api.conversations.list({ side: 'hire', search: 'Leila' });
    const [mine] = items;
    const conversationId = mine?.id ?? '';
    const send = (body: string) =>
      leila.api.messages.send({ conversationId, clientId: crypto.randomUUID(), body });
    await send('Before one');
    await send('Before two');
    app.clock.forward({ seconds: 1 });
    await makeMember(app.db, app.clock, mine?.business.id ?? '', late.accountId);
    expect(await late.api.conversations.unread({})).toEqual({ conversations: 0 });
    expect(await late.api.conversations.get({ conversationId })).toMatchObject({
      unread: 0,
      readSeq: mine ? mine.lastSeq + 2 : 0,
    });
    expect((await late.api.conversations.list({ unread: 'true' })).items).toEqual([]);
    app.clock.forward({ seconds: 1 });
    await send('After');
    expect(await late.api.conversations.unread({})).toEqual({ conversations: 1 });
    expect(await late.api.conversations.get({ conversationId })).toMatchObject({ unread: 1 });
    expect((await late.api.conversations.list({ unread: 'true' })).items.map(({ id }) => id)).toEqual([
      conversationId,
    ]);
  });
});
