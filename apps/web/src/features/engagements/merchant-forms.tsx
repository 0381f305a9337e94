import { Trans, useLingui } from '@lingui/react/macro';
import type { Engagement } from '@nearhand/contract/engagements';
import { limits } from '@nearhand/contract/limits';
import { formatDate, formatMoney } from '../../lib/format.ts';
import { useTextDraft } from '../../lib/session-draft.ts';
import { useSettings } from '../../lib/settings.ts';
import { ReasonForm } from '../../ui/reason-form.tsx';
import { Cover } from '../holds/cover.part.tsx';
import { useReleasePreview } from '../holds/holds.api.ts';
import { ReleasePreviewState } from '../holds/release-cost.part.tsx';
import {
  useApprove,
  useCancelEngagement,
  useReportNoShowEngagement,
  useRequestChanges,
} from './engagements.api.ts';
import { ReleaseHold } from './release-hold.tsx';
import { useEngagementMove } from './use-engagement-move.ts';

export type MerchantFormProps = { work: Engagement; onDone: (text: string) => void; onClose: () => void };

const one = ({ id, version }: Engagement) => ({ engagementId: id, version });
const nameOf = ({ worker }: Engagement, fallback: string) => worker.name || fallback;

export function ApproveForm({ work, onDone, onClose }: MerchantFormProps) {
  const { t } = useLingui();
  const approve = useApprove();
  const move = useEngagementMove(work.side);
  const name = nameOf(work, t`The worker`);
  const preview = useReleasePreview(work.id);
  return (
    <ReleasePreviewState preview={preview}>
      {(data) => {
        const hold = <ReleaseHold work={work} preview={data} />;
        const amount = formatMoney(data.workerGetsMinor, data.currency);
        return data.missingMinor > 0 ? (
          <div className="col g4">
            {hold}
            <Cover
              engagementId={work.id}
              businessId={work.business.id}
              currency={data.currency}
              missingMinor={data.missingMinor}
              owed={false}
              onDone={() => void preview.refetch()}
            />
          </div>
        ) : (
          <ReasonForm
            send={t`Release ${amount}`}
            move={move}
            onSend={() => approve.mutateAsync(one(work))}
            onDone={() => onDone(t`Released to ${name}`)}
            onClose={onClose}
          >
            <p className="mute">
              <Trans>This is final: {name} is told, and the pay is theirs.</Trans>
            </p>
            {hold}
          </ReasonForm>
        );
      }}
    </ReleasePreviewState>
  );
}

export function ChangesForm({ work, onDone, onClose }: MerchantFormProps) {
  const { t } = useLingui();
  const request = useRequestChanges();
  const move = useEngagementMove(work.side);
  const draft = useTextDraft(`changes ${work.id} ${work.deliveries.length}`);
  const name = nameOf(work, t`The worker`);
  return (
    <ReasonForm
      note={{
        label: t`What is to be changed?`,
        help: t`The worker reads this.`,
        max: limits.messageMax,
        missing: t`Say what is to be changed.`,
        draft,
      }}
      send={t`Ask for changes`}
      move={move}
      onSend={(note) => request.mutateAsync({ ...one(work), note })}
      onDone={() => onDone(t`${name} is told what to change`)}
      onClose={onClose}
    >
      <p className="mute">
        <Trans>
          {name} can then deliver again. The time in which it is approved by itself starts anew with it.
        </Trans>
      </p>
    </ReasonForm>
  );
}

export function NoShowForm({ work, onDone, onClose }: MerchantFormProps) {
  const { t } = useLingui();
  const report = useReportNoShowEngagement();
  const move = useEngagementMove(work.side);
  const name = nameOf(work, t`The worker`);
  const started = work.terms.startsAt ? formatDate(work.terms.startsAt, work.terms.timeZone) : '';
  return (
    <ReasonForm
      kind="bad"
      send={t`Report that they did not come`}
      move={move}
      onSend={() => report.mutateAsync(one(work))}
      onDone={() => onDone(t`Reported. ${name} is told.`)}
      onClose={onClose}
    >
      <p className="mute">
        <Trans>
          The work began {started} and no check-in was recorded. {name} is told and has {limits.contestHours}{' '}
          hours to contest it; then somebody at Nearhand decides. A no-show counts against how reliable a
          worker is, so report it only if you are sure.
        </Trans>
      </p>
    </ReasonForm>
  );
}

export function CancelForm({ work, onDone, onClose }: MerchantFormProps) {
  const { t } = useLingui();
  const cancel = useCancelEngagement();
  const move = useEngagementMove(work.side);
  const draft = useTextDraft(`cancel ${work.id}`);
  const name = nameOf(work, t`The worker`);
  const { lateCancelHours } = useSettings();
  const { cancelling, terms } = work;
  const amount = formatMoney(cancelling?.compensationMinor ?? 0, terms.currency);
  const held = formatMoney(terms.holdMinor, terms.currency);
  return (
    <ReasonForm
      note={{
        label: t`Why?`,
        help: t`The worker reads this.`,
        max: limits.reasonMax,
        missing: t`Say why, in a sentence.`,
        draft,
      }}
      kind="bad"
      send={cancelling?.late ? t`Call it off late` : t`Call it off`}
      move={move}
      onSend={(reason) => cancel.mutateAsync({ ...one(work), reason })}
      onDone={() => onDone(t`Called off. ${name} is told.`)}
      onClose={onClose}
    >
      {cancelling?.late ? (
        <div>
          <p>
            {cancelling.compensationMinor > 0 ? (
              <Trans>
                It starts in less than {lateCancelHours} hours, so this is late: {name} gets {amount} for it,
                and it counts against how reliable your business is.
              </Trans>
            ) : (
              <Trans>
                It starts in less than {lateCancelHours} hours, so this is late and counts against how
                reliable your business is.
              </Trans>
            )}
          </p>
          <p className="sm mute mt2">
            {cancelling.compensationMinor > 0 ? (
              <Trans>
                It is paid at once out of the {held} that are set aside, without a fee. The rest goes back to
                your balance.
              </Trans>
            ) : (
              <Trans>The {held} that are set aside go back to your balance.</Trans>
            )}
          </p>
        </div>
      ) : (
        <p>
          <Trans>
            This is in time: it costs nothing, the {held} that are set aside go back to your balance, and the
            place is free again for others.
          </Trans>
        </p>
      )}
    </ReasonForm>
  );
}
