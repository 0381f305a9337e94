import { useLingui } from '@lingui/react/macro';
import { useSettings } from '../../lib/settings.ts';
import { formatShare } from '../../lib/words/format.ts';
import { HelpLink } from '../../ui/help-link.tsx';

/** The cost of hiring, for people who have not signed up. */
export function HiringCost() {
  const { t } = useLingui();
  const { businessFeeBasisPoints: fee, workerFeeBasisPoints: workerFee } = useSettings();
  return (
    <>
      <p className="mt3">
        {t`Registering and posting are free. You pay for work only: the pay you set, and a fee of ${formatShare(fee)}.`}{' '}
        {workerFee === 0 ? t`Workers pay no fee.` : t`Workers pay a fee of ${formatShare(workerFee)}.`}
      </p>
      <HelpLink article="fees">{t`What hiring costs`}</HelpLink>
    </>
  );
}
