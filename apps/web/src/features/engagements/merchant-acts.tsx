import { Trans, useLingui } from '@lingui/react/macro';
import type { EngagementAction, EngagementCard } from '@nearhand/contract/engagements';
import { type ReactNode, useState } from 'react';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo } from '../../lib/format.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { showToast } from '../../ui/toast.tsx';
import { FileDispute } from '../disputes/dispute.part.tsx';
import { useEngagement } from './engagements.api.ts';
import { CounterForm } from './merchant-counter.tsx';
import {
  ApproveForm,
  CancelForm,
  ChangesForm,
  type MerchantFormProps,
  NoShowForm,
} from './merchant-forms.tsx';
import { merchantStatusWords } from './merchant-words.ts';
import { useEngagementMove } from './use-engagement-move.ts';

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
  const filing = useEngagementMove(props.work.side);
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
          move={filing}
          onClose={props.onClose}
          onDone={() => props.onDone(t`The dispute is open`)}
        />
      );
  }
}
