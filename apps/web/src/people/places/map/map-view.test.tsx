import { act, fireEvent, screen } from '@testing-library/react';
import { Activity } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../../../test/render-part.tsx';
import MapView from './map-view.tsx';

type Options = { camera?: unknown; centre: unknown; onFail: () => void; onSelect: (ids: string[]) => void };

/** Calls of the mocked engine; the real one needs WebGL. */
const { engines, Engine, broken } = vi.hoisted(() => {
  const calls: FakeEngine[] = [];
  const state = { isBroken: false };
  class FakeEngine {
    readonly options: Options;
    readonly asked: unknown[][] = [];
    removed = false;
    constructor(_element: HTMLElement, options: Options) {
      if (state.isBroken) throw new Error('WebGL is not there');
      this.options = options;
      calls.push(this);
    }
    #ask(...call: unknown[]): void {
      if (this.removed) throw new Error(`${call[0]} was asked of a map that is gone`);
      this.asked.push(call);
    }
    camera = () => ({ zoom: 12, seen: calls.indexOf(this) });
    look = (...call: unknown[]) => this.#ask('look', ...call);
    setPins = ({ pins }: { pins: { id: string }[] }) => this.#ask('pins', ...pins.map(({ id }) => id));
    measureAs = (...call: unknown[]) => this.#ask('measureAs', ...call);
    keepClear = (...call: unknown[]) => this.#ask('keepClear', ...call);
    zoom = (...call: unknown[]) => this.#ask('zoom', ...call);
    resize = () => this.#ask('resize');
    remove = () => {
      this.removed = true;
    };
  }
  return { engines: calls, Engine: FakeEngine, broken: state };
});
vi.mock('./map-engine.ts', () => ({ MapEngine: Engine }));

const amsterdam = { lat: 52.37, lng: 4.89 };
const utrecht = { lat: 52.09, lng: 5.12 };
const onSelect = vi.fn();
const pin = (id: string) => ({ id, lat: 52.3, lng: 4.9, label: '€18' }) as never;

const map = ({ shown: visible = true, centre = amsterdam, pins = ['a'], covered = 0 } = {}) => (
  <Activity mode={visible ? 'visible' : 'hidden'}>
    <MapView
      styleUrl={null}
      tiles={null}
      centre={centre}
      reachM={4_000}
      label="Jobs on a map"
      pins={pins.map(pin)}
      onSelect={onSelect}
      padding={{ bottom: covered }}
    >
      <p>Three jobs here</p>
    </MapView>
  </Activity>
);
const newest = () => engines.at(-1);
const excuse = () => screen.queryByText("This device can't show the map. The list has the same jobs.");

beforeEach(() => {
  engines.length = 0;
  broken.isBroken = false;
  onSelect.mockClear();
});

describe('a device that cannot draw the map', () => {
  it('falls back to the list, and keeps the controls over the map', () => {
    broken.isBroken = true;
    renderPart(map());
    expect(excuse()).not.toBeNull();
    expect(screen.getByText('Three jobs here')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Zoom in' })).toBeNull();
  });

  it('falls back when it loses the map later, and ignores new pins', () => {
    const { rerender } = renderPart(map());
    expect(excuse()).toBeNull();
    act(() => newest()?.options.onFail());
    expect(excuse()).not.toBeNull();
    rerender(map({ shown: false }));
    rerender(map({ pins: ['a', 'b'], centre: utrecht }));
    expect(engines).toHaveLength(1);
    expect(newest()?.removed).toBe(true);
  });
});

describe('the map of a page', () => {
  it('is released while the page is hidden, and returns unchanged with the newest pins', () => {
    const { rerender } = renderPart(map());
    rerender(map({ shown: false }));
    expect(newest()?.removed).toBe(true);
    rerender(map({ shown: false, pins: ['a', 'b'] }));
    rerender(map({ pins: ['a', 'b'] }));
    expect(engines).toHaveLength(2);
    expect(newest()?.options.camera).toEqual({ zoom: 12, seen: 0 });
    expect(newest()?.asked).toContainEqual(['pins', 'a', 'b']);
    expect(newest()?.asked.some(([what]) => what === 'look')).toBe(false);
  });

  it('moves when the place changed, even while the page was hidden', () => {
    const { rerender } = renderPart(map());
    rerender(map({ centre: { ...amsterdam } }));
    expect(newest()?.asked.some(([what]) => what === 'look')).toBe(false);
    rerender(map({ centre: utrecht }));
    expect(newest()?.asked).toContainEqual(['look', utrecht, 4_000]);
    rerender(map({ shown: false, centre: utrecht }));
    rerender(map({ shown: false, centre: amsterdam }));
    rerender(map({ centre: amsterdam }));
    expect(newest()?.asked).toContainEqual(['look', amsterdam, 4_000]);
  });

  it('learns what covers it before it shows the pins, and when that changes', () => {
    const { rerender } = renderPart(map({ covered: 40 }));
    expect(newest()?.asked.filter(([what]) => what === 'keepClear' || what === 'pins')).toEqual([
      ['keepClear', { top: 0, bottom: 40 }],
      ['pins', 'a'],
    ]);
    rerender(map({ covered: 230 }));
    expect(newest()?.asked).toContainEqual(['keepClear', { top: 0, bottom: 230 }]);
  });

  it('zooms by its buttons, passes on the selection, and is removed with the page', () => {
    const { unmount } = renderPart(map());
    fireEvent.click(screen.getByRole('button', { name: 'Zoom in' }));
    fireEvent.click(screen.getByRole('button', { name: 'Zoom out' }));
    expect(newest()?.asked.filter(([what]) => what === 'zoom')).toEqual([
      ['zoom', 1],
      ['zoom', -1],
    ]);
    act(() => newest()?.options.onSelect(['a']));
    expect(onSelect).toHaveBeenCalledExactlyOnceWith(['a']);
    unmount();
    expect(newest()?.removed).toBe(true);
  });
});
