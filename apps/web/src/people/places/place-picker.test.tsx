import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { apiQuery } from '../../lib/api/api.ts';
import { queryClient } from '../../lib/api/query.ts';
import type { FoundPlace } from './gazetteer.ts';
import PlacePicker from './place-picker.tsx';

configure({ asyncUtilTimeout: 10_000 });

const search = vi.hoisted(() => vi.fn());
vi.mock('./gazetteer-source.ts', () => ({
  searchPlaces: search,
  nameOfPoint: async () => 'De Pijp, Amsterdam',
}));

const map = vi.hoisted(() => ({ credits: [] as object[] | null }));
/** The real engine needs WebGL. */
vi.mock('./map/map-engine.ts', () => ({
  MapEngine: class {
    constructor(_: Element, { onStreets }: { onStreets: (credits: object[] | null) => void }) {
      queueMicrotask(() => onStreets(map.credits));
    }
    camera() {}
    keepClear() {}
    measureAs() {}
    setPins() {}
    remove() {}
  },
}));

const place = (label: string): FoundPlace => ({
  label,
  name: label,
  lat: 52.37,
  lng: label.length,
  country: 'Netherlands',
  near: null,
  quarter: false,
  population: 1_000,
});

const onPick = vi.fn();
const onClose = vi.fn();
type Position = Parameters<Geolocation['getCurrentPosition']>;
let getCurrentPosition: (...args: Position) => void;

function show(props: { precise?: boolean; firstSearch?: string } = {}) {
  return render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <PlacePicker open onClose={onClose} onPick={onPick} title="Where" {...props} />
      </QueryClientProvider>
    </I18nProvider>,
  );
}

beforeAll(() => {
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  // happy-dom has no modal dialogs.
  HTMLDialogElement.prototype.showModal ??= function showModal(this: HTMLDialogElement) {
    this.setAttribute('open', '');
  };
});
beforeEach(() => {
  vi.clearAllMocks();
  queryClient.setQueryData(apiQuery.places.mapSettings.queryOptions().queryKey, {
    styleUrl: null,
    tiles: null,
    addressSearch: false,
    travelTimes: false,
    start: { lat: 52.37, lng: 4.89, label: 'Amsterdam' },
  });
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('navigator', {
    ...navigator,
    languages: ['en-IE'],
    geolocation: { getCurrentPosition: (...args: Position) => getCurrentPosition(...args) },
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('PlacePicker', () => {
  it("shows that postcodes aren't supported without a geocoder", async () => {
    search.mockResolvedValue([]);
    show();
    fireEvent.change(screen.getByRole('combobox'), { target: { value: '1012 AB' } });
    expect(await screen.findByText(/^Streets and postcodes can't be looked up here/)).toBeTruthy();
    fireEvent.change(screen.getByRole('combobox'), { target: { value: 'Prinsengracht 12' } });
    expect(await screen.findByText(/^Streets and postcodes can't be looked up here/)).toBeTruthy();
  });

  it.each([
    ['the search field where there is a mouse', true, 'combobox'],
    ['no field on a phone, where the keyboard would cover the list', false, undefined],
  ] as const)('opens with the focus on %s', (_, mouse, role) => {
    vi.stubGlobal('matchMedia', () => ({ matches: mouse }));
    show();
    expect(document.activeElement?.getAttribute('role') ?? undefined).toBe(role);
  });

  it('searches while typing, and supports the arrow keys and Enter', async () => {
    search.mockResolvedValue([place('Haarlem'), place('Haarlemmermeer')]);
    show();
    const field = screen.getByRole('combobox', { name: 'Town or neighbourhood' });
    fireEvent.change(field, { target: { value: 'haar' } });
    expect(await screen.findAllByRole('option')).toHaveLength(2);
    fireEvent.keyDown(field, { key: 'ArrowDown' });
    expect(screen.getAllByRole('option')[1]?.getAttribute('aria-selected')).toBe('true');
    fireEvent.keyDown(field, { key: 'Enter' });
    expect(onPick).toHaveBeenCalledWith(
      expect.objectContaining({ label: 'Haarlemmermeer', source: 'chosen' }),
    );
    expect(onClose).toHaveBeenCalled();
  });

  it('searches at first for the address in the form', async () => {
    search.mockResolvedValue([place('Haarlem')]);
    show({ firstSearch: 'Haarlem' });
    expect(await screen.findAllByRole('option')).toHaveLength(1);
    expect(search).toHaveBeenCalledWith('Haarlem', null);
  });

  it('asks for the exact spot when an address is required and only a town was found', async () => {
    search.mockResolvedValue([place('Haarlem')]);
    show({ precise: true });
    const field = screen.getByRole('combobox', { name: 'Town or neighbourhood' });
    fireEvent.change(field, { target: { value: 'haar' } });
    await screen.findByRole('option');
    fireEvent.keyDown(field, { key: 'Enter' });
    expect(await screen.findByText(/^Move the map until the pin is in the right place/)).toBeTruthy();
    expect(onPick).not.toHaveBeenCalled();
    expect(onClose).not.toHaveBeenCalled();
  });

  it('says where the pin of an address is on a map without streets', async () => {
    map.credits = null;
    search.mockResolvedValue([place('Haarlem')]);
    show({ precise: true, firstSearch: 'Haarlem' });
    fireEvent.click(await screen.findByRole('option'));
    expect(await screen.findByText(/The pin is in De Pijp, Amsterdam, which is close enough/)).toBeTruthy();
  });

  it('reports that no place was found, and that the list failed to load', async () => {
    search.mockResolvedValue([]);
    show();
    const field = screen.getByRole('combobox', { name: 'Town or neighbourhood' });
    fireEvent.change(field, { target: { value: 'xyzzy' } });
    expect(await screen.findByText(/No place found for “xyzzy”/)).toBeTruthy();
    search.mockRejectedValue(new Error('offline'));
    fireEvent.change(field, { target: { value: 'xyzz' } });
    expect(await screen.findByText(/couldn.t load/)).toBeTruthy();
  });

  it("uses the device's location and names it", async () => {
    getCurrentPosition = (onPosition) =>
      onPosition({ coords: { latitude: 52.355, longitude: 4.894, accuracy: 20 } } as GeolocationPosition);
    show();
    fireEvent.click(screen.getByRole('button', { name: 'Use my location' }));
    await waitFor(() =>
      expect(onPick).toHaveBeenCalledWith({
        lat: 52.355,
        lng: 4.894,
        label: 'De Pijp, Amsterdam',
        source: 'device',
      }),
    );
  });

  it.each([
    [1, /blocks your location/],
    [2, /can't find its location/],
    [3, /took too long/],
  ])('explains problem %i and still offers the search', async (code, words) => {
    getCurrentPosition = (_found, failed) => failed?.({ code } as GeolocationPositionError);
    show();
    fireEvent.click(screen.getByRole('button', { name: 'Use my location' }));
    expect(await screen.findByText(words)).toBeTruthy();
    expect(screen.getByRole('combobox')).toBeTruthy();
    expect(onPick).not.toHaveBeenCalled();
  });
});
