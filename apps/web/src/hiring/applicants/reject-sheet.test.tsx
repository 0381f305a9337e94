import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../../test/render-part.tsx';
import { ApiError } from '../../lib/api/api-error.ts';
import { session } from '../../lib/session.ts';
import { sampleApplicant } from '../pipeline/pipeline.fixtures.ts';
import { RejectSheet } from './reject-sheet.tsx';

afterEach(() => {
  cleanup();
  session.clear();
});

const leila = sampleApplicant();
const show = (send = vi.fn(async () => undefined), applicants = [leila]) =>
  renderPart(
    <RejectSheet
      applicants={applicants}
      onClose={() => {}}
      onDone={() => {}}
      onRefused={() => {}}
      send={send}
    />,
  );
const words = () => screen.getByLabelText(/Add a note/) as HTMLTextAreaElement;

describe('rejecting someone', () => {
  it('keeps the draft until it is sent, even when the sheet is closed by mistake', async () => {
    show();
    fireEvent.click(screen.getByRole('radio', { name: 'Experience' }));
    fireEvent.change(words(), { target: { value: 'You would fit our other place.' } });
    cleanup();
    const send = vi.fn(async () => undefined);
    show(send);
    expect(words().value).toBe('You would fit our other place.');
    fireEvent.click(screen.getByRole('button', { name: 'Reject' }));
    await vi.waitFor(() => expect(send).toHaveBeenCalledOnce(), 10_000);
    expect(send).toHaveBeenCalledWith(expect.objectContaining({ note: 'You would fit our other place.' }));
    cleanup();
    show();
    expect(words().value).toBe('');
  });

  it('hides it from another account on the device and for another applicant', () => {
    show();
    fireEvent.change(words(), { target: { value: 'Only for Leila.' } });
    cleanup();
    show(undefined, [sampleApplicant({ id: '0193aaaa-0000-7000-8000-0000000000c2' })]);
    expect(words().value).toBe('');
    cleanup();
    session.start({
      user: { id: 'u2', email: 'nadia@example.org', emailVerified: false, name: 'Nadia' },
      accessToken: 'token',
    });
    show();
    expect(words().value).toBe('');
  });

  it('requires a reason and a note within the limit', async () => {
    const send = vi.fn(async () => undefined);
    show(send);
    fireEvent.change(words(), { target: { value: 'x'.repeat(2_001) } });
    fireEvent.click(screen.getByRole('button', { name: 'Reject' }));
    expect(await screen.findByText('Choose a reason.')).toBeTruthy();
    expect(screen.getByText(/characters or fewer\.$/)).toBeTruthy();
    fireEvent.click(screen.getByRole('radio', { name: 'Experience' }));
    expect(screen.queryByText('Choose a reason.')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Reject' }));
    await act(async () => undefined);
    expect(send).not.toHaveBeenCalled();
  });

  it('names the applicants and the applications that it ends', () => {
    const omar = { ...leila.worker, workerId: '0193aaaa-0000-7000-8000-0000000000d2', name: 'Omar Said' };
    show(undefined, [
      leila,
      sampleApplicant({ id: '0193aaaa-0000-7000-8000-0000000000c2', jobTitle: 'Brunch', jobStartsAt: null }),
      sampleApplicant({ id: '0193aaaa-0000-7000-8000-0000000000c3', worker: omar }),
    ]);
    const sheet = within(screen.getByRole('dialog', { name: 'Reject 2 people?' }));
    expect(sheet.getByText('It ends 3 applications:')).toBeTruthy();
    expect(sheet.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^Leila Haddad, Weekend barista, .*08:00/),
      'Leila Haddad, Brunch',
      expect.stringMatching(/^Omar Said, Weekend barista, .*08:00/),
    ]);
  });

  it('sends it once, and keeps it when it fails', async () => {
    let fail: (error: unknown) => void = () => undefined;
    const send = vi.fn(
      () =>
        new Promise<undefined>((_, reject) => {
          fail = reject;
        }),
    );
    show(send);
    fireEvent.click(screen.getByRole('radio', { name: 'Experience' }));
    fireEvent.change(words(), { target: { value: 'You would fit our other place.' } });
    const button = screen.getByRole('button', { name: 'Reject' });
    await act(async () => {
      fireEvent.click(button);
      fireEvent.click(button);
    });
    expect(send).toHaveBeenCalledTimes(1);
    await act(async () => fail(new ApiError('network/failed')));
    expect(document.querySelector('.banner.bad')).toBeTruthy();
    expect(words().value).toBe('You would fit our other place.');
  });
});
