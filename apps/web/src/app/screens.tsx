import { type ComponentType, lazy } from 'react';

type ScreenModule = { default: ComponentType };

/** Every screen there is, by file. A path whose file does not exist yet shows the planned screen. */
const files = import.meta.glob<ScreenModule>(['../features/*/*.screen.tsx', './*.screen.tsx']);

const screens = new Map<string, ComponentType>();
for (const [path, load] of Object.entries(files)) {
  screens.set(path.replace(/^.*\/|\.screen\.tsx$/g, ''), lazy(load));
}

/** The component of a screen, loaded when it is first opened. */
export function screenOf(name: string): ComponentType {
  const screen = screens.get(name) ?? screens.get('planned');
  if (!screen) throw new Error(`There is no screen ${name}`);
  return screen;
}

export const screenNames = (): string[] => [...screens.keys()];
