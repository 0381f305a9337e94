import { existsSync, readFileSync } from 'node:fs';
import type { PayUnit } from '@nearhand/contract/hiring/jobs';
import { hourlyPay } from '@nearhand/contract/hiring/pay-units.rules';
import { screeningRules } from '@nearhand/contract/hiring/screening.rules';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { badTexts, goodTexts } from './screened-texts.fixtures.ts';
import {
  copiedPercent,
  copyLimits,
  copyProbes,
  payLimits,
  screenCopy,
  screenPay,
  screenWords,
  unclearedFindings,
} from './screening.rules.ts';

const job = (description: string) => ({ title: 'Barista', description, requirements: [] });
const rulesOf = (description: string) => screenWords(job(description)).map(({ rule }) => rule);

describe('screenWords', () => {
  it.each(badTexts)('finds %s in "%s"', (rule, text) => {
    expect(rulesOf(text)).toContain(rule);
  });

  it.each(goodTexts)('finds nothing in "%s"', (text) => {
    expect(screenWords(job(text))).toEqual([]);
  });

  it('reads the title and the requirements too, and quotes what it found', () => {
    const [inTitle] = screenWords({ ...job('Fine work.'), title: 'Waiter, registration fee €20' });
    expect(inTitle).toEqual({ rule: 'asks-fee', evidence: 'registration fee' });
    expect(
      screenWords({ ...job('Fine work.'), requirements: ['Contact us on WhatsApp'] }).map(({ rule }) => rule),
    ).toEqual(['off-platform']);
  });

  it('matches a denial next to a fee, but not elsewhere', () => {
    expect(rulesOf('No registration fee.')).toEqual([]);
    expect(rulesOf('No experience needed. The registration fee is 20.')).toEqual(['asks-fee']);
  });

  it('stays fast on long and strange texts', () => {
    const from = performance.now();
    for (const text of [
      'pay '.repeat(5_000),
      'a b '.repeat(5_000),
      'apply '.repeat(4_000),
      '@1'.repeat(9_000),
    ])
      screenWords(job(text));
    expect(performance.now() - from).toBeLessThan(5_000);
  });
});

describe('screenPay', () => {
  const local = { medianMinor: 1_600, jobs: payLimits.jobsMin, businesses: payLimits.businessesMin };
  it('finds pay above the factor, from enough jobs of enough businesses', () => {
    expect(screenPay(4_801, local).map(({ rule }) => rule)).toEqual(['pay-too-good']);
    for (const [pay, around] of [
      [4_800, local],
      [null, local],
      [9_999, null],
      [9_999, { ...local, jobs: payLimits.jobsMin - 1 }],
      [9_999, { ...local, businesses: payLimits.businessesMin - 1 }],
    ] as const)
      expect(screenPay(pay, around)).toEqual([]);
  });
});

const original = `We run a small bakery by the station and bake bread through the night. You shape the loaves, watch the
ovens and pack the orders for the cafés of the neighbourhood. Around five the drivers collect everything, then we clean up
together and have breakfast. Experience with sourdough is welcome but we teach you everything during the first nights.`;

describe('screenCopy', () => {
  const others = [{ jobId: 'x', description: original }];
  it('matches a text that is mostly copied, but not short and different ones', () => {
    const changed = original
      .replace('small bakery', 'lovely bakery')
      .replace('Around five', 'At half past five');
    expect(copiedPercent(changed, original)).toBeGreaterThan(copyLimits.percent);
    expect(screenCopy(changed, others)).toEqual([{ rule: 'copied-text', evidence: 'x' }]);
    expect(screenCopy('We run a small bakery by the station and bake bread.', [])).toEqual([]);
    expect(copyProbes('We run a small bakery by the station.')).toEqual([]);
    const own = `We look for someone who shapes loaves in our night shift. You also watch the ovens, pack orders for the cafés and
      clean up. The drivers come at five. You know sourdough, or you learn it from us in the first nights. Breakfast is on us and we
      eat together after the work is done.`;
    expect(screenCopy(own, others)).toEqual([]);
  });

  it('probes with words that survive copying', () => {
    const probes = copyProbes(original);
    expect(probes).toHaveLength(copyLimits.probes);
    const changed = original.replace('neighbourhood', 'quarter');
    expect(probes.filter((words) => words.every((word) => changed.toLowerCase().includes(word)))).not.toEqual(
      [],
    );
  });
});

describe('uncleared', () => {
  it("returns what an operator hasn't cleared", () => {
    const findings = [
      { rule: 'asks-fee', evidence: 'registration fee' },
      { rule: 'asks-fee', evidence: 'training fee' },
    ] as const;
    expect(unclearedFindings(findings, [findings[0]])).toEqual([findings[1]]);
  });
});

const file = new URL('../../../../../../shared/data/nyc-jobs.csv', import.meta.url);

describe.skipIf(!existsSync(file))('real postings', () => {
  const units: Record<string, PayUnit> = { Annual: 'year', Daily: 'day', Hourly: 'hour' };
  type Posting = { agency: string; category: string; text: string; hour: number | null };
  const read = (): Posting[] => {
    const [head = [], ...rows] = parse(readFileSync(file, 'utf8'), {
      relax_column_count: true,
    }) as string[][];
    const at = (row: readonly string[], name: string) => row[head.indexOf(name)] ?? '';
    return rows.map((row) => ({
      agency: at(row, 'Agency'),
      category: at(row, 'Job Category'),
      text: ['Business Title', 'Civil Service Title', 'Job Category', 'Division/Work Unit', 'Hours/Shift']
        .map((name) => at(row, name))
        .join('\n'),
      hour: hourlyPay(
        Math.round(Number(at(row, 'Salary_Range_From').replace(/[$,]/g, '')) * 100) || null,
        units[at(row, 'Salary Frequency')] ?? 'year',
      ),
    }));
  };

  it('are almost never held for words or pay, while spoiled copies always are', () => {
    const postings = read();
    expect(postings.length).toBeGreaterThan(2_500);
    const byWords = postings.filter(({ text }) => screenWords(job(text)).length > 0);
    const byPay = postings.filter(({ agency, category, hour }) => {
      const others = postings.filter(
        (posting) => posting.category === category && posting.agency !== agency && posting.hour,
      );
      const pays = others.map((posting) => posting.hour ?? 0).sort((a, b) => a - b);
      const medianMinor = pays[Math.ceil(pays.length / 2) - 1];
      const businesses = new Set(others.map((posting) => posting.agency)).size;
      const local = medianMinor === undefined ? null : { medianMinor, jobs: pays.length, businesses };
      return screenPay(hour, local).length > 0;
    });
    expect({ words: byWords.length, pay: byPay.length, of: postings.length }).toMatchInlineSnapshot(`
      {
        "of": 2659,
        "pay": 13,
        "words": 0,
      }
    `);
    const altered = postings.map(({ text }, at) => `${text}\n${badTexts[at % badTexts.length]?.[1]}`);
    expect(altered.filter((text) => screenWords(job(text)).length === 0)).toEqual([]);
    expect(screeningRules).toHaveLength(5);
  });
});
