import { i18n } from '@lingui/core';
import { contract } from '@nearhand/contract/contract';
import { minuteMs } from '@nearhand/contract/durations';
import type { LoggedCall } from '@nearhand/contract/trust/operator-log';
import { beforeAll, describe, expect, it } from 'vitest';
import { compileMessage } from '../../lib/words/show-language.ts';
import {
  callsCsv,
  callText,
  hasSentence,
  idIn,
  mergeOpenings,
  outcomeText,
  sentenceOf,
} from './log.labels.ts';
import { reportTable } from './transparency-page.tsx';

beforeAll(() => {
  i18n.setMessagesCompiler(compileMessage);
  i18n.loadAndActivate({ locale: 'en', messages: {} });
});

const now = new Date('2026-11-22T13:00:00Z');
const call = (change: Partial<LoggedCall> = {}): LoggedCall => ({
  no: 7,
  at: '2026-11-22T12:00:00.000Z',
  operator: { id: 'o', name: 'Jonas Weber' },
  operation: 'GET /operators/search/{kind}/{id}',
  subjectIds: ['a'],
  subjects: [{ kind: 'person', id: 'a', loggedId: 'a', name: 'Leila Haddad' }],
  case: null,
  reason: 'They asked by phone',
  result: 'done',
  decision: null,
  asksApproval: false,
  ...change,
});

describe('the transparency report', () => {
  it('is a table with a row for each figure and decision', () => {
    const outcomes = { received: 3, medianHours: null };
    const table = reportTable({
      from: '2026-10-01',
      until: '2026-10-31',
      notices: { ...outcomes, actioned: 1, dismissed: 2 },
      decisions: [{ measure: 'warning', rule: 'respect', source: 'report', count: 1 }],
      automatedDetections: 0,
      authorityReports: 0,
      appeals: { ...outcomes, upheld: 0, overturned: 0 },
    });
    expect(new Set(table.map((row) => row.length))).toEqual(new Set([7]));
    expect(table.at(-1)).toEqual([
      '2026-10-01',
      '2026-10-31',
      'Decisions',
      'warning',
      'respect',
      'report',
      '1',
    ]);
  });
});

describe('a call in the log', () => {
  it('has a sentence for every logged operation of operators', () => {
    const missing: string[] = [];
    for (const slice of Object.values(contract))
      for (const operation of Object.values(slice)) {
        const { meta, route } = operation['~orpc'] as unknown as {
          meta: { access: string; operator?: { needs: string; may: string } };
          route: { method: string; path: string };
        };
        const name = `${route.method} ${route.path}`;
        const isLogged =
          meta.operator !== undefined &&
          (meta.operator.needs !== 'nothing' || route.method !== 'GET' || meta.operator.may === 'log');
        if (meta.access === 'operator' && isLogged && !hasSentence(name)) missing.push(name);
      }
    expect(missing).toEqual([]);
  });

  it('names the records, or the kind of the case', () => {
    expect(callText(call())).toBe('opened Leila Haddad');
    const claimed = call({
      operation: 'POST /operators/cases/{kind}/{subjectId}/claim',
      case: { kind: 'no_show', subjectId: 'a' },
    });
    expect(callText(claimed)).toBe('claimed the contested no-show of Leila Haddad');
    expect(callText(call({ operation: 'GET /jobs/{jobId}', subjects: [] }))).toBe('read a record');
    const named = { kind: 'business', id: 'b', loggedId: 'b', name: "Tom $& Jerry $'" } as const;
    expect(callText(call({ subjects: [named] }))).toBe("opened Tom $& Jerry $'");
    expect(sentenceOf('GET /files/{fileId}')).toBe('opened a file of {who}');
  });

  it('says how it ended', async () => {
    const decided = { operation: 'POST /operators/appeals/{appealId}/decide', decision: 'upheld' };
    const appeal = { kind: 'appeal', subjectId: 'a' } as const;
    expect(outcomeText(call(), now)).toBeNull();
    expect(outcomeText(call({ operation: 'POST /operators/macros' }), now)).toBe('Done');
    expect(outcomeText(call({ ...decided, case: appeal }), now)).toBe('Decision upheld');
    const pendingCall = call({
      operation: 'POST /operators/cases/{kind}/{subjectId}/second-approval',
      case: { kind: 'no_show', subjectId: 'a' },
      decision: 'worked',
      asksApproval: true,
    });
    expect(outcomeText(pendingCall, now)).toBe(
      'Nothing yet: another operator decides about “Decided: they worked”',
    );
    const goodwill = call({ operation: 'POST /operators/goodwill/{kind}/{recipientId}' });
    expect(callText(goodwill)).toBe('gave goodwill to Leila Haddad');
    expect(callText({ ...goodwill, asksApproval: true })).toContain(
      'asked a second person to approve goodwill',
    );
    expect(outcomeText(call({ ...decided, result: 'operator/own-decision' }), now)).toMatch(/^Refused: ./);
    expect(outcomeText(call({ result: null }), now)).toContain('Not known');
    const recent = call({ result: null, at: new Date(now.getTime() - 9 * minuteMs).toISOString() });
    expect(outcomeText(recent, now)).toBe('Still running');
    expect(await callsCsv([recent], now).text()).toContain('"Still running"');
    expect(await callsCsv([call({ ...decided, case: appeal })], now).text()).toContain(
      '"Decision upheld","Leila Haddad"',
    );
  });

  it('shows a claim and the look that follows it on one line', () => {
    const about = { case: { kind: 'report' as const, subjectId: 'c' } };
    const opened = call({ ...about, no: 9, operation: 'GET /operators/cases/{kind}/{subjectId}' });
    const claimed = call({ ...about, no: 8, operation: 'POST /operators/cases/{kind}/{subjectId}/claim' });
    const lines = mergeOpenings([{ ...opened, no: 10 }, opened, claimed, call()]);
    expect(lines.map((line) => [line.no, line.opening])).toEqual([
      [10, undefined],
      [8, 9],
      [7, undefined],
    ]);
    expect(lines.map(callText)[1]).toBe('claimed and opened the report about Leila Haddad');
    const claimedByMila = { ...claimed, operator: { id: 'p', name: 'Mila' } };
    expect(mergeOpenings([opened, claimedByMila])).toHaveLength(2);
  });

  it('is found by the pasted address of its record', () => {
    const id = '0193aaaa-0000-7000-8000-0000000000a1';
    for (const address of ['jobs/ID', 'jobs/ID?tab=pay', 'log?record=ID', 'log?record=ID&result=done', 'ID'])
      expect(idIn(` https://console.example/${address.replace('ID', id.toUpperCase())} `)).toBe(id);
    expect(idIn(' Leila ')).toBe('leila');
  });

  it('is exported without formulas for a spreadsheet', async () => {
    const csv = await callsCsv([call({ reason: '=HYPERLINK("x")' })], now).text();
    expect(csv.trim().split('\r\n')).toHaveLength(2);
    expect(csv).toContain(`"'=HYPERLINK(""x"")"`);
    expect(csv).toContain('"opened Leila Haddad"');
  });
});
