import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { refuse } from '../../../test/fake-api.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { refetchCases, refetchLists, useCaseFile, useQueueCounts } from './cases-api.ts';

const caseRef = { kind: 'ticket', subjectId: '01a1fbbc-d019-79f0-8086-994049deb373' } as const;

function Reader() {
  useCaseFile(caseRef, null);
  return <p>{useQueueCounts().data ? 'Counted' : null}</p>;
}

it('reads the lists again after a decision, and not the closed case, which would be in the log', async () => {
  const { api } = renderPart(<Reader />, {
    session: 'worker',
    api: {
      'cases.get': () => {
        throw refuse('case/not-found');
      },
      'cases.counts': [],
    },
  });
  await screen.findByText('Counted');
  const counted = api.calls('cases.counts').length;
  const looks = api.calls('cases.get').length;
  await refetchLists();
  await waitFor(() => expect(api.calls('cases.counts').length).toBe(counted + 1));
  expect(api.calls('cases.get')).toHaveLength(looks);
  void refetchCases();
  await waitFor(() => expect(api.calls('cases.get')).toHaveLength(looks + 1));
});
