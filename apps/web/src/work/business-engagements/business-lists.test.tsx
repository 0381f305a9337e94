import type { Engagement } from '@nearhand/contract/work/engagements';
import { cleanup, renderHook, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../../test/render-part.tsx';
import { sampleEngagement, sampleTerms, sampleWork } from '../engagements/engagements.fixtures.ts';
import { ShiftList } from './business-shift-list.tsx';
import { BusinessWorkDetail } from './business-work-detail.tsx';
import { useFirstOpened } from './merchant-ongoing-jobs.screen.tsx';

afterEach(cleanup);

const now = new Date('2026-11-21T07:42:00Z');
const words = () => (document.body.textContent ?? '').replaceAll('\u00a0', ' ');
const list = (work: Parameters<typeof ShiftList>[0]['work']) =>
  renderPart(
    <ShiftList
      replacements={[]}
      work={work}
      now={now}
      openId={null}
      onOpen={null}
      onAct={vi.fn()}
      onCode={vi.fn()}
    />,
    { languages: ['en-US'] },
  );

describe('the list of who is on shift', () => {
  it("shows a task's day once, and a shift's hours under its day", () => {
    const task = sampleTerms({ kind: 'task', startsAt: null, endsAt: null, dueOn: '2026-11-27' });
    list([sampleWork({ status: 'in_progress', terms: task })]);
    expect(words().match(/Done by/g)).toHaveLength(1);
    cleanup();
    list([sampleWork()]);
    expect(screen.getByRole('heading', { level: 3 }).textContent).toMatch(/Weekend barista.*8\sAM/);
  });

  it("isolates a title's direction, so the line starts at the page's edge", () => {
    const { title } = sampleWork().terms;
    list([sampleWork()]);
    const heading = screen.getByRole('heading', { level: 3 });
    expect(heading.getAttribute('dir')).toBeNull();
    expect(heading.querySelector('bdi')?.textContent).toBe(title);
  });
});

describe('a no-show', () => {
  const noShow = { reportedAt: '2026-11-21T09:00:00Z', contestBy: '2026-11-22T09:00:00Z', contest: null };
  const show = (change: Partial<Engagement>, at: string) =>
    renderPart(
      <BusinessWorkDetail
        work={sampleEngagement({
          side: 'business',
          status: 'no_show_reported',
          funding: 'funded',
          noShow,
          actions: [],
          ...change,
        })}
      />,
      { session: 'business', now: at },
    );

  it('shows when the money returns, and suggests someone else', () => {
    show({}, '2026-11-21T10:00:00Z');
    expect(words()).toMatch(/can contest this until .*22 Nov/);
    expect(words()).toContain("If they don't, €118.80 goes back to your balance then.");
    expect(screen.getByText('No-show')).toBeTruthy();
    cleanup();
    show({}, '2026-11-23T10:00:00Z');
    expect(words()).toContain('€118.80 went back to your balance.');
    cleanup();
    const contest = 'I was there.';
    show({ status: 'contested', noShow: { ...noShow, contest } }, '2026-11-21T10:00:00Z');
    expect(words()).toContain('€118.80 stays set aside until Nearhand decides.');
  });

  it('that stands shows the money as returned, in its history too', () => {
    const step = { at: '2026-11-21T09:00:00Z', status: 'no_show_reported' as const, reason: '' };
    const reported = { ...step, action: 'report-no-show', by: 'business' as const };
    const settled = { funding: 'not_funded' as const, steps: [reported] };
    // A lost chargeback can take the money before the worker's time to contest is over.
    show(settled, '2026-11-21T10:00:00Z');
    expect(screen.queryByText('Money returned')).toBeNull();
    expect(words()).toMatch(/can contest this until/);
    cleanup();
    show(settled, '2026-11-23T10:00:00Z');
    expect(screen.getByText('Money returned')).toBeTruthy();
    expect(screen.queryByText('Not funded')).toBeNull();
    expect(words()).toContain('The no-show stands: €118.80 went back to your balance');
    cleanup();
    const upheld = { ...step, action: 'uphold', by: 'operator' as const };
    const contested = { ...settled, steps: [reported, upheld], noShow: { ...noShow, contest: 'I came.' } };
    show(contested, '2026-11-23T10:00:00Z');
    expect(words()).toMatch(/Nearhand decided: no-show confirmed.*€118\.80 went back to your balance/);
    expect(words()).not.toContain('The no-show stands');
  });
});

describe('who stands beside the list', () => {
  const first = sampleWork({ id: 'one' });
  const two = sampleWork({ id: 'two' });

  it('is the first, until another is selected; stays once that one left the list; then the first of another list', () => {
    const onOpen = vi.fn();
    const { rerender } = renderHook(({ of, work, open }) => useFirstOpened(of, work, open, onOpen), {
      initialProps: { of: 'due', work: [first, two], open: null as string | null },
    });
    expect(onOpen.mock.calls).toEqual([['one']]);
    rerender({ of: 'due', work: [first, two], open: 'two' });
    expect(onOpen).toHaveBeenCalledTimes(1);
    // The same person's next booking must not open in place of a cancelled one.
    rerender({ of: 'due', work: [first], open: 'two' });
    expect(onOpen.mock.calls).toEqual([['one']]);
    rerender({ of: 'ended', work: [two], open: 'three' });
    expect(onOpen.mock.calls).toEqual([['one'], ['two']]);
  });

  it('stays while a sheet is open, then is the first', () => {
    const onOpen = vi.fn();
    const sheet = document.body.appendChild(document.createElement('dialog'));
    sheet.setAttribute('open', '');
    const { unmount } = renderHook(() => useFirstOpened('due', [first], null, onOpen));
    expect(onOpen).not.toHaveBeenCalled();
    sheet.removeAttribute('open');
    sheet.dispatchEvent(new Event('close'));
    expect(onOpen.mock.calls).toEqual([['one']]);
    unmount();
    sheet.dispatchEvent(new Event('close'));
    expect(onOpen).toHaveBeenCalledTimes(1);
    sheet.remove();
  });

  it('is the one of the address at first, listed or not', () => {
    const onOpen = vi.fn();
    const { rerender } = renderHook(({ of, work }) => useFirstOpened(of, work, 'three', onOpen), {
      initialProps: { of: 'due', work: [] as (typeof first)[] },
    });
    rerender({ of: 'due', work: [first, two] });
    expect(onOpen).not.toHaveBeenCalled();
    rerender({ of: 'ended', work: [two] });
    expect(onOpen.mock.calls).toEqual([['two']]);
  });

  it('is nobody on a phone or in an empty list', () => {
    const onOpen = vi.fn();
    renderHook(() => useFirstOpened('due', [first], null, null));
    renderHook(() => useFirstOpened('due', [], null, onOpen));
    expect(onOpen).not.toHaveBeenCalled();
  });
});
