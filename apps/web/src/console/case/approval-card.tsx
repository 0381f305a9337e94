import type { SecondApproval } from '@nearhand/contract/trust/second-approvals';
import { useAction } from '../../lib/pages/use-action.ts';
import { formatMoney } from '../../lib/words/format.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { api } from '../console-api.ts';
import { useOperator } from '../sign-in/operator-session.ts';
import { useWhen } from './case-zone.ts';
import { Facts } from './facts-card.tsx';

const states: Record<SecondApproval['state'], { text: string; tone?: Tone }> = {
  waiting: { text: 'Waiting for a second person', tone: 'wait' },
  approved: { text: 'Approved', tone: 'good' },
  refused: { text: 'Refused', tone: 'bad' },
  withdrawn: { text: 'Withdrawn' },
  expired: { text: 'Expired' },
};

export function ApprovalStateBadge({ state }: Pick<SecondApproval, 'state'>) {
  return <Badge tone={states[state].tone}>{states[state].text}</Badge>;
}

export function ApprovalCard({
  approval,
  onChange,
}: {
  approval: SecondApproval;
  onChange: () => Promise<unknown>;
}) {
  const when = useWhen();
  const operator = useOperator();
  const action = useAction();
  const isMine = approval.requestedBy.id === operator.id;
  const withdraw = async () => {
    const approvalId = approval.id;
    if (await action.run(() => api.secondApprovals.withdraw({ approvalId }))) showToast('Withdrawn');
    await onChange();
  };
  return (
    <section className="card" aria-label="Second person">
      <p>
        <ApprovalStateBadge state={approval.state} />
      </p>
      <Facts
        rows={[
          ['Asked by', `${isMine ? 'You' : approval.requestedBy.name}, ${when(approval.requestedAt)}`],
          ['Moves', formatMoney(approval.amountMinor, approval.currency)],
          ['Reason', approval.reason],
          ['Expires', approval.state === 'waiting' ? when(approval.expiresAt) : null],
          [
            'Decided by',
            approval.decidedBy && approval.decidedAt
              ? `${approval.decidedBy.name}, ${when(approval.decidedAt)}`
              : null,
          ],
          ['Note', approval.note],
        ]}
      />
      {approval.state === 'waiting' ? (
        <div className="col g2 mt3">
          <p className="sm mute">
            {isMine
              ? 'Nothing moves until another operator approves it. It is in their queue.'
              : 'Nothing moves until another operator than the one who asked approves it.'}
          </p>
          <Refused text={action.refusal} />
          {isMine ? (
            <Button kind="out" size="s" busy={action.busy} onClick={() => void withdraw()}>
              Withdraw
            </Button>
          ) : null}
        </div>
      ) : null}
    </section>
  );
}
