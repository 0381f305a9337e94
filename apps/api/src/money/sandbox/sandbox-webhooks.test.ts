import { addMs } from '@nearhand/contract/durations';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { type ProviderEvent, WebhookRefusedError } from '../../platform/payment-provider.ts';
import { cardToken, testCards } from './sandbox.fixtures.ts';
import { findEvents, insertEvent } from './sandbox.sql.ts';
import { isSandbox } from './sandbox.ts';
import { webhookSecret } from './sandbox-events.ts';
import { signatureHeader, signWebhook } from './sandbox-signature.ts';

type Sent = { headers: Record<string, string>; body: string };

function useSandbox(overrides: Record<string, string> = {}) {
  const app = useTestApp(overrides);
  const sent: Sent[] = [];
  const answer = { status: 200 };
  let step = 0;
  beforeEach(() => {
    sent.length = 0;
    answer.status = 200;
    if (!isSandbox(app.provider)) throw new Error('the tests run on the sandbox');
    app.provider.sandbox.send = async (headers, body) => {
      sent.push({ headers, body });
      if (answer.status === 0) throw new TypeError('fetch failed');
      return answer.status;
    };
  });
  const charge = async (number: string = testCards.pays) => {
    step += 1;
    const token = await cardToken(app.provider, number);
    const card = await app.provider.saveCard({ key: `card/${step}`, token, ownerId: 'owner' });
    return app.provider.charge({
      key: `charge/${step}`,
      cardRef: 'ref' in card ? card.ref : '',
      amountMinor: 100,
      currency: 'EUR',
      description: 'work',
      returnUrl: 'nearhand://wallet',
    });
  };
  return { app, sent, answer, charge };
}

const eventOf = ({ body }: Sent) => JSON.parse(body) as ProviderEvent;

describe('sandbox webhooks', () => {
  const { app, sent, answer, charge } = useSandbox();
  const read = (
    headers: Record<string, string | string[] | undefined>,
    body: string,
    now = app.clock.now(),
  ) => app.provider.readWebhook(headers, body, now);
  const refusal = async (...args: Parameters<typeof read>) => {
    try {
      await read(...args);
    } catch (error) {
      if (error instanceof WebhookRefusedError) return error.reason;
      throw error;
    }
    return 'taken';
  };
  const delivery = async (): Promise<Sent> => {
    await charge();
    await app.runDue();
    return sent[0] as Sent;
  };
  const at = (seconds: number) => addMs(app.clock.now(), seconds * 1_000);

  it('sends each change once, as the listed event', async () => {
    const { ref } = await charge(testCards.late);
    await app.runDue();
    app.clock.forward({ minutes: 2 });
    await app.runDue();
    expect(sent).toHaveLength(2);
    const { events } = await app.provider.listEvents(null);
    expect(events.filter((event) => event.ref === ref)).toEqual(sent.map(eventOf));
    for (const { headers, body } of sent.slice(1))
      expect(await read(headers, body)).toEqual(JSON.parse(body));
    await app.runDue();
    expect(sent).toHaveLength(2);
  });

  it('signs what it sends', async () => {
    const { headers, body } = await delivery();
    expect(headers[signatureHeader]).toMatch(/^t=\d{10},v1=[0-9a-f]{64}$/);
    expect(await refusal(headers, body)).toBe('taken');
    expect(headers['content-type']).toBe('application/json');
  });

  it('accepts events for five minutes, and none from the future', async () => {
    const { headers, body } = await delivery();
    expect(await refusal(headers, body, at(300))).toBe('taken');
    expect(await refusal(headers, body, at(302))).toBe('stale');
    expect(await refusal(headers, body, at(86_400))).toBe('stale');
    expect(await refusal(headers, body, at(-30))).toBe('taken');
    expect(await refusal(headers, body, at(-32))).toBe('from_the_future');
  });

  it('rejects forged or changed events', async () => {
    const { headers, body } = await delivery();
    const signature = headers[signatureHeader] as string;
    const [time, mac] = signature.split(',') as [string, string];
    const forged = (value: string | string[] | undefined, text = body) =>
      refusal({ [signatureHeader]: value }, text);
    expect(await forged(signature)).toBe('taken');
    expect(await forged(undefined)).toBe('signature_missing');
    expect(await forged('')).toBe('signature_missing');
    expect(await forged([signature, signature])).toBe('signature_missing');
    expect(await forged(`${signature}, ${signature}`)).toBe('signature_wrong');
    expect(await forged(signature, body.replace('charge', 'payout'))).toBe('signature_wrong');
    expect(await forged(signature, `${body} `)).toBe('signature_wrong');
    expect(await forged(`${time},v1=${'0'.repeat(64)}`)).toBe('signature_wrong');
    expect(await forged(`t=${Number(time.slice(2)) + 1},${mac}`)).toBe('signature_wrong');
    expect(await forged(`${time},${mac.replace('v1', 'v0')}`)).toBe('signature_wrong');
    expect(await forged(`${time},${mac.toUpperCase()}`)).toBe('signature_wrong');
    expect(await forged(`${time},${mac.slice(0, -2)}`)).toBe('signature_wrong');
    expect(await forged(`${time},${mac}\u0000`)).toBe('signature_wrong');
    expect(await forged('t=NaN,v1=x')).toBe('signature_wrong');
    expect(await forged('x'.repeat(100_000))).toBe('signature_wrong');
    expect(await forged(signature, 'x'.repeat(20_000))).toBe('too_large');
    expect(await forged(signature, '')).toBe('signature_wrong');
  });

  it("rejects a correctly signed body that isn't an event", async () => {
    const good = eventOf(await delivery());
    const signed = (body: string, secret = app.secret) =>
      refusal(signWebhook(webhookSecret(secret), body, app.clock.now()), body);
    expect(await signed(JSON.stringify(good))).toBe('taken');
    expect(await signed(JSON.stringify(good), 'another secret of another server')).toBe('signature_wrong');
    for (const body of ['', '{', 'null', '[]', '"x"', '{}', '\u0000'])
      expect(await signed(body)).toBe('unreadable');
    for (const change of [
      { type: 'refund' },
      { ref: 'a\u0000b' },
      { ref: '\ud800' },
      { ref: '' },
      { id: 'x' },
      { at: 'today' },
      { at: 5 },
    ])
      expect(await signed(JSON.stringify({ ...good, ...change }))).toBe('unreadable');
  });

  it('retries, quietly, until it is accepted', async () => {
    answer.status = 500;
    await delivery();
    expect(sent).toHaveLength(1);
    await app.runDue();
    expect(sent).toHaveLength(1);
    app.clock.forward({ minutes: 1 });
    await app.runDue();
    expect(sent).toHaveLength(2);
    answer.status = 0;
    app.clock.forward({ minutes: 5 });
    await app.runDue();
    expect(sent).toHaveLength(3);
    answer.status = 204;
    app.clock.forward({ minutes: 30 });
    await app.runDue();
    expect(sent).toHaveLength(4);
    expect(new Set(sent.map((each) => eventOf(each).id)).size).toBe(1);
    const last = sent[3] as Sent;
    expect(await refusal(last.headers, last.body)).toBe('taken');
    expect(await refusal((sent[0] as Sent).headers, last.body)).toBe('stale');
    app.clock.forward({ days: 7 });
    await app.runDue();
    expect(sent).toHaveLength(4);
  });

  it('gives up after about three days; the event stays listed', async () => {
    answer.status = 404;
    const { cursor } = await app.provider.listEvents(null);
    const { ref } = await charge();
    for (let hour = 0; hour < 24 * 5; hour += 1) {
      await app.runDue();
      app.clock.forward({ hours: 1 });
    }
    expect(sent.length).toBe(11);
    const row = await app.db
      .selectFrom('sandbox_deliveries')
      .select(['state', 'attempts', 'lastAnswer'])
      .where('state', '=', 'given_up')
      .executeTakeFirst();
    expect(row).toEqual({ state: 'given_up', attempts: 11, lastAnswer: '404' });
    expect((await app.provider.listEvents(cursor)).events.map((event) => event.ref)).toEqual([ref]);
  });

  it('rejects an unknown cursor', async () => {
    for (const cursor of ['x', '-1', '1.5', '9'.repeat(40), ''])
      await expect(app.provider.listEvents(cursor)).rejects.toThrow('cursor');
    expect(await app.provider.listEvents('999999999999999')).toEqual({
      events: [],
      cursor: '999999999999999',
    });
  });
});

describe('webhooks as configured', () => {
  const five = useSandbox({ SANDBOX_WEBHOOKS: 'copies=5,lost=0%,spread=600s' });
  it('arrive five times, out of order', async () => {
    for (let count = 0; count < 20; count += 1) {
      await five.charge();
      five.app.clock.forward({ seconds: 1 });
    }
    await five.app.runDue();
    expect(five.sent.length).toBeLessThan(100);
    for (let step = 0; step < 70; step += 1) {
      five.app.clock.forward({ seconds: 10 });
      await five.app.runDue();
    }
    expect(five.sent).toHaveLength(100);
    const order = five.sent.map((each) => eventOf(each).at);
    expect(order).not.toEqual([...order].sort());
  });

  const none = useSandbox({ SANDBOX_WEBHOOKS: 'copies=0,lost=0%,spread=0s' });
  it('never arrive, while the events are listed', async () => {
    await none.charge();
    none.app.clock.forward({ days: 5 });
    await none.app.runDue();
    expect(none.sent).toEqual([]);
    expect((await none.app.provider.listEvents(null)).events).toHaveLength(1);
  });
});

describe('the order of events', () => {
  const { app } = useSandbox();

  async function follow(
    write: (index: number) => Promise<void>,
    read: (cursor: number) => Promise<number[]>,
  ): Promise<number> {
    let running = true;
    const sequences = new Set<number>();
    const reader = (async () => {
      let cursor = 0;
      for (let last = false; ; ) {
        const page = await read(cursor);
        for (const seq of page) sequences.add(seq);
        cursor = Math.max(cursor, ...page);
        if (last) return;
        if (!running) last = true;
      }
    })();
    await Promise.all(
      Array.from({ length: 6 }, async (_, writer) => {
        for (let round = 0; round < 25; round += 1) await write(writer * 25 + round);
      }),
    );
    running = false;
    await reader;
    return sequences.size;
  }

  it('never inserts one before a returned cursor under concurrent writes', async () => {
    const sequences = await follow(
      (index) =>
        app.db.transaction().execute(async (tx) => {
          await sql`select pg_sleep(${(index % 7) / 1_000})`.execute(tx);
          await insertEvent(tx, { id: `ev_${index}`, type: 'charge', ref: 'ch', at: app.clock.now() });
          await sql`select pg_sleep(${(index % 5) / 1_000})`.execute(tx);
        }),
      async (cursor) => {
        return (await findEvents(app.db, cursor, 500)).map(({ seq }) => seq);
      },
    );
    expect(sequences).toBe(150);
  });

  it('a plain sequence fails to guarantee that (control)', async () => {
    await sql`create table loose_events (seq bigserial primary key)`.execute(app.db);
    const sequences = await follow(
      (index) =>
        app.db.transaction().execute(async (tx) => {
          await sql`insert into loose_events default values`.execute(tx);
          await sql`select pg_sleep(${(index % 5) / 200})`.execute(tx);
        }),
      async (cursor) => {
        const { rows } = await sql<{ seq: number }>`
          select seq from loose_events where seq > ${cursor} order by seq`.execute(app.db);
        return rows.map(({ seq }) => seq);
      },
    );
    expect(sequences).toBeLessThan(150);
  });

  it('pages through all events', async () => {
    let cursor: string | null = null;
    const ids: string[] = [];
    for (;;) {
      const page = await app.provider.listEvents(cursor);
      ids.push(...page.events.map(({ id }) => id));
      if (page.events.length === 0) break;
      expect(page.cursor).not.toBe(cursor);
      cursor = page.cursor;
    }
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(150);
  });
});
