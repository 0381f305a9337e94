import type { Business } from '@nearhand/contract/people/businesses';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Person, useTestApp } from '../../../test/harness.ts';
import { makeApplication } from '../../hiring/applications/applications.fixtures.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { makeConversation } from '../messages/messages.fixtures.ts';
import { findTypingTo } from './chat-settings.ts';

const app = useTestApp({ CHAT_BURST: '100000', CHAT_PER_MINUTE: '100000' });
let owner: Person;
let business: Business;

beforeAll(async () => {
  owner = await app.person();
  business = await makeBusiness(app.db, app.scopeOf(owner));
});

async function talk() {
  const worker = await app.person();
  const job = await makeJob(app.db, app.scopeOf(owner), business.id);
  const application = await makeApplication(app.db, app.scopeOf(worker), job.id);
  const { id } = await makeConversation(app.db, app.scopeOf(worker), job.id);
  return { worker, id, applicationId: application.id };
}
const send = (person: Person, conversationId: string, body = 'Hello') =>
  person.api.messages.send({ conversationId, clientId: crypto.randomUUID(), body });
const shows = (person: Person, options: { showsLastSeen?: boolean; showsRead?: boolean }) =>
  person.api.conversations.saveSettings({
    showsTyping: true,
    showsLastSeen: true,
    showsRead: true,
    ...options,
  });

describe('typing', () => {
  const typing = (person: Person, id: string) => findTypingTo(app.db, person.accountId, id, app.clock.now());

  it('appears while both can write, but not in a read-only, blocked or frozen conversation', async () => {
    const { worker, id, applicationId } = await talk();
    for (const person of [worker, owner]) expect(await typing(person, id)).not.toBeNull();
    await owner.api.conversations.block({ conversationId: id, blocked: true });
    for (const person of [worker, owner]) expect(await typing(person, id)).toBeNull();
    await owner.api.conversations.block({ conversationId: id, blocked: false });
    expect(await typing(worker, id)).not.toBeNull();
    await app.pool.query('update conversations set frozen_at = $2 where id = $1', [id, app.clock.now()]);
    for (const person of [worker, owner]) expect(await typing(person, id)).toBeNull();
    await app.pool.query('update conversations set frozen_at = null where id = $1', [id]);
    await worker.api.applications.withdraw({ applicationId });
    expect(await typing(worker, id)).not.toBeNull();
    const before = app.clock.now();
    app.clock.forward({ days: 30 });
    expect((await worker.api.conversations.get({ conversationId: id })).state).toBe('read_only');
    for (const person of [worker, owner]) expect(await typing(person, id)).toBeNull();
    app.clock.set(before);
  });
});

describe('delivery receipts', () => {
  const theirs = async (person: Person, id: string) =>
    (await person.api.conversations.get({ conversationId: id })).theirs;
  const received = (person: Person, conversationId: string, deliveredSeq: number, readSeq?: number) =>
    person.api.conversations.acknowledge({
      items: [{ conversationId, deliveredSeq, ...(readSeq ? { readSeq } : {}) }],
    });

  it('for someone hiding when they were last seen stop at what they visibly read', async () => {
    const { worker, id } = await talk();
    const first = await send(owner, id);
    await received(worker, id, first.seq, first.seq);
    const { seq } = await send(owner, id);
    await received(worker, id, seq);
    expect(await theirs(owner, id)).toEqual({ deliveredSeq: seq, readSeq: first.seq });
    await shows(worker, { showsLastSeen: false });
    expect(await theirs(owner, id)).toEqual({ deliveredSeq: first.seq, readSeq: first.seq });
    await shows(worker, { showsLastSeen: false, showsRead: false });
    expect(await theirs(owner, id)).toEqual({ deliveredSeq: 0, readSeq: null });
    await shows(worker, { showsRead: false });
    expect(await theirs(owner, id)).toEqual({ deliveredSeq: seq, readSeq: null });
    await shows(worker, {});
    await shows(owner, { showsLastSeen: false });
    expect(await theirs(owner, id)).toEqual({ deliveredSeq: first.seq, readSeq: first.seq });
    await shows(owner, {});
    await owner.api.conversations.block({ conversationId: id, blocked: true });
    expect(await theirs(owner, id)).toEqual({ deliveredSeq: first.seq, readSeq: first.seq });
  });

  it("don't reach the other side at that moment either", async () => {
    const { worker, id } = await talk();
    await shows(worker, { showsLastSeen: false });
    const hers = await app.socket(worker);
    const ownerSocket = await app.socket(owner);
    const { seq } = await send(owner, id);
    await hers.received({ kind: 'message' });
    hers.signals.length = 0;
    ownerSocket.signals.length = 0;
    await received(worker, id, seq);
    await hers.received({ kind: 'conversation' });
    // The next signal arrived, so an earlier one would have arrived too.
    await send(worker, id, 'Yes?');
    await ownerSocket.received({ kind: 'message' });
    expect(ownerSocket.signals.filter(({ kind }) => kind === 'conversation')).toEqual([]);
    await received(worker, id, seq, seq);
    const last = await send(owner, id);
    await received(worker, id, last.seq, last.seq);
    await ownerSocket.received({ kind: 'conversation' });
  });
});
