import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import type { NotificationSettings } from '@nearhand/contract/talk/notification-settings';
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { SettingsQuiet } from './notification-settings.screen.tsx';
import { sampleSettings } from './settings.fixtures.ts';
import { applyChange, type SettingsChange } from './settings.rules.ts';
import { SettingsTopics } from './settings-topics.tsx';

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));
afterEach(cleanup);

const onChosen = vi.fn();
afterEach(() => onChosen.mockClear());

function Settings({ start }: { start: NotificationSettings }) {
  const [settings, setSettings] = useState(start);
  const onChoose = (change: SettingsChange) => {
    onChosen(change);
    setSettings((now) => applyChange(now, change));
  };
  return (
    <I18nProvider i18n={i18n}>
      <SettingsQuiet quiet={settings.quiet} onChoose={(quiet) => onChoose({ quiet })} />
      <SettingsTopics settings={settings} sides={['work']} onChoose={onChoose} />
    </I18nProvider>
  );
}
const show = (start = sampleSettings()) => render(<Settings start={start} />);
const ways = (name: string) => within(screen.getByRole('group', { name }));

describe('notification choices', () => {
  it('change a whole group, then one topic in it, and show that it is mixed', () => {
    show();
    fireEvent.click(ways('Applications').getByRole('checkbox', { name: 'Push' }));
    expect(onChosen).toHaveBeenLastCalledWith({
      topics: [
        { topic: 'application-viewed', channel: 'push', choice: 'off' },
        { topic: 'application-rejected', channel: 'push', choice: 'off' },
      ],
    });
    fireEvent.click(screen.getByRole('button', { name: /Choose for each of 2.*Applications/ }));
    fireEvent.click(ways('A business viewed your application').getByRole('checkbox', { name: 'Push' }));
    expect(ways('Applications').getByRole<HTMLInputElement>('checkbox', { name: 'Push' }).indeterminate).toBe(
      true,
    );
    fireEvent.click(ways('Applications').getByRole('checkbox', { name: 'Push' }));
    expect(onChosen).toHaveBeenLastCalledWith({
      topics: [{ topic: 'application-rejected', channel: 'push', choice: 'on' }],
    });
  });

  it('stay mixed when pressed offline', () => {
    show();
    fireEvent.click(screen.getByRole('button', { name: /Choose for each of 2.*Applications/ }));
    fireEvent.click(ways('A business viewed your application').getByRole('checkbox', { name: 'Push' }));
    onChosen.mockClear();
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    act(() => void window.dispatchEvent(new Event('offline')));
    const box = ways('Applications').getByRole<HTMLInputElement>('checkbox', { name: 'Push' });
    fireEvent.click(box);
    onLine.mockRestore();
    expect([box.indeterminate, box.checked]).toEqual([true, false]);
    expect(onChosen).not.toHaveBeenCalled();
  });

  it('can be daily by mail unless urgent', () => {
    show();
    const email = (group: string) => ways(group).getByRole<HTMLSelectElement>('combobox', { name: 'Email' });
    fireEvent.change(email('Applications'), { target: { value: 'daily' } });
    expect(email('Applications').value).toBe('daily');
    expect([...email('Offers').options].map(({ value }) => value)).toEqual(['on', 'off']);
  });

  it('show locked ones', () => {
    show();
    expect(ways('Money').getByRole<HTMLInputElement>('checkbox', { name: 'App' }).disabled).toBe(true);
    fireEvent.click(screen.getByRole('button', { name: /Choose for each of 2.*Money/ }));
    expect(screen.getByText('Always: App, Email')).toBeTruthy();
    expect(
      ways('A withdrawal failed').getByRole<HTMLSelectElement>('combobox', { name: 'Email' }).disabled,
    ).toBe(true);
  });
});

describe('quiet hours', () => {
  it('are saved at each valid change, except with equal ends', () => {
    show();
    fireEvent.change(screen.getByLabelText('From'), { target: { value: '23:30' } });
    expect(onChosen).toHaveBeenLastCalledWith({
      quiet: expect.objectContaining({ from: '23:30', to: '07:00' }),
    });
    onChosen.mockClear();
    fireEvent.change(screen.getByLabelText('To'), { target: { value: '23:30' } });
    expect(onChosen).not.toHaveBeenCalled();
    expect(screen.getByText('Choose an end time that differs from the start.')).toBeTruthy();
  });

  it('are turned off as a whole', () => {
    show();
    fireEvent.click(screen.getByRole('switch', { name: /Quiet hours/ }));
    expect(onChosen).toHaveBeenLastCalledWith({ quiet: expect.objectContaining({ on: false }) });
    expect(screen.queryByLabelText('From')).toBeNull();
  });
});
