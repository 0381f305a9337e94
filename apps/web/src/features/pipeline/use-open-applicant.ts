import { useIonRouter, useIonViewWillEnter } from '@ionic/react';
import type { Applicant } from '@nearhand/contract/applications';
import { useEffect, useRef, useState } from 'react';
import { useApplicant, useViewApplication } from '../applications/applicants.api.ts';
import { workerPath } from './card-menu.tsx';

const asked = (): string | null => new URLSearchParams(globalThis.location?.search).get('applicant');

/**
 * Which applicant is open beside the lanes; a notice may ask for one by `?applicant=`. Opening is what marks an application as seen, never merely
 * showing it in a list: the worker reads it in their timeline (ADR 0024). On a phone the one asked for is a page of its own.
 */
export function useOpenApplicant(wide: boolean) {
  const router = useIonRouter();
  const [openId, setOpenId] = useState<string | null>(asked);
  const [known, setKnown] = useState<Applicant | undefined>();
  useIonViewWillEnter(() => {
    const id = asked();
    if (id) setOpenId(id);
  });
  const query = useApplicant(openId, known?.id === openId ? known : undefined);
  const applicant = openId ? (query.data ?? null) : null;
  const { mutate } = useViewApplication();
  const told = useRef<string | null>(null);
  useEffect(() => {
    if (!applicant || query.isPlaceholderData) return;
    if (!wide) {
      setOpenId(null);
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
    },
    close: () => setOpenId(null),
  };
}
