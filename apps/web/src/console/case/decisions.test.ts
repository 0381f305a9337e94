import { type CaseKind, caseKinds } from '@nearhand/contract/case-kinds';
import { contract } from '@nearhand/contract/contract';
import type { HouseRule } from '@nearhand/contract/house-rules';
import { type Language, languages } from '@nearhand/contract/languages';
import type { OperationMeta } from '@nearhand/contract/operation';
import { textFor, textInLanguages } from '@nearhand/contract/texts-by-language';
import type { CaseFile, ClosedCaseFile } from '@nearhand/contract/trust/cases';
import { caseDecisions } from '@nearhand/contract/trust/cases.rules';
import type { Sanction, SanctionReversal, Statement } from '@nearhand/contract/trust/sanctions';
import { unknownVariable } from '@nearhand/contract/trust/tickets.rules';
import type { AnyContractProcedure } from '@orpc/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { decidedText } from './decided-text.ts';
import { answerFor, fillFor, readersLanguages, withTemplate } from './decision.tsx';
import {
  availableDecisions,
  decisionLabel,
  decisionRow,
  payoutEffect,
  requestApproval,
  reversalText,
  secondPersonReason,
  submitDecision,
} from './decisions.ts';
import { templates, templatesOf, withFactsTemplate } from './templates.ts';

const now = new Date('2026-12-01T12:00:00Z');

describe('the words of decisions', () => {
  it('have templates in six languages that fit into the reason, two languages at once, and fill their variables', () => {
    const decisions = caseKinds.flatMap((kind) =>
      caseDecisions[kind].map(({ decision }) => ({ kind, decision })),
    );
    for (const { kind, decision } of decisions) {
      const { max, help } = decisionRow(kind, decision).reason ?? secondPersonReason;
      const isAmongOperators = help.includes('operator') || help.includes('second person');
      for (const template of templatesOf(kind, decision)) {
        const texts = languages.map((language) => template[language]);
        const longest = Math.max(...texts.map((text) => text.length));
        expect(
          textInLanguages([
            ['ar', 'x'.repeat(longest)],
            ['nl', 'x'.repeat(longest)],
          ]).length,
          `${kind} ${decision}`,
        ).toBeLessThanOrEqual(max);
        expect(new Set(texts).size, `${kind} ${decision}`).toBe(isAmongOperators ? 1 : languages.length);
        expect(texts.map(unknownVariable)).toEqual(texts.map(() => null));
      }
    }
    const named = Object.entries(templates).flatMap(([kind, rows]) =>
      Object.keys(rows).map((decision) => `${kind} ${decision}`),
    );
    expect(decisions.map(({ kind, decision }) => `${kind} ${decision}`)).toEqual(
      expect.arrayContaining(named),
    );
  });

  it('are plain text for a decision that the kind no longer has', () => {
    expect(decisionLabel('ticket', 'solve')).toBe('Request closed');
    expect(decisionLabel('ticket', 'take-over')).toBe('Take over');
    expect(() => decisionRow('ticket', 'take-over')).toThrow('No decision take-over of ticket');
  });
});

describe('a decision of a claimed case', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('needs nothing but the claim, for every decision of every kind', async () => {
    const id = '019aa000-0000-7000-8000-000000000001';
    const calls: string[] = [];
    vi.stubGlobal('fetch', async (url: string | URL | Request, init?: RequestInit) => {
      const request = url instanceof Request ? url : new Request(new URL(url, location.href), init);
      calls.push(`${request.method} ${new URL(request.url).pathname.replace('/api', '')}`);
      return Response.json({});
    });
    const facts = {
      engagementId: id,
      version: 1,
      report: { id },
      frozen: { conversationId: id },
      ticket: { id, messages: [{ id }] },
      referral: { id },
      check: { checkId: id },
      certificate: { certificateId: id },
      held: { withdrawalId: id },
    };
    const review = { id, jobId: id, businessId: id, version: 1 };
    const rule = 'respect';
    const needed = new Map(
      Object.values(contract)
        .flatMap((slice) => Object.values(slice) as AnyContractProcedure[])
        .map(({ '~orpc': { route, meta } }) => [
          `${route.method} ${route.path?.replaceAll(/\{\w+Id\}/g, id)}`,
          (meta as OperationMeta).operator,
        ]),
    );
    for (const kind of caseKinds) {
      const file = {
        item: { kind, subjectId: id },
        facts: { kind, ...facts, review },
      } as unknown as CaseFile;
      for (const { decision } of caseDecisions[kind]) {
        const action = { measure: decision, rule, facts: 'An insult.', scope: null, endsAt: null };
        const input = { reason: 'It insults.', amountMinor: 1, action: action as Statement, rule } as const;
        await submitDecision(file, decision, input).catch((failure) => {
          if (calls.length === 0) throw failure;
        });
        const [call = ''] = calls.splice(0);
        const operator = needed.get(call.replace(`/${kind}/${id}/`, `/{kind}/${id}/`));
        expect(operator, `${kind} ${decision}: ${call}`).toMatchObject({ needs: 'claim' });
        const { case: named } = operator ?? {};
        expect(named === 'input' || named?.kind === kind, `${kind} ${decision}: ${call}`).toBe(true);
      }
    }
  });
});

describe('a decided case', () => {
  const decided = (
    kind: CaseKind,
    decision: string,
    terms: object | null = null,
    facts: object | null = null,
  ) => decidedText({ item: { kind, decision, terms }, facts } as unknown as ClosedCaseFile);

  it('says what every decision of every kind did, after its evidence is deleted too', () => {
    for (const kind of caseKinds)
      for (const { decision } of caseDecisions[kind])
        expect(decided(kind, decision), `${kind} ${decision}`).toMatch(/^[A-Z].*\.$/);
  });

  it('names the pay and who got what', () => {
    const pay = {
      amountMinor: 8_000,
      workerGetsMinor: 8_000,
      alreadyPaidMinor: 0,
      feeMinor: 800,
      backMinor: 4_400,
      missingMinor: 0,
      currency: 'EUR',
    };
    const facts = { worker: { name: 'Mirjam' }, business: { name: 'Kopi' } };
    expect(decided('dispute', 'decide', { pay }, facts)).toBe(
      'The total pay for the work is €80. Mirjam gets €80, and our fee is €8. €44 goes back to Kopi.',
    );
  });
});

describe('the decisions of a reported conversation', () => {
  it('remove a message only where one was reported', () => {
    const named = (seq: number | null) =>
      availableDecisions(
        {
          item: { kind: 'chat_report', subjectId: 'a' },
          facts: { kind: 'chat_report', report: { seq } },
        } as unknown as CaseFile,
        now,
      ).map(({ decision }) => decision);
    expect(named(4)).toEqual(['dismiss', 'redact', 'freeze']);
    expect(named(null)).toEqual(['dismiss', 'freeze']);
  });
});

it('offers only what the server accepts now', () => {
  const offered = (facts: object) =>
    availableDecisions(
      { item: { kind: (facts as { kind: string }).kind }, facts } as unknown as CaseFile,
      now,
    ).map(({ decision }) => decision);
  const reported = (kind: string, status: string) =>
    offered({
      kind: 'report',
      reported: { subject: { kind, status }, author: null, company: { status: 'verified' } },
    });
  expect(reported('job', 'open')).toContain('hidden');
  expect(reported('job', 'closed')).not.toContain('hidden');
  expect(reported('review', 'published')).toContain('removed');
  expect(reported('review', 'removed')).not.toContain('removed');
  const noShow = (endsAt: string) => ({ kind: 'no_show', endsAt, timeZone: 'Europe/Amsterdam' });
  expect(offered(noShow('2026-12-01T11:00:00.000Z'))).toEqual(['absent', 'worked']);
  expect(offered(noShow('2026-12-01T13:00:00.000Z'))).toEqual(['absent']);
});

it('says of a suspension whom it stops from what', () => {
  const suspensionOf = (subject: string, author: string | null, status: string | null = null) =>
    availableDecisions(
      {
        item: { kind: 'report', subjectId: 'a' },
        facts: {
          kind: 'report',
          reported: { subject: { kind: subject }, author, company: status && { status } },
        },
      } as unknown as CaseFile,
      now,
    ).find(({ decision }) => decision === 'suspension')?.does;
  expect(suspensionOf('review', 'worker')).toMatch(/^Keeps them from what you choose/);
  expect(suspensionOf('job', null, 'verified')).toMatch(/^Keeps the business from hiring and hides its jobs/);
  // It can't hire anyway, so the server refuses.
  expect(suspensionOf('business', null, 'rejected')).toBeUndefined();
});

describe('a decision that lacks something', () => {
  const complete = {
    reason: 'The pay follows the agreed terms.',
    amountMinor: 8_000,
    action: { measure: 'warning', rule: 'respect', facts: 'An insult.', scope: null, endsAt: null },
    rule: 'respect',
  } as const;
  const requests = vi.fn(async () => Response.json({}));
  const fileOf = (kind: CaseKind, facts: object) =>
    ({ item: { kind, subjectId: 'a' }, facts: { kind, ...facts } }) as unknown as CaseFile;
  const version = 1;
  const cases = [
    ['no amount for a dispute', 'dispute', { version }, 'decide', { amountMinor: null }],
    ['no amount for work done', 'no_show', { engagementId: 'b', version }, 'worked', { amountMinor: null }],
    ['an unknown no-show outcome', 'no_show', { engagementId: 'b', version }, 'late', {}],
    ['an unknown chat decision', 'chat_report', { report: { id: 'b' } }, 'mute', {}],
    ['no rule for a freeze', 'chat_report', { report: { id: 'b' } }, 'freeze', { rule: null }],
    ['no statement for a warning', 'report', {}, 'warning', { action: null }],
    ['another measure’s statement', 'report', {}, 'hidden', {}],
    ['an unknown appeal outcome', 'appeal', {}, 'changed', {}],
    ['no rule to remove a review', 'flagged_review', { review: { id: 'b' } }, 'remove', { rule: null }],
    ['no rule to refuse a job', 'job_review', { review: { jobId: 'b', version } }, 'refuse', { rule: null }],
    ['an unknown ticket decision', 'ticket', { ticket: { id: 'b' } }, 'close', {}],
    ['an unknown referral decision', 'referral', { referral: { id: 'b' } }, 'hold', {}],
    ['an unknown verification', 'business_verification', { review: { businessId: 'b', version } }, 'ask', {}],
    ['an unknown identity decision', 'identity', { check: { checkId: 'b' } }, 'ask', {}],
    ['an unknown certificate decision', 'certificate', { certificate: { certificateId: 'b' } }, 'ask', {}],
    ['an unknown approval', 'second_approval', {}, 'ask', {}],
    ['no rule to refuse a payout', 'payout_held', { held: { withdrawalId: 'b' } }, 'refuse', { rule: null }],
    ['an unknown payout decision', 'payout_held', { held: { withdrawalId: 'b' } }, 'wait', {}],
  ] as const;

  beforeEach(() => vi.stubGlobal('fetch', requests.mockClear()));
  afterEach(() => vi.unstubAllGlobals());

  it.each(cases)('with %s is never sent', async (_, kind, facts, decision, change) => {
    await expect(submitDecision(fileOf(kind, facts), decision, { ...complete, ...change })).rejects.toThrow();
    expect(requests).not.toHaveBeenCalled();
  });

  it('is sent once complete', async () => {
    await submitDecision(fileOf('dispute', { version }), 'decide', complete).catch(() => {});
    expect(requests).toHaveBeenCalledOnce();
  });

  it('is never sent to a second operator', async () => {
    const dispute = fileOf('dispute', { version });
    await expect(requestApproval(dispute, 'decide', { ...complete, amountMinor: null })).rejects.toThrow(
      'No amount',
    );
    await expect(requestApproval(fileOf('ticket', {}), 'solve', complete)).rejects.toThrow('No approval');
    expect(requests).not.toHaveBeenCalled();
  });
});

describe('an answer to a request', () => {
  it('closes the request if the operator says so', async () => {
    const bodies: unknown[] = [];
    vi.stubGlobal('fetch', async (url: string | URL | Request, init?: RequestInit) => {
      const request = url instanceof Request ? url : new Request(new URL(url, location.href), init);
      bodies.push(await request.json());
      return Response.json({});
    });
    const id = '019aa000-0000-7000-8000-000000000001';
    const file = {
      item: { kind: 'ticket', subjectId: id },
      facts: { kind: 'ticket', ticket: { id, messages: [{ id }] } },
    } as unknown as CaseFile;
    const input = { reason: 'It is paid.', amountMinor: null, action: null, rule: null, solves: true };
    await submitDecision(file, 'answer', input);
    vi.unstubAllGlobals();
    expect(bodies).toMatchObject([{ body: 'It is paid.', solve: true, lastMessageId: id }]);
    expect(decisionLabel('ticket', 'answer-solve')).toBe('Answered and closed');
  });
});

describe('availableDecisions', () => {
  it('hides the release from the operator who entered the bank account', () => {
    const choicesFor = (enteredBy: object | null) => {
      const file = { item: { kind: 'payout_held' }, facts: { kind: 'payout_held', held: { enteredBy } } };
      return availableDecisions(file as unknown as CaseFile, now).map(({ decision }) => decision);
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
  it('shows who receives what, or where the money returns to', () => {
    expect(payoutEffect(file, 'release')).toBe(
      'Leila receives €82.50 at bunq ••••\u00a04417, in the name of S. Jansen.',
    );
    expect(payoutEffect(file, 'refuse')).toBe('€84 goes back to the balance of Leila. Nothing is sent.');
    expect(payoutEffect(file, null)).toBeNull();
  });
});

describe('reversalText', () => {
  const about = (measure: Sanction['measure'], kind: Sanction['target']['kind'] = 'job') => ({
    measure,
    target: { kind, id: 'a', name: 'Barista' },
    business: kind === 'account' ? null : { id: 'b', name: 'Café Zilver' },
  });
  const now = (state: string | null, rest: Partial<SanctionReversal> = {}): SanctionReversal => ({
    ends: true,
    state,
    businessStatus: 'verified',
    otherScopes: [],
    ...rest,
  });
  const suspended = { businessStatus: 'suspended' as const };
  const cases: [string, Sanction['measure'], SanctionReversal, Sanction['target']['kind']?][] = [
    ['Workers see the job now.', 'hidden', now('open')],
    ['The job stays hidden: Café Zilver is suspended.', 'hidden', now('suspended', suspended)],
    ['The job stays hidden: another decision hides it.', 'refused', now('suspended')],
    ['The job is closed by now, so workers do not see it.', 'hidden', now('closed')],
    ['The decision has ended already, so nothing else changes.', 'frozen', now('open', { ends: false })],
    [
      'Café Zilver still can’t hire: another decision suspends it.',
      'suspension',
      now('suspended', suspended),
      'business',
    ],
    ['Café Zilver still can’t hire: it is suspended.', 'verification_refused', now('suspended', suspended)],
    [
      'This suspension ends, but another one still keeps them from: chat.',
      'suspension',
      now('free', { otherScopes: ['chat'] }),
      'account',
    ],
  ];

  it.each(cases)('says “%s”', (text, measure, reversal, kind) => {
    expect(reversalText(about(measure, kind), reversal)).toBe(text);
  });
});

describe('the answers to an appeal', () => {
  it('say what happens to the money of a refused withdrawal, and to a business that stays refused', () => {
    const textsOf = (appeal: object) =>
      availableDecisions(
        {
          item: { kind: 'appeal', subjectId: 'a' },
          facts: { kind: 'appeal', appeal },
        } as unknown as CaseFile,
        now,
      ).map(({ does }) => does);
    const payout = {
      person: { name: 'Leila Haddad' },
      method: { bankName: 'Bank', last4: '9000', holderName: 'N. Brandt' },
      amountMinor: 5_000,
      availableMinor: 7_500,
      currency: 'EUR',
    };
    const refusedPayout = {
      measure: 'payout_refused',
      target: { kind: 'withdrawal', name: 'Bank' },
      business: null,
    };
    const accepted = { ends: true, state: 'accepted', businessStatus: null, otherScopes: [] };
    const [upheld, overturned] = textsOf({
      sanction: refusedPayout,
      reversal: accepted,
      evidence: { payout },
    });
    expect(overturned).toMatch(/^The bank account is accepted.*€50 went back.*has €75 now.*N\. Brandt/);
    expect(upheld).toMatch(/^Nothing is sent.*€50.*held again/);
    const refusedBusiness = {
      measure: 'verification_refused',
      target: { kind: 'business', name: 'Kopi Corner' },
    };
    expect(textsOf({ sanction: refusedBusiness, reversal: null, evidence: { payout: null } })[0]).toMatch(
      /^Nothing changes for Kopi Corner\. The business stays hidden/,
    );
  });
});

describe('the text of a template', () => {
  const file = (language: string | null, name: string) =>
    ({
      item: { kind: 'ticket', title: 'My pay', language },
      people: [],
      facts: { kind: 'ticket', ticket: { subject: 'My pay', from: { name } } },
    }) as unknown as CaseFile;

  it('is in the languages of its readers, each once', () => {
    expect(readersLanguages([file('nl', 'Leila')])).toEqual(['nl']);
    expect(readersLanguages([file('nl', 'Leila'), file(null, 'Omar'), file('nl', 'Sam')])).toEqual([
      'nl',
      'en',
    ]);
    const people = [{ language: 'ar' }, { language: 'fr' }];
    const dispute = { item: { kind: 'dispute', language: 'ar' }, people, facts: { kind: 'dispute' } };
    expect(readersLanguages([dispute as unknown as CaseFile])).toEqual(['ar', 'fr']);
    const sides = [
      { language: 'ar', side: 'worker' },
      { language: 'fr', side: 'reporter' },
    ];
    const report = { item: { kind: 'chat_report' }, people: sides, facts: { kind: 'chat_report' } };
    expect(readersLanguages([report as unknown as CaseFile], 'dismiss')).toEqual(['fr']);
    expect(readersLanguages([report as unknown as CaseFile], 'freeze')).toEqual(['ar', 'fr']);
  });

  it('has its variables filled, and no gap for a guest without a name', () => {
    const text = 'Hello {name}, about “{subject}”. {operator}';
    const operator = { name: 'Mila' };
    expect(fillFor(file('en', 'Leila'), text, operator)).toBe('Hello Leila, about “My pay”. Mila');
    expect(fillFor(file('en', ''), text, operator)).toBe('Hello, about “My pay”. Mila');
    const parts = textInLanguages([
      ['nl', 'Dag {name}'],
      ['en', 'Hello {name}'],
    ]);
    const answers = (['nl', null] as const).map((language) =>
      answerFor(file(language, 'Leila'), parts, operator),
    );
    expect(answers).toEqual(['Dag Leila', 'Hello Leila']);
  });
});

it('adds the facts of a rule as one part for each language, also to a text that was edited', () => {
  const add = (facts: string, rule: HouseRule, language: Language, startedIn: Language | null = null) =>
    withFactsTemplate(facts, { rule, language, startedIn });
  const textOf = (rule: HouseRule, language: Language) => add('', rule, language);
  const readIn = (facts: string, readers: readonly Language[]) =>
    readers.map((reader) => textFor(facts, reader));
  const readers = ['nl', 'en', 'de'] as const;
  const all = readers.reduce((facts, language) => add(facts, 'safety', language), '');
  expect(readIn(all, readers)).toEqual(readers.map((language) => textOf('safety', language)));
  expect(add(all, 'safety', 'en')).toBe(all);
  expect(readIn(add(all, 'law', 'en'), readers)).toEqual(readers.map((language) => textOf('law', language)));
  const edited = `${textOf('safety', 'nl')} Op 3 mei.`;
  expect(readIn(add(edited, 'safety', 'en'), ['nl', 'en'])).toEqual([edited, textOf('safety', 'en')]);
  const rewritten = 'Er lag glas op de vloer.';
  expect(readIn(add(rewritten, 'safety', 'en', 'nl'), ['nl', 'en'])).toEqual([
    rewritten,
    textOf('safety', 'en'),
  ]);
  expect(add(edited, 'law', 'nl')).toBe(`${edited}\n\n${textOf('law', 'nl')}`);
});

it('writes a template again in another language, unless the operator has changed it', () => {
  expect(withTemplate('', 'Hello', null)).toBe('Hello');
  expect(withTemplate('Dear Leila, ', 'Hello', null)).toBe('Dear Leila,\n\nHello');
  expect(withTemplate('Dear Leila,\n\nHello', 'Bonjour $1', 'Hello')).toBe('Dear Leila,\n\nBonjour $1');
  expect(withTemplate('Hallo', 'Bonjour', 'Hello')).toBe('Hallo');
  expect(withTemplate('Hello\n\nLeila', 'Hello', null)).toBe('Hello\n\nLeila');
});
