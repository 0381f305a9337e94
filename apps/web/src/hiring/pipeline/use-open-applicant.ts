import type { Applicant } from '@nearhand/contract/hiring/applicants';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { canGoBack } from '../../lib/pages/go-back.ts';
import { useApplicant, useViewApplication } from '../applicants/applicants.api.ts';
import { workerPath } from '../applicants/card-menu.tsx';

/**
 * Which applicant is open next to the lanes. It is in the address (`?applicant=`, as in a notice), so that Back closes the applicant
 * before it leaves the board. Opening is what marks an application as viewed, never merely listing it: the worker sees it in their
 * timeline (ADR 24). On a phone it is a page of its own.
 */
export function useOpenApplicant(wide: boolean, path: string) {
  const navigate = useNavigate();
  const { search } = useLocation();
  const askedId = new URLSearchParams(search).get('applicant');
  const [followed, setFollowed] = useState(askedId);
  const [openId, setOpenId] = useState(followed);
  if (askedId !== followed) {
    setFollowed(askedId);
    setOpenId(askedId);
  }
  /** Whether Back leads to the board without an applicant. */
  const opened = useRef(false);
  useEffect(() => {
    if (openId === null) opened.current = false;
  }, [openId]);
  const [openedApplicant, setOpenedApplicant] = useState<Applicant | undefined>();
  const query = useApplicant(openId, openedApplicant?.id === openId ? openedApplicant : undefined);
  const applicant = openId ? (query.data ?? null) : null;
  const { mutate } = useViewApplication();
  const notifiedId = useRef<string | null>(null);
  useEffect(() => {
    if (!applicant || query.isPlaceholderData) return;
    if (!wide) {
      navigate(workerPath(applicant), { replace: true });
      return;
    }
    if (notifiedId.current === applicant.id || applicant.viewedAt !== null) return;
    if (!applicant.actions.includes('view')) return;
    notifiedId.current = applicant.id;
    mutate({ applicationId: applicant.id });
  }, [applicant, query.isPlaceholderData, wide, mutate, navigate]);
  return {
    openId,
    applicant,
    open: (applicant: Applicant) => {
      setOpenedApplicant(applicant);
      setOpenId(applicant.id);
      const address = `${path}?applicant=${applicant.id}`;
      if (openId === null) {
        opened.current = true;
        navigate(address);
      } else navigate(address, { replace: true });
    },
    close: () => {
      if (opened.current && canGoBack()) navigate(-1);
      else navigate(path, { replace: true });
    },
  };
}
