import type { Applicant } from '@nearhand/contract/hiring/applicants';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { press } from '../../../test/device.ts';
import type { Handlers } from '../../../test/fake-api.ts';
import { sampleOffer } from '../../../test/offers.fixtures.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { type } from '../../../test/typing.ts';
import { sampleWallet } from '../../money/wallet/wallet.fixtures.ts';
import { sampleTerms } from '../../work/engagements/engagements.fixtures.ts';
import { sampleJob } from '../jobs/jobs.fixtures.ts';
import { sampleApplicant } from '../pipeline/pipeline.fixtures.ts';
import { ApplicantState } from './applicant-state.tsx';

afterEach(cleanup);

const show = (startsAt: string) =>
  renderPart(
    <ApplicantState
      applicant={sampleApplicant({
        stage: 'interviewing',
        interview: { id: 'one', status: 'scheduled', mode: 'video', startsAt, answerBy: null, awaits: null },
      })}
      zone="Europe/Amsterdam"
    />,
  );

describe("an applicant's interview", () => {
  it('is upcoming until it begins, then waits for its outcome', () => {
    show('2999-11-21T13:00:00Z');
    expect(screen.getByText('Interview scheduled')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Open interview' })).toBeTruthy();
    cleanup();
    show('2026-01-21T13:00:00Z');
    expect(screen.queryByText('Interview scheduled')).toBeNull();
    expect(screen.getByText('Interview needs an outcome')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Add outcome' }).getAttribute('href')).toBe('/interview?id=one');
  });
});

describe("an applicant's open offer", () => {
  const terms = sampleTerms({ payMinor: 20_000, holdMinor: 20_000 });
  const offer = sampleOffer({ side: 'business', actions: ['withdraw'], terms, version: 3, message: 'Hi' });
  const open = (change: Partial<typeof offer> = {}) =>
    renderPart(
      <ApplicantState
        applicant={sampleApplicant({
          stage: 'offered',
          status: 'offered',
          offer: { ...offer, pay: sampleJob().pay },
        })}
        zone="Europe/Amsterdam"
      />,
      {
        session: 'business',
        api: {
          'wallet.get': sampleWallet({ availableMinor: 0 }),
          'jobs.get': sampleJob(),
          'offers.get': { ...offer, ...change },
          'offers.preview': ({ payMinor = 1_800 }) => ({
            terms: sampleTerms({ payMinor, holdMinor: payMinor }),
            spotsFree: 1,
            expiresAt: '2100-01-01T00:00:00Z',
            workerBooked: false,
          }),
          'offers.make': offer,
          'offers.withdraw': { ...offer, status: 'withdrawn', actions: [] },
        },
      },
    );

  it('is corrected from its own pay and message, with its held money', async () => {
    const { api } = open();
    await press('Change offer');
    expect((await screen.findByLabelText<HTMLInputElement>('Hourly pay')).value).toBe('200');
    type('Hourly pay', '21');
    await press(/^Change offer to/);
    await waitFor(() => expect(api.calls('offers.make')).toHaveLength(1));
    expect(api.inputs('offers.make')).toMatchObject([
      {
        payMinor: 2_100,
        message: 'Hi',
        funding: { from: 'balance' },
        replaces: [{ offerId: offer.id, version: 3 }],
      },
    ]);
    expect(api.inputs('budgets.forJob')[0]).toMatchObject({ replaces: offer.id });
  });

  describe('for several shifts of a series', () => {
    const ids = ['f1', 'f2', 'f3'].map((end) => `${offer.id.slice(0, -2)}${end}`);
    const offerOfId = (offerId: string) => {
      const startsAt = `2026-12-0${ids.indexOf(offerId) + 4}T09:00:00Z`;
      return {
        ...offer,
        id: offerId,
        applicationId: offerId,
        terms: { ...terms, startsAt, workerGetsMinor: 10_000 },
      };
    };
    const shifts = ids.map((offerId) =>
      sampleApplicant({
        id: offerId,
        seriesId: offer.jobId,
        shiftsApplied: 3,
        stage: 'offered',
        offer: { ...offer, id: offerId, pay: sampleJob().pay },
      }),
    );
    const show = (api: Handlers = {}) =>
      renderPart(<ApplicantState applicant={shifts[0] as Applicant} zone="Europe/Amsterdam" />, {
        session: 'business',
        api: {
          'offers.get': ({ offerId }) => offerOfId(offerId),
          'applicants.ofWorker': shifts,
          'offers.withdraw': { ...offer, status: 'withdrawn', actions: [] },
          ...api,
        },
      });

    it('shows the day of each, and the sums offered and held', async () => {
      show();
      expect(await screen.findByText(/^3 shifts: .*4 Dec.*5 Dec.*6 Dec/)).toBeTruthy();
      expect(screen.getByText('Offer sent: €300')).toBeTruthy();
      expect(screen.getByText('Funded: €600 is set aside.')).toBeTruthy();
    });

    it('is changed for all days at once', async () => {
      const { api } = show({
        'jobs.get': sampleJob(),
        'wallet.get': sampleWallet({ availableMinor: 0 }),
        'offers.make': offer,
        'offers.preview': ({ payMinor = 1_800 }) => ({
          terms: sampleTerms({ payMinor, workerGetsMinor: payMinor * 6, holdMinor: payMinor * 7 }),
          spotsFree: 1,
          expiresAt: '2100-01-01T00:00:00Z',
          workerBooked: false,
        }),
      });
      await press('Change offers');
      expect(await screen.findAllByRole('checkbox')).toHaveLength(3);
      // The money of the old offers is set aside already, so the balance is shown without it.
      expect(screen.getByText(/^Balance, €0/)).toBeTruthy();
      type('Hourly pay', '21');
      await press('Change 3 offers');
      expect(await screen.findByText(/^Offer for 3 shifts to .* changed$/)).toBeTruthy();
      await waitFor(() => expect(api.calls('offers.make')).toHaveLength(1));
      expect(api.inputs('offers.make')).toMatchObject([
        { payMinor: 2_100, replaces: ids.map((id) => ({ offerId: id, version: 3 })) },
      ]);
    });

    it('shows no sum while the offer of one shift is missing', async () => {
      let fails = true;
      show({
        'offers.get': ({ offerId }) => {
          if (fails && offerId === ids[2]) throw new Error('network');
          return offerOfId(offerId);
        },
      });
      await screen.findByRole('button', { name: 'Try again' });
      expect(screen.queryByText(/^Offer sent/)).toBeNull();
      fails = false;
      await press('Try again');
      expect(await screen.findByText('Offer sent: €300')).toBeTruthy();
    });

    it('stays in the sheet with the selected days when its withdrawal fails', async () => {
      show({
        'offers.withdraw': () => {
          throw new Error('network');
        },
      });
      await press('Withdraw offers');
      fireEvent.click(screen.getByRole('checkbox', { name: /5.Dec/ }));
      await press('Withdraw for 2 shifts');
      expect(await screen.findByRole('alert')).toBeTruthy();
      expect(screen.getByRole('button', { name: 'Withdraw for 2 shifts' })).toBeTruthy();
    });

    it('is withdrawn for the selected days', async () => {
      const { api } = show();
      await press('Withdraw offers');
      fireEvent.click(screen.getByRole('checkbox', { name: /5.Dec/ }));
      expect(screen.getByText(/€400 goes back to your balance/)).toBeTruthy();
      await press('Withdraw for 2 shifts');
      await waitFor(() => expect(api.calls('offers.withdraw')).toHaveLength(1));
      expect(api.inputs('offers.withdraw')).toMatchObject([
        { offerId: ids[0], keepsApplicant: false, alsoFor: [{ offerId: ids[2], version: 3 }] },
      ]);
    });
  });

  it('is withdrawn with or without its applicant', async () => {
    const { api } = open();
    await press('Withdraw offer');
    await press('Withdraw, keep as applicant');
    await waitFor(() => expect(api.calls('offers.withdraw')).toHaveLength(1));
    expect(api.inputs('offers.withdraw')).toMatchObject([{ version: 3, keepsApplicant: true }]);
  });

  it('ends only with its application if there was no earlier stage', async () => {
    const { api } = open({ source: 'rebook' });
    await press('Withdraw offer');
    expect(screen.queryByRole('button', { name: 'Change offer' })).toBeNull();
    expect(await screen.findByText(/is notified and the application closes/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Withdraw, keep as applicant' })).toBeNull();
    await press('Close');
    expect(api.calls('offers.withdraw')).toHaveLength(0);
  });
});
