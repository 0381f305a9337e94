import { listNotifications, readNotifications } from '../talk/notifications/notifications.service.ts';
import type { TownPeople } from './seed-people.ts';
import type { Town } from './town/town.ts';

/** How many of their newest notices people have not read yet. */
const unread = { nadia: 6, others: 2 };

/** People have read their notices except the newest. */
export async function seedNotices(town: Town, people: TownPeople): Promise<void> {
  for (const person of [people.nadia, ...people.owners, ...people.workers]) {
    const scope = town.scopeOf(person.accountId, town.now);
    let keep = person === people.nadia ? unread.nadia : unread.others;
    for (let cursor: string | undefined; ; ) {
      const page = await listNotifications(town.tx, scope, {
        limit: 100,
        ...(cursor === undefined ? {} : { cursor }),
      });
      const unseen = page.items.filter(({ readAt }) => readAt === null);
      const ids = unseen.slice(keep).map(({ id }) => id);
      if (ids.length > 0) await readNotifications(town.tx, scope, { ids });
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
      keep = Math.max(0, keep - unseen.length);
    }
  }
}
