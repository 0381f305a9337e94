import { i18n } from '@lingui/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { compileMessage } from '../../lib/words/show-language.ts';
import { ageText, businessMoveText, plainText, tagText } from './case.labels.ts';

beforeAll(() => {
  i18n.setMessagesCompiler(compileMessage);
  i18n.loadAndActivate({ locale: 'en', messages: {} });
});

const now = new Date('2026-11-22T12:00:00Z');
const at = (hours: number) => new Date(now.getTime() + hours * 3_600_000).toISOString();
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
  it('reads them as people do', () => {
    expect(['off-platform', 'finding_work', 'scam'].map(plainText)).toEqual([
      ...['Off platform', 'Finding work', 'Scam'],
    ]);
  });
});

describe('codes', () => {
  it('are sentences where an operator reads them', () => {
    expect(tagText('asks-fee')).toBe('Seems to ask workers for money');
    expect(tagText('id_card')).toBe('Identity card');
    expect(businessMoveText('submit')).toBe('The business asked to be verified');
    expect(businessMoveText('restore-needs-info')).toBe('We lifted the measure');
  });
});
