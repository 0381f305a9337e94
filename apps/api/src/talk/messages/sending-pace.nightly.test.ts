import { minuteMs } from '@nearhand/contract/durations';
import type { Conversation } from '@nearhand/contract/talk/conversations';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeApplication } from '../../hiring/applications/applications.fixtures.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { docxBytes } from '../../people/files/files.fixtures.ts';
import { makeConversation } from './messages.fixtures.ts';

const app = useTestApp();
let owner: Person;
let leila: Person;
let talks: Conversation[];
beforeAll(async () => {
  owner = await app.person({ name: 'Ingrid Solheim' });
  leila = await app.person({ name: 'Leila Haddad' });
  const business = await makeBusiness(app.db, app.scopeOf(owner));
  const talk = async () => {
    const job = await makeJob(app.db, app.scopeOf(owner), business.id);
    await makeApplication(app.db, app.scopeOf(leila), job.id);
    return makeConversation(app.db, app.scopeOf(leila), job.id);
  };
  talks = [await talk(), await talk()];
});

describe("an account's sending rate", () => {
  const idOf = (n: number) => talks[n % 2]?.id ?? '';
  const sendAs = (person: Person, n: number, clientId: string) =>
    person.api.messages.send({ conversationId: idOf(n), clientId, body: `No ${n}` });

  it('is 5 a second and 30 a minute across all conversations; 200 concurrent ones are stored eventually, each once', async () => {
    app.clock.forward({ minutes: 5 });
    let waiting = Array.from({ length: 200 }, (_, n) => ({ n, clientId: crypto.randomUUID() }));
    const began = app.clock.now().getTime();
    let max = 0;
    while (waiting.length > 0) {
      // Sends all at once at first, then a few at a time and in order, as a device does.
      const tried = waiting.splice(0, waiting.length === 200 ? 200 : 10);
      const answers = await Promise.allSettled(tried.map(({ n, clientId }) => sendAs(leila, n, clientId)));
      const refused: typeof waiting = [];
      let wait = 1;
      for (const [index, answer] of answers.entries()) {
        if (answer.status === 'fulfilled') continue;
        const error = await failure(Promise.reject(answer.reason));
        expect(error).toMatchObject({ status: 429, code: 'chat/too-fast' });
        wait = Math.max(wait, (error.data as { retryAfterSeconds: number }).retryAfterSeconds);
        refused.push(tried[index] as (typeof waiting)[number]);
      }
      max = Math.max(max, tried.length - refused.length);
      expect(wait).toBeLessThanOrEqual(60);
      waiting = [...refused, ...waiting];
      app.clock.forward({ seconds: wait });
    }
    expect(max).toBe(5);
    // 200 messages at 30 a minute take more than six minutes.
    expect(app.clock.now().getTime() - began).toBeGreaterThan(6 * minuteMs);
    for (const { id } of talks) {
      const { rows } = await app.pool.query<{ seq: number; body: string }>(
        'select seq, body from messages where conversation_id = $1 and author_id = $2 order by seq',
        [id, leila.accountId],
      );
      expect(new Set(rows.map(({ body }) => body)).size).toBe(100);
      expect(rows).toHaveLength(100);
    }
    const { rows } = await app.pool.query(
      'select last_seq, rev, (select count(*) from messages where conversation_id = conversations.id) as stored from conversations',
    );
    for (const row of rows) expect([row.stored, row.rev]).toEqual([row.last_seq, row.last_seq]);
  });

  it('blocks nobody else, and a repeat is free', async () => {
    app.clock.forward({ minutes: 5 });
    const first = crypto.randomUUID();
    const message = await sendAs(leila, 0, first);
    for (let n = 0; n < 4; n += 1) await sendAs(leila, 0, crypto.randomUUID());
    expect(await failure(sendAs(leila, 1, crypto.randomUUID()))).toMatchObject({
      code: 'chat/too-fast',
      data: { retryAfterSeconds: 1 },
    });
    expect((await sendAs(leila, 0, first)).seq).toBe(message.seq);
    await sendAs(owner, 0, crypto.randomUUID());
    app.clock.forward({ seconds: 1 });
    await sendAs(leila, 1, crypto.randomUUID());
  });
});

describe('files for messages', () => {
  const upload = (bytes: Uint8Array<ArrayBuffer>, name: string) =>
    leila.api.files.upload({ purpose: 'chat', file: new File([bytes], name) });

  it('are pictures, PDF and DOCX of 10 MB at most', async () => {
    expect(await upload(docxBytes(), 'Rota <b>.exe')).toMatchObject({
      name: 'Rota _b_.docx',
      purpose: 'chat',
    });
    const text = new Uint8Array(Buffer.from('<script>alert(1)</script>'));
    expect(await failure(upload(text, 'note.html'))).toMatchObject({
      status: 422,
      code: 'file/wrong-type',
      data: { allowed: expect.arrayContaining(['PDF', 'DOCX', 'JPEG']) },
    });
    const large = new Uint8Array(
      Buffer.concat([Buffer.from('%PDF-1.4\n1 0 obj'), Buffer.alloc(10 * 1024 * 1024)]),
    );
    expect(await failure(upload(large, 'large.pdf'))).toMatchObject({ status: 413 });
    const huge = new Uint8Array(50 * 1024 * 1024);
    expect(await failure(upload(huge, 'huge.pdf'))).toMatchObject({ status: 413 });
  });
});
