import { webhookSecret } from '@nearhand/api/src/money/sandbox/sandbox-events.ts';
import { signatureHeader, signWebhook } from '@nearhand/api/src/money/sandbox/sandbox-signature.ts';
import type { Clock } from '@nearhand/api/src/platform/clock.ts';
import { hourMs, minuteMs } from '@nearhand/contract/durations';
import type { Chances } from './chances.ts';

type Post = (headers: Record<string, string>, body: string) => Promise<number>;
type Options = { chances: Chances; clock: Clock; secret: string; post: Post; lostShare: number };

/** Loses, repeats, delays and shuffles webhooks; strangers add forgeries and replays. */
export function createTraffic({ chances, clock, secret, post, lostShare }: Options) {
  const key = webhookSecret(secret);
  const waiting: { body: string; due: number }[] = [];
  const tally = { events: 0, lost: 0, delivered: 0, forged: 0, stale: 0, wrong: [] as string[] };

  const send = async (_headers: Record<string, string>, body: string): Promise<number> => {
    tally.events += 1;
    if (chances.happens(lostShare)) {
      tally.lost += 1;
      return 200;
    }
    const copies = chances.oneOf([1, 2, 5]);
    for (let copy = 0; copy < copies; copy += 1)
      waiting.push({ body, due: clock.now().getTime() + chances.next() * 2 * hourMs });
    return 200;
  };

  const give = async (
    what: 'delivered' | 'forged' | 'stale',
    headers: Record<string, string>,
    body: string,
  ) => {
    const status = await post(headers, body);
    tally[what] += 1;
    const expected = what === 'delivered' ? 200 : 400;
    if (status !== expected) tally.wrong.push(`a ${what} webhook was answered ${status}`);
  };

  const deliver = async (all = false): Promise<void> => {
    const now = clock.now();
    const due = waiting.filter((one) => all || one.due <= now.getTime());
    const left = waiting.filter((one) => !due.includes(one));
    waiting.splice(0, waiting.length, ...left);
    for (const { body } of chances.shuffled(due)) {
      await give('delivered', signWebhook(key, body, now), body);
      if (chances.happens(0.15)) await give('forged', ...forgery(body, now));
      if (chances.happens(0.08)) {
        const past = new Date(now.getTime() - chances.between(6, 6_000) * minuteMs);
        await give('stale', signWebhook(key, body, past), body);
      }
    }
  };

  /** Changes a webhook in a way that breaks its signature. */
  function forgery(body: string, now: Date): [Record<string, string>, string] {
    const good = signWebhook(key, body, now);
    const other = body.replace(/"id":"ev_[0-9a-f]{4}/, '"id":"ev_0000');
    return chances.oneOf<[Record<string, string>, string]>([
      [good, other],
      [good, `${body}\n`],
      [signWebhook(Buffer.from('a guess'), other, now), other],
      [{ 'content-type': 'application/json' }, other],
      [{ ...good, [signatureHeader]: `${good[signatureHeader]}0` }, body],
      [{ ...good, [signatureHeader]: (good[signatureHeader] ?? '').replace(/t=\d+/, 't=99') }, body],
    ]);
  }

  return { send, deliver, tally };
}
