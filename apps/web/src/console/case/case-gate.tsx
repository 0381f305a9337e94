import { operatorReasonMax, operatorReasonMin } from '@nearhand/contract/operator-context';
import { useMove } from '../../lib/pages/use-move.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { api } from '../console-api.ts';
import { Page } from '../page.tsx';
import { kindWords } from '../queue/case-words.ts';
import { type CaseRef, refetchCases } from '../queue/cases-api.ts';
import { ReasonToLook } from '../reason-to-look.tsx';

type GateProps = {
  one: CaseRef;
  up: { to: string; label: string };
  onReason: (reason: string) => void;
};

/** Reading a case is reading about people: the operator claims it, or says why they look (ADR 177). */
export function CaseGate({ one, up, onReason }: GateProps) {
  const move = useMove();
  return (
    <Page title={kindWords[one.kind].one} up={up}>
      <div className="card c-gate col g4">
        <div>
          <h2 className="h-s">Claim the case to read it</h2>
          <p className="mute mt1">It has people's personal data. Everything you open is in the log.</p>
        </div>
        <Refused text={move.refusal} />
        <Button
          kind="go"
          busy={move.busy}
          onClick={() => void move.run(() => api.cases.claim(one).then(refetchCases))}
        >
          Claim the case
        </Button>
        <ReasonToLook
          label="Or say why you look at it"
          help={`For example, a colleague asked you about it. ${operatorReasonMin} to ${operatorReasonMax} characters.`}
          action="Read without claiming"
          onReason={onReason}
        />
      </div>
    </Page>
  );
}
