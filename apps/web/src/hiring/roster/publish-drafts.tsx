import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { AlertAudience } from '@nearhand/contract/hiring/jobs.rules';
import { useState } from 'react';
import { isNetworkError } from '../../lib/api/api-error.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { formatCalendarDay, formatSum, joined } from '../../lib/words/format.ts';
import { Button } from '../../ui/controls/button.tsx';
import { type Choice, RadioGroup } from '../../ui/controls/choices.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { usePublishJob } from '../jobs/jobs.api.ts';
import { type DayShift, sumsOf } from './roster.rules.ts';

type Audience = Exclude<AlertAudience, 'subscribers'>;

/**
 * Publishes the drafts of the roster, one after the other, and names those that the server refuses. Asks who gets a
 * notice of the new shifts (ADR 402).
 */
export function PublishDraftsSheet({
  drafts: currentDrafts,
  onClose,
}: {
  drafts: readonly DayShift[];
  onClose: () => void;
}) {
  const { t } = useLingui();
  const now = useNow();
  const publish = usePublishJob();
  const [audience, setAudience] = useState<Audience>('everyone');
  // The roster refetches and loses its drafts while they are being published.
  const [drafts] = useState(currentDrafts);
  const [busy, setBusy] = useState(false);
  const shifts = plural(drafts.length, { one: '# shift', other: '# shifts' });
  const cost = formatSum(sumsOf(drafts).draftCosts);
  const audiences: Choice<Audience>[] = [
    {
      value: 'everyone',
      label: t`Everyone who might want them`,
      help: t`Your people, your followers, and everyone with a saved search that matches.`,
    },
    {
      value: 'colleagues',
      label: t`Only your people`,
      help: t`People who’ve done this work for you or are in your pools, and who have the skills and are free.`,
    },
    { value: 'nobody', label: t`Nobody`, help: t`Workers find the shifts when they search.` },
  ];
  const send = async () => {
    if (busy) return;
    setBusy(true);
    const nameOf = ({ title, day }: DayShift) => joined(title, formatCalendarDay(day, { now }));
    const refusals: string[] = [];
    let isOffline = false;
    for (const draft of drafts) {
      if (isOffline) {
        refusals.push(`${nameOf(draft)}: ${t`Still a draft`}`);
        continue;
      }
      try {
        await publish.mutateAsync({ jobId: draft.jobId, alerts: audience });
      } catch (error) {
        refusals.push(`${nameOf(draft)}: ${errorText(error)}`);
        isOffline = isNetworkError(error);
      }
    }
    setBusy(false);
    refetchChanged(['job']);
    onClose();
    if (refusals.length === 0) showToast(t`${shifts} published`);
    else await showAlert({ title: t`Not all were published`, message: refusals.join('\n') });
  };
  return (
    <Sheet open onClose={() => (busy ? undefined : onClose())} title={t`Publish ${shifts}?`}>
      <Form onSubmit={() => void send()}>
        <p>
          <Trans>
            They cost {cost} with our fee if every spot is taken. Workers who search see them at once.
          </Trans>
        </p>
        <RadioGroup
          legend={t`Who gets a notice?`}
          options={audiences}
          value={audience}
          onChange={setAudience}
        />
        <p className="help">
          <Trans>
            Whatever you choose, booked people are always asked when you change the time, place or pay of
            their shift.
          </Trans>
        </p>
        <div className="row g2 sheet-act">
          <Button kind="go" className="grow" type="submit" needsNetwork busy={busy}>
            {t`Publish`}
          </Button>
        </div>
      </Form>
    </Sheet>
  );
}
