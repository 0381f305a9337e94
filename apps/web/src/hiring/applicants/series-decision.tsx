import { useLingui } from '@lingui/react/macro';
import type { Applicant } from '@nearhand/contract/hiring/applicants';
import { withWholeBlock } from '@nearhand/contract/hiring/applications.rules';
import { useState } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { shiftCount } from '../../lib/words/counts.ts';
import { formatDay } from '../../lib/words/format.ts';
import { MessageLink } from '../../talk/conversations/message-link.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { CheckGroup } from '../../ui/controls/choices.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { applicantName } from './applicant.labels.ts';
import { useBulkApplications } from './applicants.api.ts';
import { leftText } from './bulk-bar.tsx';
import { OfferSheet } from './offer-sheet.tsx';
import { RejectSheet } from './reject-sheet.tsx';

/**
 * Decides once about someone who applied for several shifts of a series: about all of them, or the chosen
 * ones.
 */
export function SeriesDecision({
  applications,
  businessId,
}: {
  applications: readonly Applicant[];
  businessId: string | undefined;
}) {
  const { t } = useLingui();
  const [leftOut, setLeftOut] = useState<readonly string[]>([]);
  const [sheet, setSheet] = useState<'offer' | 'reject' | null>(null);
  const bulk = useBulkApplications(businessId);
  const chosen = applications.filter(({ id }) => !leftOut.includes(id));
  const can = (action: 'offer' | 'shortlist' | 'reject') =>
    chosen.filter(({ actions }) => actions.includes(action));
  const close = () => setSheet(null);
  const [first] = applications;
  if (!first) return null;
  const name = applicantName(first);
  const blockIds = applications.flatMap(({ id, asBlock }) => (asBlock ? [id] : []));
  const isWholeBlock = blockIds.length === applications.length;
  const move = async (change: Parameters<typeof bulk.mutateAsync>[0]['move']) => {
    const moved = can(change.action === 'reject' ? 'reject' : 'shortlist');
    const { results } = await bulk.mutateAsync({ move: change, applicants: moved });
    const movedShifts = shiftCount(results.filter(({ ok }) => ok).length);
    const failed = leftText(results, moved);
    showToast(
      failed ??
        (change.action === 'reject' ? t`Rejected for ${movedShifts}` : t`Shortlisted for ${movedShifts}`),
    );
  };
  return (
    <section className="col">
      <CheckGroup
        legend={t`${name} applied for ${shiftCount(applications.length)}`}
        help={
          isWholeBlock
            ? t`What you decide is for all dates together.`
            : t`What you decide is for the shifts chosen here.`
        }
        columns
        options={applications.map(({ id, jobStartsAt, timeZone }) => ({
          value: id,
          label: jobStartsAt ? formatDay(jobStartsAt, timeZone) : '',
          disabled: isWholeBlock,
        }))}
        value={chosen.map(({ id }) => id)}
        onChange={(ids) => {
          const chosenIds = withWholeBlock(
            ids,
            chosen.map(({ id }) => id),
            blockIds,
          );
          setLeftOut(applications.flatMap(({ id }) => (chosenIds.includes(id) ? [] : [id])));
        }}
      />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields, not for buttons. */}
      <div className="row wrap g2" role="group" aria-label={t`Actions`}>
        {can('offer').length > 0 ? (
          <Button kind="go" size="s" needsNetwork onClick={() => setSheet('offer')}>
            {t`Offer ${shiftCount(can('offer').length)}`}
          </Button>
        ) : null}
        {can('shortlist').length > 0 ? (
          <Button
            kind="out"
            size="s"
            needsNetwork
            busy={bulk.isPending}
            onClick={() =>
              void move({ action: 'shortlist' }).catch((error: unknown) => showToast(errorText(error)))
            }
          >
            {t`Shortlist`}
          </Button>
        ) : null}
        {can('reject').length > 0 ? (
          <Button kind="bad" size="s" needsNetwork onClick={() => setSheet('reject')}>
            {t`Reject`}
          </Button>
        ) : null}
        <MessageLink jobId={first.jobId} workerId={first.worker.workerId} />
      </div>
      <RejectSheet
        applicants={sheet === 'reject' ? can('reject') : []}
        onClose={close}
        send={(rejection) => move({ action: 'reject', ...rejection })}
        onDone={close}
        onRefused={(error) => {
          close();
          showToast(errorText(error));
        }}
      />
      <OfferSheet
        applicant={sheet === 'offer' ? (can('offer')[0] ?? null) : null}
        series={{ applications, chosenIds: can('offer').map(({ id }) => id) }}
        onClose={close}
      />
    </section>
  );
}
