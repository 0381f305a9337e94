import { useLingui } from '@lingui/react/macro';
import type { Applicant } from '@nearhand/contract/hiring/applicants';
import { useState } from 'react';
import { useSettledClicks } from '../../lib/forms/moved-buttons.ts';
import { MessageLink } from '../../talk/conversations/message-link.part.tsx';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { applicantName } from './applicant.words.ts';
import { CardMenu } from './card-menu.part.tsx';
import { type DropMove, mainMove, moveWords } from './stage.words.ts';

/** What may stand next to the main action, the likeliest first. All others are in the menu. */
const seconds: readonly DropMove[] = ['offer', 'propose-interview', 'shortlist'];

/** The next step, one other and the chat, as the server allows them; the rest in a menu. */
export function ApplicantActions({
  applicant,
  onMove,
}: {
  applicant: Applicant;
  onMove: (applicant: Applicant, move: DropMove) => void;
}) {
  const { t } = useLingui();
  const [menu, setMenu] = useState(false);
  const main = mainMove(applicant);
  const second = seconds.find((move) => move !== main && applicant.actions.includes(move));
  const rest = applicant.actions.some((move) => move !== main && move !== second && move !== 'view');
  const settled = useSettledClicks(applicant.id, `${main} ${second}`);
  return (
    // biome-ignore lint/a11y/useSemanticElements: buttons are no fields of a form.
    <div className="row wrap g2" role="group" aria-label={t`Actions`} onClickCapture={settled}>
      {main ? (
        <Button
          kind={main === 'offer' ? 'go' : 'ink'}
          size="s"
          needsNetwork
          onClick={() => onMove(applicant, main)}
        >
          {moveWords(main)}
        </Button>
      ) : null}
      {second ? (
        <Button kind="out" size="s" needsNetwork onClick={() => onMove(applicant, second)}>
          {moveWords(second)}
        </Button>
      ) : null}
      <MessageLink jobId={applicant.jobId} workerId={applicant.worker.workerId} />
      {rest ? (
        <IconButton
          icon="dots-three"
          label={t`Actions for ${applicantName(applicant)}`}
          aria-haspopup="dialog"
          onClick={() => setMenu(true)}
        />
      ) : null}
      <CardMenu
        applicant={menu ? applicant : null}
        checked={false}
        onClose={() => setMenu(false)}
        onMove={onMove}
      />
    </div>
  );
}
