import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { swipeFarPx, useSwipe } from '../../ui/use-swipe.ts';
import { sampleApplicant } from '../pipeline/pipeline.samples.ts';
import { useDrag } from '../pipeline/use-drag.ts';
import { boardKey } from '../pipeline/use-keys.ts';
import { allStages, type DropTarget, dropMove, mainMove } from './stage.words.ts';

afterEach(cleanup);

const leila = sampleApplicant({ stage: 'new', actions: ['shortlist'] });

function Row(props: { forward: (() => void) | null; back: (() => void) | null }) {
  return <div data-testid="row" {...useSwipe(props)} />;
}

function Board({ onDrop }: { onDrop: Parameters<typeof useDrag>[0] }) {
  const { grab, drag } = useDrag(onDrop);
  return (
    <div>
      <div data-testid="card" onPointerDown={(event) => grab(event, leila)} />
      <div data-testid="shortlisted" data-drop="shortlisted" />
      <div data-testid="offered" data-drop="offered" />
      <output>{drag ? (drag.over ?? 'nowhere') : 'none'}</output>
    </div>
  );
}

describe('where an applicant can be dropped', () => {
  const targets: DropTarget[] = [...allStages, 'reject'];

  it('is nowhere when the server offers nothing, whatever the stage', () => {
    for (const stage of allStages)
      for (const target of targets) expect(dropMove({ stage, actions: [] }, target)).toBeNull();
    for (const stage of allStages) expect(mainMove({ stage, actions: [] })).toBeNull();
  });

  it('is where the server offers the move, and never the lane they are in', () => {
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

describe('the keys of the board', () => {
  const plain = { ctrlKey: false, metaKey: false, altKey: false };
  const onCard = { typing: false, card: true, letters: true };

  it('walk, open and move the card under the focus', () => {
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

  it('leave alone who types, shortcuts of the browser, and who turned letters off', () => {
    expect(boardKey({ key: 'r', ...plain }, { ...onCard, typing: true })).toBeNull();
    expect(boardKey({ key: 'r', ...plain, ctrlKey: true }, onCard)).toBeNull();
    expect(boardKey({ key: 'r', ...plain }, { ...onCard, letters: false })).toBeNull();
    expect(boardKey({ key: 'Enter', ...plain }, { ...onCard, card: false })).toBeNull();
    expect(boardKey({ key: 'Enter', ...plain }, { ...onCard, letters: false })).toBe('open');
  });
});

describe('a row that is pulled with a finger', () => {
  const pull = (byX: number, { pointerType = 'touch', byY = 0, fromX = 150, last = 'up' } = {}) => {
    const row = screen.getByTestId('row');
    const at = { pointerId: 1, pointerType, clientY: 100 };
    fireEvent.pointerDown(row, { ...at, clientX: fromX });
    fireEvent.pointerMove(row, { ...at, clientX: fromX + byX / 2, clientY: 100 + byY });
    fireEvent.pointerMove(row, { ...at, clientX: fromX + byX, clientY: 100 + byY });
    if (last === 'up') fireEvent.pointerUp(row, { ...at, clientX: fromX + byX });
    else fireEvent.pointerCancel(row, { ...at, clientX: fromX + byX });
  };

  it('does one thing to one side and another to the other, when pulled far enough', () => {
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

  it('does nothing that is not offered, by scrolling, by a mouse, from the edge or when it is broken off', () => {
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

describe('a card that is dragged', () => {
  let under: Element | null = null;
  beforeEach(() => {
    document.elementFromPoint = () => under;
  });

  const dragTo = (lane: string, pointerType = 'mouse') => {
    under = screen.getByTestId(lane);
    fireEvent.pointerDown(screen.getByTestId('card'), { button: 0, pointerType, clientX: 10, clientY: 10 });
    fireEvent.pointerMove(document, { clientX: 200, clientY: 40 });
  };
  const notified = () => screen.getByRole('status').textContent;

  it('is dropped where the server lets it go', () => {
    const onDrop = vi.fn();
    render(<Board onDrop={onDrop} />);
    dragTo('shortlisted');
    expect(notified()).toBe('shortlisted');
    fireEvent.pointerUp(document, { clientX: 200, clientY: 40 });
    expect(onDrop).toHaveBeenCalledExactlyOnceWith(leila, 'shortlisted');
    expect(notified()).toBe('none');
  });

  it('goes back from elsewhere, on Escape, and is not taken by a finger, which scrolls', () => {
    const onDrop = vi.fn();
    render(<Board onDrop={onDrop} />);
    dragTo('offered');
    expect(notified()).toBe('nowhere');
    fireEvent.pointerUp(document, { clientX: 200, clientY: 40 });
    dragTo('shortlisted');
    fireEvent.keyDown(document, { key: 'Escape' });
    fireEvent.pointerUp(document, { clientX: 200, clientY: 40 });
    dragTo('shortlisted', 'touch');
    fireEvent.pointerUp(document, { clientX: 200, clientY: 40 });
    expect(onDrop).not.toHaveBeenCalled();
    expect(notified()).toBe('none');
  });
});
