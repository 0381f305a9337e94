import { i18n } from '@lingui/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { decideBy } from './decide-by.ts';

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));

const zone = 'America/New_York';
const now = new Date('2026-11-21T09:00:00Z');

describe('the decide-by clock', () => {
  it('runs while a reply is due', () => {
    const clock = decideBy(
      { status: 'viewed', submittedAt: '2026-11-14T09:00:00Z', decideBy: '2026-11-28T09:00:00Z' },
      zone,
      now,
    );
    expect(clock).toMatchObject({
      share: 0.5,
      short: '7\u00a0d',
      left: '7 days left',
      until: expect.stringMatching(/28.*4\sAM/),
    });
  });

  it('counts hours in the last two days', () => {
    expect(
      decideBy(
        { status: 'submitted', submittedAt: '2026-11-20T09:00:00Z', decideBy: '2026-11-22T18:30:00Z' },
        zone,
        now,
      ),
    ).toMatchObject({
      short: '33\u00a0h',
      until: expect.stringMatching(/^Tomorrow, /),
      by: expect.stringMatching(/^Sun.*22/),
    });
  });

  it('is over once it has passed, and absent when nobody is waiting', () => {
    expect(
      decideBy(
        { status: 'submitted', submittedAt: '2026-11-20T09:00:00Z', decideBy: '2026-11-21T08:00:00Z' },
        zone,
        now,
      ),
    ).toMatchObject({
      left: null,
      short: '0\u00a0min',
    });
    expect(
      decideBy(
        { status: 'withdrawn', submittedAt: '2026-11-20T09:00:00Z', decideBy: '2026-11-28T09:00:00Z' },
        zone,
        now,
      ),
    ).toBeNull();
  });
});
