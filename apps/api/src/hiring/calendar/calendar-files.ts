import type { ErrorCode } from '@nearhand/contract/errors';
import { id } from '@nearhand/contract/operation';
import { languageOfAccount } from '../../people/account-settings/account-settings.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import { requireAccess } from '../../platform/http/access.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { PlainRoutes } from '../../platform/http/server.ts';
import { sha256 } from '../../platform/sign.ts';
import { viewEngagement } from '../../work/engagements/engagement-views.ts';
import { getInterview } from '../interviews/interview-views.ts';
import { interviewEvent, workEvent } from './calendar.ts';
import { readCalendarFeed } from './calendar-feeds.ts';
import { icsText } from './ics.rules.ts';

/**
 * The calendar file of an interview, for both sides.
 * @throws interview/not-found, interview/wrong-state
 */
async function interviewFile(db: Db, scope: Scope, interviewId: string): Promise<string> {
  const interview = await getInterview(db, scope, { interviewId });
  const { startsAt, endsAt, status } = interview;
  if (startsAt === null || endsAt === null) throw new AppError('interview/wrong-state', { status });
  const language = await languageOfAccount(db, scope.actor.accountId);
  const event = interviewEvent(
    {
      ...interview,
      businessName: interview.business.name,
      workerName: interview.worker.name,
      startsAt: new Date(startsAt),
      endsAt: new Date(endsAt),
      stamp: stampOf(interview.steps),
    },
    scope.config.PUBLIC_URL,
    language,
  );
  return icsText([event], null, language);
}

/**
 * The calendar file of an engagement, for both sides.
 * @throws engagement/not-found, engagement/wrong-state
 */
async function engagementFile(db: Db, scope: Scope, engagementId: string): Promise<string> {
  const engagement = await viewEngagement(db, scope, engagementId);
  const event = workEvent(
    {
      ...engagement,
      businessName: engagement.business.name,
      workerName: engagement.worker.name,
      stamp: stampOf(engagement.steps),
    },
    scope.config.PUBLIC_URL,
  );
  if (!event) throw new AppError('engagement/wrong-state', { status: engagement.status });
  return icsText([event], null, await languageOfAccount(db, scope.actor.accountId));
}

const stampOf = (steps: readonly { at: string }[]): Date => new Date(steps.at(-1)?.at ?? 0);

const mediaType = 'text/calendar; charset=utf-8';

/** Outside the contract because calendar files are not JSON; a subscription needs no session. */
export const registerCalendarFiles: PlainRoutes = (api, { db, scopeOf, limitReads }) => {
  const fileOf = (
    source: 'interviews' | 'engagements',
    missing: ErrorCode,
    make: (db: Db, scope: Scope, id: string) => Promise<string>,
  ) =>
    api.get<{ Params: { id: string } }>(
      `/${source}/:id/calendar.ics`,
      { onRequest: limitReads },
      async (request, reply) => {
        const scope = scopeOf(request);
        requireAccess({ access: 'verified', errors: [] }, 'GET', scope.actor, {});
        const parsedId = id.safeParse(request.params.id);
        if (!parsedId.success) throw new AppError(missing);
        const text = await make(db, scope as Scope, parsedId.data);
        return reply
          .header('content-type', mediaType)
          .header('content-disposition', `attachment; filename="${source.slice(0, -1)}.ics"`)
          .header('cache-control', 'private, no-store')
          .send(text);
      },
    );
  fileOf('interviews', 'interview/not-found', interviewFile);
  fileOf('engagements', 'engagement/not-found', engagementFile);

  api.get<{ Params: { secret: string } }>(
    '/calendar/:secret([A-Za-z0-9_-]+).ics',
    { onRequest: limitReads, config: { secretPath: true } },
    async (request, reply) => {
      const text = await readCalendarFeed(db, scopeOf(request), request.params.secret);
      const tag = `W/"${sha256(text).slice(0, 27)}"`;
      reply
        .header('etag', tag)
        .header('cache-control', 'private, no-store')
        .header('referrer-policy', 'no-referrer');
      if (request.headers['if-none-match'] === tag) return reply.code(304).send();
      return reply
        .header('content-type', mediaType)
        .header('content-disposition', 'inline; filename="nearhand.ics"')
        .header('x-robots-tag', 'noindex')
        .send(text);
    },
  );
};
