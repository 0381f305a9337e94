import type { Clock } from '@nearhand/api/src/platform/clock.ts';
import { hourMs, minuteMs, subtractMs } from '@nearhand/contract/durations';
import type { Bank } from './banks.ts';
import type { Chances } from './chances.ts';

type Post = (headers: Record<string, string>, body: string) => Promise<number>;
type Options = { chances: Chances; clock: Clock; bank: Bank; post: Post; lostShare: number };

/** Loses, repeats, delays and shuffles webhooks; strangers add forgeries and replays. */
export function createTraffic({ chances, clock, bank, post, lostShare }: Options) {
  const waiting: { body: string; due: number }[] = [];
  const ids = new Set<string>();
  const tally = { events: 0, lost: 0, delivered: 0, forged: 0, stale: 0, wrong: [] as string[] };

  const send = async (_headers: Record<string, string>, body: string): Promise<number> => {
    tally.events += 1;
    ids.add(JSON.parse(body).id);
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
    kind: 'delivered' | 'forged' | 'stale',
    headers: Record<string, string>,
    body: string,
  ) => {
    const status = await post(headers, body);
    tally[kind] += 1;
    const expected = kind === 'delivered' ? 200 : 400;
    if (status !== expected) tally.wrong.push(`a ${kind} webhook was answered ${status}`);
  };

  const deliver = async (all = false): Promise<void> => {
    const now = clock.now();
    const due = waiting.filter((delivery) => all || delivery.due <= now.getTime());
    const left = waiting.filter((delivery) => !due.includes(delivery));
    waiting.splice(0, waiting.length, ...left);
    for (const { body } of chances.shuffled(due)) {
      await give('delivered', bank.sign(body, now), body);
      if (chances.happens(0.15)) await give('forged', ...forgery(body, now));
      if (chances.happens(0.08)) {
        const past = subtractMs(now, chances.between(6, 6_000) * minuteMs);
        await give('stale', bank.sign(body, past), body);
      }
    }
  };

  /** Changes a webhook in a way that breaks its signature. */
  function forgery(body: string, now: Date): [Record<string, string>, string] {
    const header = bank.signatureHeader;
    const good = bank.sign(body, now);
    const other = body.replace(/"id":"(evt?_)\w{4}/, '"id":"$19999');
    return chances.oneOf<[Record<string, string>, string]>([
      [good, other],
      [good, `${body}\n`],
      [bank.sign(other, now, 'whsec_a_guess'), other],
      [{ 'content-type': 'application/json' }, other],
      [{ ...good, [header]: `${good[header]}0` }, body],
      [{ ...good, [header]: (good[header] ?? '').replace(/t=\d+/, 't=99') }, body],
    ]);
  }

  return { send, deliver, tally, ids };
}
