import { isId } from '@nearhand/contract/ids';
import type { OperatorContext } from '@nearhand/contract/operator-context';
import { operatorMay } from '@nearhand/contract/operator-roles';
import { approvalLimits } from '@nearhand/contract/trust/second-approvals.rules';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import { useStoredText } from '../../lib/device/device-draft.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextArea } from '../../ui/controls/inputs.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { ApprovalCard } from '../case/approval-card.tsx';
import { CorrectionView, EntryView } from '../case/approval-facts.tsx';
import { FactsCard } from '../case/facts-card.tsx';
import { api, apiQuery } from '../console-api.ts';
import { NotFoundPage } from '../not-found-page.tsx';
import { Page } from '../page.tsx';
import { useOperator } from '../sign-in/operator-session.ts';
import { AccessReasonGate, useAccessReason, withCase } from './access-reason.tsx';

export function EntryPage() {
  const { entryId } = useParams();
  const access = useAccessReason();
  if (!isId(entryId)) return <NotFoundPage />;
  return (
    <Page title="Ledger entry" up={{ to: withCase('/search', access), label: 'Search' }}>
      <AccessReasonGate>
        {(context) => <Entry key={entryId} entryId={entryId} access={context} />}
      </AccessReasonGate>
    </Page>
  );
}

function Entry({ entryId, access }: { entryId: string; access: OperatorContext }) {
  const { roles } = useOperator();
  const options = apiQuery.secondApprovals.entry.queryOptions({
    input: { entryId },
    context: { operator: access },
  });
  const query = useQuery(options);
  return (
    <QueryState query={query} loading={<PageSkeleton />} errorTitle="We couldn't load the entry">
      {({ entry, correction, approval }) => (
        <div className="c-two mt3">
          <FactsCard title="Entry">
            <EntryView entry={entry} />
          </FactsCard>
          <div className="col g4">
            {approval ? <ApprovalCard approval={approval} onChange={() => query.refetch()} /> : null}
            {correction && approval?.state !== 'waiting' && operatorMay(roles, 'payments') ? (
              <section className="card" aria-label="Reverse the payment">
                <h2 className="h-s">Reverse the payment</h2>
                <div className="mt3">
                  <CorrectionView correction={correction} />
                </div>
                {correction.problem ? null : (
                  <Propose entryId={entryId} access={access} onDone={() => query.refetch()} />
                )}
              </section>
            ) : null}
            {correction ? null : (
              <p className="card sm mute">
                Only payments to workers and rewards can be reversed here. Card payments, refunds and
                withdrawals moved at the payment provider. A business pays a wrong refund back by adding money
                again.
              </p>
            )}
          </div>
        </div>
      )}
    </QueryState>
  );
}

function Propose({
  entryId,
  access,
  onDone,
}: {
  entryId: string;
  access: OperatorContext;
  onDone: () => Promise<unknown>;
}) {
  const action = useAction();
  const [tried, setTried] = useState(false);
  const draft = useStoredText(`correction ${entryId}`);
  const reason = draft.value.trim();
  const { reasonMin, reasonMax } = approvalLimits;
  const problem =
    reason.length < reasonMin || reason.length > reasonMax
      ? `Write ${reasonMin} to ${reasonMax} characters.`
      : undefined;
  const propose = async () => {
    setTried(true);
    if (problem) return;
    const call = () =>
      api.secondApprovals.proposeCorrection({ entryId, reason }, { context: { operator: access } });
    if (await action.run(call)) {
      draft.drop();
      showToast('Sent to a second person');
    }
    await onDone();
  };
  return (
    <Form className="col g3 mt3" onSubmit={() => void propose()}>
      <TextArea
        label="Reason"
        help="Those concerned read it word for word."
        rows={4}
        maxLength={reasonMax}
        length={draft.value.length}
        value={draft.value}
        error={tried ? problem : undefined}
        onChange={(event) => draft.set(event.target.value)}
      />
      <Refused text={action.refusal} />
      <Button kind="go" full type="submit" busy={action.busy}>
        Ask a second person to approve it
      </Button>
    </Form>
  );
}
