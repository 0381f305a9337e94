import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { createSign } from '../../platform/sign.ts';
import {
  balanceOf,
  balancesOf,
  LedgerRefused,
  LedgerShort,
  type NewEntry,
  postEntry,
  reverseEntry,
} from './ledger.service.ts';

const app = useTestApp();
const scope = () => ({ clock: app.clock, sign: createSign(app.secret) });
const post = (entry: Partial<NewEntry> & Pick<NewEntry, 'lines'>) =>
  app.db
    .transaction()
    .execute((tx) =>
      postEntry(tx, scope(), {
        key: crypto.randomUUID(),
        kind: 'top_up',
        currency: 'EUR',
        about: null,
        ...entry,
      }),
    );

describe('postEntry', () => {
  it('moves', async () => {
    const b = { kind: 'business_balance', ownerId: crypto.randomUUID() } as const;
    const h = { kind: 'hold', ownerId: crypto.randomUUID() } as const;
    const key = crypto.randomUUID();
    const lines = [
      { account: b, amountMinor: 100 },
      { account: { kind: 'provider_clearing' }, amountMinor: -100 },
    ] as const;
    const one = await post({ key, lines });
    expect(one.posted).toBe(true);
    expect(await post({ key, lines })).toEqual({ ...one, posted: false });
    await expect(
      post({
        key,
        lines: [
          { account: b, amountMinor: 101 },
          { account: { kind: 'provider_clearing' }, amountMinor: -101 },
        ],
      }),
    ).rejects.toThrow(LedgerRefused);
    expect(await balanceOf(app.db, b, 'EUR')).toBe(100);
    await post({
      lines: [
        { account: b, amountMinor: -60 },
        { account: h, amountMinor: 60 },
      ],
    });
    expect(await balancesOf(app.db, [b, h])).toEqual([
      { account: b, currency: 'EUR', amountMinor: 40 },
      { account: h, currency: 'EUR', amountMinor: 60 },
    ]);
    await expect(
      post({
        lines: [
          { account: b, amountMinor: -60 },
          { account: h, amountMinor: 60 },
        ],
      }),
    ).rejects.toThrow(LedgerShort);
    await expect(
      app.db.transaction().execute((tx) => reverseEntry(tx, scope(), { key: 'x', entryId: one.entryId })),
    ).rejects.toThrow(LedgerShort);
  });
});
