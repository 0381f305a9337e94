import { t } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { IdentityCheckView } from '@nearhand/contract/people/identity-checks';
import { identityCheckLimits } from '@nearhand/contract/people/identity-checks.rules';
import { useState } from 'react';
import { errorText } from '../../lib/api/error-text.ts';
import { formatDay, ownTimeZone } from '../../lib/words/format.ts';
import { Banner } from '../../ui/banner.tsx';
import { CheckCard } from '../../ui/check-card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { useIdentityCheck } from './identity-checks.api.ts';
import { IdentitySheet } from './identity-sheet.tsx';
import { documentWords, identityStatusWords } from './identity-words.ts';

const { photosKeptDays } = identityCheckLimits;
const dayOf = (instant: string) => formatDay(instant, ownTimeZone());

/** What the check unlocks, how long it takes, or what to do next. */
function notesOf({ status, decidedAt, submittedAt, photosDeletedAt, name }: IdentityCheckView): string[] {
  const unlocks = t`Businesses see that your identity document was checked. They never see the document.`;
  const privacy = t`Only the person at Nearhand who checks it sees your photos. We store them encrypted and delete them ${photosKeptDays} days after the decision.`;
  const deleted =
    photosDeletedAt === null
      ? []
      : [
          Date.parse(photosDeletedAt) > Date.now()
            ? t`We delete your photos on ${dayOf(photosDeletedAt)}.`
            : t`Your photos have been deleted.`,
        ];
  switch (status) {
    case 'none':
      return [unlocks, t`You need your document and two minutes. We answer within two days.`, privacy];
    case 'submitted':
      return [
        ...(submittedAt ? [t`Sent on ${dayOf(submittedAt)}. We answer within two days.`] : []),
        privacy,
      ];
    case 'needs_info':
      return [t`Take the photos again and send them. We answer within two days.`, ...deleted];
    case 'verified':
      return [...(decidedAt ? [t`Checked on ${dayOf(decidedAt)}.`] : []), unlocks, ...deleted];
    case 'changed':
      return [
        t`We checked your document for the name ${name ?? ''}. Your profile has another name now, so businesses no longer see the check.`,
      ];
    case 'refused':
      return [
        t`You can keep using Nearhand, and send another document. If you think this is wrong, write to us from Help.`,
        ...deleted,
      ];
  }
}

/** The identity document, compared with a selfie by Nearhand's staff. */
export function IdentityCheck() {
  const { t } = useLingui();
  const query = useIdentityCheck();
  const [open, setOpen] = useState(false);
  const view = query.data;
  if (!view)
    return query.isError ? (
      <Banner tone="bad" icon="warning-circle">
        {errorText(query.error)}
      </Banner>
    ) : null;
  const first = view.status === 'none';
  return (
    <CheckCard
      icon="identification-card"
      title={t`Identity document`}
      status={identityStatusWords(view.status)}
      subject={view.document && documentWords(view.document)}
      notes={notesOf(view)}
    >
      {view.reason ? (
        <Banner tone={view.status === 'refused' ? 'bad' : 'wait'} icon="info">
          <span className="pre-line" dir="auto">
            {view.reason}
          </span>
        </Banner>
      ) : null}
      {view.maySend ? (
        <Button kind={first ? 'out' : 'ink'} full needsNetwork onClick={() => setOpen(true)}>
          {first ? t`Check your identity document` : t`Send new photos`}
        </Button>
      ) : null}
      {open ? <IdentitySheet start={view.document ?? 'id_card'} onClose={() => setOpen(false)} /> : null}
    </CheckCard>
  );
}
