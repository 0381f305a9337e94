import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { press } from '../../../test/device.ts';
import { type AnswerOf, type Handlers, lost, refuse } from '../../../test/fake-api.ts';
import { sampleBusiness } from '../../../test/people.samples.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { field, later, pressTwice, problemAt, type } from '../../../test/typing.ts';
import { sampleWork } from '../../work/engagements/engagements.samples.ts';
import { InviteForm } from '../invitations/invite-sheet.part.tsx';
import { sampleCard, sampleJob } from '../jobs/jobs.samples.ts';
import { HireAgain } from './hire-again.tsx';

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
    const shown = renderPart(
      <InviteForm jobId={jobId} workerId={workerId} name="Leila Haddad" onDone={onDone} onClose={onClose} />,
      { session: 'merchant', api: { 'invitations.send': invited, ...api } },
    );
    return { ...shown, onDone, onClose };
  };

  it('sends it once, however fast it is pressed', async () => {
    const sent = later<typeof invited>();
    const { api, onDone } = open({ 'invitations.send': () => sent.answer });
    type(/^Message/, 'We liked your work.');
    await pressTwice('Send invitation');
    await sent.give(invited);
    await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
    expect(api.inputs('invitations.send')).toEqual([{ jobId, workerId, message: 'We liked your work.' }]);
  });

  it('says at once that the message is too long, and sends nothing', async () => {
    const { api } = open();
    type(/^Message/, 'x'.repeat(5_001));
    expect(problemAt(/^Message/)).toMatch(/characters or fewer\.$/);
    await press('Send invitation');
    expect(api.calls('invitations.send')).toHaveLength(0);
  });

  it('keeps the message when it is refused and when it is closed', async () => {
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

describe('hiring someone again', () => {
  const other = sampleCard({ id: '0193aaaa-0000-7000-8000-000000000002', title: 'Night baker' });
  const listed = (jobs: readonly ReturnType<typeof sampleCard>[]): AnswerOf<'jobs.listed'> => ({
    items: jobs.map((card) => ({
      ...card,
      version: 1,
      status: 'open',
      expiresAt: null,
      applicants: 0,
      newApplicants: 0,
      hired: 0,
      offered: 0,
      actions: [],
    })),
    nextCursor: null,
    counts: { open: jobs.length },
  });
  const open = (api: Handlers = {}) => {
    const onClose = vi.fn();
    const shown = renderPart(
      <HireAgain work={sampleWork()} businessId={sampleBusiness().id} onClose={onClose} />,
      {
        session: 'merchant',
        api: { 'jobs.listed': listed([sampleCard(), other]), 'invitations.send': invited, ...api },
      },
    );
    return { ...shown, onClose };
  };

  it('asks for the job first', async () => {
    const { api } = open();
    await press('Invite Leila Haddad');
    expect(await screen.findByText('Choose a job.')).toBeTruthy();
    expect(api.calls('invitations.send')).toHaveLength(0);
    fireEvent.click(screen.getByRole('radio', { name: /Night baker/ }));
    expect(screen.queryByText('Choose a job.')).toBeNull();
  });

  it('invites to the job that was picked, once', async () => {
    const sent = later<typeof invited>();
    const { api, onClose } = open({ 'invitations.send': () => sent.answer });
    fireEvent.click(await screen.findByRole('radio', { name: /Night baker/ }));
    type(/^Message/, ' Again on Friday? ');
    await pressTwice('Invite Leila Haddad');
    await sent.give(invited);
    await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
    expect(api.inputs('invitations.send')).toEqual([
      { jobId: other.id, workerId, message: 'Again on Friday?' },
    ]);
  });

  it('keeps job and message when it fails, and says that the message is too long', async () => {
    const { api, onClose } = open({
      'invitations.send': () => {
        throw lost();
      },
    });
    fireEvent.click(await screen.findByRole('radio', { name: /Night baker/ }));
    type(/^Message/, 'x'.repeat(5_001));
    expect(problemAt(/^Message/)).toMatch(/characters or fewer\.$/);
    await press('Invite Leila Haddad');
    expect(api.calls('invitations.send')).toHaveLength(0);
    type(/^Message/, 'Again on Friday?');
    await press('Invite Leila Haddad');
    await screen.findByText(/connection|reach|network/i);
    expect(field(/^Message/).value).toBe('Again on Friday?');
    expect(screen.getByRole<HTMLInputElement>('radio', { name: /Night baker/ }).checked).toBe(true);
    expect(onClose).not.toHaveBeenCalled();
  });

  it('leads to a new job where none is open', async () => {
    open({ 'jobs.listed': listed([]) });
    expect((await screen.findByRole('link', { name: 'Create job' })).getAttribute('href')).toBe(
      '/create-job',
    );
  });
});
