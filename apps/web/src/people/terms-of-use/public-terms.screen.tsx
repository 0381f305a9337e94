import { useLingui } from '@lingui/react/macro';
import { termsInForce } from '@nearhand/contract/people/profile-choices';
import { formatCalendarDay } from '../../lib/words/format.ts';
import { Screen } from '../../ui/pages/screen.tsx';
import Terms from './terms.tsx';

/** The terms for guests: `/toc`, where members accept them, opens only after sign-up (spec §5). */
export default function PublicTermsScreen() {
  const { t } = useLingui();
  return (
    <Screen
      title={t`Terms and conditions`}
      lead={t`Version of ${formatCalendarDay(termsInForce, { style: 'long' })}`}
      back="/tabs/menu/account"
    >
      <Terms />
    </Screen>
  );
}
