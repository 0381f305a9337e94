import { i18n } from '@lingui/core';
import type { TimelineEvent } from '@nearhand/contract/trust/staff-search';
import { beforeAll, describe, expect, it } from 'vitest';
import { compileMessage } from '../../lib/words/show-language.ts';
import { detailText } from './search.labels.ts';
import { eventText } from './timeline.labels.ts';

beforeAll(() => {
  i18n.setMessagesCompiler(compileMessage);
  i18n.loadAndActivate({ locale: 'en', messages: {} });
});

const id = '01a1fbbc-d019-79f0-8086-994049deb373';
const event = (values: Partial<TimelineEvent>): TimelineEvent => ({
  kind: 'ticket',
  id,
  at: '2026-11-20T09:00:00.000Z',
  title: null,
  code: null,
  status: null,
  note: null,
  by: null,
  business: null,
  case: null,
  record: null,
  amountMinor: null,
  currency: null,
  ...values,
});

it("keeps a reporter's words apart from who decided, and names the decision", () => {
  const report = event({
    kind: 'chat-report-made',
    code: 'scam',
    note: 'They want money.',
    by: 'Tomas Novak',
  });
  const { note, badge } = eventText({ ...report, status: 'freeze' });
  expect(note).toBe('“They want money.”, decided by Tomas Novak');
  expect(badge).toEqual({ text: 'Conversation frozen' });
});

it('shows no id for a merged request', () => {
  const subject = { kind: 'ticket', subjectId: id } as const;
  const merged = event({
    kind: 'case-decided',
    code: 'merge',
    title: 'My pay',
    note: id,
    by: 'Sven',
    case: subject,
  });
  expect(eventText(merged).note).toBe('My pay, by Sven');
});

describe('a detail of booked work', () => {
  it('has no raw time or code', () => {
    expect(detailText('starts', '2026-12-02T08:00:00+00:00')).toMatch(/Dec\s2/);
    expect(detailText('ends', '2026-12-02T08:00:00+00:00')).not.toContain('T08');
    expect(detailText('funding', 'not_funded')).toBe('Not paid for yet');
    expect(detailText('description', 'Serve drinks')).toBe('Serve drinks');
  });
});
