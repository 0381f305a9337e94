import { existsSync, readFileSync } from 'node:fs';
import {
  applicantsPath,
  applicationPath,
  conversationPath,
  engagementPath,
  interviewPath,
  jobPath,
  joinTeamPath,
  ownerChangePath,
  savedWorkersPath,
  teamPath,
  ticketPath,
} from '@nearhand/contract/app-paths';
import { describe, expect, it } from 'vitest';
import { homePath } from '../lib/pages/next-path.ts';
import { recordPages } from '../trust/tickets/ticket-context.ts';
import { routeOf, routes, specRoutes } from './routes.ts';

const original = `${import.meta.dirname}/../../../../../shared/spec/routes.tsv`;

const ofMails = ['/join-team/:token', '/owner-change/:moveid'];
const extra = ['/find-workers', '/saved-workers', '/roster', '/working-now', '/giveaway', '/kiosk'];

describe('route table', () => {
  it.skipIf(!existsSync(original))("copies the specification's list", () => {
    const rows = readFileSync(original, 'utf8').trim().split('\n').slice(1);
    expect(specRoutes).toEqual(
      rows.map((row) => {
        const [path, guarded, actor] = row.split('\t');
        return [path, guarded === 'yes', actor];
      }),
    );
  });

  it('has every path of the specification with its guard and actor', () => {
    const table = routes
      .filter((route) => !route.path.startsWith('/tabs/') && ![...ofMails, ...extra].includes(route.path))
      .map((route) => [route.path, route.guarded, route.actor]);
    expect(table).toEqual(specRoutes.map((row) => [...row]));
  });

  it('adds only tabs under /tabs, targets of mails and named screens', () => {
    const specified = new Set<string>(specRoutes.map(([path]) => path));
    const unspecified = routes.filter((route) => !specified.has(route.path)).map((route) => route.path);
    expect(
      unspecified.every((path) => path.startsWith('/tabs/menu/') || [...ofMails, ...extra].includes(path)),
    ).toBe(true);
    expect(unspecified).toContain('/tabs/menu/explore');
    expect(unspecified).toContain('/tabs/menu/account');
  });

  it('names each screen after the first segment of its path', () => {
    for (const route of routes) {
      if (typeof route.screen !== 'string' || route.path.startsWith('/tabs/')) continue;
      expect(route.screen).toBe(route.path.split('/')[1]);
    }
  });

  it('has a screen for every link the server sends and every page that a request names', () => {
    const id = '019aa000-0000-7000-8000-000000000001';
    const paths = [
      jobPath(id),
      applicationPath(id),
      interviewPath(id),
      conversationPath(id),
      applicantsPath(id, null),
      applicantsPath(id, id),
      savedWorkersPath(null),
      savedWorkersPath(id),
      teamPath(id),
      joinTeamPath('x'.repeat(43)),
      ownerChangePath(id),
      applicantsPath(id, null),
      applicantsPath(id, id),
      ticketPath(id),
      engagementPath(id, 'worker'),
      engagementPath(id, 'business'),
      ...recordPages.map(([pathOf]) => pathOf(id)),
    ];
    for (const path of paths) expect(routeOf(path.split('?')[0] ?? '')?.screen, path).toBeTruthy();
  });

  it('finds the route of a path, and none for an unknown one', () => {
    expect(routeOf('/job-desc/019aa000-0000-7000-8000-000000000001')?.path).toBe('/job-desc/:jobid');
    expect(routeOf('/toc/')?.path).toBe('/toc');
    for (const path of ['/job-desc', '/job-desc/', '/job-desc/1/2', '/toc/1', '/TOC', '/nope', 'toc', '']) {
      expect(routeOf(path)).toBeUndefined();
    }
    expect(routeOf(homePath)).toBeDefined();
  });
});
