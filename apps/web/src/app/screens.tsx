import type { ComponentType } from 'react';
import { lazyPart } from '../lib/load-part.ts';

type ScreenModule = { default: ComponentType };

/** Every screen there is, by file. A path without a file of its own shows the planned screen. */
const files = import.meta.glob<ScreenModule>(['../*/*/*.screen.tsx', './*.screen.tsx']);

const screens = new Map<string, ComponentType>();
const nameOf = (path: string): string => path.replace(/^.*\/|\.screen\.tsx$/g, '');
for (const [path, load] of Object.entries(files)) screens.set(nameOf(path), lazyPart(load));

/** The component of a screen, loaded when it is first opened. */
export function screenOf(name: string): ComponentType {
  const screen = screens.get(name) ?? screens.get('planned');
  if (!screen) throw new Error(`There is no screen ${name}`);
  return screen;
}

/** Loads screens ahead, when the browser has nothing else to do and the connection is not a spared one. */
export function loadAhead(names: readonly string[]): void {
  const connection = (navigator as { connection?: { saveData?: boolean } }).connection;
  if (connection?.saveData || typeof requestIdleCallback !== 'function') return;
  requestIdleCallback(() => {
    for (const [path, load] of Object.entries(files)) {
      // A failure shows when the screen is opened, not before.
      if (names.includes(nameOf(path))) load().catch(() => {});
    }
  });
}

export const screenNames = (): string[] => [...screens.keys()];
