import { useIonRouter } from '@ionic/react';
import type { Applicant } from '@nearhand/contract/applications';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useApplicant, useViewApplication } from '../applications/applicants.api.ts';
import { workerPath } from './card-menu.tsx';

/**
 * Which applicant is open beside the lanes. The address says it (`?applicant=`, as in a notice), so that Back closes the applicant before it leaves the
 * board. Opening is what marks an application as seen, never merely showing it in a list: the worker reads it in their timeline (ADR 0024). On a phone the
 * one asked for is a page of its own.
 */
export function useOpenApplicant(wide: boolean, path: string) {
  const router = useIonRouter();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const asked = new URLSearchParams(search).get('applicant');
  const [followed, setFollowed] = useState(pathname === path ? asked : null);
  const [openId, setOpenId] = useState(followed);
  // Under another page it stays as it was.
  if (pathname === path && asked !== followed) {
    setFollowed(asked);
    setOpenId(asked);
  }
  /** Whether Back leads to the board with nobody open. */
  const opened = useRef(false);
  useEffect(() => {
    if (openId === null) opened.current = false;
  }, [openId]);
  const [known, setKnown] = useState<Applicant | undefined>();
  const query = useApplicant(openId, known?.id === openId ? known : undefined);
  const applicant = openId ? (query.data ?? null) : null;
  const { mutate } = useViewApplication();
  const told = useRef<string | null>(null);
  useEffect(() => {
    if (!applicant || query.isPlaceholderData) return;
    if (!wide) {
      router.push(workerPath(applicant), 'none', 'replace');
      return;
    }
    if (told.current === applicant.id || applicant.viewedAt !== null) return;
    if (!applicant.actions.includes('view')) return;
    told.current = applicant.id;
    mutate({ applicationId: applicant.id });
  }, [applicant, query.isPlaceholderData, wide, mutate, router]);
  return {
    openId,
    applicant,
    open: (one: Applicant) => {
      setKnown(one);
      setOpenId(one.id);
      const address = `${path}?applicant=${one.id}`;
      if (openId === null) {
        opened.current = true;
        navigate(address);
        // Past the router: Ionic forgets where Back leads when a page replaces itself.
      } else globalThis.history.replaceState(globalThis.history.state, '', address);
    },
    close: () => {
      if (opened.current && router.canGoBack()) router.goBack();
      else navigate(path, { replace: true });
    },
  };
}
