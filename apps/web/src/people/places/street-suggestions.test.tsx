import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Handlers, refuse } from '../../../test/fake-api.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { field, later, type } from '../../../test/typing.ts';
import { AddressFields } from './address-fields.tsx';

type PickerProps = {
  movesPin: boolean;
  firstSearch: string;
  onPick: (place: { label: string; lat: number; lng: number }) => void;
};
const picker = vi.hoisted(() => ({ props: null as PickerProps | null }));
vi.mock('./place-picker.tsx', () => ({
  default: (props: PickerProps) => {
    picker.props = props;
    return null;
  },
}));

const settings = {
  styleUrl: null,
  tiles: null,
  addressSearch: true,
  travelTimes: false,
  start: { lat: 52.37, lng: 4.89, label: 'Amsterdam' },
};
const addressOf = (street: string) => ({
  label: street,
  detail: 'Amsterdam',
  address: street,
  area: 'De Pijp',
  postcode: '1073 BX',
  countryCode: 'NL',
  lat: 52.355,
  lng: 4.89,
  exact: true,
});
const street = 'Street and number';
const list = () => screen.queryByRole('list', { name: 'Matching addresses' });
const announced = () =>
  screen
    .getAllByRole('status')
    .map(({ textContent }) => textContent)
    .join('');

const changed = vi.fn();
function Form() {
  const [value, setValue] = useState({
    address: '',
    area: '',
    privateAddress: false,
    timeZone: '',
    point: null as { lat: number; lng: number } | null,
  });
  return (
    <AddressFields
      value={value}
      onChange={(part) => {
        changed(part);
        setValue((old) => ({ ...old, ...part }));
      }}
      errors={{}}
      idOf={(name) => `job-${name}`}
      pin={{ title: 'Where', help: 'The entrance.' }}
      privateHelp=""
    />
  );
}
const show = (handler: NonNullable<Handlers['places.addresses']>) =>
  renderPart(<Form />, { api: { 'places.mapSettings': settings, 'places.addresses': handler } });

beforeEach(() => changed.mockClear());
afterEach(cleanup);

describe('addresses while a street is typed', () => {
  it('announces them, and fills street, town and pin from the selected one', async () => {
    const { api } = show({ items: [addressOf('Albert Cuypstraat 67'), addressOf('Albert Cuypstraat 6')] });
    expect(announced()).toBe('');
    field(street).focus();
    type(street, 'Albert C');
    type(street, 'Albert Cuyp');
    await waitFor(() => expect(announced()).toBe('2 matching addresses below'));
    expect(api.inputs('places.addresses')).toMatchObject([{ q: 'Albert Cuyp', language: 'en' }]);
    const options = within(list() as HTMLElement).getAllByRole('button');
    expect(options.map((option) => option.textContent)).toEqual([
      'Albert Cuypstraat 67Amsterdam',
      'Albert Cuypstraat 6Amsterdam',
    ]);
    for (const option of options) expect(option.tabIndex).toBe(0);
    await act(async () => options[0]?.click());
    expect(changed).toHaveBeenLastCalledWith({
      address: 'Albert Cuypstraat 67',
      area: 'De Pijp',
      timeZone: '',
      point: { lat: 52.355, lng: 4.89 },
    });
    expect(list()).toBeNull();
    expect(announced()).toBe('');
    expect(document.activeElement).toBe(field(street));
  });

  it('closes with Escape, keeps the text and leaves a dialog around it open', async () => {
    show({ items: [addressOf('Albert Cuypstraat 67')] });
    type(street, 'Albert Cuyp');
    const option = await screen.findByRole('button', { name: /Albert Cuypstraat 67/ });
    option.focus();
    const escaped = vi.fn();
    document.addEventListener('keydown', escaped);
    fireEvent.keyDown(option, { key: 'Escape' });
    document.removeEventListener('keydown', escaped);
    expect(escaped).not.toHaveBeenCalled();
    expect(list()).toBeNull();
    expect(field(street).value).toBe('Albert Cuyp');
    expect(document.activeElement).toBe(field(street));
    type(street, 'Albert Cuypstraat 6');
    expect(await screen.findByRole('list', { name: 'Matching addresses' })).toBeDefined();
  });

  it.each<[string, () => { items: [] }]>([
    ['nothing is found', () => ({ items: [] })],
    [
      'the geocoder is down',
      () => {
        throw refuse('address-search/unavailable');
      },
    ],
  ])('shows no list when %s, and the field stays as typed', async (_, handler) => {
    const { api } = show(handler);
    type(street, 'Nowhere 12');
    await waitFor(() => expect(api.calls('places.addresses')).toHaveLength(1));
    await act(async () => {});
    expect(list()).toBeNull();
    expect(announced()).toBe('');
    expect(field(street).value).toBe('Nowhere 12');
  });

  it('ignores a slow response for outdated text', async () => {
    const slow = later<{ items: ReturnType<typeof addressOf>[] }>();
    show((input: { q: string }) =>
      input.q === 'Albert Cuyp' ? slow.answer : { items: [addressOf('Ferdinand Bolstraat 1')] },
    );
    type(street, 'Albert Cuyp');
    await act(() => new Promise((resume) => setTimeout(resume, 500)));
    type(street, 'Ferdinand Bol');
    await screen.findByRole('button', { name: /Ferdinand Bolstraat 1/ });
    await slow.give({ items: [addressOf('Albert Cuypstraat 67')] });
    expect(screen.queryByRole('button', { name: /Albert Cuypstraat/ })).toBeNull();
    expect(announced()).toBe('1 matching address below');
  });

  it('requests nothing without a geocoder', async () => {
    const { api } = renderPart(<Form />, {
      api: { 'places.mapSettings': { ...settings, addressSearch: false } },
    });
    type(street, 'Albert Cuyp');
    await act(() => new Promise((resume) => setTimeout(resume, 600)));
    expect(api.calls('places.addresses')).toHaveLength(0);
  });
});

it('opens the map at the pin after a street is typed, while only towns can be searched', async () => {
  renderPart(<Form />, { api: { 'places.mapSettings': { ...settings, addressSearch: false } } });
  type('Town or neighbourhood', 'De Pijp');
  fireEvent.click(screen.getByLabelText(/^Pin on the map/));
  await waitFor(() => expect(picker.props).toMatchObject({ movesPin: false, firstSearch: 'De Pijp' }));
  act(() => picker.props?.onPick({ label: 'De Pijp', lat: 52.35, lng: 4.89 }));
  type(street, 'Ferdinand Bolstraat 1');
  expect(picker.props).toMatchObject({ movesPin: true, firstSearch: '' });
  type('Town or neighbourhood', 'Haarlem');
  expect(picker.props).toMatchObject({ movesPin: false, firstSearch: 'Haarlem' });
});
