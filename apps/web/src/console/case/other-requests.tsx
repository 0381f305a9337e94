import type { CaseFacts } from '@nearhand/contract/trust/case-facts';
import type { Ticket } from '@nearhand/contract/trust/tickets';
import { useMove } from '../../lib/pages/use-move.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { api } from '../console-api.ts';
import { casePath, plainText } from '../queue/case.labels.ts';
import { refetchCases } from '../queue/cases-api.ts';
import { useWhen } from './case-zone.ts';
import { FactsCard } from './facts-card.tsx';

type StaffThread = Extract<CaseFacts, { kind: 'ticket' }>['ticket'];

/** Other requests of the same person, each with the way to make it part of this one. */
export function OtherRequests({ ticket }: { ticket: StaffThread }) {
  const when = useWhen();
  const move = useMove();
  if (ticket.others.length === 0) return null;
  const merge = async (other: Ticket) => {
    const answer = await showAlert({
      title: 'Merge the requests?',
      message: `“${other.subject}” closes, and its messages are shown here. Nobody is notified, and it can't be undone.`,
      tone: 'ask',
      buttons: [
        { value: 'no', label: 'Cancel', kind: 'out' },
        { value: 'merge', label: 'Merge' },
      ],
    });
    if (answer !== 'merge') return;
    const input = { ticketId: ticket.id, otherId: other.id };
    if (await move.run(() => api.cases.mergeTickets(input).then(refetchCases))) showToast('Requests merged');
  };
  return (
    <FactsCard title="Other requests from this person">
      <ul className="col g3">
        {ticket.others.map((other) => (
          <li key={other.id} className="row g2 wrap">
            <p className="grow">
              <Link className="strong" to={casePath({ kind: 'ticket', subjectId: other.id })}>
                {other.subject}
              </Link>
              <span className="sm mute block">
                {plainText(other.status)} · {when(other.createdAt)}
              </span>
            </p>
            <Button kind="out" size="s" busy={move.busy} onClick={() => void merge(other)}>
              Merge into this one
            </Button>
          </li>
        ))}
      </ul>
      <Refused text={move.refusal} />
    </FactsCard>
  );
}
