import { languageOfAccount } from '../../people/account-settings/account-settings.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { viewEngagement } from '../../work/engagements/engagement-views.ts';
import { getInterview } from '../interviews/interview-views.ts';
import { interviewEvent, workEvent } from './calendar.ts';
import { icsText } from './ics.rules.ts';

/** The calendar file of an interview, for both sides. @throws interview/not-found, interview/wrong-state */
export async function interviewFile(db: Db, scope: Scope, interviewId: string): Promise<string> {
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

/** The calendar file of an engagement, for both sides. @throws engagement/not-found, engagement/wrong-state */
export async function engagementFile(db: Db, scope: Scope, engagementId: string): Promise<string> {
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
