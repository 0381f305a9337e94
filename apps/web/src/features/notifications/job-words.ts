import { t } from '@lingui/core/macro';
import type { GroupWords } from './notice-facts.ts';

/** Jobs and the business itself. */
export const jobWords: GroupWords<'job' | 'business'> = {
  'job-changed': ({ business, job }) => ({
    icon: 'pencil-simple',
    title: t`${business} changed a job`,
    text: t`Read ${job} again; does it still suit you?`,
  }),
  'job-expiring': ({ job, expires }) => ({
    icon: 'clock',
    title: t`${job} is soon hidden`,
    ...(expires ? { text: t`It is open until ${expires}.` } : {}),
  }),
  'job-expired': ({ job }) => ({
    icon: 'calendar-x',
    title: t`${job} is no longer shown`,
    text: t`Its time ran out. You can open it again.`,
  }),
  'business-verified': ({ business }) => ({
    icon: 'seal-check',
    title: t`${business} is verified`,
    text: t`Your jobs now show it.`,
  }),
};
