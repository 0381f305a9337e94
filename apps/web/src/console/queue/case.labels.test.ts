import { i18n } from '@lingui/core';
import type { CaseKind } from '@nearhand/contract/case-kinds';
import { addMs } from '@nearhand/contract/durations';
import { screeningRules } from '@nearhand/contract/hiring/screening.rules';
import { unmatchedReasons } from '@nearhand/contract/money/bank-transfers.rules';
import { chargePurposes } from '@nearhand/contract/money/charges';
import { certificateKinds } from '@nearhand/contract/people/certificates.rules';
import { identityDocuments } from '@nearhand/contract/people/identity-checks.rules';
import { chatReportReasons } from '@nearhand/contract/talk/chat-reports';
import { reportableKinds } from '@nearhand/contract/trust/cases.rules';
import { reportReasons } from '@nearhand/contract/trust/reports.rules';
import { sanctionMeasures } from '@nearhand/contract/trust/sanctions.rules';
import { ticketCategories } from '@nearhand/contract/trust/tickets.rules';
import { disputeWhys } from '@nearhand/contract/work/engagements';
import { referralFlags } from '@nearhand/contract/work/referrals.rules';
import { beforeAll, describe, expect, it } from 'vitest';
import { compileMessage } from '../../lib/words/show-language.ts';
import {
  ageText,
  businessMoveText,
  caseTagText,
  codeText,
  readersText,
  sentenceAround,
  statusText,
} from './case.labels.ts';

beforeAll(() => {
  i18n.setMessagesCompiler(compileMessage);
  i18n.loadAndActivate({ locale: 'en', messages: {} });
});

const now = new Date('2026-11-22T12:00:00Z');
const at = (hours: number) => addMs(now, hours * 3_600_000).toISOString();
const plain = (text: string) => text.replaceAll('\u00a0', ' ');
const age = (opened: number, deadline: number) => {
  const { open, due, tone } = ageText({ openedAt: at(opened), deadline: at(deadline) }, now);
  return [plain(open), plain(due), tone];
};

describe('the age of a case', () => {
  it('is calm, then close, then late', () => {
    expect(age(-2, 70)).toEqual(['2 h', '2 d left', undefined]);
    expect(age(-60, 11)).toEqual(['2 d', '11 h left', 'wait']);
    expect(age(-72, 0)).toEqual(['3 d', '0 min overdue', 'bad']);
    expect(age(-80, -5)).toEqual(['3 d', '5 h overdue', 'bad']);
  });

  it('counts short deadlines by a quarter of their time', () => {
    expect(age(-1, 8)[2]).toBeUndefined();
    expect(age(-7, 1)[2]).toBe('wait');
  });
});

describe('codes as words', () => {
  it('formats them as text', () => {
    expect(['day-shift', 'finding_work', 'scam'].map(codeText)).toEqual([
      'Day shift',
      'Finding work',
      'Scam',
    ]);
  });
});

it('names a status by the record that has it, and a code without words of its own as text', () => {
  expect(statusText('business', 'submitted')).toBe('Waiting for verification');
  expect(statusText('document', 'submitted')).toBe('Waiting for our check');
  expect(statusText('engagement', 'submitted')).toBe('Hours submitted');
  expect(statusText('document', 'on')).toBe('On');
});

describe('codes', () => {
  it('are sentences where an operator reads them', () => {
    expect(caseTagText('asks-fee')).toBe('Seems to ask workers for money');
    expect(caseTagText('id_card')).toBe('Identity card');
    expect(businessMoveText('submit')).toBe('The business asked to be verified');
    expect(businessMoveText('restore-needs-info')).toBe('We lifted the measure');
  });
});

/** The tag that `cases.sql.ts` gives each kind. */
const tags: Record<CaseKind, readonly string[]> = {
  dispute: disputeWhys,
  no_show: [],
  chat_report: chatReportReasons,
  frozen_chat: chatReportReasons,
  report: [...reportReasons, 'contested-dismissal'],
  appeal: sanctionMeasures,
  flagged_review: ['hidden', 'published'],
  ticket: ticketCategories,
  job_review: screeningRules,
  referral: referralFlags,
  business_verification: ['NL', 'DE'],
  identity: identityDocuments,
  certificate: certificateKinds,
  chargeback: chargePurposes,
  payout_held: ['standard', 'instant'],
  unclaimed: ['person', 'business'],
  bank_payment: unmatchedReasons,
  second_approval: [],
  authority_report: [...reportableKinds],
  correction: [],
};

describe('the languages of the readers', () => {
  const reader = { accountId: '01a1fbbc-d019-79f0-8086-994049deb373', side: 'business' } as const;

  it('names each reader who chose one', () => {
    const people = [
      { ...reader, name: 'Omar Aziz', language: 'ar' as const },
      { ...reader, name: 'Kim Jansen', language: null },
      { ...reader, name: 'Ines Moreau', language: 'fr' as const },
    ];
    expect(readersText(people)).toBe('Omar Aziz reads Arabic, Ines Moreau reads French.');
    expect(readersText(people.slice(1, 2))).toBeNull();
  });
});

describe('the words of a case', () => {
  it('are labels for the tags of every kind, not codes', () => {
    const texts = Object.values(tags).flat().map(caseTagText);
    expect(
      texts.filter((text) =>
        /[_-]|merchant|payer[- ]|\bcap\b/i.test(text.replace(/no-show|check-in|counter-|the payer/gi, '')),
      ),
    ).toEqual([]);
    expect(
      Object.values(tags)
        .flat()
        .filter((tag) => caseTagText(tag) === tag),
    ).toEqual([]);
    expect(['off-platform', 'id_card', 'no-check-in', 'cover', 'payer-card'].map(caseTagText)).toEqual([
      'Sends workers outside Nearhand',
      'Identity card',
      'Hours without a check-in',
      'Overtime or owed pay',
      'Same card as the payer',
    ]);
  });
});

it('shows the sentence that a finding is in, and its words alone once the text has changed', () => {
  const text = 'Barista\nGood tips! You pay a deposit of 50 euros for the uniform. Start on Monday.';
  expect(sentenceAround(text, 'deposit of 5')).toBe('You pay a deposit of 50 euros for the uniform.');
  expect(sentenceAround(text, 'passport')).toBe('passport');
});
