import { i18n } from '@lingui/core';
import { notificationTopics } from '@nearhand/contract/talk/notification-topics';
import { beforeAll, describe, expect, it } from 'vitest';
import { deviceZone } from '../../../test/device.ts';
import { iconNames } from '../../ui/art/icon-names.ts';
import { noticeTexts } from './notice-row.tsx';
import { sampleNotice } from './notifications.fixtures.ts';
import { noticesByDay } from './notifications.screen.tsx';

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));
const now = new Date('2026-11-21T20:00:00Z');

const full = {
  jobTitle: 'Barista',
  businessName: 'Café Noord',
  workerName: 'Leila Haddad',
  timeZone: 'Europe/Amsterdam',
  startsAt: '2026-12-03T17:40:00Z',
  endsAt: '2026-12-03T21:00:00Z',
  by: '2026-12-02T11:00:00Z',
  expiresAt: '2026-12-02T11:00:00Z',
  reason: 'The oven is broken',
  amountMinor: 5850,
  currency: 'EUR',
  hours: '3 h 20',
  waiting: 3,
};
const nothing = Object.fromEntries(Object.keys(full).map((key) => [key, '']));

describe('noticeTexts', () => {
  it.each([
    ['full', full],
    ['no', {}],
    ['empty', nothing],
    [
      'nonsensical',
      { ...nothing, startsAt: 'x', timeZone: 'Mars/Base', amountMinor: Number.NaN, currency: 'x' },
    ],
    ['partial', { ...full, endsAt: '', currency: '' }],
  ])('is complete for every topic and side with %s data', (_, data: Record<string, string | number>) => {
    for (const topic of [...notificationTopics, 'something-later' as never, 'constructor' as never])
      for (const side of ['worker', 'business']) {
        const { icon, title, text } = noticeTexts({ topic, data: { ...data, side } }, now);
        expect(iconNames).toContain(icon);
        expect(title.trim()).toBeTruthy();
        expect(`${title} ${text ?? ''}`, `${topic}, ${side}`).not.toMatch(
          /undefined|null|NaN|Invalid|!|“”|: *$| {2}|, *\.|\(\)/,
        );
      }
  });

  it('separates what changes in booked work, so that the old value can be struck', () => {
    const change = { fromPlace: 'Westerstraat 112', toPlace: 'Quay 2' };
    const texts = noticeTexts({ topic: 'shift-change-asked', data: { ...full, ...change } }, now);
    expect(texts.changes).toEqual([{ before: 'Westerstraat 112', after: 'Quay 2' }]);
    expect(texts.text).toMatch(/^Barista\. Accept or keep/);
  });

  it('contains when, how much and until when', () => {
    expect(noticeTexts({ topic: 'offer-received', data: { ...full, reason: '' } }, now)).toMatchObject({
      title: 'Café Noord offered you the job',
      text: expect.stringMatching(
        /^Barista, Thu,\sDec\s3, 6:40\sPM–\u2060?10\sPM \(Amsterdam\stime\), €58\.50\. Reply by Wed,\sDec\s2, 12\sPM \(Amsterdam\stime\)\.$/,
      ),
    });
  });

  it("formats a bank's date as a day, and a time without a place in the reader's zone", async () => {
    const sent = { amountMinor: 8000, currency: 'EUR', by: '2026-11-23' };
    expect(noticeTexts({ topic: 'withdrawal-sent', data: sent }, now).text).toMatch(
      /^€80\. Expected Mon,\sNov\s23\.$/,
    );
    deviceZone('Asia/Tokyo');
    await Promise.resolve();
    const request = { amountMinor: 8000, currency: 'EUR', by: '2026-11-21T23:45:00Z' };
    expect(noticeTexts({ topic: 'withdrawal-requested', data: request }, now).text).toMatch(
      /Cancel it by Sun,\sNov\s22, 8:45\sAM\.$/,
    );
  });

  it('names the job once', () => {
    const { title, text } = noticeTexts({ topic: 'engagement-confirm-asked', data: full }, now);
    expect(title).toContain('Barista');
    expect(text).not.toContain('Barista');
  });

  it('quotes part of a reason, and words our own codes', () => {
    const say = (reason: string) =>
      noticeTexts({ topic: 'application-rejected', data: { reason } }, now).text ?? '';
    expect(say('distance')).toBe('For this job. The distance was too far for this work.');
    expect(say('distance: two ferries')).toContain('“two ferries”');
    expect(say('👍'.repeat(500)).length).toBeLessThan(400);
    expect(say('👍'.repeat(500)).isWellFormed()).toBe(true);
  });

  it('addresses each side of an unanswered application', () => {
    const data = { jobTitle: 'Front desk', businessName: 'Hotel Brouwers', workerName: 'Leila' };
    const say = (side: string) =>
      noticeTexts({ topic: 'application-no-response', data: { ...data, side } }, now).title;
    expect(say('worker')).toBe('No reply from Hotel Brouwers');
    expect(say('business')).toBe("You didn't reply to Leila in time");
  });
});

describe('byDay', () => {
  it("groups by the reader's days, not by UTC", () => {
    const entries = [
      '2026-11-21T19:00:00Z',
      '2026-11-20T23:30:00Z',
      '2026-11-20T10:00:00Z',
      '2026-11-16T10:00:00Z',
    ].map((createdAt) => ({ notice: sampleNotice({ id: createdAt, createdAt }), earlier: [] }));
    const days = noticesByDay(entries, 'Europe/Amsterdam', now);
    expect(days.map(({ title }) => title).slice(0, 2)).toEqual(['Today', 'Yesterday']);
    expect(days.map(({ entries: of }) => of.length)).toEqual([2, 1, 1]);
    expect(days[2]?.title).toContain('Monday');
  });
});
