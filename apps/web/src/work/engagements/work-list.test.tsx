import type { EngagementCard } from '@nearhand/contract/work/engagements';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../../test/render-part.tsx';
import { queryClient } from '../../lib/api/query.ts';
import { businessWorkText } from './business-work.labels.ts';
import { checkInOpensText, workHeadline } from './engagement.labels.ts';
import { engagementsOf, myEngagements, storeEngagement } from './engagements.api.ts';
import { sampleEngagement, sampleTerms, sampleWork } from './engagements.fixtures.ts';
import { SiteStrip } from './site-strip.tsx';
import { anyAwaitingAnswer, TodayCards, WorkCard, WorkToAnswer } from './work-list.tsx';

const now = new Date('2026-11-20T18:30:00Z');
beforeEach(() => {
  vi.useFakeTimers({ now, toFake: ['Date'] });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const deadline = {
  kind: 'auto-submit' as const,
  at: '2026-11-22T01:00:00Z',
  since: '2026-11-18T10:00:00Z',
  amountMinor: null,
};
const show = (items: readonly EngagementCard[]) =>
  renderPart(
    <>
      <TodayCards items={items} now={now} />
      <WorkToAnswer items={items} now={now} />
    </>,
  );

describe('work that asks whether one comes', () => {
  it('is answered where it leads the screen, and appears only there', () => {
    const tomorrow = sampleWork({ next: deadline });
    show([tomorrow]);
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Tomorrow');
    expect(screen.getByRole('button', { name: "Confirm I'll be there" })).toBeTruthy();
    expect(screen.queryByText("Confirm you'll be there")).toBeNull();
    expect(anyAwaitingAnswer([tomorrow], now)).toBe(false);
  });

  it('waits in the list while it is further away', () => {
    const later = sampleWork({
      next: deadline,
      terms: sampleTerms({ startsAt: '2026-11-22T05:00:00Z', endsAt: '2026-11-22T11:00:00Z' }),
    });
    show([later]);
    expect(screen.queryByRole('heading', { level: 2 })).toBeNull();
    expect(screen.getByRole('link', { name: /Confirm you'll be there.*Sun.22.Nov.*Jordaan/ })).toBeTruthy();
    expect(anyAwaitingAnswer([later], now)).toBe(true);
  });

  it('skips workers who have confirmed', () => {
    show([sampleWork({ status: 'confirmed', next: deadline, actions: ['cancel'] })]);
    expect(screen.queryByRole('button', { name: "Confirm I'll be there" })).toBeNull();
  });
});

describe('work that its worker did not confirm', () => {
  it.for([
    [true, 'Not confirmed', 'You didn’t confirm in time', 'Not confirmed'],
    [false, 'You cancelled', 'You cancelled', 'They cancelled'],
  ] as const)('differs from a cancellation: %s', ([unconfirmed, badge, title, label]) => {
    const work = sampleWork({ status: 'cancelled_by_worker', unconfirmed });
    renderPart(<WorkCard work={work} selected={false} onSelect={null} />);
    expect(screen.getByText(badge)).toBeTruthy();
    expect(workHeadline(work, now)).toBe(title);
    expect(businessWorkText(work).label).toBe(label);
  });
});

it("says whose figure a card's pay is", () => {
  const work = sampleWork({ status: 'counter_proposed', funding: 'funded' });
  renderPart(<WorkCard work={work} selected={false} onSelect={null} />);
  expect(screen.getByText('secured for you')).toBeTruthy();
  cleanup();
  for (const [status, amountMinor, text] of [
    ['no_show_reported', 0, 'agreed'],
    ['given_away', 0, 'agreed'],
    ['cancelled_by_merchant', 3_500, 'as compensation'],
  ] as const) {
    renderPart(<WorkCard work={{ ...work, status, amountMinor }} selected={false} onSelect={null} />);
    expect(screen.getByText(text).parentElement?.textContent).toMatch(/^€[1-9]/);
    cleanup();
  }
  const more = { ...work, amountMinor: work.terms.payTotalMinor + 500 };
  renderPart(<WorkCard work={more} selected={false} onSelect={null} />);
  expect(screen.getByText('for the submitted hours')).toBeTruthy();
});

it.each([
  ['2026-11-21T05:00:00Z', /^Check-in opens today at 6.AM\.$/],
  ['2026-11-20T18:30:00Z', /^Check-in opens tomorrow at 6.AM\.$/],
  ['2026-11-18T18:30:00Z', /^Check-in opens Sat.+, 6.AM\.$/],
])('names the day on which check-in opens, at %s', (at, text) => {
  expect(checkInOpensText(new Date('2026-11-21T06:00:00Z'), 'UTC', new Date(at))).toMatch(text);
});

describe('SiteStrip', () => {
  const strip = (position: { lat: number; lng: number; accuracyM: number } | null) =>
    renderPart(<SiteStrip terms={sampleTerms()} position={position} canCheckIn={false} />).container;

  it("draws the way only with the worker's location", () => {
    expect(strip(null).querySelector('.site-line')).toBeNull();
    expect(screen.getByText(/Check in within/)).toBeTruthy();
    cleanup();
    expect(strip({ lat: 52.38, lng: 4.88, accuracyM: 10 }).querySelector('.site-you')).toBeTruthy();
  });
});

it('keeps a sent check-in in the lists, whose reads come later', () => {
  const card = sampleWork();
  const { queryKey } = myEngagements('live');
  queryClient.setQueryData(queryKey, {
    pages: [{ items: [card], nextCursor: null }],
    pageParams: [undefined],
  });
  storeEngagement(
    sampleEngagement({ status: 'checked_in', checkedInAt: '2026-11-21T07:00:00Z', version: 2 }),
  );
  expect(engagementsOf(queryClient.getQueryData(queryKey))).toEqual([
    { ...card, status: 'checked_in', checkedInAt: '2026-11-21T07:00:00Z', version: 2 },
  ]);
});
