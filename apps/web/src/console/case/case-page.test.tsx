import { textFor } from '@nearhand/contract/texts-by-language';
import type { CaseFile } from '@nearhand/contract/trust/cases';
import { fireEvent, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { Route, Routes } from 'react-router';
import { expect, it } from 'vitest';
import { refuse } from '../../../test/fake-api.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { OperatorProvider } from '../sign-in/operator-session.ts';
import { CaseFactsView } from './case-facts.tsx';
import { CasePage } from './case-page.tsx';
import { Templates } from './decision.tsx';
import { StatementFields, useStatementFor } from './statement-fields.tsx';
import { templatesOf } from './templates.ts';

const id = '01a1fbbc-d019-79f0-8086-994049deb373';
const at = '2026-11-21T10:00:00.000Z';
const closed = {
  item: {
    id,
    kind: 'frozen_chat',
    subjectId: id,
    title: 'Sunday barista',
    tag: null,
    business: null,
    openedAt: at,
    decision: 'unfreeze',
    reason: 'They agreed.',
    terms: null,
    by: { id, name: 'Mila Horvat' },
    decidedAt: at,
  },
  entries: [],
  questions: [],
  authorityReports: [],
  facts: {
    kind: 'frozen_chat',
    frozen: {
      conversationId: id,
      job: { id, title: 'Sunday barista' },
      business: { id, name: 'Kopi Corner' },
      worker: { id, name: 'Leila Haddad' },
      at,
      reason: 'An insult.',
      seq: null,
      messages: [],
      reports: [
        { id, reason: 'harassment', note: 'She shouted.', by: { name: 'Nadia', side: 'business' }, at },
      ],
    },
  },
  factsGone: null,
  ended: null,
};

const operator = { id, name: 'Sven Berg', roles: ['owner'], secondFactors: ['code'] } as never;
const openClosed = (file: object) =>
  renderPart(
    <OperatorProvider value={operator}>
      <Routes>
        <Route path="/cases/:kind/:subjectId" element={<CasePage />} />
      </Routes>
    </OperatorProvider>,
    {
      session: 'worker',
      path: `/cases/frozen_chat/${id}`,
      api: {
        'cases.get': () => {
          throw refuse('case/not-found');
        },
        'cases.decided': file as never,
      },
    },
  );

it('opens a closed case with its evidence, and offers no claim', async () => {
  openClosed(closed);
  const why = await screen.findByRole('region', { name: 'Why it was frozen' });
  within(why).getByText('She shouted.');
  screen.getByText('The evidence is shown as it was when the case was decided.');
  expect(screen.queryByRole('button', { name: /Claim/ })).toBeNull();
});

it('says what a report ended in, with rule, scope, end and statement', async () => {
  const terms = {
    pay: null,
    rule: 'respect',
    statement: 'Shouted at a colleague.',
    scope: 'hiring',
    endsAt: null,
  };
  const item = { ...closed.item, kind: 'report', decision: 'suspension', reason: 'Thank you.', terms };
  openClosed({ ...closed, item, facts: null, factsGone: 'expired' });
  const card = within(await screen.findByRole('region', { name: 'Suspension started' }));
  card.getByText('The reported side was suspended from hiring, until it is lifted.');
  for (const text of ['Respect', 'When it is lifted', 'Shouted at a colleague.', 'Thank you.'])
    card.getByText(text);
  card.getByText('Answer to those who reported');
});

it('is titled with the person whom a closed report was about', async () => {
  const reported = {
    id,
    subject: { kind: 'worker', id, name: 'Leila Haddad', text: '', status: null },
    status: 'dismissed',
    reporters: 1,
    reports: [],
    business: null,
    author: null,
    worker: null,
    work: null,
    openedAt: at,
    dueAt: at,
    contested: null,
    job: null,
    company: null,
    earlier: [],
    outcome: null,
  };
  const item = { ...closed.item, kind: 'report', title: 'Worker', decision: 'dismissed' };
  openClosed({ ...closed, item, facts: { kind: 'report', reported } });
  await screen.findByRole('heading', { level: 1, name: 'Leila Haddad' });
});

it('says what ended a case without a decision, with its amount and record', async () => {
  const item = { ...closed.item, kind: 'dispute', decision: 'stop', by: null, reason: '' };
  const ended = { amount: { minor: 8_500, currency: 'EUR' }, record: { kind: 'engagement', id } };
  openClosed({ ...closed, item, ended, facts: null, factsGone: 'not-kept' });
  const card = within(await screen.findByRole('region', { name: 'Ended without a decision' }));
  card.getByText(/the timer settled it: €85 in total\. It follows/);
  card.getByRole('link', { name: /it was about/ });
});

it('says why a closed case has no evidence', async () => {
  openClosed({ ...closed, facts: null, factsGone: 'expired' });
  await screen.findByText(/The evidence was deleted a year after the decision/);
});

it('shows the case no longer once its claim is released', async () => {
  const { item, ...rest } = closed;
  const claimed = { claimedBy: operator, claimedAt: at, assignedTo: null, handedBy: null, language: null };
  const open = { priority: 'normal', deadline: at, notes: 0, awaitsApproval: false, answeredAt: null };
  const waits = { waitsUntil: null, waitsFor: [] };
  const file = { ...rest, approval: null, people: [], item: { ...item, ...claimed, ...open, ...waits } };
  const { api } = openClosed({});
  api.on({ 'cases.get': file as never, 'cases.viewers': [] });
  const claim = await screen.findByRole('button', { name: 'Release' });
  api.on({
    'cases.release': { ...file.item, claimedBy: null, claimedAt: null } as never,
    'cases.get': () => {
      throw refuse('operator/reason-required');
    },
  });
  fireEvent.click(claim);
  await screen.findByText('Claim the case to read it');
  expect(screen.queryByText('Leila Haddad')).toBeNull();
});

it('asks for a reason to read a closed case, and not for a claim', async () => {
  const { api } = openClosed(() => {
    throw refuse('operator/reason-required');
  });
  await screen.findByText('This case is closed');
  fireEvent.click(screen.getByRole('button', { name: 'Read the decision' }));
  expect(screen.queryByRole('button', { name: /Claim/ })).toBeNull();
  expect(api.calls('cases.get')).toHaveLength(1);
});

function AnswerFrom({ file }: { file: CaseFile }) {
  const [value, setValue] = useState('');
  return (
    <>
      <Templates files={[file]} decision="unfreeze" value={value} onChange={setValue} />
      <textarea aria-label="Answer" value={value} onChange={(event) => setValue(event.target.value)} />
    </>
  );
}

it('writes unchanged templates again in another language, and says when a changed one is kept', async () => {
  const facts = { kind: 'frozen_chat' };
  const file = { item: { ...closed.item, language: 'en' }, people: [], facts } as unknown as CaseFile;
  const { en, nl } = templatesOf('frozen_chat', 'unfreeze')[0] ?? { en: '', nl: '' };
  renderPart(<AnswerFrom file={file} />, { session: 'worker', api: {} });
  const choose = (label: RegExp, value: string) =>
    fireEvent.change(screen.getByLabelText(label), { target: { value } });
  const box = screen.getByLabelText<HTMLTextAreaElement>('Answer');
  choose(/^Start from a template/, '0');
  choose(/^Language of the template/, 'nl');
  expect(box.value).toBe(nl);
  expect(screen.queryByText(/^You changed/)).toBeNull();
  fireEvent.change(box, { target: { value: `${nl} Leila` } });
  choose(/^Language of the template/, 'en');
  expect(box.value).toBe(`${en} Leila`);
  fireEvent.change(box, { target: { value: `${en.slice(0, -1)}, Leila` } });
  choose(/^Language of the template/, 'nl');
  expect(box.value).toBe(`${en.slice(0, -1)}, Leila`);
  expect(screen.getByText('You changed the text of a template, so it keeps its language.')).toBeTruthy();
});

it('writes a template once for each language of its readers, so that each gets their own', async () => {
  const people = (['nl', 'en'] as const).map((language) => ({
    accountId: language,
    name: language,
    side: 'worker',
    language,
  }));
  const file = { item: closed.item, people, facts: { kind: 'frozen_chat' } } as unknown as CaseFile;
  const { en, nl } = templatesOf('frozen_chat', 'unfreeze')[0] ?? { en: '', nl: '' };
  renderPart(<AnswerFrom file={file} />, { session: 'worker', api: {} });
  fireEvent.change(screen.getByLabelText(/^Start from a template/), { target: { value: '0' } });
  const { value } = screen.getByLabelText<HTMLTextAreaElement>('Answer');
  expect([textFor(value, 'nl'), textFor(value, 'en')]).toEqual([nl, en]);
  screen.getByText(/gets only the part in their language/);
});

function FactsOfWarning() {
  const statement = useStatementFor('facts', { measure: 'warning', ofPerson: false });
  return <StatementFields statement={statement} tried={false} readers={['nl', 'fr']} />;
}

it('offers the facts of a rule in the languages of those who read them', async () => {
  renderPart(<FactsOfWarning />, { session: 'worker', api: {} });
  const choose = (label: RegExp, value: string) =>
    fireEvent.change(screen.getByLabelText(label), { target: { value } });
  choose(/^Which rule/, 'real-jobs');
  screen.getByText('“The job does not exist as it was posted.”');
  const option = screen.getByRole<HTMLOptionElement>('option', { name: 'Dutch and French, as they read' });
  choose(/^Start from a template/, option.value);
  const { value } = screen.getByLabelText<HTMLTextAreaElement>(/^Facts/);
  expect(textFor(value, 'nl')).toBe('De klus bestaat niet zoals die is geplaatst.');
  expect(textFor(value, 'fr')).toBe('La mission n’existe pas telle qu’elle a été publiée.');
});

it('lists the other decisions about a person once in the appeal of a withdrawal', async () => {
  const sanction = {
    measure: 'payout_refused',
    target: { kind: 'withdrawal', id, name: 'Bank' },
    business: null,
    rule: 'honest-details',
    facts: 'Another name.',
    source: 'screening',
    scope: null,
    decidedAt: at,
    endsAt: null,
    endedAt: null,
    ending: null,
  };
  const earlier = {
    ...sanction,
    measure: 'warning',
    facts: '[English]\nAn insult.\n\n[Nederlands]\nEen belediging.',
  };
  const payout = {
    names: { verified: [], businesses: [] },
    method: { holderName: 'N. Brandt', bankName: 'Bank', last4: '9000', country: 'NL', addedAt: at },
    person: { name: 'Leila', email: 'leila@x.example', createdAt: at },
    currency: 'EUR',
    amountMinor: 5_000,
    feeMinor: 0,
    getsMinor: 5_000,
    availableMinor: 5_000,
    status: 'refused',
    speed: 'standard',
    requestedAt: at,
    enteredBy: null,
    sharedWith: [],
    work: [],
    earlier: [],
    decisions: [earlier],
  };
  const evidence = {
    payout,
    business: null,
    identity: null,
    certificate: null,
    text: null,
    work: null,
    messages: [],
    findings: [],
    reports: [],
    others: [earlier],
    notes: [],
  };
  const appeal = {
    by: { name: 'Leila' },
    at,
    words: 'Mine.',
    sanction,
    decider: 'Mila',
    fromCase: null,
    evidence,
  };
  renderPart(
    <CaseFactsView
      facts={{ kind: 'appeal', appeal } as never}
      caseRef={{ kind: 'appeal', subjectId: id }}
      mine={false}
    />,
    { session: 'worker', api: {} },
  );
  const card = await screen.findByRole('region', { name: 'Other decisions about them' });
  within(card).getByText('Warning: An insult.');
  screen.getByText(/, Netherlands, added/);
});
