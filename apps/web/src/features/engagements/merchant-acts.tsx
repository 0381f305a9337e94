import { Trans, useLingui } from '@lingui/react/macro';
import type { Engagement, EngagementAction, EngagementCard } from '@nearhand/contract/engagements';
import { limits } from '@nearhand/contract/limits';
import { type ReactNode, useState } from 'react';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo, formatDate, formatMoney } from '../../lib/format.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { showToast } from '../../ui/toast.tsx';
import { FileDispute } from '../disputes/dispute.part.tsx';
import {
  useApprove,
  useCancelEngagement,
  useEngagement,
  useReportNoShowEngagement,
  useRequestChanges,
} from './engagements.api.ts';
import { CounterForm } from './merchant-counter.tsx';
import { Confirm, type MerchantFormProps, Owed } from './merchant-forms.tsx';
import { merchantStatusWords } from './merchant-words.ts';

export const merchantActions = [
  'approve',
  'counter',
  'request-changes',
  'report-no-show',
  'dispute',
  'cancel',
] as const satisfies readonly EngagementAction[];
export type MerchantAction = (typeof merchantActions)[number];

/** What the business can do now, the main thing first: the server's answer. */
export const openActions = ({ actions }: Pick<EngagementCard, 'actions'>): MerchantAction[] =>
  merchantActions.filter((action) => actions.includes(action));

export function useActionWords() {
  const { t } = useLingui();
  return (action: MerchantAction, work: Pick<EngagementCard, 'terms'>): string => {
    switch (action) {
      case 'approve':
        return work.terms.kind === 'shift' ? t`Approve the hours` : t`Approve the work`;
      case 'counter':
        return t`Propose other hours`;
      case 'request-changes':
        return t`Ask for changes`;
      case 'report-no-show':
        return t`They did not come`;
      case 'dispute':
        return t`Open a dispute`;
      case 'cancel':
        return t`Call it off`;
    }
  };
}

type Asked = { action: MerchantAction; work: EngagementCard };

/** Every move of the business with one piece of work; each opens its sheet (`sheets`, to be rendered once), which loads the newest first. */
export function useMerchantActs(): {
  ask: (action: MerchantAction, work: EngagementCard) => void;
  sheets: ReactNode;
} {
  const [asked, setAsked] = useState<Asked | null>(null);
  const words = useActionWords();
  const close = () => setAsked(null);
  return {
    ask: (action, work) => setAsked({ action, work }),
    sheets: (
      <Sheet open={asked !== null} onClose={close} title={asked ? words(asked.action, asked.work) : ''}>
        {asked ? (
          <ActSheet
            key={`${asked.action} ${asked.work.id}`}
            asked={asked}
            onClose={close}
            onDone={(text) => {
              close();
              showToast(text);
            }}
          />
        ) : null}
      </Sheet>
    ),
  };
}

function ActSheet({ asked, onDone, onClose }: { asked: Asked } & Omit<MerchantFormProps, 'work'>) {
  const { t } = useLingui();
  const query = useEngagement(asked.work.id, 'business');
  return (
    <QueryState
      query={query}
      loading={<PageSkeleton />}
      errorTitle={t`We could not load this work`}
      describe={errorText}
      asOf={formatAgo}
    >
      {(work) =>
        work.actions.includes(asked.action) ? (
          <Form action={asked.action} work={work} onDone={onDone} onClose={onClose} />
        ) : (
          <Passed work={work} onClose={onClose} />
        )
      }
    </QueryState>
  );
}

/** Somebody or something was first: nothing is left to send. */
function Passed({ work, onClose }: Pick<MerchantFormProps, 'work' | 'onClose'>) {
  const { t } = useLingui();
  const { label } = merchantStatusWords(work);
  return (
    <div className="col g4">
      <Banner tone="wait" icon="info" live>
        <Trans>
          This is no longer possible: it now says "{label}". What is shown behind this is up to date.
        </Trans>
      </Banner>
      <Button kind="ink" full onClick={onClose}>
        {t`Look at it`}
      </Button>
    </div>
  );
}

function Form({ action, ...props }: MerchantFormProps & { action: MerchantAction }) {
  const { t } = useLingui();
  switch (action) {
    case 'approve':
      return <ApproveForm {...props} />;
    case 'counter':
      return <CounterForm {...props} />;
    case 'request-changes':
      return <ChangesForm {...props} />;
    case 'report-no-show':
      return <NoShowForm {...props} />;
    case 'cancel':
      return <CancelForm {...props} />;
    case 'dispute':
      return (
        <FileDispute
          engagement={props.work}
          onClose={props.onClose}
          onDone={() => props.onDone(t`The dispute is open`)}
        />
      );
  }
}

const one = ({ id, version }: Engagement) => ({ engagementId: id, version });
const nameOf = ({ worker }: Engagement, fallback: string) => worker.name || fallback;

function ApproveForm({ work, onDone, onClose }: MerchantFormProps) {
  const { t } = useLingui();
  const approve = useApprove();
  const name = nameOf(work, t`The worker`);
  const amount = formatMoney(work.amountMinor, work.terms.currency);
  return (
    <Confirm
      lead={<Trans>This is final: {name} is told, and the pay is settled.</Trans>}
      send={t`Approve ${amount}`}
      onSend={() => approve.mutateAsync(one(work))}
      onDone={() => onDone(t`Approved. ${name} is told.`)}
      onClose={onClose}
    >
      <Owed work={work} payMinor={work.amountMinor} />
    </Confirm>
  );
}

function ChangesForm({ work, onDone, onClose }: MerchantFormProps) {
  const { t } = useLingui();
  const request = useRequestChanges();
  const name = nameOf(work, t`The worker`);
  return (
    <Confirm
      lead={
        <Trans>
          {name} can then deliver again. The time in which it is approved by itself starts anew with it.
        </Trans>
      }
      note={{
        label: t`What is to be changed?`,
        max: limits.messageMax,
        missing: t`Say what is to be changed.`,
      }}
      send={t`Ask for changes`}
      onSend={(note) => request.mutateAsync({ ...one(work), note })}
      onDone={() => onDone(t`${name} is told what to change`)}
      onClose={onClose}
    />
  );
}

function NoShowForm({ work, onDone, onClose }: MerchantFormProps) {
  const { t } = useLingui();
  const report = useReportNoShowEngagement();
  const name = nameOf(work, t`The worker`);
  const started = work.terms.startsAt ? formatDate(work.terms.startsAt, work.terms.timeZone) : '';
  return (
    <Confirm
      lead={
        <Trans>
          The work began {started} and no check-in was recorded. {name} is told and has {limits.contestHours}{' '}
          hours to contest it; then somebody at Nearhand decides. A no-show counts against how reliable a
          worker is, so report it only if you are sure.
        </Trans>
      }
      kind="bad"
      send={t`Report that they did not come`}
      onSend={() => report.mutateAsync(one(work))}
      onDone={() => onDone(t`Reported. ${name} is told.`)}
      onClose={onClose}
    />
  );
}

function CancelForm({ work, onDone, onClose }: MerchantFormProps) {
  const { t } = useLingui();
  const cancel = useCancelEngagement();
  const name = nameOf(work, t`The worker`);
  const { cancelling, terms } = work;
  const amount = formatMoney(cancelling?.compensationMinor ?? 0, terms.currency);
  return (
    <Confirm
      note={{ label: t`Why?`, max: limits.reasonMax, missing: t`Say why, in a sentence.` }}
      kind="bad"
      send={cancelling?.late ? t`Call it off late` : t`Call it off`}
      onSend={(reason) => cancel.mutateAsync({ ...one(work), reason })}
      onDone={() => onDone(t`Called off. ${name} is told.`)}
      onClose={onClose}
    >
      {cancelling?.late ? (
        <div>
          <p>
            {cancelling.compensationMinor > 0 ? (
              <Trans>
                It starts in less than {limits.lateCancelHours} hours, so this is late: {name} gets {amount}{' '}
                for it, and it counts against how reliable your business is.
              </Trans>
            ) : (
              <Trans>
                It starts in less than {limits.lateCancelHours} hours, so this is late and counts against how
                reliable your business is.
              </Trans>
            )}
          </p>
          {work.funding === 'not_funded' && cancelling.compensationMinor > 0 ? (
            <p className="sm mute mt2">
              <Trans>Not funded yet: it is recorded as owed; no money moves.</Trans>
            </p>
          ) : null}
        </div>
      ) : (
        <p>
          <Trans>This is in time: it costs nothing, and the place is free again for others.</Trans>
        </p>
      )}
    </Confirm>
  );
}
