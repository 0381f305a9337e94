import { act, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { pauseChunks, useChunkedRender } from './chunked-render.ts';

function Part({ name, waits }: { name: number; waits: boolean }) {
  return <li>{useChunkedRender(waits) ? name : '…'}</li>;
}

const List = ({ names }: { names: readonly number[] }) => (
  <ul>
    {names.map((name, index) => (
      <Part key={name} name={name} waits={index >= 2} />
    ))}
  </ul>
);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const nextTurn = () => act(() => vi.advanceTimersToNextTimer());

it('draws the first parts at once, and a few of the others at a time', () => {
  const { container } = render(<List names={[0, 1, 2, 3, 4, 5, 6, 7, 8]} />);
  expect(container.textContent).toBe('01…………………');
  nextTurn();
  expect(container.textContent).toBe('012345………');
  nextTurn();
  expect(container.textContent).toBe('012345678');
  expect(vi.getTimerCount()).toBe(0);
});

it('keeps drawn parts, and drops parts removed before their turn', () => {
  const { container, rerender } = render(<List names={[0, 1, 2, 3]} />);
  nextTurn();
  rerender(<List names={[0, 1, 2, 3, 4, 5, 6, 7]} />);
  expect(container.textContent).toBe('0123…………');
  rerender(<List names={[3, 4, 5]} />);
  expect(container.textContent).toBe('3……');
  nextTurn();
  expect(container.textContent).toBe('345');
  expect(vi.getTimerCount()).toBe(0);
});

it('pauses while something covers the list', () => {
  const { container } = render(<List names={[0, 1, 2, 3, 4, 5, 6, 7, 8]} />);
  const uncover = pauseChunks();
  const uncoverAgain = pauseChunks();
  act(() => vi.runAllTimers());
  expect(container.textContent).toBe('01…………………');
  uncover();
  act(() => vi.runAllTimers());
  expect(container.textContent).toBe('01…………………');
  uncoverAgain();
  act(() => vi.runAllTimers());
  expect(container.textContent).toBe('012345678');
});

it('draws everything before printing', () => {
  const { container } = render(<List names={[0, 1, 2, 3, 4, 5, 6, 7, 8]} />);
  let printed = '';
  act(() => {
    window.dispatchEvent(new Event('beforeprint'));
    printed = container.textContent;
  });
  expect(printed).toBe('012345678');
});
