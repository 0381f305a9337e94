import { caseKinds } from '@nearhand/contract/case-kinds';
import type { CaseFile } from '@nearhand/contract/trust/cases';
import { caseDecisions } from '@nearhand/contract/trust/cases.rules';
import { describe, expect, it } from 'vitest';
import { choicesOf, decisionText, payoutEffect, reasonMax } from './decisions.ts';

describe('the words of decisions', () => {
  it('name every decision that the contract offers', () => {
    for (const kind of caseKinds)
      for (const { decision } of caseDecisions[kind]) {
        const { label, action, done } = decisionText(kind, decision, null);
        expect([label, action, done], `${kind} ${decision}`).not.toContain(decision);
        expect(action, `${kind} ${decision}`).not.toBe('Decide');
      }
  });

  it('say what a pay decision pays', () => {
    expect(decisionText('dispute', 'decide', 'Leila gets €80').action).toBe(
      'Decide the dispute: Leila gets €80',
    );
    expect(decisionText('ticket', 'solve', null).needsReason).toBe(false);
  });

  it('offer templates that fit', () => {
    for (const kind of caseKinds)
      for (const { templates } of caseDecisions[kind])
        for (const text of templates) expect(text.length).toBeLessThanOrEqual(reasonMax(kind));
  });
});

describe('choicesOf', () => {
  it('offers no release to the operator who entered the bank account', () => {
    const choicesFor = (enteredBy: object | null) => {
      const file = { item: { kind: 'payout_held' }, facts: { kind: 'payout_held', held: { enteredBy } } };
      return choicesOf(file as unknown as CaseFile).map(({ decision }) => decision);
    };
    expect(choicesFor({ name: 'Jonas Weber', isYou: true })).toEqual(['refuse']);
    expect(choicesFor({ name: 'Jonas Weber', isYou: false })).toEqual(['release', 'refuse']);
    expect(choicesFor(null)).toEqual(['release', 'refuse']);
  });
});

describe('payoutEffect', () => {
  const heldPayout = {
    person: { name: 'Leila' },
    method: { bankName: 'bunq', last4: '4417', holderName: 'S. Jansen' },
    amountMinor: 8_400,
    getsMinor: 8_250,
    currency: 'EUR',
  };
  const file = { facts: { kind: 'payout_held', held: heldPayout } } as unknown as CaseFile;
  it('says who receives what, or where the money goes back to', () => {
    expect(payoutEffect(file, 'release')).toBe(
      'Leila receives €82.50 at bunq ••••\u00a04417, in the name of S. Jansen.',
    );
    expect(payoutEffect(file, 'refuse')).toBe('€84 goes back to the balance of Leila. Nothing is sent.');
    expect(payoutEffect(file, null)).toBeNull();
  });
});
