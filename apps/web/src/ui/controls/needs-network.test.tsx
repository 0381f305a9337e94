import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeAll, describe, expect, it, type MockInstance, vi } from 'vitest';
import { useSearchAvailability } from '../../lib/forms/search-availability.ts';
import { ListRow } from '../card.tsx';
import { Sheet } from '../overlays/sheet.tsx';
import { IconButton } from './button.tsx';
import { Chip, Chips } from './chip.tsx';
import { Switch } from './choices.tsx';
import { TextInput } from './inputs.tsx';
import { ReasonGroup, SharedReason } from './needs-network.tsx';
import { PickButton } from './pick-button.tsx';
import { PlainButton } from './plain-button.tsx';
import { Segmented } from './segmented.tsx';
import { Select } from './select.tsx';

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));
afterEach(() => {
  cleanup();
  onLine?.mockRestore();
});

let onLine: MockInstance<() => boolean> | undefined;
function setNetwork(there: boolean): void {
  onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(there);
  act(() => void window.dispatchEvent(new Event(there ? 'online' : 'offline')));
}
const show = (part: ReactNode) =>
  render(
    <I18nProvider i18n={i18n}>
      <MemoryRouter>{part}</MemoryRouter>
    </I18nProvider>,
  );
const descriptionOf = (control: HTMLElement) =>
  (control.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent)
    .join(' ');
const reasons = () => screen.queryAllByText('Needs a connection');
const run = vi.fn();
const options = [
  { value: 'a', label: 'First' },
  { value: 'b', label: 'Second' },
] as const;

const kinds: Record<string, [ReactNode, () => HTMLElement, (control: HTMLElement) => void]> = {
  'a switch': [
    <Switch key="1" label="Quiet" checked={false} needsNetwork onChange={run} />,
    () => screen.getByRole('switch', { name: 'Quiet' }),
    fireEvent.click,
  ],
  'a list': [
    <Select key="2" label="Sort" value="a" options={options} needsNetwork onChange={run} />,
    () => screen.getByRole('combobox', { name: 'Sort' }),
    (list) => fireEvent.change(list, { target: { value: 'b' } }),
  ],
  'a chip': [
    <Chip key="3" needsNetwork onClick={run}>
      New pool
    </Chip>,
    () => screen.getByRole('button', { name: 'New pool' }),
    fireEvent.click,
  ],
  'a round button': [
    <IconButton key="4" icon="trash" label="Delete note" needsNetwork onClick={run} />,
    () => screen.getByRole('button', { name: 'Delete note' }),
    fireEvent.click,
  ],
  'a row of a menu': [
    <ListRow key="5" title="Mute" note="It still counts as unread." needsNetwork onClick={run} />,
    () => screen.getByRole('button', { name: /^Mute/ }),
    fireEvent.click,
  ],
  'a link that does something': [
    <PlainButton key="6" className="link" needsNetwork onClick={run}>
      plan.pdf
    </PlainButton>,
    () => screen.getByRole('button', { name: 'plan.pdf' }),
    fireEvent.click,
  ],
};

describe.each(Object.entries(kinds))('without a network %s', (_, [part, find, use]) => {
  it('does nothing, shows why, keeps the focus, and works again with it', () => {
    run.mockClear();
    show(part);
    const control = find();
    control.focus();
    setNetwork(false);
    expect(find()).toBe(control);
    expect(document.activeElement).toBe(control);
    expect(control.getAttribute('aria-disabled')).toBe('true');
    expect(descriptionOf(control)).toContain('Needs a connection');
    use(control);
    expect(run).not.toHaveBeenCalled();
    setNetwork(true);
    expect(control.getAttribute('aria-disabled')).toBeNull();
    expect(descriptionOf(control)).not.toContain('Needs a connection');
    use(control);
    expect(run).toHaveBeenCalledTimes(1);
  });
});

it('a field whose changes run on the server is read-only without a network', () => {
  show(<TextInput label="From" help="In your time zone." defaultValue="22:00" needsNetwork />);
  setNetwork(false);
  const field = screen.getByLabelText<HTMLInputElement>('From');
  expect(field.readOnly).toBe(true);
  expect(descriptionOf(field)).toBe('In your time zone. Needs a connection');
  setNetwork(true);
  expect(field.readOnly).toBe(false);
});

it("a disabled list doesn't open, by mouse or by key", () => {
  show(<Select label="Sort" value="a" options={options} needsNetwork onChange={run} />);
  const list = screen.getByRole('combobox', { name: 'Sort' });
  expect(fireEvent.mouseDown(list)).toBe(true);
  setNetwork(false);
  expect(fireEvent.mouseDown(list)).toBe(false);
  expect(document.activeElement).toBe(list);
  expect([fireEvent.keyDown(list, { key: ' ' }), fireEvent.keyDown(list, { key: 'Tab' })]).toEqual([
    false,
    true,
  ]);
});

it('a row of a menu shows its reason instead of its note', () => {
  show(<ListRow title="Mute" note="It still counts as unread." needsNetwork onClick={run} />);
  expect(screen.queryByText('It still counts as unread.')).toBeTruthy();
  setNetwork(false);
  expect(screen.queryByText('It still counts as unread.')).toBeNull();
  expect(reasons()).toHaveLength(1);
});

describe('several controls', () => {
  it('share one reason, which disappears with the last of them', () => {
    show(
      <ReasonGroup>
        <SharedReason />
        <Switch label="Typing" checked needsNetwork onChange={run} />
        <Switch label="Read" checked needsNetwork onChange={run} />
        <Switch label="Theme" checked onChange={run} />
      </ReasonGroup>,
    );
    expect(reasons()).toHaveLength(0);
    setNetwork(false);
    expect(reasons()).toHaveLength(1);
    const described = ['Typing', 'Read', 'Theme'].map((name) =>
      descriptionOf(screen.getByRole('switch', { name })),
    );
    expect(described).toEqual(['Needs a connection', 'Needs a connection', '']);
    setNetwork(true);
    expect(reasons()).toHaveLength(0);
  });

  it('share it across groups in their group, and the page and its sheet have one each', () => {
    const sort = (
      <Segmented label="Sort" options={options} value="a" needsNetwork={() => true} onChange={run} />
    );
    show(
      <ReasonGroup>
        <SharedReason />
        <Switch label="Quiet" checked needsNetwork onChange={run} />
        <Sheet open onClose={run} title="Filters">
          <ReasonGroup>
            <SharedReason />
            {sort}
            <Chips label="Status">
              <Chip needsNetwork onClick={run}>
                Late
              </Chip>
            </Chips>
          </ReasonGroup>
        </Sheet>
      </ReasonGroup>,
    );
    setNetwork(false);
    const sheet = screen.getByRole('dialog');
    const [outside, inside, ...more] = reasons();
    expect(more).toEqual([]);
    expect([outside, inside].map((element) => sheet.contains(element ?? null))).toEqual([false, true]);
    expect(outside?.id).not.toBe(inside?.id);
    const described = ['Second', 'Late'].map((name) =>
      within(sheet).getByText(name).getAttribute('aria-describedby'),
    );
    expect(described).toEqual([inside?.id, inside?.id]);
    expect(screen.getByRole('switch', { hidden: true }).getAttribute('aria-describedby')).toContain(
      outside?.id,
    );
  });

  it('as chips show it once, and only if one of them is disabled', () => {
    const chips = (needsNetwork: boolean) => (
      <I18nProvider i18n={i18n}>
        <Chips label="Status">
          <Chip pressed onClick={run}>
            All
          </Chip>
          <Chip pressed={false} needsNetwork={needsNetwork} onClick={run}>
            Late
          </Chip>
          <Chip pressed={false} needsNetwork={needsNetwork} onClick={run}>
            Ended
          </Chip>
        </Chips>
      </I18nProvider>
    );
    const { rerender } = render(chips(true));
    setNetwork(false);
    expect(reasons()).toHaveLength(1);
    rerender(chips(false));
    expect(reasons()).toHaveLength(0);
  });

  it('as segments skip disabled ones with arrow keys', () => {
    run.mockClear();
    const three = [...options, { value: 'c', label: 'Third' }] as const;
    show(
      <Segmented
        label="Show"
        options={three}
        value="a"
        needsNetwork={(option) => option === 'b'}
        onChange={run}
      />,
    );
    setNetwork(false);
    const second = screen.getByRole('radio', { name: 'Second' });
    expect(descriptionOf(second)).toBe('Needs a connection');
    fireEvent.click(second);
    expect(run).not.toHaveBeenCalled();
    fireEvent.keyDown(screen.getByRole('radio', { name: 'First' }), { key: 'ArrowRight' });
    expect(run.mock.calls).toEqual([['c']]);
    setNetwork(true);
    fireEvent.keyDown(screen.getByRole('radio', { name: 'First' }), { key: 'ArrowRight' });
    expect(run.mock.calls).toEqual([['c'], ['b']]);
  });

  it('as choices of a sheet show it once, and the selected one is never disabled', () => {
    run.mockClear();
    show(<PickButton label="Sort" options={options} value="a" needsNetwork={() => true} onChange={run} />);
    setNetwork(false);
    fireEvent.click(screen.getByRole('button', { name: /^Sort/ }));
    expect(reasons()).toHaveLength(1);
    const [first, second] = ['First', 'Second'].map((name) => screen.getByRole('button', { name }));
    expect(first?.getAttribute('aria-disabled')).toBeNull();
    expect(descriptionOf(second as HTMLElement)).toBe('Needs a connection');
    fireEvent.click(second as HTMLElement);
    expect(run).not.toHaveBeenCalled();
  });
});

const Search = ({ words }: { words: string }) => (
  <input aria-label="Search" placeholder="Name" defaultValue={words} {...useSearchAvailability(words)} />
);

it('an empty search field shows that it needs the network instead of its placeholder, and one with text can be cleared', () => {
  const { unmount } = show(<Search words="" />);
  const field = () => screen.getByLabelText<HTMLInputElement>('Search');
  expect([field().placeholder, field().readOnly]).toEqual(['Name', false]);
  setNetwork(false);
  expect([field().placeholder, field().readOnly]).toEqual(['Needs a connection', true]);
  unmount();
  show(<Search words="bar" />);
  expect(field().readOnly).toBe(false);
});
