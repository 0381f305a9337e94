import type { Certificate } from '@nearhand/contract/people/certificates';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { press } from '../../../test/device.ts';
import { type Handlers, refuse } from '../../../test/fake-api.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { problemAt, type } from '../../../test/typing.ts';
import { WorkerChecks } from '../verification/worker-checks.tsx';
import { Certificates } from './certificates.tsx';

vi.mock('../../lib/forms/upload-file.ts', () => ({
  uploadFile: async () => ({ id: '00000000-0000-7000-8000-000000000001' }),
}));

const certificateOf = (change: Partial<Certificate> = {}): Certificate => ({
  id: '00000000-0000-7000-8000-000000000002',
  kind: 'first_aid',
  status: 'checked',
  expiresOn: '2099-05-03',
  submittedAt: '2026-11-20T09:00:00Z',
  decidedAt: '2026-11-21T09:00:00Z',
  reason: null,
  decisionId: null,
  isForAnotherName: false,
  ...change,
});
const open = (mine: Certificate[], more: Handlers = {}) =>
  renderPart(<Certificates />, {
    path: '/verify',
    session: 'worker',
    api: { 'certificates.mine': mine, ...more },
  });
const card = async () => within(await screen.findByRole('region', { name: 'Certificates' }));

describe('certificates', () => {
  it('show what was checked and until when, or why not', async () => {
    open([
      certificateOf(),
      certificateOf({
        id: crypto.randomUUID(),
        kind: 'food_hygiene',
        status: 'refused',
        reason: '[Nederlands]\nTe donker.\n\n[English]\nToo dark.',
      }),
    ]);
    const rendered = await card();
    expect(rendered.getByText('1 checked')).toBeTruthy();
    expect(rendered.getAllByText(/^Valid until .*2099/)).toHaveLength(2);
    expect(rendered.getByText('Too dark.')).toBeTruthy();
    expect(rendered.getByText('We remind you 30 and 7 days before one expires.')).toBeTruthy();
  });

  it('reject a missing file, and a day in the past or too far ahead, and then send', async () => {
    const sent: unknown[] = [];
    open([certificateOf({ kind: 'food_hygiene', status: 'submitted' })], {
      'certificates.add': (input) => {
        sent.push(input);
        return [certificateOf({ kind: 'driving_licence', status: 'submitted' })];
      },
    });
    fireEvent.click((await card()).getByRole('button', { name: 'Add a certificate' }));
    const send = () => fireEvent.click(screen.getByRole('button', { name: 'Send to Nearhand' }));
    send();
    await waitFor(() => expect(problemAt('Valid until')).toBe('Enter the last day on which it is valid.'));
    expect(screen.getByText('Add a photo or PDF of it.')).toBeTruthy();
    type('Valid until', '2020-01-01');
    await waitFor(() => expect(problemAt('Valid until')).toMatch(/^It has expired/));
    type('Valid until', '2199-01-01');
    await waitFor(() => expect(problemAt('Valid until')).toMatch(/^That's too far ahead/));
    const day = `${new Date().getUTCFullYear() + 2}-05-03`;
    type('Valid until', day);
    fireEvent.change(screen.getByTestId('certificate-file'), {
      target: { files: [new File(['%PDF-1.7 1 0 obj %%EOF'], 'proof.pdf', { type: 'application/pdf' })] },
    });
    await screen.findByText('proof.pdf');
    send();
    await waitFor(() =>
      expect(sent).toEqual([
        { kind: 'driving_licence', expiresOn: day, fileId: '00000000-0000-7000-8000-000000000001' },
      ]),
    );
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it("uses the camera in Android's app, where the file picker has none", async () => {
    vi.stubGlobal('Capacitor', { isNativePlatform: () => true, getPlatform: () => 'android' });
    vi.stubGlobal('createImageBitmap', async () => ({ width: 9, height: 9, close: () => undefined }));
    open([]);
    fireEvent.click((await card()).getByRole('button', { name: 'Add a certificate' }));
    expect(await screen.findByRole('button', { name: 'Take a photo' })).toBeTruthy();
    fireEvent.change(screen.getByTestId('take-photo'), {
      target: { files: [new File(['proof'], 'JPEG_1.jpg', { type: 'image/jpeg' })] },
    });
    expect(await screen.findByText('JPEG_1.jpg')).toBeTruthy();
    vi.unstubAllGlobals();
  });

  it('can be removed, and show why that failed', async () => {
    open([certificateOf()], {
      'certificates.remove': () => {
        throw refuse('certificate/not-found');
      },
    });
    fireEvent.click((await card()).getByRole('button', { name: 'Remove First aid certificate' }));
    await press('Remove certificate');
    expect(await screen.findByText('This certificate was removed in the meantime.')).toBeTruthy();
  });

  it('show businesses the expiry date of the check', () => {
    renderPart(
      <WorkerChecks
        checks={{ phone: false, identity: true, certificates: [{ kind: 'first_aid', until: '2099-05-03' }] }}
      />,
      { path: '/', session: 'worker', api: {} },
    );
    expect(screen.getByText('Identity document checked')).toBeTruthy();
    expect(screen.getByText(/^First aid certificate, checked until .*2099/)).toBeTruthy();
  });
});
