import { addMs } from '@nearhand/contract/durations';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeOperator } from '../operators/operators.fixtures.ts';

const app = useTestApp();
let operator: Person;
beforeAll(async () => {
  operator = await app.person();
  await makeOperator(app.db, app, operator);
});
beforeEach(async () => {
  await app.pool.query('delete from service_messages');
  await app.pool.query('delete from graphile_worker._private_jobs');
});
const state = () => app.apiAs(null).serviceStatus.get();
const inHours = (hours: number) => addMs(app.clock.now(), hours * 3_600_000).toISOString();

describe('serviceStatus.get', () => {
  it('returns no issues while everything works', async () => {
    expect(await state()).toEqual({ message: null, slow: [] });
  });

  it('names late tasks until they are done', async () => {
    await app.pool.query(
      `select graphile_worker.add_job('nobody.runs-it', run_at => $1::timestamptz) from generate_series(1, 20)`,
      [app.clock.now()],
    );
    expect((await state()).slow).toEqual([]);
    app.clock.set(new Date());
    app.clock.forward({ hours: 1 });
    expect((await state()).slow).toEqual(['tasks']);
    await app.pool.query('delete from graphile_worker._private_jobs');
    expect((await state()).slow).toEqual([]);
  });

  it('names mail when deliveries keep failing', async () => {
    const person = await app.person();
    for (let count = 0; count < 5; count += 1) {
      const id = crypto.randomUUID();
      await app.pool.query(
        `insert into notifications (id, account_id, topic, data, path, dedupe_key, created_at) values ($1, $2, 'test-notice', '{}', '/', $3, now())`,
        [id, person.accountId, id],
      );
      await app.pool.query(
        `insert into notification_deliveries (id, notification_id, account_id, channel, state, due_at, attempts, created_at)
         values ($1, $2, $3, 'email', 'queued', now(), 2, now())`,
        [crypto.randomUUID(), id, person.accountId],
      );
    }
    expect((await state()).slow).toEqual(['email']);
  });
});

describe('operators.postServiceMessage', () => {
  it('shows a message from its start to its end', async () => {
    const text = 'Payments are paused for an hour.';
    await operator.api.operators.postServiceMessage({ text, startsAt: inHours(1), endsAt: inHours(2) });
    expect((await state()).message).toBeNull();
    app.clock.forward({ hours: 1 });
    expect((await state()).message).toMatchObject({ text });
    app.clock.forward({ hours: 1 });
    expect((await state()).message).toBeNull();
  });

  it('shows only the one that started last', async () => {
    await operator.api.operators.postServiceMessage({ text: 'First' });
    app.clock.forward({ minutes: 1 });
    await operator.api.operators.postServiceMessage({ text: 'Second' });
    expect((await state()).message?.text).toBe('Second');
  });

  it('rejects an end before the start or in the past, and empty text', async () => {
    const post = async (input: { text: string; startsAt?: string; endsAt?: string }) =>
      (await failure(operator.api.operators.postServiceMessage(input))).code;
    expect(await post({ text: 'x', startsAt: inHours(2), endsAt: inHours(1) })).toBe('request/invalid');
    expect(await post({ text: 'x', endsAt: inHours(-1) })).toBe('request/invalid');
    expect(await post({ text: ' ' })).toBe('request/invalid');
  });
});

describe('operators.endServiceMessage', () => {
  it('ends it now, and an announced one before it starts; a repeat changes nothing', async () => {
    const { id: messageId } = await operator.api.operators.postServiceMessage({ text: 'Slow today.' });
    const ended = await operator.api.operators.endServiceMessage({ messageId });
    expect((await state()).message).toBeNull();
    app.clock.forward({ minutes: 1 });
    expect(await operator.api.operators.endServiceMessage({ messageId })).toEqual(ended);
    const later = await operator.api.operators.postServiceMessage({ text: 'Later', startsAt: inHours(1) });
    await operator.api.operators.endServiceMessage({ messageId: later.id });
    app.clock.forward({ hours: 2 });
    expect((await state()).message).toBeNull();
    const unknown = { messageId: crypto.randomUUID() };
    expect((await failure(operator.api.operators.endServiceMessage(unknown))).code).toBe(
      'service-message/not-found',
    );
  });
});

describe('operators.serviceMessages', () => {
  it('lists all, latest start first, in pages', async () => {
    for (const text of ['One', 'Two', 'Three']) {
      await operator.api.operators.postServiceMessage({ text });
      app.clock.forward({ minutes: 1 });
    }
    const first = await operator.api.operators.serviceMessages({ limit: 2 });
    expect(first.items.map(({ text }) => text)).toEqual(['Three', 'Two']);
    const { items } = await operator.api.operators.serviceMessages({ cursor: first.nextCursor ?? '' });
    expect(items.map(({ text }) => text)).toEqual(['One']);
  });
});
