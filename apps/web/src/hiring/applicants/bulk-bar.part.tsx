import { plural } from '@lingui/core/macro';
import { Plural, useLingui } from '@lingui/react/macro';
import type { Applicant, BulkResult } from '@nearhand/contract/hiring/applicants';
import { limits } from '@nearhand/contract/limits';
import { useRef, useState } from 'react';
import { errorText } from '../../lib/api/error-text.ts';
import { IconButton } from '../../ui/controls/button.tsx';
import { ReasonGroup, SharedReason } from '../../ui/controls/needs-network.tsx';
import { PlainButton } from '../../ui/controls/plain-button.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { type BulkMove, useBulkApplications } from './applicants.api.ts';
import { leftWords } from './bulk-words.ts';
import { CompareSheet } from './compare-sheet.tsx';
import { RejectSheet } from './reject-sheet.tsx';

type BulkBarProps = {
  businessId: string | undefined;
  checked: readonly Applicant[];
  onClear: () => void;
};

/** Bulk actions for the selection, floating over the bottom of the lanes. */
export function BulkBar({ businessId, checked, ...props }: BulkBarProps) {
  const { t } = useLingui();
  const onClear = () => {
    props.onClear();
    // The bar disappears with the pressed button.
    setTimeout(() => {
      if (document.activeElement === document.body)
        document.querySelector<HTMLElement>('.lanes')?.focus({ preventScroll: true });
    }, 50);
  };
  const [comparing, setComparing] = useState(false);
  const [rejecting, setRejecting] = useState(false);
  const bulk = useBulkApplications(businessId);
  // A second press may come before the button is rendered as busy.
  const sending = useRef(false);
  const can = (move: 'shortlist' | 'reject') => checked.filter((one) => one.actions.includes(move));
  if (checked.length === 0) return null;

  const send = async (move: BulkMove, applicants: readonly Applicant[]) => {
    const results: BulkResult[] = [];
    for (let at = 0; at < applicants.length; at += limits.bulkMax) {
      const part = await bulk.mutateAsync({ move, applicants: applicants.slice(at, at + limits.bulkMax) });
      results.push(...part.results);
    }
    const done = results.filter(({ ok }) => ok).length;
    const moved =
      move.action === 'reject'
        ? t`${plural(done, { one: '# applicant notified', other: '# applicants notified' })}`
        : t`${plural(done, { one: '# applicant shortlisted', other: '# applicants shortlisted' })}`;
    const left = leftWords(results, applicants);
    if (left) showToast(done > 0 ? t`${moved}. ${left}` : left);
    else showToast(moved);
    onClear();
  };
  const shortlist = () => {
    if (sending.current) return;
    sending.current = true;
    send({ action: 'shortlist' }, can('shortlist'))
      .catch((error: unknown) => showToast(errorText(error)))
      .finally(() => {
        sending.current = false;
      });
  };
  return (
    <ReasonGroup>
      <section className="bulk-bar" aria-label={t`Selected applicants`}>
        <div>
          <p className="mid nowrap">
            <Plural value={checked.length} one="# selected" other="# selected" />
          </p>
          <SharedReason />
        </div>
        {can('shortlist').length > 0 ? (
          <PlainButton className="bulk-do" needsNetwork aria-busy={bulk.isPending} onClick={shortlist}>
            {t`Shortlist`}
          </PlainButton>
        ) : null}
        {can('reject').length > 0 ? (
          <PlainButton className="bulk-do" needsNetwork onClick={() => setRejecting(true)}>
            {t`Reject`}
          </PlainButton>
        ) : null}
        {checked.length >= 2 ? (
          <PlainButton
            className="bulk-do"
            disabled={checked.length > limits.compareMax}
            onClick={() => setComparing(true)}
          >
            {checked.length > limits.compareMax ? t`Compare up to ${limits.compareMax}` : t`Compare`}
          </PlainButton>
        ) : null}
        <IconButton icon="x" label={t`Clear selection`} onClick={onClear} />
      </section>
      <CompareSheet applicants={comparing ? checked : []} onClose={() => setComparing(false)} />
      <RejectSheet
        applicants={rejecting ? can('reject') : []}
        onClose={() => setRejecting(false)}
        send={(rejection) => send({ action: 'reject', ...rejection }, can('reject'))}
        onDone={() => setRejecting(false)}
        onRefused={(error) => {
          setRejecting(false);
          showToast(errorText(error));
        }}
      />
    </ReasonGroup>
  );
}
