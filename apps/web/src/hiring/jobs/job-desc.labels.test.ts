import { i18n } from '@lingui/core';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { breakText, closedText, feeText, longWhen, netPayText } from './job-desc.labels.ts';
import { pinLabel, reachOf, toPin } from './job-pins.labels.ts';
import { sampleCard, sampleDate, sampleJob } from './jobs.fixtures.ts';

const now = new Date('2026-11-21T09:00:00Z');
beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));
beforeEach(() => vi.stubGlobal('navigator', { ...navigator, languages: ['en-IE'] }));

describe('the words of a job', () => {
  it('show who pays the fee', () => {
    const job = sampleJob();
    expect(feeText(job)).toBe('You keep all of it. Kopi & Crumb pays our 10% fee on top.');
    expect(netPayText(job)).toBe('€108 to you');
    const series = {
      shifts: 4,
      firstStartsAt: '2026-12-08T09:00:00Z',
      lastStartsAt: '2026-12-08T09:00:00Z',
      payRange: null,
      asBlock: false,
    };
    expect(netPayText({ ...job, series })).toBe('€108 to you per shift');
    const dates = [
      sampleDate(28, { pay: { ...job.pay, totalMinor: 12_000 } }),
      sampleDate(29, { pay: { ...job.pay, totalMinor: 10_000 } }),
    ];
    expect(netPayText({ ...job, series, dates })).toBe('from €100 to you per shift');
    const charged = sampleJob({ pay: { ...job.pay, workerFeeBasisPoints: 500 } });
    expect(feeText(charged)).toBe('You get €102.60 after our 5% fee.');
    expect(netPayText(charged)).toBe('€102.60 to you');
  });

  it("show the hours in the job's zone", () => {
    expect(longWhen(sampleJob(), now)).toMatch(/Saturday,? 28 November, 08:00–14:00/);
    expect(longWhen(sampleJob({ timeZone: 'America/New_York' }), now)).toMatch(/02:00–08:00/);
    expect(breakText(sampleJob())).toBe('30\u00a0min paid break');
    expect(breakText(sampleJob({ startsAt: null, endsAt: null }))).toBeNull();
  });

  it('show why a job is closed', () => {
    expect(closedText(sampleJob())).toBeNull();
    for (const status of ['filled', 'paused', 'expired', 'closed', 'suspended', 'draft'] as const) {
      expect(closedText(sampleJob({ status }))?.title).toBeTruthy();
    }
  });
});

describe('pins', () => {
  it('are short on the map, with a full label for screen readers', () => {
    const { pay } = sampleCard();
    expect(pinLabel(pay)).toBe('€108');
    const yearly = {
      ...pay,
      minor: 10_574_600,
      totalMinor: null,
      unit: 'year' as const,
      currency: 'USD' as const,
    };
    expect(pinLabel(yearly).length).toBeLessThanOrEqual(7);
    const pin = toPin(sampleCard({ pay: yearly }));
    expect(pin.name.startsWith(pin.label)).toBe(true);
  });

  it.each(['en-IE', 'de-DE', 'ar-EG'])('never overstate the pay in %s', (language) => {
    vi.stubGlobal('navigator', { ...navigator, languages: [language] });
    i18n.loadAndActivate({ locale: language.slice(0, 2), messages: {} });
    const label = (totalMinor: number) => pinLabel({ ...sampleCard().pay, totalMinor });
    expect(label(10_850)).toMatch(/108|١٠٨/);
    expect(label(4_950)).toMatch(/49[.,]50|٤٩٫٥٠/);
    i18n.loadAndActivate({ locale: 'en', messages: {} });
  });

  it('set the zoom of the map', () => {
    expect(reachOf([], 25)).toBe(4_000 * 1.15);
    expect(reachOf([sampleCard({ distanceM: 100 })], 25)).toBe(1_300);
    expect(reachOf([sampleCard({ distanceM: 90_000 })], 25)).toBe(25_000);
  });
});
