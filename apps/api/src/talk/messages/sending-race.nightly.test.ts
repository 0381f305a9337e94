import { beforeAll, describe, expect, it } from 'vitest';
import { type Person, useTestApp } from '../../../test/harness.ts';
import { makeApplication } from '../../hiring/applications/applications.fixtures.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import type { Tx } from '../../platform/db.ts';
import { lockConversation } from '../conversations/conversations.ts';
import { makeConversation, makeMessage } from './messages.fixtures.ts';
import { postSystemMessage } from './system-messages.ts';

const app = useTestApp({ CHAT_BURST: '100000', CHAT_PER_MINUTE: '100000' });
let people: [Person, Person];
let conversationId: string;
let businessId: string;
let about: { jobId: string; workerId: string };
beforeAll(async () => {
  const owner = await app.person({ name: 'Ingrid Solheim' });
  const leila = await app.person({ name: 'Leila Haddad' });
  people = [leila, owner];
  const business = await makeBusiness(app.db, app.scopeOf(owner));
  businessId = business.id;
  const job = await makeJob(app.db, app.scopeOf(owner), business.id);
  await makeApplication(app.db, app.scopeOf(leila), job.id);
  about = { jobId: job.id, workerId: leila.accountId };
  conversationId = (await makeConversation(app.db, app.scopeOf(leila), job.id)).id;
});

describe('everything at once in one conversation', () => {
  it('never deadlock or leave a gap', async () => {
    const scope = app.scopeOf(people[1]);
    for (let round = 0; round < 6; round += 1) {
      const sent = await Promise.all(
        people.flatMap(({ api }) =>
          [1, 2, 3].map((n) =>
            api.messages.send({ conversationId, clientId: crypto.randomUUID(), body: `${round}/${n}` }),
          ),
        ),
      );
      const ofMine = (person: Person) =>
        sent.find(({ from }) => from?.accountId === person.accountId)?.seq ?? 0;
      const newest = Math.max(...sent.map(({ seq }) => seq));
      await Promise.all([
        ...people.flatMap((person) => [
          person.api.conversations.acknowledge({
            items: [{ conversationId, deliveredSeq: newest, readSeq: newest }],
          }),
          person.api.messages.redact({ conversationId, seq: ofMine(person) }),
          person.api.messages.react({ conversationId, seq: newest, reaction: 'heart' }).catch(() => null),
          person.api.messages.send({
            conversationId,
            clientId: crypto.randomUUID(),
            body: 'And',
            replyTo: ofMine(person),
          }),
          person.api.conversations.block({ conversationId, blocked: false }),
        ]),
        app.db
          .transaction()
          .execute((tx) =>
            postSystemMessage(tx, scope, { ...about, line: 'shortlisted', data: {}, key: `round ${round}` }),
          ),
      ]);
    }
    const { rows } = await app.pool.query(
      `select conversation.last_seq, conversation.rev, count(*)::integer as stored, count(distinct message.rev)::integer as revs, max(message.rev) as newest
       from conversations conversation join messages message on message.conversation_id = conversation.id
       where conversation.id = $1 group by conversation.id`,
      [conversationId],
    );
    const [row] = rows;
    expect(row.stored).toBe(row.last_seq);
    expect(row.revs).toBe(row.stored);
    expect(row.newest).toBe(row.rev);
  });
});

describe('a conversation with a message being written', () => {
  it('lets new members read and mute without deadlocks', async () => {
    const scope = app.scopeOf(people[1]);
    for (const write of [
      (tx: Tx) => makeMessage(tx, scope, conversationId, 'Wait'),
      (tx: Tx) =>
        postSystemMessage(tx, scope, { ...about, line: 'shortlisted', data: {}, key: 'while others read' }),
      (tx: Tx) => lockConversation(tx, conversationId),
    ]) {
      const newcomer = await app.person();
      await makeMember(app.db, app.clock, businessId, newcomer.accountId);
      await app.db.transaction().execute(async (tx) => {
        await write(tx);
        const items = [{ conversationId, deliveredSeq: 1, readSeq: 1 }];
        expect(await newcomer.api.conversations.acknowledge({ items })).toEqual({ conversations: 1 });
        expect(await newcomer.api.conversations.mute({ conversationId, muted: true })).toMatchObject({
          readSeq: 1,
        });
      });
    }
  });
});

describe('reading by someone who hides it', () => {
  it('is hidden from everyone else, like delivery', async () => {
    const [leila, owner] = people;
    const hers = await app.socket(leila);
    const theirs = await app.socket(owner);
    const { seq } = await owner.api.messages.send({
      conversationId,
      clientId: crypto.randomUUID(),
      body: 'Read me',
    });
    await leila.api.conversations.saveSettings({ showsTyping: true, showsLastSeen: true, showsRead: false });
    const receipt = (readSeq?: number) =>
      leila.api.conversations.acknowledge({
        items: [{ conversationId, deliveredSeq: seq, ...(readSeq ? { readSeq } : {}) }],
      });
    // Sending may signal the conversation as well.
    await theirs.received({ kind: 'message' });
    theirs.signals.length = 0;
    await receipt();
    await theirs.received({ kind: 'conversation' });
    hers.signals.length = 0;
    theirs.signals.length = 0;
    await receipt(seq);
    await hers.received({ kind: 'conversation' });
    // The next signal arrived, so an earlier one would have arrived too.
    await leila.api.messages.react({ conversationId, seq, reaction: 'heart' });
    await theirs.received({ kind: 'message' });
    expect(theirs.signals.filter(({ kind }) => kind === 'conversation')).toEqual([]);
  });
});
