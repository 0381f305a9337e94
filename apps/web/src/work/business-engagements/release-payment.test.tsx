import type { EngagementCard } from '@nearhand/contract/work/engagements';
import type { ReleasePreview } from '@nearhand/contract/work/pay';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { press, signal } from '../../../test/device.ts';
import { type Handlers, networkError, never, refuse } from '../../../test/fake-api.ts';
import { sampleBusiness } from '../../../test/people.fixtures.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { side } from '../../lib/device/device-setting.ts';
import { sampleWallet } from '../../money/wallet/wallet.fixtures.ts';
import { sampleWorkToReview } from '../../trust/reviews/reviews.fixtures.ts';
import { sampleEngagement, sampleTerms, sampleWork } from '../engagements/engagements.fixtures.ts';

const id = (end: string) => `0193aaaa-0000-7000-8000-0000000000${end}`;
const counts = { due: 0, late: 0, here: 0, to_approve: 0, unsettled: 0, no_show: 0, ended: 0 };
const submitted = (change: Partial<EngagementCard> = {}): EngagementCard =>
  sampleWork({
    side: 'business',
    status: 'submitted',
    funding: 'funded',
    actions: ['approve', 'counter', 'dispute'],
    next: {
      kind: 'auto-approve',
      at: '2026-11-23T10:00:00Z',
      since: '2026-11-20T10:00:00Z',
      amountMinor: null,
    },
    ...change,
  });
const preview = (change: Partial<ReleasePreview> = {}): ReleasePreview => ({
  engagementId: submitted().id,
  currency: 'EUR',
  heldMinor: 11_880,
  alreadyPaidMinor: 0,
  payMinor: 10_800,
  workerGetsMinor: 10_800,
  feeMinor: 1_080,
  businessFeeBasisPoints: 1_000,
  workerFeeBasisPoints: 0,
  backMinor: 0,
  missingMinor: 0,
  balanceCovers: false,
  clearsAt: null,
  ...change,
});
const done = sampleEngagement({ side: 'business', status: 'approved', actions: [] });

function open(work: EngagementCard[], api: Handlers = {}, width = 390, path = '/release-payment') {
  const rendered = renderApp(path, {
    session: 'business',
    now: '2026-11-22T10:00:00Z',
    width,
    api: {
      'engagements.forBusiness': ({ group }) => ({
        items: group === 'to_approve' ? work : [],
        nextCursor: null,
        counts: { ...counts, to_approve: work.length },
      }),
      'engagements.get': ({ engagementId }) =>
        sampleEngagement(work.find((card) => card.id === engagementId) ?? submitted()),
      'pay.releasePreview': preview(),
      'interviews.mine': never,
      'wallet.get': sampleWallet(),
      ...api,
    },
  });
  const empty = () => rendered.api.on({ 'engagements.forBusiness': { items: [], nextCursor: null, counts } });
  return { ...rendered, empty };
}

/** Opens the question about a release and confirms it. */
async function release(amount: string) {
  await press(`Release ${amount} to Leila`);
  fireEvent.click(
    within(await screen.findByRole('dialog', { name: `Release ${amount} to Leila?` })).getByRole('button', {
      name: `Release ${amount}`,
    }),
  );
}

describe('releasing payment', () => {
  it('shows where finished work will appear', async () => {
    open([]);
    expect(await screen.findByText('Nothing to release')).toBeTruthy();
    expect(screen.getByRole('link', { name: "See who's on shift" })).toBeTruthy();
  });

  it('leads finance to the statement, not to screens of other roles', async () => {
    open([], { 'businesses.mine': [sampleBusiness({ role: 'finance' })] });
    expect(await screen.findByText('Nothing to release')).toBeTruthy();
    const main = within(screen.getByRole('main'));
    expect(main.getByRole('link', { name: 'Statement' }).getAttribute('href')).toBe('/merchant-transaction');
    expect(main.queryByRole('link', { name: "See who's on shift" })).toBeNull();
  });

  it('starts with the earliest deadline, for any order of the response', async () => {
    const sooner = submitted({
      id: id('e8'),
      worker: { id: id('a8'), name: 'Omar Said', photoPath: null },
      next: {
        kind: 'auto-approve',
        at: '2026-11-22T12:00:00Z',
        since: '2026-11-19T12:00:00Z',
        amountMinor: null,
      },
    });
    open([submitted(), sooner]);
    expect(await screen.findByRole('button', { name: 'Release €108 to Omar' })).toBeTruthy();
    expect(screen.getByText('1 of 2')).toBeTruthy();
    await press('Next');
    expect(await screen.findByRole('button', { name: 'Release €108 to Leila' })).toBeTruthy();
    await press('Next');
    expect(await screen.findByRole('button', { name: 'Release €108 to Omar' })).toBeTruthy();
  });

  it('releases once for several presses, and continues with the next', async () => {
    const { api, empty } = open([submitted()], {
      'timesheets.approve': () => {
        empty();
        return done;
      },
    });
    await press('Release €108 to Leila');
    const sheet = within(await screen.findByRole('dialog', { name: 'Release €108 to Leila?' }));
    const button = sheet.getByRole('button', { name: 'Release €108' });
    fireEvent.click(button);
    fireEvent.click(button);
    expect(await screen.findByText('Released to Leila Haddad')).toBeTruthy();
    expect(await screen.findByText('Nothing to release')).toBeTruthy();
    expect(api.inputs('timesheets.approve')).toMatchObject([{ engagementId: submitted().id, version: 1 }]);
    expect(api.calls('pay.tip')).toEqual([]);
  });

  it('confirms first: how much, to whom, when it arrives, and that it is final', async () => {
    const { api } = open([submitted()], {
      'pay.releasePreview': preview({ clearsAt: '2026-11-27T10:00:00Z' }),
    });
    await press('€5');
    await press('Release €113 to Leila');
    const sheet = within(await screen.findByRole('dialog', { name: 'Release €113 to Leila?' }));
    expect(sheet.getByText('Leila Haddad gets')).toBeTruthy();
    expect(sheet.getByText(/withdraw the pay from .*27 Nov/)).toBeTruthy();
    expect(sheet.getByText(/^You can't take it back\. If the hours aren't right/)).toBeTruthy();
    fireEvent.click(sheet.getByRole('button', { name: 'Not now' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(api.calls('timesheets.approve')).toEqual([]);
  });

  it('approves everything worked as planned in two presses, and shows which was rejected', async () => {
    const cards = ['e1', 'e2', 'e3'].map((end) =>
      submitted({
        id: id(end),
        asPlanned: true,
        worker: { id: id(`a${end.at(-1)}`), name: `Worker ${end}`, photoPath: null },
      }),
    );
    const other = submitted({ id: id('e4') });
    const { api } = open([...cards, other], {
      'timesheets.approve': ({ engagementId }) => {
        if (engagementId === id('e2')) throw refuse('payment/hold-short');
        return sampleEngagement({ id: engagementId, side: 'business', status: 'approved', actions: [] });
      },
    });
    expect(await screen.findByText('3 worked as planned, €324 in total')).toBeTruthy();
    expect(screen.getByText(/^Not Leila Haddad: hours that differ from the plan/)).toBeTruthy();
    await press('Approve all as planned');
    const sheet = await screen.findByRole('dialog', { name: 'Release €324 for 3 shifts?' });
    expect(within(sheet).getAllByRole('listitem')).toHaveLength(3);
    fireEvent.click(within(sheet).getByRole('button', { name: 'Release €324 for 3 shifts' }));
    const left = await screen.findByRole('dialog', { name: 'Not approved' });
    expect(
      within(left)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual([expect.stringContaining('Worker e2')]);
    expect(screen.getByText('Pay released: 2 of 3')).toBeTruthy();
    expect(api.inputs('timesheets.approve').map(({ engagementId }) => engagementId)).toEqual([
      id('e1'),
      id('e2'),
      id('e3'),
    ]);
  });

  it('offers that in finished work too, where people look for it', async () => {
    const cards = ['e1', 'e2'].map((end) => submitted({ id: id(end), asPlanned: true }));
    side.set('hire');
    open(cards, { 'pools.list': never }, 390, '/completed-job');
    expect(await screen.findByRole('button', { name: 'Approve all as planned' })).toBeTruthy();
  });

  it('shows finished work at its full cost, its crew above, and a way to write the reviews due', async () => {
    const items = ['e1', 'e2'].map((end) => submitted({ id: id(end), status: 'completed' }));
    side.set('hire');
    // The review of the second is written.
    const toWrite = { items: [sampleWorkToReview()], nextCursor: null };
    const ended = {
      'engagements.forBusiness': { items, nextCursor: null, counts },
      'reviews.toWrite': toWrite,
    };
    open([], { 'pools.list': never, ...ended }, 390, '/completed-job');
    const crew = await screen.findByRole('button', { name: /^Book crew again/ });
    const [first, ...rest] = await screen.findAllByRole('link', { name: /^Review\b/ });
    expect(rest).toEqual([]);
    expect(first?.getAttribute('href')).toMatch(/^\/business-review\?business=.*&write=/);
    expect(first && crew.compareDocumentPosition(first)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(crew.closest('li')?.contains(first ?? null)).toBe(false);
    expect(screen.getAllByText(/^6 h, €118\.80 with our fee of €10\.80$/)).toHaveLength(2);
  });

  it('stops approving when the network drops, and keeps the rest', async () => {
    const cards = ['e1', 'e2', 'e3'].map((end) => submitted({ id: id(end), asPlanned: true }));
    const { api } = open(cards, {
      'timesheets.approve': () => {
        throw networkError();
      },
    });
    await press('Approve all as planned');
    await press('Release €324 for 3 shifts');
    const sheet = await screen.findByRole('dialog', { name: 'Release €324 for 3 shifts?' });
    expect(await within(sheet).findByText(/reach|connection/i)).toBeTruthy();
    expect(api.calls('timesheets.approve')).toHaveLength(1);
  });

  it("shows when the pay was released but the tip wasn't", async () => {
    const { api, empty } = open([submitted()], {
      'timesheets.approve': () => {
        empty();
        return done;
      },
      'pay.tip': () => {
        throw refuse('payment/method-missing');
      },
    });
    await press('€5');
    await release('€113');
    expect(await screen.findByText(/The pay was released, but the tip wasn't added\./)).toBeTruthy();
    expect(api.inputs('pay.tip')).toMatchObject([{ engagementId: submitted().id, amountMinor: 500 }]);
  });

  it('accepts a tip of any amount, and blocks the release for an invalid one', async () => {
    const { api, empty } = open([submitted()], {
      'timesheets.approve': () => {
        empty();
        return done;
      },
      'pay.tip': () => {
        throw refuse('payment/method-missing');
      },
    });
    await screen.findByRole('button', { name: 'Release €108 to Leila' });
    const amount = screen.getByLabelText(/^Amount/);
    fireEvent.change(amount, { target: { value: 'a lot' } });
    expect(screen.getByText('Enter an amount, like 5 or 7.50.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Release €108 to Leila' }).hasAttribute('disabled')).toBe(true);
    for (const value of ['5000', '99999999999']) {
      fireEvent.change(amount, { target: { value } });
      expect(screen.getByText(/^Enter €[\d,.]+ or less\.$/)).toBeTruthy();
    }
    fireEvent.change(amount, { target: { value: '7.50' } });
    await release('€115.50');
    await waitFor(() => expect(api.inputs('pay.tip')).toMatchObject([{ amountMinor: 750 }]));
  });

  it('sends no tip when the release was rejected', async () => {
    const { api } = open([submitted()], {
      'timesheets.approve': () => {
        throw refuse('engagement/wrong-state', { status: 'disputed' });
      },
    });
    await press('€5');
    await release('€113');
    expect(await screen.findByRole('alert')).toBeTruthy();
    expect(api.calls('pay.tip')).toEqual([]);
    expect(screen.queryByText(/Released to/)).toBeNull();
  });

  it('still sends the tip on a retry after a lost response to the release', async () => {
    let answered = 0;
    const { api } = open([submitted()], {
      'timesheets.approve': () => {
        answered += 1;
        if (answered === 1) throw networkError();
        return done;
      },
      'pay.tip': () => {
        throw refuse('payment/method-missing');
      },
    });
    await press('€5');
    await release('€113');
    await screen.findByRole('alert');
    await press('Release €113');
    expect(await screen.findByText(/The pay was released/)).toBeTruthy();
    const keys = api.calls('timesheets.approve').map(({ idempotencyKey }) => idempotencyKey);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    expect(api.calls('pay.tip')).toHaveLength(1);
  });

  it('keeps everything when the server was unreachable', async () => {
    open([submitted()], {
      'timesheets.approve': () => {
        throw networkError();
      },
    });
    await press('€10');
    await release('€118');
    expect((await screen.findByRole('alert')).textContent).toMatch(/reach|connection/i);
    expect(screen.getByRole('button', { name: '€10' }).getAttribute('aria-pressed')).toBe('true');
  });

  it("can't release more than is held until it is paid", async () => {
    const { api } = open([submitted()], {
      'pay.releasePreview': preview({ payMinor: 14_400, workerGetsMinor: 14_400, missingMinor: 3_960 }),
    });
    const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Release €144 to Leila' });
    expect(button.disabled).toBe(true);
    expect(screen.getByRole('button', { name: 'To release it, add €39.60 first' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: '€5' })).toBeNull();
    api.on({ 'pay.releasePreview': preview() });
    signal({ kind: 'record', record: 'hold', id: id('b9') });
    await waitFor(() =>
      expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Release €108 to Leila' }).disabled).toBe(
        false,
      ),
    );
  });

  it('adds what the hold lacks and releases the pay in one step if the balance covers it', async () => {
    const work = submitted();
    const { api } = open([work], {
      'pay.releasePreview': preview({
        payMinor: 14_400,
        workerGetsMinor: 14_400,
        missingMinor: 3_960,
        balanceCovers: true,
      }),
      'timesheets.approve': sampleEngagement({ ...work, status: 'completed' }),
    });
    await press('Add €39.60 and release €144');
    const sheet = within(await screen.findByRole('dialog', { name: 'Release €144 to Leila?' }));
    expect(sheet.getByText(/^€39\.60 is added to the hold from your balance first/)).toBeTruthy();
    fireEvent.click(sheet.getByRole('button', { name: 'Release €144' }));
    await waitFor(() => expect(api.inputs('timesheets.approve')).toMatchObject([{ addMinor: 3_960 }]));
  });

  it('shows overtime as the reason only when more hours were submitted than planned', async () => {
    const short = preview({ payMinor: 5_400, workerGetsMinor: 5_400, missingMinor: 540 });
    open([submitted()], { 'pay.releasePreview': short });
    expect(await screen.findByText(/^The hold is €5\.40 short, fee included\. Add it/)).toBeTruthy();
    expect(screen.queryByText(/more hours were submitted/)).toBeNull();
  });

  it('puts other hours before the release of a claim above the record', async () => {
    const claim = { actions: ['approve', 'counter'] as const, claimFlags: ['beyond_record'] as const };
    open([submitted({ actions: [...claim.actions], claimFlags: [...claim.claimFlags] })]);
    const release = await screen.findByRole('button', { name: 'Release €108 to Leila' });
    const [propose, ...others] = screen.getAllByRole('button', { name: 'Propose other hours' });
    expect(others).toEqual([]);
    expect([propose?.className, release.className].map((name) => name?.includes('go'))).toEqual([
      true,
      false,
    ]);
    expect(propose && release.compareDocumentPosition(propose)).toBe(Node.DOCUMENT_POSITION_PRECEDING);
  });

  it('puts the release first once money for the hours above the plan was added, and confirms it', async () => {
    const work = submitted({ claimFlags: ['beyond_record'] });
    const overtime = preview({ payMinor: 12_000, workerGetsMinor: 12_000, feeMinor: 1_200 });
    const { api } = open([work], {
      'pay.releasePreview': { ...overtime, missingMinor: 1_320 },
      'pay.cover': { engagement: sampleEngagement(work), charge: null },
    });
    await screen.findByText(/^The hold is €13\.20 short/);
    api.on({ 'pay.releasePreview': overtime });
    await press('Add €13.20 to the hold');
    expect(await screen.findByText('€13.20 was added to the hold')).toBeTruthy();
    const release = await screen.findByRole<HTMLButtonElement>('button', { name: 'Release €120 to Leila' });
    await waitFor(() => expect([release.disabled, release.className.includes('go')]).toEqual([false, true]));
    expect(screen.getByRole('button', { name: 'Propose other hours' }).className).not.toContain('go');
  });

  it('says above the button what follows without a reply, and in the list why to look closely', async () => {
    const next = { at: '2026-11-23T12:00:00Z', since: '2026-11-21T12:00:00Z', amountMinor: 10_000 } as const;
    open([submitted({ claimFlags: ['beyond_record'], next: { ...next, kind: 'review' } })], {}, 1280);
    const button = await screen.findByRole('button', { name: 'Release €108 to Leila' });
    const outcome = screen.getByText(
      /^If nobody replies by .*, €100 is paid and a dispute opens about the rest/,
    );
    expect(button.compareDocumentPosition(outcome)).toBe(Node.DOCUMENT_POSITION_PRECEDING);
    expect(screen.getByText(/, more than recorded$/)).toBeTruthy();
  });

  it("shows only the server's actions", async () => {
    open([submitted({ actions: ['approve'] })]);
    await screen.findByRole('button', { name: 'Release €108 to Leila' });
    expect(screen.queryByRole('button', { name: 'Propose other hours' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Open a dispute' })).toBeNull();
  });

  it('shows why the cost is missing, and reloads it', async () => {
    const { api } = open([submitted()], {
      'pay.releasePreview': () => {
        throw refuse('request/internal');
      },
    });
    await press('Try again');
    api.on({ 'pay.releasePreview': preview() });
    await press('Try again');
    expect(await screen.findByRole('button', { name: 'Release €108 to Leila' })).toBeTruthy();
  });

  it('appears next to the list on a desktop, and follows its selection', async () => {
    const other = submitted({
      id: id('e8'),
      worker: { id: id('a8'), name: 'Omar Said', photoPath: null },
      terms: sampleTerms({ title: 'Late barista' }),
      next: {
        kind: 'auto-approve',
        at: '2026-11-24T12:00:00Z',
        since: '2026-11-19T12:00:00Z',
        amountMinor: null,
      },
    });
    open([submitted({ asPlanned: true }), other], {}, 1280);
    const list = within(await screen.findByRole('navigation', { name: 'Waiting for release' }));
    expect(list.getByRole('button', { name: /Leila Haddad.*as planned/ })).toBeTruthy();
    expect(list.queryByRole('button', { name: /Omar Said.*as planned/ })).toBeNull();
    expect(await screen.findByRole('button', { name: 'Release €108 to Leila' })).toBeTruthy();
    fireEvent.click(list.getByRole('button', { name: /Omar Said/ }));
    expect(await screen.findByRole('button', { name: 'Release €108 to Omar' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Next' })).toBeNull();
  });
});
