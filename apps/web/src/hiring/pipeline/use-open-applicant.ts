import type { Applicant } from '@nearhand/contract/hiring/applicants';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { historyIndex } from '../../lib/pages/go-back.ts';
import { useApplicant, useViewApplication } from '../applicants/applicants.api.ts';
import { workerPath } from '../applicants/card-menu.tsx';

/**
 * The open applicant, in the address so that Back closes it. Only opening marks the application as viewed
 * (ADR 34).
 */
export function useOpenApplicant(wide: boolean, path: string) {
  const navigate = useNavigate();
  const { search } = useLocation();
  const askedId = new URLSearchParams(search).get('applicant');
  const addressWith = (id: string | null) => {
    // The router does not know the query that `useAddressState` writes.
    const params = new URLSearchParams(globalThis.location.search);
    params.delete('applicant');
    if (id !== null) params.set('applicant', id);
    return params.size > 0 ? `${path}?${params}` : path;
  };
  const [followed, setFollowed] = useState(askedId);
  const [openId, setOpenId] = useState(followed);
  if (askedId !== followed) {
    setFollowed(askedId);
    setOpenId(askedId);
  }
  // The history entry that opening an applicant here added.
  const openedIndex = useRef<number | null>(null);
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
      const address = addressWith(applicant.id);
      if (openId === null) {
        openedIndex.current = (historyIndex() ?? 0) + 1;
        navigate(address);
      } else navigate(address, { replace: true });
    },
    close: () => {
      if (historyIndex() === openedIndex.current) navigate(-1);
      else navigate(addressWith(null), { replace: true });
    },
  };
}
