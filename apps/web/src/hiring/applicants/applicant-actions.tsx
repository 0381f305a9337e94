import { useLingui } from '@lingui/react/macro';
import type { Applicant } from '@nearhand/contract/hiring/applicants';
import { MessageLink } from '../../talk/conversations/message-link.part.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { type DropMove, mainMove, moveWords } from './stage.words.ts';

const others: readonly DropMove[] = ['shortlist', 'propose-interview', 'offer', 'unshortlist', 'reject'];

/** The actions that the server allows, the next step first; and a link to the chat. */
export function ApplicantActions({
  applicant,
  onMove,
}: {
  applicant: Applicant;
  onMove: (applicant: Applicant, move: DropMove) => void;
}) {
  const { t } = useLingui();
  const main = mainMove(applicant);
  const rest = others.filter((move) => move !== main && applicant.actions.includes(move));
  return (
    // biome-ignore lint/a11y/useSemanticElements: buttons are no fields of a form.
    <div className="row wrap g2" role="group" aria-label={t`Actions`}>
      {main ? (
        <Button kind={main === 'offer' ? 'go' : 'ink'} size="s" onClick={() => onMove(applicant, main)}>
          {moveWords(main)}
        </Button>
      ) : null}
      {rest.map((move) => (
        <Button
          key={move}
          kind={move === 'reject' ? 'bad' : 'out'}
          size="s"
          onClick={() => onMove(applicant, move)}
        >
          {moveWords(move)}
        </Button>
      ))}
      <MessageLink jobId={applicant.jobId} workerId={applicant.worker.workerId} />
    </div>
  );
}
