import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useMessageSwipe } from './use-swipe.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const acts = { swipe: vi.fn(), hold: vi.fn(), press: vi.fn() };

function Bubble() {
  return (
    <p {...useMessageSwipe(acts.swipe, acts.hold)}>
      <button type="button" onClick={acts.press}>
        a photo
      </button>
    </p>
  );
}

const finger = { pointerType: 'touch', pointerId: 1, clientX: 100, clientY: 100 };

it('opens the menu on a long press without pressing what is under the finger; the next press counts', () => {
  render(<Bubble />);
  const photo = screen.getByRole('button');
  fireEvent.pointerDown(photo, finger);
  act(() => void vi.advanceTimersByTime(500));
  expect(acts.hold).toHaveBeenCalledOnce();
  fireEvent.pointerUp(photo, finger);
  fireEvent.click(photo);
  expect(acts.press).not.toHaveBeenCalled();
  act(() => void vi.advanceTimersByTime(500));
  fireEvent.click(photo);
  expect(acts.press).toHaveBeenCalledOnce();
});

it('replies when pulled far enough, but not on a short pull or with a mouse', () => {
  render(<Bubble />);
  const photo = screen.getByRole('button');
  const pull = (px: number, pointerType: string) => {
    fireEvent.pointerDown(photo, { ...finger, pointerType });
    fireEvent.pointerMove(photo, { ...finger, pointerType, clientX: 100 + px });
    fireEvent.pointerUp(photo, { ...finger, pointerType, clientX: 100 + px });
  };
  pull(20, 'touch');
  pull(90, 'mouse');
  expect(acts.swipe).not.toHaveBeenCalled();
  pull(90, 'touch');
  pull(-90, 'touch');
  expect(acts.swipe).toHaveBeenCalledTimes(2);
});
