import { Trans, useLingui } from '@lingui/react/macro';
import { termsInForce } from '@nearhand/contract/people/profile-choices';
import { Suspense, useEffect, useState } from 'react';
import { lazyPart, loadWhenIdle } from '../../lib/pages/load-part.ts';
import { formatCalendarDay } from '../../lib/words/format.ts';
import { Link } from '../../ui/controls/link.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';

const loadTerms = () => import('./terms.tsx');
const Terms = lazyPart(loadTerms);

/** States which terms the form below accepts, and shows them here: `/toc` opens only after sign-up (spec §5). */
export function TermsLine({ social = false }: { social?: boolean }) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  useEffect(() => loadWhenIdle(loadTerms), []);
  const day = formatCalendarDay(termsInForce, { style: 'long' });
  const words = (
    <button type="button" className="link terms-link" onClick={() => setOpen(true)}>
      <Trans>terms and conditions</Trans>
    </button>
  );
  return (
    <>
      <p className="sm mute">
        {social ? (
          <Trans>New accounts accept the {words}.</Trans>
        ) : (
          <Trans>By creating an account you accept the {words}.</Trans>
        )}{' '}
        <Trans>
          What happens with your data is in the{' '}
          <Link className="link" to="/tabs/menu/help/privacy">
            privacy policy
          </Link>
          .
        </Trans>
      </p>
      <Sheet open={open} onClose={() => setOpen(false)} title={t`Terms and conditions`}>
        <p className="sm mute terms-version">{t`Version of ${day}`}</p>
        {open ? (
          <Suspense fallback={<RowsSkeleton />}>
            <Terms />
          </Suspense>
        ) : null}
      </Sheet>
    </>
  );
}
