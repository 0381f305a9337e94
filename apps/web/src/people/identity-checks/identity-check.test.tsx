import type { IdentityCheckView } from '@nearhand/contract/people/identity-checks';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Handlers, refuse } from '../../../test/fake-api.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { IdentityCheck } from './identity-check.tsx';

const uploads: string[] = [];
vi.mock('../../lib/forms/upload-file.ts', () => ({
  uploadFile: async ({ purpose, name }: { purpose: string; name: string }) => {
    uploads.push(`${purpose} ${name}`);
    return { id: `00000000-0000-7000-8000-00000000000${uploads.length}` };
  },
}));

const view = (change: Partial<IdentityCheckView> = {}): IdentityCheckView => ({
  status: 'none',
  document: null,
  name: null,
  submittedAt: null,
  decidedAt: null,
  reason: null,
  photosDeletedAt: null,
  decisionId: null,
  maySend: true,
  ...change,
});
const open = (mine: IdentityCheckView, more: Handlers = {}) =>
  renderPart(<IdentityCheck />, {
    path: '/verify',
    session: 'worker',
    api: { 'identityChecks.mine': mine, ...more },
  });
const card = async () => within(await screen.findByRole('region', { name: 'Identity document' }));
const photo = (name: string, type = 'image/jpeg') => new File(['photo'], name, { type });
const choose = (side: string, file: File) =>
  fireEvent.change(screen.getByTestId(`identity-${side}`), { target: { files: [file] } });

const opens = (answer: () => Promise<unknown>) => vi.stubGlobal('createImageBitmap', answer);
beforeEach(() => opens(async () => ({ width: 9, height: 9, close: () => undefined })));
afterEach(() => void vi.unstubAllGlobals());
const chosen = (count: number) =>
  waitFor(() => expect(screen.getAllByRole('button', { name: 'Change photo' })).toHaveLength(count));

describe('the identity document', () => {
  it('shows what it unlocks, how long it takes and who sees the photos', async () => {
    open(view());
    const rendered = await card();
    expect(rendered.getByText('Not checked')).toBeTruthy();
    expect(rendered.getByText(/We answer within two days/)).toBeTruthy();
    expect(rendered.getByText(/delete them 30 days after the decision/)).toBeTruthy();
  });

  it('shows exactly what was checked, and has nothing more to send', async () => {
    open(
      view({
        status: 'verified',
        document: 'passport',
        name: 'Leila Haddad',
        maySend: false,
        decidedAt: '2026-11-20T09:00:00Z',
        photosDeletedAt: '2026-12-20T09:00:00Z',
      }),
    );
    const rendered = await card();
    expect(rendered.getByText('Identity document checked')).toBeTruthy();
    expect(rendered.getByText(/^Checked on .*20\sNov/)).toBeTruthy();
    expect(rendered.queryByRole('button')).toBeNull();
  });

  it("shows staff's message, and what to do", async () => {
    const reason = '[Nederlands]\nTe donker.\n\n[English]\nToo dark.';
    open(view({ status: 'needs_info', document: 'id_card', reason }));
    const rendered = await card();
    expect(rendered.getByText('Too dark.')).toBeTruthy();
    expect(rendered.getByRole('button', { name: 'Send new photos' })).toBeTruthy();
  });

  it('leads from a refusal to its decision, and says that an appeal keeps the photos', async () => {
    const decisionId = '019ac4f2-0000-7000-8000-000000000007';
    open(view({ status: 'refused', document: 'id_card', decidedAt: '2026-11-20T09:00:00Z', decisionId }));
    const rendered = await card();
    const link = rendered.getByRole('link', { name: 'View decision' });
    expect(link.getAttribute('href')).toBe(`/tabs/menu/decisions/${decisionId}`);
    expect(rendered.getByText('We keep your photos until your appeal is decided.')).toBeTruthy();
  });

  it("takes the selfie with the phone's camera, and in Android's app the document too", async () => {
    open(view());
    const start = async () =>
      fireEvent.click((await card()).getByRole('button', { name: 'Check your identity document' }));
    await start();
    const selfie = await screen.findByTestId('identity-selfie');
    expect([selfie.getAttribute('accept'), selfie.getAttribute('capture')]).toEqual(['image/*', 'user']);
    expect(screen.queryByRole('button', { name: 'Take a photo' })).toBeNull();
    cleanup();
    vi.stubGlobal('Capacitor', { isNativePlatform: () => true, getPlatform: () => 'android' });
    open(view());
    await start();
    await screen.findAllByRole('button', { name: 'Take a photo' });
    const [front] = screen.getAllByTestId('take-photo');
    expect(front?.getAttribute('accept')).toBe('image/*');
    expect(front?.getAttribute('capture')).toBe('environment');
    fireEvent.change(front as HTMLElement, { target: { files: [photo('front.bmp', 'image/bmp')] } });
    expect(await screen.findByText('Choose a JPEG, PNG, WebP, AVIF or GIF picture.')).toBeTruthy();
    fireEvent.change(front as HTMLElement, { target: { files: [photo('front.jpg')] } });
    expect(await screen.findByRole('button', { name: 'Change photo' })).toBeTruthy();
  });

  it('shows why it failed to load', async () => {
    open(view(), {
      'identityChecks.mine': () => {
        throw refuse('request/internal');
      },
    });
    expect(await screen.findByText(/went wrong/i)).toBeTruthy();
  });
});

describe('sending a document', () => {
  it('requires every photo, rejects other files, and hides the back of a passport', async () => {
    const sent: unknown[] = [];
    open(view(), {
      'identityChecks.submit': (input) => {
        sent.push(input);
        return view({ status: 'submitted', document: 'passport', maySend: false });
      },
    });
    fireEvent.click((await card()).getByRole('button', { name: 'Check your identity document' }));
    const send = () => fireEvent.click(screen.getByRole('button', { name: 'Send to Nearhand' }));
    send();
    expect(screen.getAllByText('Take or choose a photo.')).toHaveLength(3);
    choose('front', photo('scan.pdf', 'application/pdf'));
    expect(await screen.findByText('Choose a JPEG, PNG, WebP, AVIF or GIF picture.')).toBeTruthy();
    choose('back', photo('back.jpg'));
    fireEvent.change(screen.getByLabelText('Document'), { target: { value: 'passport' } });
    choose('front', photo('page.jpg'));
    choose('selfie', photo('me.jpg'));
    await chosen(2);
    send();
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(uploads).toEqual(['identity page.jpg', 'identity me.jpg']);
    expect(sent[0]).toMatchObject({ document: 'passport', backFileId: null });
    expect(await screen.findByText('Being checked')).toBeTruthy();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it("rejects a photo that can't be opened, at its field", async () => {
    opens(() => Promise.reject(new DOMException('broken')));
    open(view());
    fireEvent.click((await card()).getByRole('button', { name: 'Check your identity document' }));
    choose('front', photo('torn.jpg'));
    expect(await screen.findByText(/^This picture can't be opened/)).toBeTruthy();
    choose('back', new File([], 'empty.jpg', { type: 'image/jpeg' }));
    expect(await screen.findByText(/^This file is empty/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Change photo' })).toBeNull();
  });

  it('keeps the photos when the server rejects', async () => {
    open(view(), {
      'identityChecks.submit': () => {
        throw refuse('identity-check/name-missing');
      },
    });
    fireEvent.click((await card()).getByRole('button', { name: 'Check your identity document' }));
    for (const side of ['front', 'back', 'selfie']) choose(side, photo(`${side}.jpg`));
    await chosen(3);
    fireEvent.click(screen.getByRole('button', { name: 'Send to Nearhand' }));
    expect(await screen.findByText(/Add your name to your profile first/)).toBeTruthy();
    expect(screen.getAllByRole('button', { name: 'Change photo' })).toHaveLength(3);
  });
});
