import { describe, expect, it } from 'vitest';
import { type MenuSide, routes } from '../routes.ts';
import { menu, sectionOf } from './navigation.ts';

describe('sectionOf', () => {
  it.each<[string, MenuSide, string]>([
    ['/chat', 'work', '/tabs/menu/messages'],
    ['/chat', 'hire', '/tabs/menu/messages'],
    ['/tabs/menu/messages', 'hire', '/tabs/menu/messages'],
    ['/listed-job', 'hire', '/tabs/menu/jobs'],
    ['/my-business', 'hire', '/tabs/menu/business'],
    ['/job-desc/j1', 'work', '/tabs/menu/explore'],
    ['/tabs/menu/my-work/a1', 'work', '/tabs/menu/my-work'],
    ['/job-applicants/j1', 'hire', '/all-job-applicants'],
    ['/tabs/menu/jobs/engagement/e1', 'hire', '/merchant-ongoing-jobs'],
    ['/interview', 'work', '/interview'],
    ['/interview', 'hire', '/to-interview'],
    ['/user-transaction', 'work', '/withdraw'],
    ['/favorite', 'work', '/favorite'],
    ['/notification-settings', 'hire', '/notifications'],
    ['/change-password', 'work', '/tabs/menu/account'],
  ])('%s on the side of %s belongs to %s', (path, side, section) => {
    expect(sectionOf(path, side)).toBe(section);
  });

  it('is null before the app and for unknown paths', () => {
    expect(sectionOf('/login', 'work')).toBeNull();
    expect(sectionOf('/nowhere', 'work')).toBeNull();
  });

  it('covers every screen of the app, including new ones', () => {
    const lost = routes.filter(
      ({ path, entry, screen, side }) =>
        !entry &&
        typeof screen === 'string' &&
        (side ? [side] : (Object.keys(menu) as MenuSide[])).some(
          (side) => sectionOf(sample(path), side) === null,
        ),
    );
    expect(lost.map(({ path }) => path)).toEqual([]);
  });
});

const sample = (path: string) => path.replace(/:[a-z]+/g, 'x1');
