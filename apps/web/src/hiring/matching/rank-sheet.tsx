import { Trans, useLingui } from '@lingui/react/macro';
import { matchPoints } from '@nearhand/contract/hiring/matching.rules';
import { useState } from 'react';
import { HelpLink } from '../../ui/help-link.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { matchKindText, rankedKinds } from './match.labels.ts';

export function HowWeRank() {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="link sm rank-link"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {t`How we rank`}
      </button>
      <Sheet open={open} onClose={() => setOpen(false)} title={t`How we rank`}>
        <p>
          <Trans>
            Each applicant gets up to 100 points based on facts you can see. You decide; no one is rejected by
            a score.
          </Trans>
        </p>
        <dl className="points mt4">
          {rankedKinds.map((kind) => {
            const { title, note } = matchKindText(kind);
            return (
              <div key={kind}>
                <dt>
                  <span className="mid block">{title}</span>
                  <span className="sm mute block">{note}</span>
                </dt>
                <dd className="num">{matchPoints[kind]}</dd>
              </div>
            );
          })}
        </dl>
        <p className="sm mute mt4">
          <Trans>
            Never counted: name, photo, age, language or writing style. Anything else that's unknown counts as
            half, so new workers aren't ranked last.
          </Trans>
        </p>
        <HelpLink article="how-we-rank">{t`More about ranking`}</HelpLink>
      </Sheet>
    </>
  );
}
