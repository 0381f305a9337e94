import { Trans, useLingui } from '@lingui/react/macro';
import type { EngagementAction, EngagementCard } from '@nearhand/contract/work/engagements';
import { type ReactNode, useState } from 'react';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { FileDispute } from '../disputes/dispute-forms.tsx';
import { businessWorkText } from '../engagements/business-work.labels.ts';
import { useEngagementMove } from '../engagements/engagement-move.api.ts';
import { useEngagement } from '../engagements/engagements.api.ts';
import { CounterForm } from '../timesheets/counter-form.tsx';
import {
  ApproveForm,
  type BusinessWorkFormProps,
  CancelBookingForm,
  ChangesForm,
  NoShowForm,
  RecordForm,
} from './business-work-forms.tsx';

const businessWorkActions = [
  'approve',
  'counter',
  'request-changes',
  'check-in-for',
  'check-out-for',
  'report-no-show',
  'dispute',
  'cancel',
] as const satisfies readonly EngagementAction[];
export type BusinessWorkAction = (typeof businessWorkActions)[number];

/** The business's possible actions, from the server, most important first. */
export const openActions = ({ actions }: Pick<EngagementCard, 'actions'>): BusinessWorkAction[] =>
  businessWorkActions.filter((action) => actions.includes(action));

export function useActionText() {
  const { t } = useLingui();
  return (action: BusinessWorkAction, work: Pick<EngagementCard, 'terms'>): string => {
    switch (action) {
      case 'approve':
        return work.terms.kind === 'shift' ? t`Approve hours` : t`Approve work`;
      case 'counter':
        return t`Propose other hours`;
      case 'request-changes':
        return t`Request changes`;
      case 'check-in-for':
        return t`Record check-in`;
      case 'check-out-for':
        return t`Record check-out`;
      case 'report-no-show':
        return t`Report no-show`;
      case 'dispute':
        return t`Open a dispute`;
      case 'cancel':
        return t`Cancel booking`;
    }
  };
}

type ChosenAct = { action: BusinessWorkAction; work: EngagementCard };

/** The business's actions on booked work, each in a sheet with the latest state. Render `sheets` once. */
export function useBusinessActs(): {
  ask: (action: BusinessWorkAction, work: EngagementCard) => void;
  sheets: ReactNode;
} {
  const [chosenAct, setChosenAct] = useState<ChosenAct | null>(null);
  const words = useActionText();
  const close = () => setChosenAct(null);
  return {
    ask: (action, work) => setChosenAct({ action, work }),
    sheets: (
      <Sheet
        open={chosenAct !== null}
        onClose={close}
        title={chosenAct ? words(chosenAct.action, chosenAct.work) : ''}
      >
        {chosenAct ? (
          <ActSheet
            key={`${chosenAct.action} ${chosenAct.work.id}`}
            act={chosenAct}
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

function ActSheet({ act, onDone, onClose }: { act: ChosenAct } & Omit<BusinessWorkFormProps, 'work'>) {
  const { t } = useLingui();
  const query = useEngagement(act.work.id, 'business');
  return (
    <QueryState query={query} loading={<PageSkeleton />} errorTitle={t`We couldn't load this job`}>
      {(work) =>
        work.actions.includes(act.action) ? (
          <ActForm action={act.action} work={work} onDone={onDone} onClose={onClose} />
        ) : (
          <Outdated work={work} onClose={onClose} />
        )
      }
    </QueryState>
  );
}

function Outdated({ work, onClose }: Pick<BusinessWorkFormProps, 'work' | 'onClose'>) {
  const { t } = useLingui();
  const { label } = businessWorkText(work);
  return (
    <div className="col g4">
      <Banner tone="wait" icon="info" live>
        <Trans>You can't do this any more. The status is now “{label}”.</Trans>
      </Banner>
      <Button kind="ink" full onClick={onClose}>
        {t`See the latest`}
      </Button>
    </div>
  );
}

function ActForm({ action, ...props }: BusinessWorkFormProps & { action: BusinessWorkAction }) {
  const { t } = useLingui();
  const filing = useEngagementMove(props.work.side);
  switch (action) {
    case 'approve':
      return <ApproveForm {...props} />;
    case 'counter':
      return <CounterForm {...props} />;
    case 'request-changes':
      return <ChangesForm {...props} />;
    case 'check-in-for':
    case 'check-out-for':
      return <RecordForm {...props} action={action} />;
    case 'report-no-show':
      return <NoShowForm {...props} />;
    case 'cancel':
      return <CancelBookingForm {...props} />;
    case 'dispute':
      return (
        <FileDispute
          engagement={props.work}
          action={filing}
          onClose={props.onClose}
          onDone={() => props.onDone(t`Dispute opened`)}
        />
      );
  }
}
