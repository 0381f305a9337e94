import type { Applicant } from '@nearhand/contract/hiring/applicants';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useDrag } from '../../ui/pages/use-drag.ts';
import { swipeFarPx, useSwipe } from '../../ui/pages/use-swipe.ts';
import { sampleApplicant } from '../pipeline/pipeline.fixtures.ts';
import { boardKey } from '../pipeline/use-keys.ts';
import { allStages, type DropTarget, dropMove, mainMove } from './stage.labels.ts';

afterEach(cleanup);

const leila = sampleApplicant({ stage: 'new', actions: ['shortlist'] });

function Row(props: { forward: (() => void) | null; back: (() => void) | null }) {
  return <div data-testid="row" {...useSwipe(props)} />;
}

type BoardProps = { onDrop: (applicant: Applicant, target: DropTarget) => void; isRefused?: () => boolean };

function Board({ onDrop, isRefused = () => false }: BoardProps) {
  const { grab, drag } = useDrag<Applicant, DropTarget>({
    onDrop: (applicant, target) => onDrop(applicant, target),
    mayDrop: (applicant, target) => dropMove(applicant, target) !== null,
    isRefused,
    scroller: '.lanes',
  });
  return (
    <div>
      <div data-testid="card" onPointerDown={(event) => grab(event, leila)} />
      <div data-testid="shortlisted" data-drop="shortlisted" />
      <div data-testid="offered" data-drop="offered" />
      <output>{drag ? (drag.over ?? 'nowhere') : 'none'}</output>
    </div>
  );
}

describe('drop targets for an applicant', () => {
  const targets: DropTarget[] = [...allStages, 'reject'];

  it('are empty when the server offers nothing, in any stage', () => {
    for (const stage of allStages)
      for (const target of targets) expect(dropMove({ stage, actions: [] }, target)).toBeNull();
    for (const stage of allStages) expect(mainMove({ stage, actions: [] })).toBeNull();
  });

  it("are the server's moves, never the current lane", () => {
    const fresh = sampleApplicant({ stage: 'new', actions: ['shortlist', 'offer', 'reject'] });
    expect(targets.filter((target) => dropMove(fresh, target))).toEqual([
      'shortlisted',
      'offered',
      'ended',
      'reject',
    ]);
    expect(mainMove(fresh)).toBe('shortlist');
    const shortlisted = sampleApplicant({ stage: 'shortlisted', actions: ['shortlist', 'unshortlist'] });
    expect(targets.filter((target) => dropMove(shortlisted, target))).toEqual(['new']);
  });
});

describe("the board's keys", () => {
  const plain = { ctrlKey: false, metaKey: false, altKey: false };
  const onCard = { typing: false, card: true, letters: true };

  it('navigate, open and move the focused card', () => {
    const said = ['j', 'K', 's', 'r', 'o', 'i', 'ArrowRight', 'Enter', ' '].map((key) =>
      boardKey({ key, ...plain }, onCard),
    );
    expect(said).toEqual([
      'next',
      'previous',
      'shortlist',
      'reject',
      'offer',
      'interview',
      'next-lane',
      'open',
      'select',
    ]);
  });

  it('ignore typing, browser shortcuts, and users who turned them off', () => {
    expect(boardKey({ key: 'r', ...plain }, { ...onCard, typing: true })).toBeNull();
    expect(boardKey({ key: 'r', ...plain, ctrlKey: true }, onCard)).toBeNull();
    expect(boardKey({ key: 'r', ...plain }, { ...onCard, letters: false })).toBeNull();
    expect(boardKey({ key: 'Enter', ...plain }, { ...onCard, card: false })).toBeNull();
    expect(boardKey({ key: 'Enter', ...plain }, { ...onCard, letters: false })).toBe('open');
  });
});

describe('swiping a row', () => {
  const pull = (byX: number, { pointerType = 'touch', byY = 0, fromX = 150, last = 'up' } = {}) => {
    const row = screen.getByTestId('row');
    const at = { pointerId: 1, pointerType, clientY: 100 };
    fireEvent.pointerDown(row, { ...at, clientX: fromX });
    fireEvent.pointerMove(row, { ...at, clientX: fromX + byX / 2, clientY: 100 + byY });
    fireEvent.pointerMove(row, { ...at, clientX: fromX + byX, clientY: 100 + byY });
    if (last === 'up') fireEvent.pointerUp(row, { ...at, clientX: fromX + byX });
    else fireEvent.pointerCancel(row, { ...at, clientX: fromX + byX });
  };

  it('runs one action to each side, past a threshold', () => {
    const forward = vi.fn();
    const back = vi.fn();
    render(<Row forward={forward} back={back} />);
    pull(swipeFarPx - 4);
    expect(forward).not.toHaveBeenCalled();
    pull(swipeFarPx + 4);
    expect(forward).toHaveBeenCalledOnce();
    pull(-swipeFarPx - 4);
    expect(back).toHaveBeenCalledOnce();
    expect(forward).toHaveBeenCalledOnce();
  });

  it('does nothing unavailable, while scrolling, by mouse, from the edge or when cancelled', () => {
    const forward = vi.fn();
    render(<Row forward={forward} back={null} />);
    pull(-300);
    pull(120, { byY: 80 });
    pull(120, { pointerType: 'mouse' });
    pull(120, { fromX: 10 });
    pull(120, { last: 'cancel' });
    expect(forward).not.toHaveBeenCalled();
    pull(120);
    expect(forward).toHaveBeenCalledOnce();
  });
});

describe('dragging a card', () => {
  let under: Element | null = null;
  beforeEach(() => {
    document.elementFromPoint = () => under;
  });

  const dragTo = (lane: string, pointerType = 'mouse') => {
    under = screen.getByTestId(lane);
    fireEvent.pointerDown(screen.getByTestId('card'), { button: 0, pointerType, clientX: 10, clientY: 10 });
    fireEvent.pointerMove(document, { clientX: 200, clientY: 40 });
  };
  const statusText = () => screen.getByRole('status').textContent;

  it('drops it where the server allows', () => {
    const onDrop = vi.fn();
    render(<Board onDrop={onDrop} />);
    dragTo('shortlisted');
    expect(statusText()).toBe('shortlisted');
    fireEvent.pointerUp(document, { clientX: 200, clientY: 40 });
    expect(onDrop).toHaveBeenCalledExactlyOnceWith(leila, 'shortlisted');
    expect(statusText()).toBe('none');
  });

  it('returns it elsewhere and on Escape, and leaves touch to scrolling', () => {
    const onDrop = vi.fn();
    render(<Board onDrop={onDrop} />);
    dragTo('offered');
    expect(statusText()).toBe('nowhere');
    fireEvent.pointerUp(document, { clientX: 200, clientY: 40 });
    dragTo('shortlisted');
    fireEvent.keyDown(document, { key: 'Escape' });
    fireEvent.pointerUp(document, { clientX: 200, clientY: 40 });
    dragTo('shortlisted', 'touch');
    fireEvent.pointerUp(document, { clientX: 200, clientY: 40 });
    expect(onDrop).not.toHaveBeenCalled();
    expect(statusText()).toBe('none');
  });

  it("lifts no card that can't move, and explains it once", () => {
    const onDrop = vi.fn();
    const isRefused = vi.fn(() => true);
    render(<Board onDrop={onDrop} isRefused={isRefused} />);
    dragTo('shortlisted');
    fireEvent.pointerMove(document, { clientX: 220, clientY: 40 });
    expect(statusText()).toBe('none');
    expect(document.querySelector('.ghost')).toBeNull();
    fireEvent.pointerUp(document, { clientX: 220, clientY: 40 });
    expect(onDrop).not.toHaveBeenCalled();
    expect(isRefused).toHaveBeenCalledOnce();
  });
});
