import { t } from '@lingui/core/macro';
import type { Applicant } from '@nearhand/contract/hiring/applicants';
import type { ApplicationStatus } from '@nearhand/contract/hiring/applications.rules';
import { type ReactNode, Suspense, useState } from 'react';
import { newsText } from '../../lib/api/news.labels.ts';
import { isOnline } from '../../lib/device/online.ts';
import { lazyPart } from '../../lib/pages/load-part.ts';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { applicantName, applicantStatusText } from './applicant.labels.ts';
import {
  cacheApplicant,
  reloadApplicants,
  useShortlistApplication,
  useUnshortlistApplication,
} from './applicants.api.ts';
import { OfferSheet } from './offer-sheet.tsx';
import { RejectSheet } from './reject-sheet.tsx';
import { type DropMove, stageText } from './stage.labels.ts';

const ProposeInterview = lazyPart(() =>
  import('../interviews/propose-interview.tsx').then((part) => ({ default: part.ProposeInterview })),
);

type Asked = { move: 'reject' | 'offer' | 'propose-interview'; applicant: Applicant };

/** Refuses a move with a toast if the device is offline (ADR 341). */
export function refuseOffline(): boolean {
  if (isOnline()) return false;
  showToast(t`You're offline. Try again when you have a connection.`);
  return true;
}

/** A recruiter's moves for one applicant: with a form in `sheets`, or optimistic with rollback. */
export function useActs() {
  const shortlist = useShortlistApplication();
  const unshortlist = useUnshortlistApplication();
  const [action, setAction] = useState<Asked | null>(null);
  const [news, setNews] = useState<string | null>(null);

  const refuse = (applicant: Applicant, error: unknown) => {
    const label = (status: string) => applicantStatusText(status as ApplicationStatus)?.label;
    setNews(newsText(error, label, applicantName(applicant)));
  };

  const step = async (applicant: Applicant, move: 'shortlist' | 'unshortlist', undoable = true) => {
    setNews(null);
    const there = move === 'shortlist' ? 'shortlisted' : 'new';
    const name = applicantName(applicant);
    // Both moves are reversible and don't notify the worker, so they can be optimistic.
    cacheApplicant({
      ...applicant,
      stage: there,
      status: move === 'shortlist' ? 'shortlisted' : 'viewed',
      actions: [],
    });
    try {
      const run = move === 'shortlist' ? shortlist : unshortlist;
      const changed = await run.mutateAsync({
        applicationId: applicant.id,
        version: applicant.version,
      });
      const back = move === 'shortlist' ? 'unshortlist' : 'shortlist';
      const text = t`${name} moved to “${stageText(changed.stage)}”`;
      showToast(
        text,
        undoable && changed.actions.includes(back)
          ? { label: t`Undo`, run: () => refuseOffline() || void step(changed, back, false) }
          : undefined,
      );
    } catch (error) {
      cacheApplicant(applicant);
      reloadApplicants();
      refuse(applicant, error);
    }
  };

  const act = (applicant: Applicant, move: DropMove): void => {
    if (!applicant.actions.includes(move) || refuseOffline()) return;
    if (move === 'shortlist' || move === 'unshortlist') void step(applicant, move);
    else setAction({ move, applicant });
  };

  const close = () => setAction(null);
  const name = action ? applicantName(action.applicant) : '';
  const sheets: ReactNode = (
    <>
      <RejectSheet
        applicants={action?.move === 'reject' ? [action.applicant] : []}
        onClose={close}
        onDone={() => {
          close();
          showToast(t`${name} has been notified`);
        }}
        onRefused={(error) => {
          if (action) refuse(action.applicant, error);
          close();
        }}
      />
      <OfferSheet applicant={action?.move === 'offer' ? action.applicant : null} onClose={close} />
      <Sheet
        open={action?.move === 'propose-interview'}
        onClose={close}
        title={t`Propose an interview to ${name}`}
      >
        <Suspense fallback={<PageSkeleton />}>
          {action?.move === 'propose-interview' ? (
            <ProposeInterview
              applicationId={action.applicant.id}
              onClose={close}
              onDone={() => {
                close();
                cacheApplicant({
                  ...action.applicant,
                  stage: 'interviewing',
                  status: 'interviewing',
                  actions: [],
                });
                reloadApplicants();
                showToast(t`Times sent to ${name}`);
              }}
            />
          ) : null}
        </Suspense>
      </Sheet>
    </>
  );
  return { act, sheets, news, forgetNews: () => setNews(null) };
}
