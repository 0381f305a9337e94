import { caseKinds } from '@nearhand/contract/case-kinds';
import { caseDecisions } from '@nearhand/contract/trust/cases.rules';
import { describe, expect, it } from 'vitest';
import { decisionWords, reasonMax } from './decisions.ts';

describe('the words of decisions', () => {
  it('name every decision that the contract offers', () => {
    for (const kind of caseKinds)
      for (const { decision } of caseDecisions[kind]) {
        const { label, action, done } = decisionWords(kind, decision, null);
        expect([label, action, done], `${kind} ${decision}`).not.toContain(decision);
        expect(action, `${kind} ${decision}`).not.toBe('Decide');
      }
  });

  it('say what a pay decision pays', () => {
    expect(decisionWords('dispute', 'decide', 'Leila gets €80').action).toBe(
      'Decide the dispute: Leila gets €80',
    );
    expect(decisionWords('ticket', 'solve', null).needsReason).toBe(false);
  });

  it('offer templates that fit', () => {
    for (const kind of caseKinds)
      for (const { templates } of caseDecisions[kind])
        for (const text of templates) expect(text.length).toBeLessThanOrEqual(reasonMax(kind));
  });
});
