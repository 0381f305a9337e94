import { waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { press } from '../../../test/device.ts';
import { type AnswerOf, type Handlers, refuse } from '../../../test/fake-api.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { field, later, pressTwice, problemAt, type } from '../../../test/typing.ts';
import { sampleWork } from '../../work/engagements/engagements.fixtures.ts';
import { sampleJob } from '../jobs/jobs.fixtures.ts';
import { InviteForm } from './invite-sheet.tsx';

const jobId = sampleJob().id;
const workerId = sampleWork().worker.id;
const invited: AnswerOf<'invitations.send'> = {
  id: '0193aaaa-0000-7000-8000-0000000000d5',
  workerId,
  at: '2026-11-21T09:00:00Z',
};

describe('inviting someone from the list', () => {
  const open = (api: Handlers = {}) => {
    const onDone = vi.fn();
    const onClose = vi.fn();
    const rendered = renderPart(
      <InviteForm jobId={jobId} workerId={workerId} name="Leila Haddad" onDone={onDone} onClose={onClose} />,
      { session: 'business', api: { 'invitations.send': invited, ...api } },
    );
    return { ...rendered, onDone, onClose };
  };

  it('sends it once for several presses', async () => {
    const sent = later<typeof invited>();
    const { api, onDone } = open({ 'invitations.send': () => sent.answer });
    type(/^Message/, 'We liked your work.');
    await pressTwice('Send invitation');
    await sent.give(invited);
    await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
    expect(api.inputs('invitations.send')).toEqual([{ jobId, workerId, message: 'We liked your work.' }]);
  });

  it('reports a long message at once and sends nothing', async () => {
    const { api } = open();
    type(/^Message/, 'x'.repeat(5_001));
    expect(problemAt(/^Message/)).toMatch(/characters or fewer\.$/);
    await press('Send invitation');
    expect(api.calls('invitations.send')).toHaveLength(0);
  });

  it('keeps the message when it is rejected and when it is closed', async () => {
    const first = open({
      'invitations.send': () => {
        throw refuse('job/not-open', { status: 'closed' });
      },
    });
    type(/^Message/, 'We liked your work.');
    await press('Send invitation');
    await waitFor(() => expect(document.querySelector('.banner.bad')).toBeTruthy());
    expect(first.onDone).not.toHaveBeenCalled();
    await press('Not now');
    first.unmount();
    const { onDone } = open();
    expect(field(/^Message/).value).toBe('We liked your work.');
    await press('Send invitation');
    await waitFor(() => expect(onDone).toHaveBeenCalled());
  });
});
