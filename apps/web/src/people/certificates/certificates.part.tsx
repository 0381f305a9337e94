import { useLingui } from '@lingui/react/macro';
import type { Certificate } from '@nearhand/contract/people/certificates';
import { certificateLimits } from '@nearhand/contract/people/certificates.rules';
import { useState } from 'react';
import { errorText } from '../../lib/api/error-text.ts';
import { useMove } from '../../lib/pages/use-move.ts';
import { formatCalendarDay } from '../../lib/words/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Banner, Refused } from '../../ui/banner.tsx';
import { CheckCard } from '../../ui/check-card.tsx';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { certificateStatusWords, certificateWords } from './certificate.words.ts';
import { CertificateSheet } from './certificate-sheet.tsx';
import { useCertificateChanges, useCertificates } from './certificates.api.ts';
import './certificates.css';

/** Certificates with an end, checked by Nearhand's staff. */
export function Certificates() {
  const { t } = useLingui();
  const query = useCertificates();
  const { remove } = useCertificateChanges();
  const move = useMove();
  const [open, setOpen] = useState(false);
  const mine = query.data;
  if (!mine)
    return query.isError ? (
      <Banner tone="bad" icon="warning-circle">
        {errorText(query.error)}
      </Banner>
    ) : null;
  const checked = mine.filter(({ status }) => status === 'checked').length;
  const [first, second] = certificateLimits.reminderDays;
  return (
    <CheckCard
      icon="graduation-cap"
      title={t`Certificates`}
      status={
        checked > 0
          ? { label: t`${checked} checked`, tone: 'good' }
          : { label: mine.some(({ status }) => status === 'submitted') ? t`Being checked` : t`Not checked` }
      }
      notes={[
        t`Food hygiene, driving licence, first aid: businesses see which you have and until when, never the document. We answer within two days.`,
        ...(checked > 0 ? [t`We remind you ${first} and ${second} days before one expires.`] : []),
      ]}
    >
      {mine.length > 0 ? (
        <ul className="certificate-list">
          {mine.map((one) => (
            <li key={one.id} className="row g2">
              <CertificateLine certificate={one} />
              <IconButton
                icon="x"
                label={t`Remove ${certificateWords(one.kind)}`}
                needsNetwork
                onClick={() => void move.run(() => remove.mutateAsync({ certificateId: one.id }))}
              />
            </li>
          ))}
        </ul>
      ) : null}
      <Refused text={move.refusal} />
      <Button kind="out" full needsNetwork onClick={() => setOpen(true)}>
        {t`Add a certificate`}
      </Button>
      {open ? <CertificateSheet mine={mine} onClose={() => setOpen(false)} /> : null}
    </CheckCard>
  );
}

function CertificateLine({ certificate }: { certificate: Certificate }) {
  const { t } = useLingui();
  const { label, tone } = certificateStatusWords(certificate);
  const day = formatCalendarDay(certificate.expiresOn);
  return (
    <div className="grow">
      <p className="row wrap g2">
        <span className="mid">{certificateWords(certificate.kind)}</span>
        <Badge tone={tone}>{label}</Badge>
      </p>
      <p className="sm mute">
        {certificate.status === 'expired' ? t`Expired on ${day}` : t`Valid until ${day}`}
      </p>
      {certificate.reason ? (
        <p className="sm pre-line" dir="auto">
          {certificate.reason}
        </p>
      ) : null}
    </div>
  );
}
