import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { describe, expect, it } from 'vitest';
import type { Handlers, OperationName } from '../../test/fake-api.ts';
import { renderPart } from '../../test/render-part.tsx';
import { ApplicantNotes } from '../hiring/applicants/applicant-body.tsx';
import { Subscribe } from '../hiring/calendar/subscribe.tsx';
import { CardsList } from '../money/cards/cards-list.tsx';
import { sampleWallet } from '../money/wallet/wallet.fixtures.ts';
import { Certificates } from '../people/certificates/certificates.tsx';

const id = '0193aaaa-0000-7000-8000-000000000001';
type Case = {
  part: ReactNode;
  press: RegExp;
  yes: string;
  operation: OperationName;
  api: Handlers;
};
const cases: Record<string, Case> = {
  'a card': {
    part: <CardsList businessId={id} wallet={sampleWallet()} />,
    press: /^Remove .*4242/,
    yes: 'Remove card',
    operation: 'cards.remove',
    api: { 'cards.remove': { removed: true } },
  },
  'a certificate': {
    part: <Certificates />,
    press: /^Remove First aid/,
    yes: 'Remove certificate',
    operation: 'certificates.remove',
    api: {
      'certificates.mine': [
        {
          id,
          kind: 'first_aid',
          status: 'checked',
          expiresOn: '2099-05-03',
          submittedAt: '2026-11-20T09:00:00Z',
          decidedAt: '2026-11-21T09:00:00Z',
          reason: null,
          decisionId: null,
          isForAnotherName: false,
        },
      ],
      'certificates.remove': [],
    },
  },
  'a note': {
    part: <ApplicantNotes applicationId={id} />,
    press: /^Delete note/,
    yes: 'Delete',
    operation: 'pipeline.deleteNote',
    api: {
      'pipeline.notes': {
        items: [{ id, text: 'Good', author: { id, name: 'Nadia' }, at: '2026-11-20T09:00:00Z', own: true }],
        nextCursor: null,
      },
      'pipeline.deleteNote': { deleted: true },
    },
  },
  'a calendar link': {
    part: <Subscribe />,
    press: /^Turn off/,
    yes: 'Turn off link',
    operation: 'calendar.stopFeed',
    api: { 'calendar.feed': { since: '2026-11-20T09:00:00Z' }, 'calendar.stopFeed': { since: null } },
  },
};

describe('one press deletes nothing that has to be made again', () => {
  for (const [name, { part, press, yes, operation, api: handlers }] of Object.entries(cases))
    it(name, async () => {
      const { api } = renderPart(part, { session: 'business', now: '2026-11-22T10:00:00Z', api: handlers });
      fireEvent.click(await screen.findByRole('button', { name: press }));
      const question = within(await screen.findByRole('alertdialog'));
      expect(api.calls(operation)).toEqual([]);
      fireEvent.click(question.getByRole('button', { name: yes }));
      await waitFor(() => expect(api.calls(operation)).toHaveLength(1));
    });
});
