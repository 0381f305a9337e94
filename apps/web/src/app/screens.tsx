import type { ComponentType } from 'react';
import { lazyPart } from '../lib/pages/load-part.ts';

type ScreenModule = { default: ComponentType };

const files = import.meta.glob<ScreenModule>(['../*/*/*.screen.tsx', './*.screen.tsx']);

const screens = new Map<string, ComponentType>();
const screenName = (path: string): string => path.replace(/^.*\/|\.screen\.tsx$/g, '');
for (const [path, load] of Object.entries(files)) screens.set(screenName(path), lazyPart(load));

export function screenOf(name: string): ComponentType {
  const screen = screens.get(name);
  if (!screen) throw new Error(`There is no screen ${name}`);
  return screen;
}

/** Loads a screen's code in advance. A failure is ignored, because opening the screen loads it again. */
export function preloadScreen(name: string): void {
  for (const [path, load] of Object.entries(files)) if (screenName(path) === name) load().catch(() => {});
}

export const screenNames = (): string[] => [...screens.keys()];
