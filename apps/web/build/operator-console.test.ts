import { describe, expect, it } from 'vitest';
import { strangersInApp, strangersInConsole } from './operator-console.ts';

const root = '/town/apps/web';
const bundle = (...paths: string[]) => ({
  'assets/one.js': { type: 'chunk', moduleIds: paths.map((path) => `${root}/${path}`) },
  'assets/one.css': { type: 'asset' },
});
const shared = ['src/ui/card.tsx', 'src/lib/session.ts', '../../node_modules/react/index.js'];

describe('the bundles of the app and the console', () => {
  it('share styles, the API client and libraries', () => {
    expect(strangersInConsole(bundle(...shared, 'src/console/main.tsx'), root)).toEqual([]);
    expect(strangersInApp(bundle(...shared, 'src/app/main.tsx'), root)).toEqual([]);
  });

  it('share nothing else', () => {
    const app = ['app/main.tsx', 'hiring/jobs/jobs.api.ts', 'people/places/land.ts?url'];
    expect(strangersInConsole(bundle(...app.map((path) => `src/${path}`)), root)).toEqual([
      'app/main.tsx',
      'hiring/jobs/jobs.api.ts',
      'people/places/land.ts',
    ]);
    const console = ['src/console/main.tsx', 'src/generated/console-operations.json'];
    expect(strangersInApp(bundle(...console), root)).toEqual([
      'console/main.tsx',
      'generated/console-operations.json',
    ]);
  });
});
