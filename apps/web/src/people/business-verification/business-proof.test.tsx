import type { BusinessDomain, BusinessVerification } from '@nearhand/contract/people/business-verification';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { type Handlers, refuse } from '../../../test/fake-api.ts';
import { sampleBusiness } from '../../../test/people.fixtures.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { problemAt, type } from '../../../test/typing.ts';
import { BusinessProof } from './business-proof.tsx';

const business = sampleBusiness({ website: 'https://www.lindengracht.example/menu' });
const domain = (change: Partial<BusinessDomain> = {}): BusinessDomain => ({
  domain: 'lindengracht.example',
  token: 'abc',
  checkedAt: null,
  method: null,
  triedAt: null,
  problem: null,
  ...change,
});
const proof = (change: Partial<BusinessVerification> = {}): BusinessVerification => ({
  businessId: business.id,
  version: 1,
  status: 'draft',
  name: business.name,
  legalName: 'Lindengracht BV',

  registrationNumber: '',
  vatId: '',
  submittedAt: null,
  documents: [],
  domain: null,
  reason: null,
  decidedAt: null,
  maySubmit: true,
  mayChange: true,
  ...change,
});
const open = (verification: BusinessVerification, api: Handlers = {}) =>
  renderPart(<BusinessProof business={business} />, {
    path: '/verify',
    session: 'business',
    api: { 'businessVerification.get': verification, ...api },
  });
const part = async (name: string) => within(await screen.findByRole('region', { name }));

describe('the verification of a business', () => {
  it('shows what staff still needs, and sends it again', async () => {
    const asked = { status: 'needs_info', reason: 'Please add the register extract.' } as const;
    const { api } = open(proof({ ...asked, registrationNumber: '34871260' }), {
      'businesses.submit': sampleBusiness({ status: 'submitted' }),
    });
    const status = await part('Status');
    expect(status.getByText('More information needed')).toBeTruthy();
    expect(status.getByText('Please add the register extract.')).toBeTruthy();
    expect(status.getByText(/^Add a document first/)).toBeTruthy();
    fireEvent.click(status.getByRole('button', { name: 'Send again' }));
    await waitFor(() => expect(api.inputs('businesses.submit')).toEqual([{ businessId: business.id }]));
  });

  it('lets only an owner send, and leaves a rejected business unchanged', async () => {
    open(proof({ maySubmit: false }));
    expect(await screen.findByText('Only an owner can send the business to us.')).toBeTruthy();
  });

  it('shows why it was rejected, without editable fields', async () => {
    open(proof({ status: 'rejected', reason: 'Not your company.', mayChange: false, maySubmit: false }));
    expect(await screen.findByText('Not your company.')).toBeTruthy();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('shows why it failed to load', async () => {
    open(proof(), {
      'businessVerification.get': () => {
        throw refuse('request/internal');
      },
    });
    expect(await screen.findByText("We couldn't load the verification")).toBeTruthy();
  });
});

describe('the documents', () => {
  const file = {
    id: '0193aaaa-0000-7000-8000-0000000000f1',
    purpose: 'business' as const,
    name: 'register.pdf',
    mediaType: 'application/pdf',
    bytes: 1_000,
    path: '/files/x/content',
  };
  const document = {
    id: '0193aaaa-0000-7000-8000-0000000000d1',
    kind: 'tax' as const,
    file,
    addedAt: '2026-11-20T09:00:00Z',
  };

  it('can be removed, except during review', async () => {
    const { api } = open(proof({ documents: [document] }), {
      'businessVerification.removeDocument': proof(),
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Remove register.pdf' }));
    expect(await screen.findByText('No documents yet.')).toBeTruthy();
    expect(api.inputs('businessVerification.removeDocument')).toEqual([
      { businessId: business.id, documentId: document.id },
    ]);
  });

  it('stay during a review', async () => {
    open(proof({ documents: [document], status: 'submitted' }));
    expect(await screen.findByRole('button', { name: /register\.pdf/ })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Remove register.pdf' })).toBeNull();
  });

  it.each(['business-document', 'take-photo'])('are rejected before sending: %s', async (field) => {
    vi.stubGlobal('Capacitor', { isNativePlatform: () => true, getPlatform: () => 'android' });
    open(proof());
    const input = await screen.findByTestId(field);
    vi.unstubAllGlobals();
    const wrong = new File(['x'], 'notes.docx', { type: 'application/msword' });
    fireEvent.change(input, { target: { files: [wrong] } });
    expect(await screen.findByText('Choose a photo or a PDF.')).toBeTruthy();
  });
});

describe('the domain', () => {
  it('starts from the website, and shows what to publish', async () => {
    const { api } = open(proof(), { 'businessVerification.startDomain': proof({ domain: domain() }) });
    const website = await part('Website');
    type(/^Domain of your website/, 'nonsense');
    fireEvent.click(website.getByRole('button', { name: 'Show me what to add' }));
    await waitFor(() =>
      expect(problemAt(/^Domain of your website/)).toBe('Enter a domain such as example.com.'),
    );
    type(/^Domain of your website/, 'lindengracht.example');
    fireEvent.click(website.getByRole('button', { name: 'Show me what to add' }));
    expect(await screen.findByText('nearhand-verification=abc')).toBeTruthy();
    expect(screen.getByText('Name: _nearhand.lindengracht.example')).toBeTruthy();
    expect(screen.getByText('<meta name="nearhand-verification" content="abc">')).toBeTruthy();
    expect(api.inputs('businessVerification.startDomain')).toEqual([
      { businessId: business.id, domain: 'lindengracht.example' },
    ]);
  });

  it('shows why a check found nothing, and when it found the record', async () => {
    open(proof({ domain: domain() }), {
      'businessVerification.checkDomain': proof({ domain: domain({ problem: 'not-found' }) }),
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Check now' }));
    expect(await screen.findByText(/^We found neither the record nor the tag/)).toBeTruthy();
  });

  it('shows when and how it was checked', async () => {
    open(proof({ domain: domain({ checkedAt: '2026-11-20T09:00:00Z', method: 'dns' }) }));
    expect(await screen.findByText('Domain checked')).toBeTruthy();
    expect(screen.getByText(/^Found in the DNS on .*20\sNov/)).toBeTruthy();
  });
});
