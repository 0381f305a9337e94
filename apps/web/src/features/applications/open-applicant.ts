import type { Applicant } from '@nearhand/contract/applications';
import { useState } from 'react';
import { useViewApplication } from './applications.api.ts';

/**
 * Which applicant is open. Opening is what marks an application as seen, never merely showing it in a list: the worker reads it in their
 * timeline.
 */
export function useOpenApplicant(applicants: readonly Applicant[]) {
  const [openId, setOpenId] = useState<string | null>(null);
  const view = useViewApplication();
  const open = (applicant: Applicant) => {
    setOpenId(applicant.id);
    if (applicant.actions.includes('view') && applicant.viewedAt === null)
      view.mutate({ applicationId: applicant.id });
  };
  return { openId, applicant: applicants.find((one) => one.id === openId) ?? null, open };
}
