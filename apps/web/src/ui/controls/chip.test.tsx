import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Chip, Chips } from './chip.tsx';

const scrolled = vi.fn();
const measured = vi.spyOn(Element.prototype, 'getBoundingClientRect');
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
const row = (chosenLabel: string, count = '') => (
  <Chips label="Show">
    {names.map((name) => (
      <Chip key={name} pressed={name === chosenLabel} onClick={() => {}}>
        {name}
        {count}
      </Chip>
    ))}
  </Chips>
);

describe('a row of chips', () => {
  it('scrolls the selected one into view, once per selection', () => {
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

  it("allows scrolling while the selected one's count changes", () => {
    laidOut(0);
    const { rerender } = render(row('Filled', ' 2'));
    rerender(row('Filled', ' 3'));
    expect(scrolled).toHaveBeenCalledTimes(1);
  });

  it('stays while the selected one is in view, or there is none', () => {
    laidOut(0);
    render(row('Open'));
    render(row(''));
    expect(scrolled).not.toHaveBeenCalled();
  });
});
