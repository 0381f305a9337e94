import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { formatCalendarDay } from '../../lib/format.ts';
import { Sheet } from '../../ui/sheet.tsx';
import { Terms, termsVersion } from './terms.tsx';

/** Which terms are accepted with what stands below, readable here: `/toc` itself opens only after sign-up (spec §5). */
export function TermsLine({ social = false }: { social?: boolean }) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  const day = formatCalendarDay(termsVersion, { style: 'long' });
  const words = (
    <button type="button" className="link terms-link" onClick={() => setOpen(true)}>
      <Trans>terms and conditions</Trans>
    </button>
  );
  return (
    <>
      <p className="sm mute">
        {social ? (
          <Trans>If this makes a new account, you accept the {words} with it.</Trans>
        ) : (
          <Trans>By creating an account you accept the {words}.</Trans>
        )}
      </p>
      <Sheet open={open} onClose={() => setOpen(false)} title={t`Terms and conditions`}>
        <p className="sm mute terms-version">{t`Version of ${day}`}</p>
        <Terms />
      </Sheet>
    </>
  );
}
