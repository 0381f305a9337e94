import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Chip, Chips } from './chip.tsx';

const scrolled = vi.fn();
const measured = vi.spyOn(Element.prototype, 'getBoundingClientRect');
/** A phone of 300 px, and chips of 120 px side by side from `start` on. */
const laidOut = (start: number) =>
  measured.mockImplementation(function (this: Element) {
    const at = [...(this.parentElement?.children ?? [])].indexOf(this);
    const left = this.classList.contains('chip') ? start + at * 120 : 0;
    return new DOMRect(left, 0, this.classList.contains('chip') ? 120 : 300, 44);
  });

beforeEach(() => {
  Element.prototype.scrollBy = scrolled;
});
afterEach(() => {
  cleanup();
  measured.mockReset();
  scrolled.mockReset();
});

const names = ['All', 'Open', 'Paused', 'Filled'];
const row = (chosen: string, count = '') => (
  <Chips label="Show">
    {names.map((name) => (
      <Chip key={name} pressed={name === chosen} onClick={() => {}}>
        {name}
        {count}
      </Chip>
    ))}
  </Chips>
);

describe('a row of chips', () => {
  it('brings the chosen one into sight, once for each choice', () => {
    laidOut(0);
    const { rerender } = render(row('Filled'));
    expect(screen.getByRole('button', { pressed: true }).textContent).toBe('Filled');
    expect(scrolled.mock.calls).toEqual([[{ left: 220 }]]);
    rerender(row('Filled'));
    expect(scrolled).toHaveBeenCalledTimes(1);
    laidOut(-220);
    rerender(row('All'));
    expect(scrolled.mock.lastCall).toEqual([{ left: -260 }]);
  });

  it('lets one scroll on while the count in the chosen one changes', () => {
    laidOut(0);
    const { rerender } = render(row('Filled', ' 2'));
    rerender(row('Filled', ' 3'));
    expect(scrolled).toHaveBeenCalledTimes(1);
  });

  it('stays where it is while the chosen one is in sight, or none is', () => {
    laidOut(0);
    render(row('Open'));
    render(row(''));
    expect(scrolled).not.toHaveBeenCalled();
  });
});
