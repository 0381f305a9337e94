import type { ComponentType } from 'react';
import { lazyPart, loadWhenIdle } from '../lib/pages/load-part.ts';

type ScreenModule = { default: ComponentType };

/** Every screen file; a test holds them against the paths. */
const files = import.meta.glob<ScreenModule>(['../*/*/*.screen.tsx', './*.screen.tsx']);

const screens = new Map<string, ComponentType>();
const nameOf = (path: string): string => path.replace(/^.*\/|\.screen\.tsx$/g, '');
for (const [path, load] of Object.entries(files)) screens.set(nameOf(path), lazyPart(load));

/** The component of a screen, loaded when it is first opened. */
export function screenOf(name: string): ComponentType {
  const screen = screens.get(name);
  if (!screen) throw new Error(`There is no screen ${name}`);
  return screen;
}

/** Preloads screens when the browser is idle, unless the connection saves data. */
export function loadAhead(names: readonly string[]): void {
  const connection = (navigator as { connection?: { saveData?: boolean } }).connection;
  if (connection?.saveData) return;
  for (const [path, load] of Object.entries(files)) if (names.includes(nameOf(path))) loadWhenIdle(load);
}

export const screenNames = (): string[] => [...screens.keys()];
